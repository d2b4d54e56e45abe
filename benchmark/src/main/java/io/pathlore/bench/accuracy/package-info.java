@NullMarked
package io.pathlore.bench.accuracy;

import org.jspecify.annotations.NullMarked;
