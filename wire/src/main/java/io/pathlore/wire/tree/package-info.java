/** The faithful tree of a report: every header, layer and warning. */
@NullMarked
package io.pathlore.wire.tree;

import org.jspecify.annotations.NullMarked;
