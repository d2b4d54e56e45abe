/** Metrics in the text format 0.0.4 of Prometheus. */
@NullMarked
package io.pathlore.serve.metrics;

import org.jspecify.annotations.NullMarked;
