/** The virtual network on real sockets and in real time: the only place of this module with I/O, threads and a clock. */
@NullMarked
package io.pathlore.dataplane.live;

import org.jspecify.annotations.NullMarked;
