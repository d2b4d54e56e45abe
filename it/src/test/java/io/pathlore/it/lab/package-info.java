/** The lab as a whole: shipped scenarios run to their end, and what they tell is checked from outside. */
@NullMarked
package io.pathlore.it.lab;

import org.jspecify.annotations.NullMarked;
