/** {@code ./bench replay}: how fast datagrams are sent. */
@NullMarked
package io.pathlore.bench.replay;

import org.jspecify.annotations.NullMarked;
