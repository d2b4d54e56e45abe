package io.pathlore.analysis.hop;

import io.pathlore.analysis.Samples;
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
    private static final int BLOCK = 20;
    private static final int SAMPLES = 64;

    /** Latencies that can be any have 32 bits [{@link ReportRow#IMPLAUSIBLE_NANOS}]. */
    private static final int HALF = 32;

    private static final long LOW_HALF = 0xFFFF_FFFFL;
    private static final long BLOCK_NANOS = 500_000_000L;

    /** Blocks from which on something is usual. */
    private static final int LEARNED = 2;

    private static final double LEARNING = 0.1;
    private static final double SPREADS = 6;
    private static final double SHARE = 0.5;
    static final double LEAST_NANOS = 1_000;
    private static final double OCCUPANCY_FACTOR = 2;

    private static final Comparator<Port> ORDER =
            Comparator.<Port>comparingLong(one -> one.node).thenComparingLong(one -> one.egress);

    private final List<Port> slow = new ArrayList<>();
    private final transient EventSink events;
    private long implausible;

    LatencyWatch(EventSink events) {
        this.events = events;
    }

    /** Hot path. */
    void on(Port port, ReportRow row, int hop) {
        long latency = row.latency(hop);
        if (latency < 0 || latency >= ReportRow.IMPLAUSIBLE_NANOS) {
            implausible += latency == ReportRow.ABSENT ? 0 : 1;
            return;
        }
        long now = row.receivedNanos();
        if (port.first == Port.NEVER) {
            port.first = now;
        }
        // Each sample of a busy block has the same chance to stay [Knuth, TAOCP 2, 3.4.2 R].
        int place = port.count < SAMPLES ? port.count : Samples.place(port.count);
        if (place < SAMPLES) {
            keep(port, place, latency, row.occupancy(hop));
        }
        if (latency <= port.limit) {
            port.slowFirst = Port.NEVER;
        } else if (port.slowFirst == Port.NEVER) {
            port.slowFirst = now;
        }
        port.count++;
        port.queue = row.queue(hop);
        port.last = Math.max(port.last, now);
        if (port.count >= BLOCK && now - port.first >= BLOCK_NANOS) {
            judge(port, now);
        }
    }

    private static void keep(Port port, int place, long latency, long occupancy) {
        long[] samples = port.samples;
        if (samples == null) {
            samples = new long[SAMPLES];
            port.samples = samples;
        }
        samples[place] = latency << HALF | occupancy + 1;
    }

    /** It had to leave. */
    void forget(Port port) {
        slow.remove(port);
    }

    private void judge(Port port, long now) {
        long[] samples = port.samples;
        if (samples == null) {
            return;
        }
        int n = Math.min(port.count, SAMPLES);
        long[] latencies = new long[n];
        long[] occupancies = new long[n];
        for (int i = 0; i < n; i++) {
            latencies[i] = samples[i] >>> HALF;
            occupancies[i] = (samples[i] & LOW_HALF) - 1;
        }
        Arrays.sort(latencies);
        Arrays.sort(occupancies);
        double low = latencies[n / 10];
        double quarter = latencies[n / 4];
        double median = latencies[n / 2];
        double three = latencies[n * 3 / 4];
        double occupancy = occupancies[n / 2];
        double limit = port.limit;
        boolean queued = occupancy > OCCUPANCY_FACTOR * Math.max(0, port.past.usualOccupancy) + 2;
        if (port.past.blocks < LEARNED || median <= limit) {
            learn(port, median, three - quarter, occupancy);
            if (port.past.slowSince != Port.NEVER) {
                events.on(event(port, port.first));
                port.past.slowSince = Port.NEVER;
                slow.remove(port);
            }
        } else if (low > limit && !queued && port.past.slowSince == Port.NEVER) {
            port.past.slowSince = port.slowFirst == Port.NEVER ? port.last : port.slowFirst;
            port.past.slow = median;
            port.past.slowFound = now;
            slow.add(port);
            events.on(event(port, Event.OPEN));
        }
        port.count = 0;
        port.first = Port.NEVER;
    }

    private static void learn(Port port, double median, double spread, double occupancy) {
        double weight = Math.max(LEARNING, 1.0 / ++port.past.blocks);
        port.past.usual += weight * (median - port.past.usual);
        port.past.spread += weight * (spread - port.past.spread);
        port.past.usualOccupancy += weight * (occupancy - port.past.usualOccupancy);
        port.limit =
                port.past.usual + Math.max(Math.max(SPREADS * port.past.spread, SHARE * port.past.usual), LEAST_NANOS);
    }

    private static Event event(Port port, long end) {
        return new Event(
                port.past.slowSince,
                end,
                port.past.slowFound,
                new Details.Latency(port.node, port.egress, port.queue, (long) port.past.usual, (long) port.past.slow));
    }

    long implausible() {
        return implausible;
    }

    void end() {
        slow.sort(ORDER);
        slow.forEach(port -> events.on(event(port, Event.OPEN)));
    }
}
