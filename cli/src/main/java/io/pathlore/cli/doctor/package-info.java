/** Why nothing arrives: what a collector tells of itself, or the machine of it, read stage by stage. */
@NullMarked
package io.pathlore.cli.doctor;

import org.jspecify.annotations.NullMarked;
