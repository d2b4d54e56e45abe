@NullMarked
package io.pathlore.analysis.hop;

import org.jspecify.annotations.NullMarked;
