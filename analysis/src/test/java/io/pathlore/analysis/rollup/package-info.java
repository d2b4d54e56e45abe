@NullMarked
package io.pathlore.analysis.rollup;

import org.jspecify.annotations.NullMarked;
