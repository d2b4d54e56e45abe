/** The {@code pathlore} program: commands, configuration, wiring. */
@NullMarked
package io.pathlore.cli;

import org.jspecify.annotations.NullMarked;
