/** The configuration file: read, checked against what is known, and turned into records. */
@NullMarked
package io.pathlore.cli.config;

import org.jspecify.annotations.NullMarked;
