package io.pathlore.cli.service;

import io.pathlore.analysis.Samples;
import io.pathlore.model.PathId;
import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The paths that flows take, each once, and which flow takes which where its reports do not say so themselves. Any thread. */
final class PathBook {
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

    private final int capacity;
    private final Map<Long, Known> byPrint = new ConcurrentHashMap<>();
    private final Map<Long, Known> byFlow = new ConcurrentHashMap<>();
    private final LongAdder forgotten = new LongAdder();

    PathBook(int capacity) {
        this.capacity = capacity;
    }

    /** A whole stack. */
    void learn(ReportRow row) {
        if (byPrint.containsKey(row.pathPrint())) {
            return;
        }
        List<Long> nodes = new ArrayList<>(row.hops());
        for (int i = 0; i < row.hops(); i++) {
            nodes.add(row.hopNode(i));
        }
        keep(byPrint, row.pathPrint(), new Known(nodes, true));
    }

    void takes(long flowHash, List<Long> nodes, boolean whole) {
        keep(byFlow, flowHash, new Known(nodes, whole));
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

    /** Where there is no room the whole book is forgotten: those in use are learned again with the next report. */
    private void keep(Map<Long, Known> map, long key, Known known) {
        if (map.size() >= capacity) {
            forgotten.add(map.size());
            map.clear();
        }
        map.put(key, known);
    }

    @Nullable
    Known of(long print, long flowHash) {
        return print != 0 ? byPrint.get(print) : byFlow.get(flowHash);
    }

    long forgotten() {
        return forgotten.sum();
    }
}
