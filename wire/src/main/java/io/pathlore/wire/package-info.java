/** Bytes to model and back, whatever the version and dialect. No I/O. */
@NullMarked
package io.pathlore.wire;

import org.jspecify.annotations.NullMarked;
