/** From the socket to decoded, counted reports. */
@NullMarked
package io.pathlore.ingest.udp;

import org.jspecify.annotations.NullMarked;
