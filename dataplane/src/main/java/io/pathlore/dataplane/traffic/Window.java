package io.pathlore.dataplane.traffic;

/** When a source sends, counted from the start of the run. */
public record Window(long offsetNanos, long durationNanos) {
    public static final long FOREVER = Long.MAX_VALUE;
    public static final Window ALWAYS = new Window(0, FOREVER);

    public Window {
        if (offsetNanos < 0) {
            throw new IllegalArgumentException("start: must not be negative");
        }
        if (durationNanos <= 0) {
            throw new IllegalArgumentException("duration: must be more than 0");
        }
    }

    long from(long startNanos) {
        return startNanos + offsetNanos;
    }

    /** The first nanosecond that is not in it. */
    long until(long startNanos, long endNanos) {
        long from = from(startNanos);
        return durationNanos < endNanos - from ? from + durationNanos : Math.max(from, endNanos);
    }
}
