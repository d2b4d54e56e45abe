@NullMarked
package io.pathlore.dataplane.node;

import org.jspecify.annotations.NullMarked;
