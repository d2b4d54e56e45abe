/** Sequence numbers of report datagrams: what was lost on the way, what came twice, who began anew, who speaks double. */
@NullMarked
package io.pathlore.analysis.sequence;

import org.jspecify.annotations.NullMarked;
