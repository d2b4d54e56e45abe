package io.pathlore.analysis.hop;

import io.pathlore.analysis.Operator;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.analysis.path.FlowPaths;
import io.pathlore.model.ReportRow;
import java.util.function.LongUnaryOperator;

/** What nodes, their interfaces, queues and links go through: sees the reports of all flows. */
public final class NodeWatch implements Operator {
    private static final long TICK_NANOS = 100_000_000L;

    private final QueueWatch queues;
    private final DropWatch drops;
    private final LatencyWatch latencies;
    private final LinkWatch links;
    private long newest = Long.MIN_VALUE;
    private long tick = NEVER;

    public NodeWatch(EventSink events) {
        this(node -> 0, events);
    }

    /** {@code queueCapacities} of nodes, in the unit of their occupancy; 0 where it is not known. */
    public NodeWatch(LongUnaryOperator queueCapacities, EventSink events) {
        queues = new QueueWatch(queueCapacities::applyAsLong, events);
        drops = new DropWatch(events);
        latencies = new LatencyWatch(events);
        links = new LinkWatch(events);
    }

    /** Where flows that move are to be told. */
    public FlowPaths.Moves moves() {
        return links;
    }

    @Override
    public void on(ReportRow row) {
        if (row.unbound()) {
            return;
        }
        long now = row.receivedNanos();
        newest = Math.max(newest, now);
        if (tick == NEVER) {
            tick = (now / TICK_NANOS + 1) * TICK_NANOS;
        }
        boolean dropped = row.dropped();
        boolean reports = (row.way() & ReportRow.REPORTER) != 0;
        int last = row.hops() - 1;
        for (int hop = 0; hop <= last; hop++) {
            boolean reporter = reports && hop == last;
            queues.on(row, hop, reporter);
            if (!dropped || !reporter) {
                latencies.on(row, hop);
                links.on(row, hop);
            }
        }
        if (dropped) {
            drops.on(row);
        }
    }

    @Override
    public long wakeAtNanos() {
        return tick;
    }

    @Override
    public void onWake(long nowNanos) {
        tick = nowNanos + TICK_NANOS;
        queues.onTick(nowNanos);
        drops.onTick(nowNanos);
        links.onTick(nowNanos);
    }

    /** Latencies that cannot be any. */
    public long implausibleLatencies() {
        return latencies.implausible();
    }

    @Override
    public void end() {
        if (tick != NEVER) {
            queues.end(newest);
            drops.end(newest);
            latencies.end(newest);
            links.onTick(newest);
        }
    }
}
