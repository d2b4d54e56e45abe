/** Datagrams from capture files. */
@NullMarked
package io.pathlore.ingest.pcap;

import org.jspecify.annotations.NullMarked;
