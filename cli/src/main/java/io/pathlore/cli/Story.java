package io.pathlore.cli;

import io.pathlore.cli.service.RowSink;
import io.pathlore.model.LatencyHistogram;
import io.pathlore.store.tables.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the minutes of a recording say together: paths, hops and drops. Bounded by who adds up; passes all rows on. */
final class Story implements RowSink {
    private static final int FLOWS = 200_000;
    private static final double P99 = 0.99;

    /** A queue of a node. */
    record Place(long node, long interfaceId, long queue) {}

    /** What packets met there. */
    static final class Hop {
        final Place place;
        long reports;
        long occupancyMax = Row.ABSENT;
        long latencyMax = Row.ABSENT;
        final LatencyHistogram latencies = new LatencyHistogram();

        Hop(Place place) {
            this.place = place;
        }

        long quantile(double share) {
            return Math.min(latencies.quantile(share), latencyMax);
        }
    }

    /** Why a node dropped. */
    record Cause(long node, long interfaceId, long reason) {}

    /** How often. */
    record Drops(Cause cause, long reports) {}

    static final class Path {
        final List<Long> nodes;
        final boolean complete;
        long reports;
        long latencyWorst = Row.ABSENT;
        final Set<String> flows = new HashSet<>();

        Path(Row.Path row) {
            nodes = row.nodes();
            complete = row.complete();
        }
    }

    private final RowSink next;
    private final Map<Place, Hop> hops = new HashMap<>();
    private final Map<Cause, Long> drops = new HashMap<>();
    private final Map<String, Row.Path> paths = new HashMap<>();
    private final Map<String, List<Row.Flow>> unnamed = new HashMap<>();
    private final Map<String, Path> used = new HashMap<>();
    private int flows;

    Story(RowSink next) {
        this.next = next;
    }

    @Override
    public void row(Row row) {
        switch (row) {
            case Row.Hop hop when hop.minute() -> add(hop);
            case Row.Drop drop ->
                drops.merge(new Cause(drop.node(), drop.interfaceId(), drop.reason()), drop.reports(), Long::sum);
            case Row.Path path -> {
                paths.put(path.pathId(), path);
                List<Row.Flow> waiting = unnamed.remove(path.pathId());
                if (waiting != null) {
                    waiting.forEach(this::add);
                }
            }
            case Row.Flow flow -> add(flow);
            default -> {}
        }
        next.row(row);
    }

    private void add(Row.Hop row) {
        Place place = new Place(row.node(), row.interfaceId(), row.queue());
        Hop hop = hops.computeIfAbsent(place, Hop::new);
        hop.reports += row.reports();
        hop.occupancyMax = Math.max(hop.occupancyMax, row.occupancyMax());
        hop.latencyMax = Math.max(hop.latencyMax, row.latencyMax());
        byte[] latencies = row.latencyHistogram();
        if (latencies != null) {
            hop.latencies.add(LatencyHistogram.decode(latencies));
        }
    }

    private void add(Row.Flow row) {
        String id = row.pathId();
        if (id == null) {
            return;
        }
        Row.Path known = paths.get(id);
        if (known == null) {
            unnamed.computeIfAbsent(id, _ -> new ArrayList<>()).add(row); // it follows
            return;
        }
        Path path = used.computeIfAbsent(id, _ -> new Path(known));
        path.reports += row.reports();
        path.latencyWorst = Math.max(path.latencyWorst, row.latencyP99());
        if (flows < FLOWS && path.flows.add(row.flow().id().toString())) {
            flows++;
        }
    }

    @Override
    public void complete(long untilNanos) {
        next.complete(untilNanos);
    }

    /** Those that most reports tell of first. */
    List<Path> paths() {
        return used.values().stream()
                .sorted(Comparator.comparingLong((Path path) -> -path.reports)
                        .thenComparing(path -> path.nodes.toString()))
                .toList();
    }

    /** The slowest first, by the slowest hundredth of what they took; those that do not tell last. */
    List<Hop> hops() {
        return hops.values().stream()
                .sorted(Comparator.comparingLong((Hop hop) -> -hop.quantile(P99))
                        .thenComparingLong(hop -> hop.place.node)
                        .thenComparingLong(hop -> hop.place.interfaceId)
                        .thenComparingLong(hop -> hop.place.queue))
                .toList();
    }

    /** The most first. */
    List<Drops> drops() {
        return drops.entrySet().stream()
                .map(entry -> new Drops(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparingLong((Drops one) -> -one.reports)
                        .thenComparing(one -> one.cause.toString()))
                .toList();
    }

    /** "831 ns", "1.2 ms"; a dash where it is unknown. */
    static String time(long nanos) {
        return nanos == Row.ABSENT ? "-" : Durations.text(nanos);
    }

    static @Nullable Long orNull(long value) {
        return value == Row.ABSENT ? null : value;
    }
}
