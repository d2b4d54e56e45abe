/** A datagram with what was known when it came in: the record of the journal and the value on Kafka. */
@NullMarked
package io.pathlore.wire.envelope;

import org.jspecify.annotations.NullMarked;
