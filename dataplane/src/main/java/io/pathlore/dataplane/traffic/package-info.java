/** What hosts send. */
@NullMarked
package io.pathlore.dataplane.traffic;

import org.jspecify.annotations.NullMarked;
