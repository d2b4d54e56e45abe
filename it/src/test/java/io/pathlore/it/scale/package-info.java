/** The job on a real Flink cluster, fed and read over a real broker, while processes of it die. */
@NullMarked
package io.pathlore.it.scale;

import org.jspecify.annotations.NullMarked;
