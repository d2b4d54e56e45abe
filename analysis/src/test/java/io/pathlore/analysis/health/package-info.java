@NullMarked
package io.pathlore.analysis.health;

import org.jspecify.annotations.NullMarked;
