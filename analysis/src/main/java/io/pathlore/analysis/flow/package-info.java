@NullMarked
package io.pathlore.analysis.flow;

import org.jspecify.annotations.NullMarked;
