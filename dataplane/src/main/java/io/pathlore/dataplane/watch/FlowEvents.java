package io.pathlore.dataplane.watch;

import io.pathlore.wire.inband.HopView;

/**
 * Tells the packets of a flow that are worth a report from those that say what is known already [TR 2.0 §2.3].
 *
 * <p>Latency is kept as a multiple of the quantum. A flow leaves its multiple only when the latency is half a quantum beyond
 * it, on either side: latencies that dance around a border are not reported, a shift of two quanta always is. A flow the
 * table had to forget is new when it comes back. Hot path: no allocation.
 */
public final class FlowEvents {
    private static final long NO_LATENCY = -1;

    private final FlowRules rules;
    private final RecentKeys flows;
    private final long[] paths;
    private final long[] buckets;
    private final long[] reportedAt;

    /** Remembers so many flows, rounded up to a power of two. */
    public FlowEvents(FlowRules rules, int capacity) {
        this.rules = rules;
        flows = new RecentKeys(rules.everyPacket() ? 1 : capacity);
        paths = new long[flows.capacity()];
        buckets = new long[flows.capacity()];
        reportedAt = new long[flows.capacity()];
    }

    /** Flows forgotten to make room for others. */
    public long evictions() {
        return flows.evictions();
    }

    /** As after power-up. */
    public void restart() {
        flows.clear();
    }

    /**
     * Whether this packet is worth a report, which the caller then sends.
     *
     * @param pathHash of the interfaces the packet takes through this node or, for a sink, of all hops
     * @param latencyNanos or {@link HopView#ABSENT}
     */
    public boolean worthReporting(long flowHash, long pathHash, long latencyNanos, long nowNanos) {
        if (rules.everyPacket()) {
            return true;
        }
        int slot = flows.slot(flowHash);
        if (!flows.added()
                && paths[slot] == pathHash
                && isWithin(buckets[slot], latencyNanos)
                && (rules.refreshNanos() == 0 || nowNanos - reportedAt[slot] < rules.refreshNanos())) {
            return false;
        }
        if (flows.added() || !isWithin(buckets[slot], latencyNanos)) {
            buckets[slot] = bucket(latencyNanos);
        }
        paths[slot] = pathHash;
        reportedAt[slot] = nowNanos;
        return true;
    }

    private long bucket(long latencyNanos) {
        return rules.latencyQuantumNanos() == 0 || latencyNanos < 0
                ? NO_LATENCY
                : latencyNanos / rules.latencyQuantumNanos();
    }

    private boolean isWithin(long bucket, long latencyNanos) {
        long quantum = rules.latencyQuantumNanos();
        if (quantum == 0 || latencyNanos < 0) {
            return true;
        }
        if (bucket == NO_LATENCY) {
            return false;
        }
        long margin = quantum / 2;
        long from = bucket * quantum;
        return latencyNanos >= from - margin && latencyNanos < from + quantum + margin;
    }
}
