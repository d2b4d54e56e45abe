/** Golden vectors: bytes written by hand, by specifications or by other people's switches; none by our own encoders. */
@NullMarked
package io.pathlore.testkit.vectors;

import org.jspecify.annotations.NullMarked;
