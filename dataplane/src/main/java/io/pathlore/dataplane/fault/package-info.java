/** What goes wrong, and when. */
@NullMarked
package io.pathlore.dataplane.fault;

import org.jspecify.annotations.NullMarked;
