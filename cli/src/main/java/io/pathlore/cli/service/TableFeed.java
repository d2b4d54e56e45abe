package io.pathlore.cli.service;

import io.pathlore.analysis.event.AttackSecond;
import io.pathlore.analysis.event.Burst;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Details;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.analysis.flow.FlowSink;
import io.pathlore.analysis.flow.FlowState;
import io.pathlore.analysis.rollup.DropWindow;
import io.pathlore.analysis.rollup.HopWindow;
import io.pathlore.analysis.rollup.LinkWindow;
import io.pathlore.analysis.rollup.NodeSighting;
import io.pathlore.analysis.rollup.RollupSink;
import io.pathlore.cli.config.Inventory;
import io.pathlore.model.FlowKey;
import io.pathlore.model.ReportRow;
import io.pathlore.store.tables.Row;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Makes rows for the tables of what one pipeline adds up: the running one, or one that reads the journal again. Called by the threads
 * that analyse; it never waits. A minute is complete when all who add up something have said so.
 */
public final class TableFeed {
    private static final long MINUTE = 60_000_000_000L;

    /** Flows of one minute: those beyond are counted, so that a sweep of invented ones does not fill the disk. */
    private static final int FLOWS_A_MINUTE = 250_000;

    private static final int MAX_PARTS = 512;
    private static final double MEDIAN = 0.5;
    private static final double P99 = 0.99;

    private final transient RowSink sink;
    private final transient Inventory inventory;
    private final PathBook paths;

    // Each part, thread or table, says how far it has told.
    private final AtomicLongArray parts = new AtomicLongArray(MAX_PARTS);
    private int partCount;
    private final AtomicLong completeTo = new AtomicLong(Long.MIN_VALUE);

    private final AtomicLong flowMinute = new AtomicLong(Long.MIN_VALUE);
    private final AtomicLong flowRows = new AtomicLong();
    private final LongAdder leftOut = new LongAdder();

    /** Since then some node tells of drops; before nobody knows whether there were any. */
    private volatile long dropsSince = Long.MAX_VALUE;

    public TableFeed(RowSink sink, Inventory inventory, PathBook paths) {
        this.sink = sink;
        this.inventory = inventory;
        this.paths = paths;
    }

    public PathBook paths() {
        return paths;
    }

    /** Rows of flows that were too many for a minute. */
    long leftOut() {
        return leftOut.sum();
    }

    private int newPart() {
        parts.set(partCount, Long.MIN_VALUE);
        return partCount++;
    }

    private void complete(int part, long untilNanos) {
        parts.set(part, untilNanos);
        long least = Long.MAX_VALUE;
        for (int i = 0; i < partCount; i++) {
            least = Math.min(least, parts.get(i));
        }
        long before = completeTo.getAndAccumulate(least, Math::max);
        if (least > before) {
            sink.complete(least);
        }
    }

    // Hops, links, drops, nodes
    // --------------------------------------------------------------------------------------------------------------

    public RollupSink hops() {
        int part = newPart();
        return new RollupSink() {
            @Override
            public void hopSecond(long startNanos, HopWindow window) {
                sink.row(hop(false, startNanos, window));
            }

            @Override
            public void hopMinute(long startNanos, HopWindow window) {
                sink.row(hop(true, startNanos, window));
            }

            @Override
            public void dropSecond(long startNanos, DropWindow window) {
                long sampling = sampling(window.node());
                sink.row(new Row.Drop(
                        startNanos,
                        window.node(),
                        window.interfaceId(),
                        window.queue(),
                        window.reason(),
                        window.reports(),
                        sampling == 0 ? Row.ABSENT : window.reports() * sampling));
            }

            @Override
            public void linkMinute(long startNanos, LinkWindow window) {
                sink.row(link(startNanos, window));
            }

            @Override
            public void node(NodeSighting node) {
                sink.row(nodeRow(node));
            }

            @Override
            public void complete(long untilNanos) {
                TableFeed.this.complete(part, untilNanos);
            }
        };
    }

