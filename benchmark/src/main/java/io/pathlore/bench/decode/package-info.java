/** From datagrams to columns and to JSON, beside the same in C. */
@NullMarked
package io.pathlore.bench.decode;

import org.jspecify.annotations.NullMarked;
