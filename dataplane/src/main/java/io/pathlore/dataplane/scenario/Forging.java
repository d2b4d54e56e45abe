package io.pathlore.dataplane.scenario;

/**
 * Somebody sends reports in the name of a node.
 *
 * @param device the switch in whose name
 * @param sourceAddress IPv4; they come from there
 * @param intervalNanos from one to the next
 */
public record Forging(long startNanos, long durationNanos, int device, int sourceAddress, long intervalNanos) {
    public Forging {
        if (intervalNanos < 1) {
            throw new IllegalArgumentException("reports " + intervalNanos + " ns apart");
        }
    }
}
