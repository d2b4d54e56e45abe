@NullMarked
package io.pathlore.dataplane.inband;

import org.jspecify.annotations.NullMarked;
