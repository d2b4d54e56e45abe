/** From a datagram to its reports: versions, dialects and what to do with bytes that are wrong. */
@NullMarked
package io.pathlore.wire.decode;

import org.jspecify.annotations.NullMarked;
