/** Attacks on a network that runs, and what a collector does about them, from the first report to the last order. */
@NullMarked
package io.pathlore.it.defend;

import org.jspecify.annotations.NullMarked;
