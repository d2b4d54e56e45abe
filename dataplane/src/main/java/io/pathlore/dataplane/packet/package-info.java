/** Bytes on their way. */
@NullMarked
package io.pathlore.dataplane.packet;

import org.jspecify.annotations.NullMarked;
