package io.pathlore.analysis.hop;

import io.pathlore.analysis.LongMap;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Details;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Hops that take longer than they used to, and go on doing so. Latencies of one interface are looked at in blocks of twenty or more,
 * half a second or longer. A block is slow where nearly all of it is slower than what was usual, and the queue was not longer at the
 * same time: what a queue explains is told as congestion.
 */
final class LatencyWatch {
    private static final int PORTS = 20_000;
    private static final int BLOCK = 20;
    private static final int SAMPLES = 64;
    private static final long BLOCK_NANOS = 500_000_000L;

    /** Blocks from which on something is usual. */
    private static final int LEARNED = 2;

    private static final double LEARNING = 0.1;
    private static final double SPREADS = 6;
    private static final double SHARE = 0.5;
    private static final double LEAST_NANOS = 1_000;
    private static final double OCCUPANCY_FACTOR = 2;

    private static final long NEVER = Long.MIN_VALUE;
    private static final Comparator<Port> ORDER =
            Comparator.<Port>comparingLong(one -> one.node).thenComparingLong(one -> one.egress);

    private static final class Port {
        final long node;
        final long egress;

        // The block at hand.
        final long[] latencies = new long[SAMPLES];
        final long[] occupancies = new long[SAMPLES];
        int count;
        long first = NEVER;
        long last = NEVER;
        long queue = ReportRow.ABSENT;

        /** The first of those that were slow without one in between that was not. */
        long slowFirst = NEVER;

        // What is usual.
        int blocks;
        double usual;
        double spread;
        double usualOccupancy;

        // The event.
        long slowSince = NEVER;
        double slow;

        Port(long node, long egress) {
            this.node = node;
            this.egress = egress;
        }

        /** What is longer is not usual. */
        double limit() {
            return usual + Math.max(Math.max(SPREADS * spread, SHARE * usual), LEAST_NANOS);
        }
    }

    private final LongMap<Port> ports = new LongMap<>(PORTS);
    private final List<Port> slow = new ArrayList<>();
    private final EventSink events;
    private long implausible;

    LatencyWatch(EventSink events) {
        this.events = events;
    }

    /** Hot path. */
    void on(ReportRow row, int hop) {
        long node = row.hopNode(hop);
        long egress = row.egress(hop);
        long latency = row.latency(hop);
        if (node == ReportRow.ABSENT || egress == ReportRow.ABSENT || latency == ReportRow.ABSENT) {
            return;
        }
        if (latency < 0 || latency >= ReportRow.IMPLAUSIBLE_NANOS) {
            implausible++;
            return;
        }
        long now = row.receivedNanos();
        long key = ReportRow.mix(ReportRow.mix(node) ^ egress);
        Port port = ports.get(key);
        if (port == null) {
            port = ports.get(key, () -> new Port(node, egress), slow::remove);
        }
        if (port.first == NEVER) {
            port.first = now;
        }
        if (port.count < SAMPLES) {
            port.latencies[port.count] = latency;
            port.occupancies[port.count] = row.occupancy(hop);
        } else {
            // Each sample of a busy block has the same chance to stay [Knuth, TAOCP 2, 3.4.2 R].
            int place = (int) Long.remainderUnsigned(ReportRow.mix(port.count), port.count + 1L);
            if (place < SAMPLES) {
                port.latencies[place] = latency;
                port.occupancies[place] = row.occupancy(hop);
            }
        }
        if (latency <= port.limit()) {
            port.slowFirst = NEVER;
        } else if (port.slowFirst == NEVER) {
            port.slowFirst = now;
        }
        port.count++;
        port.queue = row.queue(hop);
        port.last = Math.max(port.last, now);
        if (port.count >= BLOCK && now - port.first >= BLOCK_NANOS) {
            judge(port, now);
        }
    }

    private void judge(Port port, long now) {
        int n = Math.min(port.count, SAMPLES);
        long[] latencies = Arrays.copyOf(port.latencies, n);
        long[] occupancies = Arrays.copyOf(port.occupancies, n);
        Arrays.sort(latencies);
        Arrays.sort(occupancies);
        double low = latencies[n / 10];
        double quarter = latencies[n / 4];
        double median = latencies[n / 2];
        double three = latencies[n * 3 / 4];
        double occupancy = occupancies[n / 2];
        double limit = port.limit();
        boolean queued = occupancy > OCCUPANCY_FACTOR * Math.max(0, port.usualOccupancy) + 2;
        if (port.blocks < LEARNED || median <= limit) {
            learn(port, median, three - quarter, occupancy);
            if (port.slowSince != NEVER) {
                events.on(event(port, port.first, now));
                port.slowSince = NEVER;
                slow.remove(port);
            }
        } else if (low > limit && !queued && port.slowSince == NEVER) {
            port.slowSince = port.slowFirst == NEVER ? port.last : port.slowFirst;
            port.slow = median;
            slow.add(port);
            events.on(event(port, Event.OPEN, now));
        }
        port.count = 0;
        port.first = NEVER;
    }

    private static void learn(Port port, double median, double spread, double occupancy) {
        double weight = Math.max(LEARNING, 1.0 / ++port.blocks);
        port.usual += weight * (median - port.usual);
        port.spread += weight * (spread - port.spread);
        port.usualOccupancy += weight * (occupancy - port.usualOccupancy);
    }

    private static Event event(Port port, long end, long now) {
        return new Event(
                port.slowSince,
                end,
                now,
                new Details.Latency(port.node, port.egress, port.queue, (long) port.usual, (long) port.slow));
    }

    long implausible() {
        return implausible;
    }

    void end(long now) {
        slow.sort(ORDER);
        slow.forEach(port -> events.on(event(port, Event.OPEN, now)));
    }
}
