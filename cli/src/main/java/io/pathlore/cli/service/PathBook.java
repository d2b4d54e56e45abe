package io.pathlore.cli.service;

import io.pathlore.analysis.Samples;
import io.pathlore.cli.config.Service;
import io.pathlore.model.PathId;
import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The paths that flows take, each once, and which flow takes which where its reports do not say so themselves. Any thread. */
public final class PathBook {
    /** One path; {@code toldMinute} when it was last told of. */
    static final class Known {
        final String id;
        final List<Long> nodes;
        final boolean whole;
        private final Samples latencies = new Samples();
        private long toldMinute = Long.MIN_VALUE;

        Known(List<Long> nodes, boolean whole) {
            this.id = PathId.of(nodes).toString();
            this.nodes = List.copyOf(nodes);
            this.whole = whole;
        }

        private synchronized void took(long nanos) {
            latencies.add(nanos);
        }

        private synchronized @Nullable Latencies latencies() {
            if (latencies.isEmpty()) {
                return null;
            }
            Latencies told = new Latencies(latencies.percentile(50), latencies.percentile(99));
            latencies.clear();
            return told;
        }

        /** True once for each minute. */
        synchronized boolean isDue(long minute) {
            boolean due = minute > toldMinute;
            toldMinute = Math.max(toldMinute, minute);
            return due;
        }
    }

    /** In nanoseconds. */
    record Latencies(long median, long p99) {}

    /** Of one way with four nodes, found by its print, and as much for one found by a flow. */
    private static final int BYTES = 512;

    private static final int LEAST = 1_000;

    private final Shelf byPrint;
    private final Shelf byFlow;
    private final LongAdder forgotten = new LongAdder();

    PathBook(int capacity) {
        byPrint = new Shelf(capacity);
        byFlow = new Shelf(capacity);
    }

    /** In two halves: when the one for new ones is full, those of the other leave that nobody has asked for meanwhile. */
    private final class Shelf {
        private final int half;
        private volatile Map<Long, Known> recent = new ConcurrentHashMap<>();
        private volatile Map<Long, Known> before = new ConcurrentHashMap<>();

        Shelf(int capacity) {
            half = Math.max(1, capacity / 2);
        }

        @Nullable
        Known get(long key) {
            Known known = recent.get(key);
            if (known == null) {
                known = before.get(key);
                if (known != null) {
                    put(key, known);
                }
            }
            return known;
        }

        void put(long key, Known known) {
            if (recent.size() >= half) {
                turn();
            }
            recent.put(key, known);
        }

        private synchronized void turn() {
            Map<Long, Known> newer = recent;
            if (newer.size() >= half) {
                before.keySet().stream().filter(key -> !newer.containsKey(key)).forEach(key -> forgotten.increment());
                before = newer;
                recent = new ConcurrentHashMap<>();
            }
        }

        int size() {
            return recent.size() + before.size();
        }
    }

    /** As many as were asked for, and there is room for. */
    static PathBook of(Service service) {
        return of(service, Room.HEAP);
    }

    public static PathBook of(Service service, Room room) {
        return new PathBook(room.of(BYTES, LEAST, service.analysis().paths()));
    }

    /** A whole stack. */
    void learn(ReportRow row) {
        if (byPrint.get(row.pathPrint()) != null) {
            return;
        }
        List<Long> nodes = new ArrayList<>(row.hops());
        for (int i = 0; i < row.hops(); i++) {
            nodes.add(row.hopNode(i));
        }
        byPrint.put(row.pathPrint(), new Known(nodes, true));
    }

    void takes(long flowHash, List<Long> nodes, boolean whole) {
        byFlow.put(flowHash, new Known(nodes, whole));
    }

    /** A packet of a flow that was put together from what its nodes said: how long it took, if none of them is missing. */
    void took(ReportRow packet) {
        Known way = byFlow.get(packet.flowHash());
        long latency = packet.pathLatency();
        if (way == null || !way.whole || latency == ReportRow.ABSENT || way.nodes.size() != packet.hops()) {
            return;
        }
        for (int i = 0; i < packet.hops(); i++) {
            if (way.nodes.get(i) != packet.hopNode(i)) {
                return;
            }
        }
        way.took(latency);
    }

    /** Of the flow's packets since this was last asked, or null where none was put together. */
    @Nullable
    Latencies latencies(long flowHash) {
        Known way = byFlow.get(flowHash);
        return way == null ? null : way.latencies();
    }

    @Nullable
    Known of(long print, long flowHash) {
        return print != 0 ? byPrint.get(print) : byFlow.get(flowHash);
    }

    /** Found by their prints, and by flows. */
    int size() {
        return byPrint.size() + byFlow.size();
    }

    /** That had to leave, and were not asked for. */
    long forgotten() {
        return forgotten.sum();
    }
}
