package io.pathlore.analysis.hop;

import io.pathlore.model.ReportRow;
import org.jspecify.annotations.Nullable;

/** An interface packets leave a node by, and what each of those who watch it knows: a hop is looked up once for all of them. */
final class Port {
    static final long NEVER = Long.MIN_VALUE;
    private static final double MEMORY = 0.1;

    final long node;
    final long egress;
    final QueueWatch.Node ofNode;

    /** It had to leave; there may be another in its place. */
    boolean isGone;

    // PortSigns: when a packet last left, and how far apart they usually are.
    long left = NEVER;
    double gap;

    // LatencyWatch: the block at hand.
    int count;
    long first = NEVER;
    long last = NEVER;
    long queue = ReportRow.ABSENT;

    /** The first of those that were slow without one in between that was not. */
    long slowFirst = NEVER;

    /** What is longer is not usual. */
    double limit = LatencyWatch.LEAST_NANOS;

    /** Of some packets of the block: latency above, occupancy and one below, so that both cost one line of memory. */
    long @Nullable [] samples;

    final Past past = new Past();

    /** What is asked for once in many packets, and would be in the way of what each of them needs. */
    static final class Past {
        // What is usual.
        int blocks;
        double usual;
        double spread;
        double usualOccupancy;

        // The event.
        long slowSince = NEVER;
        long slowFound = NEVER;
        double slow;
    }

    Port(long node, long egress, QueueWatch.Node ofNode) {
        this.node = node;
        this.egress = egress;
        this.ofNode = ofNode;
    }

    void leaves(long now) {
        if (left != NEVER && now > left) {
            gap += MEMORY * (now - left - gap);
        }
        left = Math.max(left, now);
    }

    /** Looks at what a report will need, and changes nothing. */
    long look() {
        return left ^ count ^ ofNode.bytes;
    }

    static long key(long node, long egress) {
        return ReportRow.mix(ReportRow.mix(node) ^ egress);
    }
}
