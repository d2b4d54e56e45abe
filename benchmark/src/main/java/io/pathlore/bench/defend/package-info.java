/** How fast an attack is stopped, and how fast its devices are let go when it is over. */
@NullMarked
package io.pathlore.bench.defend;

import org.jspecify.annotations.NullMarked;
