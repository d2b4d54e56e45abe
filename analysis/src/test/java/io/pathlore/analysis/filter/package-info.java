@NullMarked
package io.pathlore.analysis.filter;

import org.jspecify.annotations.NullMarked;
