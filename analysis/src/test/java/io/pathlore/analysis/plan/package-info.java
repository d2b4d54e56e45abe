@NullMarked
package io.pathlore.analysis.plan;

import org.jspecify.annotations.NullMarked;
