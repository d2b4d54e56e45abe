@NullMarked
package io.pathlore.cli.filter;

import org.jspecify.annotations.NullMarked;
