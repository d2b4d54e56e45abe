/** Measurements, each beside its baseline. */
@NullMarked
package io.pathlore.bench;

import org.jspecify.annotations.NullMarked;
