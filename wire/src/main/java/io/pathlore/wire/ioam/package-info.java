/** IOAM headers inside the reported packet. */
@NullMarked
package io.pathlore.wire.ioam;

import org.jspecify.annotations.NullMarked;
