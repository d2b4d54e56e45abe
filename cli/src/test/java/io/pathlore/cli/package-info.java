@NullMarked
package io.pathlore.cli;

import org.jspecify.annotations.NullMarked;
