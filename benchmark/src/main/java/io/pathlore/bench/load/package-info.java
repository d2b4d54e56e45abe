/** {@code ./bench load}: how fast datagrams are received and accounted for. */
@NullMarked
package io.pathlore.bench.load;

import org.jspecify.annotations.NullMarked;
