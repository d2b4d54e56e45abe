/** A run of the lab, written down: which network, which traffic, what goes wrong, and what is told of it. */
@NullMarked
package io.pathlore.dataplane.scenario;

import org.jspecify.annotations.NullMarked;
