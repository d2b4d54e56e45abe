/** What tests of operators have in common. */
@NullMarked
package io.pathlore.analysis;

import org.jspecify.annotations.NullMarked;
