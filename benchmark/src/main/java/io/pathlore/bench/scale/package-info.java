/** {@code ./bench scale}: the analysis in parts, beside the analysis in one piece. */
@NullMarked
package io.pathlore.bench.scale;

import org.jspecify.annotations.NullMarked;
