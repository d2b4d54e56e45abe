@NullMarked
package io.pathlore.analysis.join;

import org.jspecify.annotations.NullMarked;
