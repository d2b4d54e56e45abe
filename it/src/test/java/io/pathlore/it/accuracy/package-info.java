/** What is found in the lab's reports, held against what happened there. */
@NullMarked
package io.pathlore.it.accuracy;

import org.jspecify.annotations.NullMarked;
