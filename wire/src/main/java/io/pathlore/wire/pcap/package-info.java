/** Capture file formats, as bytes. */
@NullMarked
package io.pathlore.wire.pcap;

import org.jspecify.annotations.NullMarked;