    private static Row.Hop hop(boolean minute, long startNanos, HopWindow window) {
        boolean told = window.latencies().total() > 0;
        return new Row.Hop(
                minute,
                startNanos,
                window.node(),
                window.interfaceId(),
                window.queue(),
                window.reports(),
                window.latencyMin(),
                Math.min(window.latencies().quantile(MEDIAN), window.latencyMax()),
                Math.min(window.latencies().quantile(P99), window.latencyMax()),
                window.latencyMax(),
                told ? window.latencies().encode() : null,
                window.occupancyMax(),
                window.utilizationMax(),
                window.drops(),
                window.completeness());
    }

    private Row.Link link(long startNanos, LinkWindow window) {
        Inventory.Node from = inventory.byId(window.link().fromNode());
        Inventory.Node to = inventory.byId(window.link().toNode());
        boolean synchronised = from != null && to != null && from.synchronised() && to.synchronised();
        Long latency = null;
        long error = Row.ABSENT;
        if (synchronised && window.hasDelays()) {
            latency = window.delay();
        } else if (window.isMeasuredBothWays()) {
            latency = window.latency();
            error = window.latencyError();
        }
        return new Row.Link(
                startNanos,
                window.link().fromNode(),
                window.link().fromInterface(),
                window.link().toNode(),
                window.link().toInterface(),
                window.reports(),
                latency,
                error,
                window.hidden());
    }

    private Row.Node nodeRow(NodeSighting node) {
        Inventory.Node known = inventory.byId(node.node());
        boolean v6 = !Addresses.isMapped(node.exporterHigh(), node.exporterLow());
        long low = v6 ? node.exporterLow() : node.exporterLow() & 0xFFFF_FFFFL;
        return new Row.Node(
                node.node(),
                known == null ? null : known.name(),
                node.speaks() ? new Row.Address(v6, node.exporterHigh(), low) : null,
                node.speaks() ? version(node.version()) : null,
                node.firstNanos(),
                node.lastNanos());
    }

    private static String version(int number) {
        return number / 10 + "." + number % 10;
    }

    private long sampling(long node) {
        Inventory.Node known = inventory.byId(node);
        return known == null ? 0 : known.sampling();
    }

    // Flows
    // --------------------------------------------------------------------------------------------------------------

    /** For one table of flows. */
    public FlowSink flows() {
        int part = newPart();
        return new FlowSink() {
            @Override
            public void drop(long nanos) {
                dropsTold(nanos);
            }

            @Override
            public void minute(FlowKey flow, long flowHash, FlowState state) {
                flowRow(flow, flowHash, state);
            }

            @Override
            public void path(ReportRow report) {
                paths.learn(report);
            }

            @Override
            public void complete(long untilNanos) {
                TableFeed.this.complete(part, untilNanos);
            }
        };
    }

    /** Somebody tells of packets that were dropped: where nobody tells of any, there are none. */
    public void dropsTold(long nanos) {
        if (nanos < dropsSince) {
            dropsSince = nanos;
        }
    }

    private void flowRow(FlowKey flow, long flowHash, FlowState state) {
        long minute = state.minute();
        if (flowMinute.getAndSet(minute) != minute) {
            flowRows.set(0);
        }
        if (flowRows.incrementAndGet() > FLOWS_A_MINUTE) {
            leftOut.increment();
            return;
        }
        PathBook.Known path = paths.of(state.path(), flowHash);
        long median = state.latency(MEDIAN);
        long p99 = state.latency(P99);
        PathBook.Latencies joined = median == Row.ABSENT ? paths.latencies(flowHash) : null;
        if (joined != null) {
            median = joined.median();
            p99 = joined.p99();
        }
        // Postcards tell of one packet several times.
        long sampling = path == null || state.path() == 0 ? 0 : sampling(path.nodes.getLast());
        sink.row(new Row.Flow(
                minute * MINUTE,
                flow,
                state.minuteReports(),
                sampling == 0 ? Row.ABSENT : state.minuteReports() * sampling,
                path == null ? null : path.id,
                median,
                p99,
                dropsSince < (minute + 1) * MINUTE || state.minuteDrops() > 0 ? state.minuteDrops() : Row.ABSENT));
        if (path != null && path.isDue(minute)) {
            sink.row(new Row.Path(path.id, path.nodes, path.whole, state.lastNanos()));
        }
    }

