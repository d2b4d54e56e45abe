/**
 * Coverage-guided fuzzing: the profile {@code fuzz}, or {@code JAZZER_FUZZ=1} for one target and a long time. Without them
 * the seeds alone are run, as ordinary tests.
 */
@NullMarked
package io.pathlore.it.fuzz;

import org.jspecify.annotations.NullMarked;
