/** System tests and the rules of the architecture. */
@NullMarked
package io.pathlore.it;

import org.jspecify.annotations.NullMarked;
