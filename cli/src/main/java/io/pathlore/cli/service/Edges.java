package io.pathlore.cli.service;

import io.pathlore.cli.config.EdgeSetting;
import io.pathlore.serve.JsonText;
import io.pathlore.serve.metrics.MetricWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** The collectors that have the reports of what others have found. Each is asked now and then how it is. */
final class Edges implements AutoCloseable {
    private static final long LOOK_SECONDS = 10;
    private static final int JOURNALS = 1_024;

    private final List<Edge> all;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Whose journal it was, when it was last seen: who is asked first. */
    private final Map<Long, Edge> homes = new ConcurrentHashMap<>();

    Edges(List<EdgeSetting> settings, Notes notes) {
        all = settings.stream().map(setting -> new Edge(setting, notes)).toList();
    }

    void start() {
        all.forEach(edge -> threads.execute(() -> watch(edge)));
    }

    private void watch(Edge edge) {
        try {
            do {
                edge.look();
            } while (!closed.await(LOOK_SECONDS, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    List<Edge> all() {
        return all;
    }

    /** For tasks that wait for an edge. */
    ExecutorService threads() {
        return threads;
    }

    void isHome(long journal, Edge edge) {
        if (homes.size() >= JOURNALS && !homes.containsKey(journal)) {
            homes.clear();
        }
        homes.put(journal, edge);
    }

    /** Null where that is not known. */
    @Nullable
    Edge home(long journal) {
        return homes.get(journal);
    }

    /** Changes when other edges are configured, or in another order. */
    int print() {
        CRC32 print = new CRC32();
        all.forEach(edge -> print.update((edge.name() + "\n").getBytes(StandardCharsets.UTF_8)));
        return (int) print.getValue();
    }

    void status(JsonText json) {
        json.name("edges").open('[');
        all.forEach(edge -> edge.status(json));
        json.close(']');
    }

    void write(MetricWriter out) {
        if (!all.isEmpty()) {
            MetricWriter.Family up = out.gauge("pathlore_edge_up", "1 while an edge answers who serves.", "edge");
            all.forEach(edge -> up.value(edge.isUp() ? 1 : 0, edge.name()));
        }
    }

    @Override
    public void close() {
        closed.countDown();
        all.forEach(Edge::close);
        threads.shutdownNow();
    }
}
