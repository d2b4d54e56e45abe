/** What reports say, added up by second and by minute. */
@NullMarked
package io.pathlore.analysis.rollup;

import org.jspecify.annotations.NullMarked;
