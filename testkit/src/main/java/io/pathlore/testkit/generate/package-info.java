/** Random datagrams from seeds: valid ones of every kind, mutated ones, and ordinary packets that only look like INT. */
@NullMarked
package io.pathlore.testkit.generate;

import org.jspecify.annotations.NullMarked;
