/** The running collector, in a process of its own, held to account by others who share none of its code. */
@NullMarked
package io.pathlore.it.collect;

import org.jspecify.annotations.NullMarked;
