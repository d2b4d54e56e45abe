package io.pathlore.dataplane.lab;

/**
 * A device's own idea of time.
 *
 * @param offsetNanos what it shows at virtual time 0: the epoch of the run, and how far it is off
 * @param driftPerBillion nanoseconds it gains in a second
 */
public record NodeClock(long offsetNanos, long driftPerBillion) {
    private static final long SECOND = 1_000_000_000;

    public long deviceNanos(long virtualNanos) {
        // By whole seconds and the rest: the product of time and drift would overflow within a day.
        return virtualNanos
                + offsetNanos
                + virtualNanos / SECOND * driftPerBillion
                + Math.floorDiv(virtualNanos % SECOND * driftPerBillion, SECOND);
    }
}
