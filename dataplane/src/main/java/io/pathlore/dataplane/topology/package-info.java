/** Shapes of networks. */
@NullMarked
package io.pathlore.dataplane.topology;

import org.jspecify.annotations.NullMarked;
