@NullMarked
package io.pathlore.bench.attacks;

import org.jspecify.annotations.NullMarked;