    // Exporters
    // --------------------------------------------------------------------------------------------------------------

    /** For one thread that decodes. */
    public ExporterMinutes exporters() {
        int part = newPart();
        return new ExporterMinutes(new ExporterMinutes.Sink() {
            @Override
            public void exporter(Row.Exporter row) {
                sink.row(row);
            }

            @Override
            public void complete(long untilNanos) {
                TableFeed.this.complete(part, untilNanos);
            }
        });
    }

    // Attacks
    // --------------------------------------------------------------------------------------------------------------

    /** For who looks for attacks: what is found goes on to {@code next}, with the seconds of which rows were made. */
    EventSink attacks(EventSink next) {
        return EventSink.to(found -> {
            if (found instanceof AttackSecond second) {
                sink.row(attackSecond(second));
            }
            next.tell(found);
        });
    }

    public static Row.AttackSecond attackSecond(AttackSecond second) {
        return new Row.AttackSecond(
                second.startNanos(), second.attack().toString(), second.amount(), second.packets(), second.limit());
    }

    // Events
    // --------------------------------------------------------------------------------------------------------------

    public static Row.Event event(Event event, String json) {
        long node = Row.ABSENT;
        long interfaceId = Row.ABSENT;
        long queue = Row.ABSENT;
        FlowKey flow = null;
        switch (event.details()) {
            case Details.PathChange change -> flow = change.flow();
            case Details.Loop loop -> flow = loop.flow();
            case Details.Congestion congestion -> {
                node = congestion.node();
                interfaceId = congestion.interfaceId();
                queue = congestion.queue();
            }
            case Details.Latency latency -> {
                node = latency.node();
                interfaceId = latency.interfaceId();
                queue = latency.queue();
            }
            case Details.Drops drops -> {
                node = drops.node();
                flow = only(drops.flows());
            }
            case Details.LinkDown down -> {
                node = down.from().node();
                interfaceId = down.from().interfaceId();
            }
            case Details.LinkUp up -> {
                node = up.from().node();
                interfaceId = up.from().interfaceId();
            }
            case Details.ReportLoss loss -> node = loss.reporter().node();
            case Details.ExporterRestart restart -> node = restart.reporter().node();
            case Details.ExporterSilent silent -> node = silent.reporter().node();
            case Details.SpoofSuspected spoof -> node = spoof.node();
            case Details.Attack attack ->
                node = attack.sources().isEmpty()
                        ? Row.ABSENT
                        : attack.sources().getFirst().firstNode();
        }
        return new Row.Event(
                event.kind().label(),
                event.id().toString(),
                event.startNanos(),
                event.endNanos() == Event.OPEN ? Row.ABSENT : event.endNanos(),
                event.detectedAtNanos(),
                event.kind().severity().label(),
                event.completeness(),
                node,
                interfaceId,
                queue,
                flow == null ? null : flow.id().toString(),
                json);
    }

    private static @Nullable FlowKey only(List<FlowKey> flows) {
        return flows.size() == 1 ? flows.getFirst() : null;
    }

    public static Row.@Nullable Episode episode(Burst burst) {
        if (!(burst.event().details() instanceof Details.Congestion queue)) {
            return null;
        }
        return new Row.Episode(
                burst.event().id().toString(),
                queue.node(),
                queue.interfaceId(),
                queue.queue(),
                burst.event().startNanos(),
                burst.event().endNanos(),
                queue.peakOccupancy(),
                burst.event().completeness(),
                burst.seen(),
                BurstJson.of(burst, queue));
    }
}
