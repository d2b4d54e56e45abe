package io.pathlore.serve.metrics;

/** Asked at every scrape, by several threads at once perhaps. */
@FunctionalInterface
public interface MetricSource {
    void write(MetricWriter out);
}
