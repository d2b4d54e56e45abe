/** Tells people outside. */
@NullMarked
package io.pathlore.mitigate.notice;

import org.jspecify.annotations.NullMarked;
