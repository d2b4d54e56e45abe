package io.pathlore.it.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.cli.config.ScenarioFiles;
import io.pathlore.it.collect.Api;
import io.pathlore.it.collect.Broker;
import io.pathlore.it.collect.RunningCollector;
import io.pathlore.it.collect.RunningCollector.Setup;
import io.pathlore.it.collect.RunningServe;
import io.pathlore.testkit.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The way of a report on many machines: a lab, an edge, a broker, a job on a cluster, {@code serve}. What it answers is what the edge found
 * itself, in one process, with the same operators; a machine of the cluster was killed in the middle, and the job moved to fewer.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class ScaleOutIT {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** With all that can be known: what is left out here is said there. */
    private static final Map<String, String> TABLES = new TreeMap<>(Map.of(
            "hops_1s", "*",
            "hops_1m", "*",
            "flows_1m", "*",
            "links_1m", "*",
            "drops_1s", "*",
            "attacks_1s WHERE amount > 0", "*", // who has a clock counts on when nothing comes any more
            "episodes", "*",
            "exporters_1m", "*",
            "nodes", "*",
            "paths", "* EXCLUDE (last_seen)")); // the last of those flows that tell of a path, wherever they are

    /**
     * Of postcards, what comes of a few samples of packets that were put together: which those are depends on the order of packets that were told of
     * in one nanosecond, as the kernel says of datagrams sent in one piece, and in which minute of a flow on when somebody looked.
     */
    private static final Map<String, String> TABLES_OF_POSTCARDS = new TreeMap<>(TABLES);

    static {
        TABLES_OF_POSTCARDS.put("links_1m", "* EXCLUDE (latency, latency_error)");
        TABLES_OF_POSTCARDS.put("flows_1m", "* EXCLUDE (latency_p50, latency_p99)");
    }

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path temp;

    @Test
    void manyMachinesFindWhatOneFinds() throws Exception {
        try (Broker broker = Broker.in(Files.createDirectory(temp.resolve("broker")));
                FlinkCluster cluster = cluster("ScaleOutIT")) {
            String kafka = "kafka.bootstrap=" + broker.bootstrap();
            Setup edge = edge("edge", kafka);
            String job = cluster.submit(FlinkCluster.JOB, 2, "--set", kafka, "--parts", "4");
            try (RunningCollector collector = edge.start()) {
                cluster.awaitState(job, "RUNNING", PATIENCE);
                CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> send(collector));
                cluster.awaitCheckpoint(job);
                cluster.killTaskManager();
                cluster.awaitLoss(job, PATIENCE);
                cluster.startTaskManager();
                cluster.awaitState(job, "RUNNING", PATIENCE);
                sent.get();
                cluster.awaitCheckpoint(job);
                String savepoint = cluster.stopWithSavepoint(job);
                job = cluster.submitFrom(savepoint, FlinkCluster.JOB, 1, "--set", kafka, "--parts", "4");
                cluster.awaitState(job, "RUNNING", PATIENCE);
                assertThat(collector.stop().status()).isZero();
            }
            awaitRead(broker);
            cluster.drain(job);
            same(broker, edge.data(), TABLES);
        }
    }

    /** What came in of attacks, as it is drawn: up to when nothing came any more, which only who has a clock knows. */
    private static Map<String, String> traffic(Api api) throws IOException {
        Map<String, String> byId = new TreeMap<>();
        for (Object attack : items(api, "attacks")) {
            String id = String.valueOf(((Map<?, ?>) attack).get("id"));
            String drawn = api.get("/api/v1/attacks/" + id + "/traffic").body();
            byId.put(id, drawn.replaceFirst("(,0)*],\"stopped\":\\[null(,null)*]", "]"));
        }
        return byId;
    }

    /**
     * Neither edge has whole ways: every second switch sends its postcards to the other. In the job they meet, and what it finds is what one
     * collector finds that got all of them.
     */
    @Test
    @Tag("slow")
    void postcardsOfAFlowMeetThoughTwoEdgesReceiveThem() throws Exception {
        try (Broker broker = Broker.in(Files.createDirectory(temp.resolve("broker")));
                FlinkCluster cluster = cluster("ScaleOutIT-edges")) {
            String kafka = "kafka.bootstrap=" + broker.bootstrap();
            List<Setup> edges = List.of(edge("left", kafka), edge("right", kafka));
            String job = cluster.submit(FlinkCluster.JOB, 2, "--set", kafka, "--parts", "4");
            Path reports = temp.resolve("reports.pcap");
            List<Set<Long>> heard = new ArrayList<>();
            try (RunningCollector left = edges.get(0).start();
                    RunningCollector right = edges.get(1).start()) {
                cluster.awaitState(job, "RUNNING", PATIENCE);
                send("demo", List.of(left, right), "--duration", "40s", "--mode", "xd");
                List<Path> captures = new ArrayList<>();
                for (RunningCollector each : List.of(left, right)) {
                    heard.add(nodes(each.api()));
                    assertThat(each.stop().status()).isZero();
                    Path capture = each.data().resolveSibling("reports.pcap");
                    left.command("export", "reports", "--from", each.data(), "--out", capture);
                    captures.add(capture);
                }
                PlainCapture.merge(captures, reports);
            }
            assertThat(heard.get(0)).hasSize(3).doesNotContainAnyElementsOf(heard.get(1));
            assertThat(heard.get(1)).hasSize(3);
            awaitRead(broker);
            cluster.drain(job);
            try (RunningServe served = served(broker)) {
                RunningCollector.until(
                        "a complete way, of nodes that told one edge and nodes that told the other",
                        () -> complete(served.api()).stream()
                                .anyMatch(way -> heard.stream().noneMatch(some -> Collections.disjoint(some, way))));
                assertThat(served.stop().status()).isZero();
            }
            same(broker, whole(reports, edges.stream().map(Setup::port).toList()), TABLES_OF_POSTCARDS);
        }
    }

    /** Who told a collector. */
    private static Set<Long> nodes(Api api) throws IOException {
        Set<Long> nodes = new TreeSet<>();
        for (Object exporter : items(api, "exporters")) {
            ((List<?>) Objects.requireNonNull(((Map<?, ?>) exporter).get("nodes")))
                    .forEach(node -> nodes.add(((Number) node).longValue()));
        }
        return nodes;
    }

    /** The ways that are known from end to end. */
    private static List<List<Long>> complete(Api api) throws IOException {
        return items(api, "paths").stream()
                .map(item -> (Map<?, ?>) item)
                .filter(path -> Boolean.TRUE.equals(path.get("complete")))
                .map(path -> ((List<?>) Objects.requireNonNull(path.get("nodes")))
                        .stream().map(node -> ((Number) node).longValue()).toList())
                .toList();
    }

    private static List<?> items(Api api, String list) throws IOException {
        return (List<?>) Objects.requireNonNull(
                Json.object(api.good("/api/v1/" + list + "?limit=1000")).get("items"));
    }

    /** What one process finds in all of it, undisturbed: data that can be served. */
    private Path whole(Path reports, List<Integer> ports) throws IOException {
        Path data = Files.createDirectory(temp.resolve("whole"));
        List<String> words = new ArrayList<>(List.of(
                "analyse", reports.toString(), "--store", data.resolve("store").toString()));
        words.addAll(List.of("--set", "memory=128MiB", "--set", "analysis.flows=20000"));
        ports.forEach(port -> words.addAll(List.of("--port", port.toString())));
        RunningCollector.command(temp, words.toArray());
        return data;
    }

    /** Each of those in between is killed; what is found, events and rows, is what one process finds in all datagrams, undisturbed. */
    @Test
    @Tag("slow")
    void whoeverIsKilled() throws Exception {
        try (Broker broker = Broker.in(Files.createDirectory(temp.resolve("broker")));
                FlinkCluster cluster = cluster("ScaleOutIT-killed")) {
            String kafka = "kafka.bootstrap=" + broker.bootstrap();
            Setup edge = edge("edge", kafka);
            String job = cluster.submit(FlinkCluster.JOB, 2, "--set", kafka, "--parts", "4");
            try (RunningCollector collector = edge.start()) {
                cluster.awaitState(job, "RUNNING", PATIENCE);
                send(collector);
                broker.kill();
                broker.startAgain();
                cluster.awaitState(job, "RUNNING", PATIENCE);
                cluster.awaitCheckpoint(job);
                collector.kill();
            }
            try (RunningCollector collector = edge.start()) {
                send(collector);
                cluster.killTaskManager();
                cluster.awaitLoss(job, PATIENCE);
                cluster.startTaskManager();
                cluster.awaitState(job, "RUNNING", PATIENCE);
                assertThat(collector.stop().status()).isZero();
            }
            awaitRead(broker);
            cluster.drain(job);
            same(broker, whole(edge.data().resolve("journal"), List.of()), TABLES);
        }
    }

    private FlinkCluster cluster(String name) throws IOException {
        return FlinkCluster.Setup.in(Files.createDirectory(temp.resolve("flink")), name)
                .checkpoints(Duration.ofSeconds(1))
                .start();
    }

    /** Nothing may be evicted there: it is room that decides, and that differs. */
    private Setup edge(String name, String kafka) throws IOException {
        return Setup.in(Files.createDirectory(temp.resolve(name)))
                .set("memory=128MiB", "analysis.flows=20000")
                .set("store.memory=128MiB", "journal.sync=20ms", kafka, "kafka.publish=[datagrams]");
    }

    /** A network in which much happens in a minute, in a few seconds; and an attack. */
    private void send(RunningCollector collector) {
        try {
            send(attacked(), List.of(collector), "--duration", "60s");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path attacked() throws IOException {
        String faults = "faults:\n";
        String demo = ScenarioFiles.text("demo");
        assertThat(demo).contains(faults);
        return Files.writeString(
                temp.resolve("attacked.yaml"),
                demo.replace(
                        faults,
                        "  - { kind: udp-flood, from: h1-2, to: h4-2, rate: 500pps, start: 10s, duration: 20s }\n"
                                + faults));
    }

    private static void send(Object scenario, List<RunningCollector> collectors, String... options) throws IOException {
        List<String> words = new ArrayList<>(List.of("lab", "run", scenario.toString(), "--speed", "4"));
        words.addAll(List.of(options));
        collectors.forEach(each -> words.addAll(List.of("--to", "127.0.0.1:" + each.port())));
        assertThat(collectors.getFirst().command(words.toArray())).contains("datagrams sent");
    }

    /** Until the job remembers all datagrams that there are. */
    private static void awaitRead(Broker broker) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
            RunningCollector.until("all datagrams are read", () -> {
                try {
                    Map<TopicPartition, OffsetAndMetadata> read = admin.listConsumerGroupOffsets("pathlore-job")
                            .partitionsToOffsetAndMetadata()
                            .get();
                    var ends = admin.listOffsets(read.keySet().stream()
                                    .collect(Collectors.toMap(each -> each, each -> OffsetSpec.latest())))
                            .all()
                            .get();
                    return !read.isEmpty()
                            && read.entrySet().stream()
                                    .allMatch(each -> each.getValue().offset()
                                            == Objects.requireNonNull(ends.get(each.getKey()))
                                                    .offset());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException(e);
                } catch (ExecutionException e) {
                    throw new IOException(e);
                }
            });
        }
    }

    private RunningServe served(Broker broker) throws IOException {
        return RunningServe.start(
                temp,
                temp.resolve("served"),
                "memory=64MiB",
                "store.memory=128MiB",
                "kafka.bootstrap=" + broker.bootstrap());
    }

    private void same(Broker broker, Path data, Map<String, String> tables) throws IOException {
        try (RunningServe alone = RunningServe.start(temp, data, "memory=64MiB", "store.memory=128MiB");
                RunningServe served = served(broker)) {
            String until = Instant.now().toString();
            Map<String, String> expected = events(alone.api(), until);
            assertThat(expected).isNotEmpty();
            RunningCollector.until(
                    "as many events", () -> events(served.api(), until).size() >= expected.size());
            assertThat(events(served.api(), until)).containsExactlyEntriesOf(expected);
            RunningCollector.until(
                    "all is read", () -> served.api().good("/api/v1/status").contains("\"waiting\":0"));
            for (Map.Entry<String, String> table : tables.entrySet()) {
                String sql = "SELECT " + table.getValue() + " FROM " + table.getKey() + " ORDER BY ALL";
                assertThat(rows(served.api(), sql))
                        .as(table.getKey())
                        .containsExactlyElementsOf(rows(alone.api(), sql));
            }
            assertThat(traffic(served.api())).containsExactlyEntriesOf(traffic(alone.api()));
            assertThat(alone.stop().status()).isZero();
            assertThat(served.stop().status()).isZero();
        }
    }

    private static List<String> rows(Api api, String sql) throws IOException {
        List<?> rows =
                (List<?>) Objects.requireNonNull(Json.object(api.query(sql)).get("rows"));
        return rows.stream().map(String::valueOf).toList();
    }

    /** By id. When somebody next looks at the streams of an exporter is no part of what happened; and of silence only who has a clock knows. */
    private static Map<String, String> events(Api api, String until) throws IOException {
        List<?> items =
                (List<?>) Objects.requireNonNull(Json.object(api.good("/api/v1/events?limit=1000&until=" + until))
                        .get("items"));
        Map<String, String> byId = new TreeMap<>();
        items.forEach(item -> put(byId, (Map<?, ?>) item));
        return byId;
    }

    private static void put(Map<String, String> byId, Map<?, ?> item) {
        Map<String, Object> event = new TreeMap<>();
        item.forEach((name, value) -> event.put(String.valueOf(name), value));
        if (List.of("report-loss", "exporter-silent").contains(event.get("kind"))) {
            event.remove("detectedAt");
            event.remove("end");
        }
        byId.put(String.valueOf(event.get("id")), event.toString());
    }
}
