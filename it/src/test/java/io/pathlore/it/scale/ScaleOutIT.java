package io.pathlore.it.scale;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
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
            "episodes", "*",
            "exporters_1m", "*",
            "nodes", "*",
            "paths", "* EXCLUDE (last_seen)")); // the last of those flows that tell of a path, wherever they are

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
            same(broker, edge.data());
        }
    }

    /** Each of those in between is killed; what is found is what one process finds in all datagrams, undisturbed. */
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
                collector.command("analyse", collector.journal(), "--events", temp.resolve("events.jsonl"));
            }
            awaitRead(broker);
            cluster.drain(job);
            Map<String, String> expected = new TreeMap<>();
            for (String line : Files.readAllLines(temp.resolve("events.jsonl"))) {
                put(expected, Json.object(line));
            }
            assertThat(expected).isNotEmpty();
            try (RunningServe served = RunningServe.start(
                    temp,
                    temp.resolve("served"),
                    "memory=64MiB",
                    "store.memory=128MiB",
                    "kafka.bootstrap=" + broker.bootstrap())) {
                String until = Instant.now().toString();
                RunningCollector.until(
                        "as many events", () -> events(served.api(), until).size() >= expected.size());
                assertThat(events(served.api(), until)).containsExactlyEntriesOf(expected);
            }
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

    /** A network in which much happens in a minute, in a few seconds. */
    private static void send(RunningCollector collector) {
        try {
            String told = collector.command(
                    "lab", "run", "demo", "--duration", "60s", "--speed", "4", "--to", "127.0.0.1:" + collector.port());
            assertThat(told).contains("datagrams sent");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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

    private void same(Broker broker, Path data) throws IOException {
        List<String> small = List.of("memory=64MiB", "store.memory=128MiB");
        try (RunningServe alone = RunningServe.start(temp, data, small.toArray(String[]::new));
                RunningServe served = RunningServe.start(
                        temp,
                        temp.resolve("served"),
                        small.get(0),
                        small.get(1),
                        "kafka.bootstrap=" + broker.bootstrap())) {
            String until = Instant.now().toString();
            Map<String, String> expected = events(alone.api(), until);
            assertThat(expected).isNotEmpty();
            RunningCollector.until(
                    "as many events", () -> events(served.api(), until).size() >= expected.size());
            assertThat(events(served.api(), until)).containsExactlyEntriesOf(expected);
            RunningCollector.until(
                    "all is read", () -> served.api().good("/api/v1/status").contains("\"waiting\":0"));
            for (Map.Entry<String, String> table : TABLES.entrySet()) {
                String sql = "SELECT " + table.getValue() + " FROM " + table.getKey() + " ORDER BY ALL";
                assertThat(served.api().query(sql))
                        .as(table.getKey())
                        .isEqualTo(alone.api().query(sql));
            }
            assertThat(alone.stop().status()).isZero();
            assertThat(served.stop().status()).isZero();
        }
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
