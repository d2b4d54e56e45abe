/** One INT node: parse, match, act, report. */
@NullMarked
package io.pathlore.dataplane.node;

import org.jspecify.annotations.NullMarked;
