/** Reports and flows as filters see them. */
@NullMarked
package io.pathlore.cli.filter;

import org.jspecify.annotations.NullMarked;
