@NullMarked
package io.pathlore.testkit.vectors;

import org.jspecify.annotations.NullMarked;
