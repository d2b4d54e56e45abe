/** Which packets are watched, which of them are taken, and which are worth a report. */
@NullMarked
package io.pathlore.dataplane.watch;

import org.jspecify.annotations.NullMarked;
