package io.pathlore.dataplane.watch;

/**
 * Holds back reports of drops that say the same: one per flow, reason and interval. Hot path: no allocation.
 */
public final class DropEvents {
    private final long intervalNanos;
    private final RecentKeys drops;
    private final long[] reportedAt;
    private long suppressed;

    /**
     * Remembers {@code capacity} pairs of flow and reason, rounded up to a power of two.
     *
     * @param intervalNanos 0 reports every drop
     */
    public DropEvents(long intervalNanos, int capacity) {
        this.intervalNanos = intervalNanos;
        drops = new RecentKeys(capacity);
        reportedAt = new long[drops.capacity()];
    }

    /** Pairs forgotten to make room for others; their next drop is reported again. */
    public long evictions() {
        return drops.evictions();
    }

    /** Drops that were not worth a report. */
    public long suppressed() {
        return suppressed;
    }

    /** As after power-up. */
    public void restart() {
        drops.clear();
    }

    /** Whether this drop is worth a report, which the caller then sends. */
    public boolean worthReporting(long flowHash, int reason, long nowNanos) {
        if (intervalNanos == 0) {
            return true;
        }
        int slot = drops.slot(FlowHash.mix(flowHash, reason));
        if (!drops.added() && nowNanos - reportedAt[slot] < intervalNanos) {
            suppressed++;
            return false;
        }
        reportedAt[slot] = nowNanos;
        return true;
    }
}
