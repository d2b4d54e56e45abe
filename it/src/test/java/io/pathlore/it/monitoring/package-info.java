/** What is shipped for Prometheus and Grafana, before the real thing. */
@NullMarked
package io.pathlore.it.monitoring;

import org.jspecify.annotations.NullMarked;
