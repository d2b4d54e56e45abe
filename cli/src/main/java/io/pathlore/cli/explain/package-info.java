/** What fields, drop reasons and events mean, in words. */
@NullMarked
package io.pathlore.cli.explain;

import org.jspecify.annotations.NullMarked;
