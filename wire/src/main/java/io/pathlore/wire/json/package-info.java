/** Decoded reports as JSON text. */
@NullMarked
package io.pathlore.wire.json;

import org.jspecify.annotations.NullMarked;
