/** Who did what, and why, in lines that hold each other. */
@NullMarked
package io.pathlore.mitigate.audit;

import org.jspecify.annotations.NullMarked;
