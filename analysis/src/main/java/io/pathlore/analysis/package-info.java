@NullMarked
package io.pathlore.analysis;

import org.jspecify.annotations.NullMarked;
