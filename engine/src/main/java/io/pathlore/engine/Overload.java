package io.pathlore.engine;

/**
 * How much is left out when there is more than can be done. What waits in front says how far behind we are: more than half full
 * and another eighth of the flows is no longer analysed, less than a quarter and one eighth comes back. Flows are left out whole,
 * so that what is said of the others stays true; reports of dropped packets are kept whatever the level, for those are
 * asked for first. Nothing else suffers: every datagram is still counted, numbered and kept in the journal.
 *
 * <p>Belongs to one thread; {@link #level} may be read by any.
 */
final class Overload {
    static final int LEVELS = 8;
    private static final int HIGH_PERCENT = 50;
    private static final int LOW_PERCENT = 25;
    private static final int HASH_SHIFT = 61;

    /** Between two steps: long enough to see what the last one did. */
    private static final long STEP_NANOS = 50_000_000;

    private volatile int level;
    private long steppedAt = Long.MIN_VALUE / 2;

    /** The queue in front is so full now. {@code ticks} is a monotonic clock. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    void observe(int percent, long ticks) {
        if (ticks - steppedAt < STEP_NANOS) {
            return;
        }
        if (percent >= HIGH_PERCENT && level < LEVELS) {
            level++;
            steppedAt = ticks;
        } else if (percent < LOW_PERCENT && level > 0) {
            level--;
            steppedAt = ticks;
        }
    }

    boolean sheds(long flowHash, boolean dropped) {
        int now = level;
        return now > 0 && !dropped && (int) (flowHash >>> HASH_SHIFT) < now;
    }

    /** Eighths of the flows that are left out. */
    int level() {
        return level;
    }
}
