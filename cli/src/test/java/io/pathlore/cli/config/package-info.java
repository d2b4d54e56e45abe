@NullMarked
package io.pathlore.cli.config;

import org.jspecify.annotations.NullMarked;
