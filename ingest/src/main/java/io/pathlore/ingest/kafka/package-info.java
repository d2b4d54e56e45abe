/** Datagrams on Kafka, in their envelopes, for those who analyse elsewhere. */
@NullMarked
package io.pathlore.ingest.kafka;

import org.jspecify.annotations.NullMarked;
