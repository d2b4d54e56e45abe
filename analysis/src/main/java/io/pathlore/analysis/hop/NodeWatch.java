package io.pathlore.analysis.hop;

import io.pathlore.analysis.HopHints;
import io.pathlore.analysis.LongMap;
import io.pathlore.analysis.Operator;
import io.pathlore.analysis.Share;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.analysis.path.FlowPaths;
import io.pathlore.model.ReportRow;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** What nodes, their interfaces, queues and links go through: sees the reports of all flows. */
public final class NodeWatch implements Operator {
    private static final long TICK_NANOS = 100_000_000L;

    /** With its samples, and what it is found by. */
    public static final int BYTES_PER_PORT = 1_024;

    /** Of one node that are watched: no node has so many. */
    static final int PORTS_A_NODE = 4_096;

    /** They take little. */
    private static final int NODES_PER_PORT = 4;

    private final LongMap<Port> ports;
    private final HopHints<Port> hints = new HopHints<>();
    private final QueueWatch queues;
    private final DropWatch drops;
    private final LatencyWatch latencies;
    private final transient Share share;
    private final PortSigns signs;
    private long newest = Long.MIN_VALUE;
    private long tick = NEVER;
    private long unwatched;

    /** Nobody needs it: what is looked at goes somewhere, so that it is looked at. */
    long looked;

    /**
     * Has room for so many interfaces of its share of nodes; those that say least make room for others.
     *
     * @param queueCapacities of nodes, in the unit of their occupancy; 0 where it is not known
     * @param toLinks is told what {@link LinkWatch} needs
     */
    public NodeWatch(
            int ports, Share share, LongUnaryOperator queueCapacities, Consumer<LinkSign> toLinks, EventSink events) {
        this.ports = new LongMap<>(ports);
        queues = new QueueWatch(NODES_PER_PORT * ports, queueCapacities::applyAsLong, events);
        drops = new DropWatch(events);
        latencies = new LatencyWatch(events);
        this.share = share;
        signs = new PortSigns(this.ports, share, toLinks);
    }

    /** Where flows that move are to be told. */
    public FlowPaths.Moves moves() {
        return signs;
    }

    /** Some report was received then, here or elsewhere. */
    public void newest(long nanos) {
        newest = Math.max(newest, nanos);
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
            long node = row.hopNode(hop);
            if (!share.has(node)) {
                continue;
            }
            long egress = row.egress(hop);
            int hinted = HopHints.of(node, egress, 0);
            Port port = hints.get(hinted);
            if (port == null || port.isGone || port.node != node || port.egress != egress || ports.isFull()) {
                port = port(node, egress); // a full map has to know who is asked for
                if (port == null) {
                    continue;
                }
                hints.put(hinted, port);
            }
            boolean reporter = reports && hop == last;
            queues.on(port, row, hop, reporter);
            if (!dropped || !reporter) {
                latencies.on(port, row, hop);
                signs.on(port, now);
            }
        }
        if (dropped && share.has(row.node())) {
            drops.on(row);
        }
    }

    @Override
    public void expect(ReportRow[] reports, int count) {
        for (int i = 0; i < count; i++) {
            ReportRow row = reports[i];
            int hops = row.hops();
            for (int hop = 0; hop < hops; hop++) {
                Port port = hints.get(HopHints.of(row.hopNode(hop), row.egress(hop), 0));
                if (port != null) {
                    looked ^= port.look();
                }
            }
        }
    }

    /** Null where it is not known which. */
    private @Nullable Port port(long node, long egress) {
        if (node == ReportRow.ABSENT || egress == ReportRow.ABSENT) {
            return null;
        }
        long key = Port.key(node, egress);
        Port port = ports.get(key);
        if (port != null) {
            return port;
        }
        QueueWatch.Node ofNode = queues.node(node);
        if (ofNode.ports == PORTS_A_NODE) {
            unwatched++; // who invents ports must not make those of others leave
            return null;
        }
        ofNode.ports++;
        return ports.get(key, () -> new Port(node, egress, ofNode), this::leaves);
    }

    private void leaves(Port port) {
        port.isGone = true;
        port.ofNode.ports--;
        latencies.forget(port);
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
        signs.onTick();
    }

    /** Interfaces that had to leave. */
    public long portsLeft() {
        return ports.evicted();
    }

    /** Hops of nodes that name more interfaces than any has, by one of those too many. */
    public long unwatched() {
        return unwatched;
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
            latencies.end();
            signs.onTick();
        }
    }
}
