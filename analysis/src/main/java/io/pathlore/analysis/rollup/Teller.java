package io.pathlore.analysis.rollup;

/**
 * An exporter has told of a node.
 *
 * @param nanos the end of the tenth of a second in which it did
 * @param exporter by its hash
 */
public record Teller(long nanos, long node, long exporter) {}
