package io.pathlore.analysis.rollup;

/**
 * What of one exporter's numbers was seen in a tenth of a second.
 *
 * @param nanos its end
 * @param exporter by its hash
 * @param numbers that arrived
 * @param gap those that are missing; below 0 where more came than was missing in it
 * @param lastNanos when the last report of it was received
 */
public record Arrived(long nanos, long exporter, int numbers, int gap, long lastNanos) {}
