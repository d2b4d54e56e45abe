/** {@code ./bench lab}: the virtual network on one processor. */
@NullMarked
package io.pathlore.bench.lab;

import org.jspecify.annotations.NullMarked;
