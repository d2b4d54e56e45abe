@NullMarked
package io.pathlore.dataplane.live;

import org.jspecify.annotations.NullMarked;
