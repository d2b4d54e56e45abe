package io.pathlore.cli.service;

import io.pathlore.cli.config.DropReasons;
import io.pathlore.cli.config.Inventory;
import io.pathlore.model.LatencyHistogram;
import io.pathlore.serve.metrics.MetricSource;
import io.pathlore.serve.metrics.MetricWriter;
import io.pathlore.store.tables.Row;
import java.util.Map;
import java.util.TreeMap;

/**
 * The network in numbers: what each node's hops, queues and drops were like, from the seconds that are added up for the tables. A node is
 * a label only where the inventory has it: ids on the wire are anybody's, and there are four billion of them. The rest is one, {@code other}.
 */
final class FabricMetrics implements RowSink, MetricSource {
    private static final int NODES = 200;
    private static final int REASONS = 16;
    private static final String OTHER = "other";
    private static final double NANOS = 1e9;

    /** What a node last said of its queues is no news any more. */
    private static final long STALE_NANOS = 60_000_000_000L;

    /** In seconds: from a hop of an idle switch to one that cannot be waited for. */
    private static final double[] BOUNDS = {
        1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2, 1e-1, 1
    };

    private static final class Seen {
        long reports;
        final LatencyHistogram latencies = new LatencyHistogram();
        long second = Long.MIN_VALUE;
        long occupancy = Row.ABSENT;
        final Map<String, Long> drops = new TreeMap<>();
    }

    private final Inventory inventory;
    private final Map<String, Seen> nodes = new TreeMap<>();
    private long newest = Long.MIN_VALUE;

    FabricMetrics(Inventory inventory) {
        this.inventory = inventory;
    }

    private Seen of(long node) {
        Inventory.Node known = inventory.byId(node);
        String label = known == null ? OTHER : known.name() == null ? Long.toString(node) : known.name();
        boolean room = nodes.size() < NODES || nodes.containsKey(label);
        return nodes.computeIfAbsent(room ? label : OTHER, _ -> new Seen());
    }

    @Override
    public synchronized void row(Row row) {
        if (row instanceof Row.Hop hop && !hop.minute()) {
            add(hop);
        } else if (row instanceof Row.Drop drop) {
            Seen seen = of(drop.node());
            String name = DropReasons.name((int) drop.reason(), inventory.byId(drop.node()));
            String label = drop.reason() == Row.ABSENT ? "unknown" : name == null ? Long.toString(drop.reason()) : name;
            boolean room = seen.drops.size() < REASONS || seen.drops.containsKey(label);
            seen.drops.merge(room ? label : OTHER, drop.reports(), Long::sum);
        }
    }

    private void add(Row.Hop hop) {
        Seen seen = of(hop.node());
        seen.reports += hop.reports();
        byte[] latencies = hop.latencyHistogram();
        if (latencies != null) {
            seen.latencies.add(latencies);
        }
        newest = Math.max(newest, hop.time());
        if (hop.time() > seen.second) {
            seen.second = hop.time();
            seen.occupancy = Row.ABSENT;
        }
        if (hop.time() == seen.second) {
            seen.occupancy = Math.max(seen.occupancy, hop.occupancyMax());
        }
    }

    @Override
    public void complete(long untilNanos) {}

    @Override
    public synchronized void write(MetricWriter out) {
        MetricWriter.Family reports =
                out.counter("pathlore_hop_reports_total", "What reports told of a node's hops.", "node");
        nodes.forEach((node, seen) -> reports.value(seen.reports, node));
        MetricWriter.Histogram latency = out.histogram(
                "pathlore_hop_latency_seconds", "How long packets were in a node, where it tells.", BOUNDS, "node");
        nodes.forEach((node, seen) -> {
            if (seen.latencies.total() > 0) {
                latency.value(counts(seen.latencies), seen.latencies.sum() / NANOS, node);
            }
        });
        MetricWriter.Family occupancy = out.gauge(
                "pathlore_queue_occupancy_max", "The deepest queue of a node in its last second, in its unit.", "node");
        nodes.forEach((node, seen) -> {
            if (seen.occupancy != Row.ABSENT && newest - seen.second < STALE_NANOS) {
                occupancy.value(seen.occupancy, node);
            }
        });
        MetricWriter.Family drops =
                out.counter("pathlore_drops_reported_total", "Reports of packets a node dropped.", "node", "reason");
        nodes.forEach((node, seen) -> seen.drops.forEach((reason, count) -> drops.value(count, node, reason)));
    }

    private static long[] counts(LatencyHistogram latencies) {
        long[] counts = new long[BOUNDS.length + 1];
        long before = 0;
        for (int i = 0; i < BOUNDS.length; i++) {
            long now = latencies.atOrBelow(Math.round(BOUNDS[i] * NANOS));
            counts[i] = now - before;
            before = now;
        }
        counts[BOUNDS.length] = latencies.total() - before;
        return counts;
    }
}
