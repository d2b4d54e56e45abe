/** Coverage-guided fuzzing. Without {@code JAZZER_FUZZ=1} the seeds alone are run, as ordinary tests. */
@NullMarked
package io.pathlore.it.fuzz;

import org.jspecify.annotations.NullMarked;
