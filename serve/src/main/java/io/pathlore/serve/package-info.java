/** HTTP over the running process: routes, limits, answers. What it tells is asked of small interfaces; it owns no data. */
@NullMarked
package io.pathlore.serve;

import org.jspecify.annotations.NullMarked;
