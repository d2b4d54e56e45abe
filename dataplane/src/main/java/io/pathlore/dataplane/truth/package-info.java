/** What really happened, and when a collector could have known. */
@NullMarked
package io.pathlore.dataplane.truth;

import org.jspecify.annotations.NullMarked;
