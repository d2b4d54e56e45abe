@NullMarked
package io.pathlore.analysis.path;

import org.jspecify.annotations.NullMarked;
