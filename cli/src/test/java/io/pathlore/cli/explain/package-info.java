@NullMarked
package io.pathlore.cli.explain;

import org.jspecify.annotations.NullMarked;
