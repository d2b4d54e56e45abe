@NullMarked
package io.pathlore.dataplane.watch;

import org.jspecify.annotations.NullMarked;
