/** A second decoder, written from the specifications without a look at {@code wire}. */
@NullMarked
package io.pathlore.testkit.reference;

import org.jspecify.annotations.NullMarked;
