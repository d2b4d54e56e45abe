package io.pathlore.bench.scale;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.bench.Contestant;
import io.pathlore.bench.Machine;
import io.pathlore.bench.Measurement;
import io.pathlore.bench.Results;
import io.pathlore.bench.decode.Corpus;
import io.pathlore.cli.scale.Parts;
import io.pathlore.wire.envelope.Envelope;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The job as it is shipped, on a cluster of real processes with a real broker and checkpoints, beside the analysis in one piece. What counts is
 * the processor time of the TaskManager, all of its threads: Flink, Kafka's clients, the state backend, Java's compilers and its collector of garbage.
 */
public final class JobMeasurement implements Measurement {
    private static final int PER_SECOND = 100_000;
    private static final int SLOTS = 2;
    private static final Duration CHECKPOINTS = Duration.ofSeconds(10);

    /** What a job waits for has to be over, and somebody has to say so. */
    private static final long QUIET_NANOS = 3 * Ticks.SECOND;

    private static final int SAY_SO = 2 * Corpus.REPORTERS * Corpus.IN_A_ROW;
    private static final long PATIENCE_SECONDS = 180;
    private static final double MILLION = 1e6;

    /** Looks, ten a second, that must find the same. */
    private static final int UNCHANGED = 15;

    /** Flows that are there when state is taken. The first are those of the fabric. */
    private static final List<Integer> FLOWS = List.of(10_000, 100_000, 1_000_000);

    @Override
    public String name() {
        return "job";
    }

    @Override
    public String about() {
        return "the job on a Flink cluster with a broker, beside the analysis in one piece; downloads both";
    }

    /** How far it was at a moment, and what that had taken. */
    private record Point(long reports, long nanos, long wallNanos, Map<String, Long> threads) {
        double nanosEach(Point later) {
            return (double) (later.nanos - nanos) / (later.reports - reports);
        }

        double perSecond(Point later) {
            return (later.reports - reports) * 1e9 / (later.wallNanos - wallNanos);
        }
    }

    @Override
    public Results run(boolean quick, PrintStream out) throws IOException, InterruptedException {
        Path root = Path.of(System.getProperty("pathlore.root", ".."));
        Path directory = Files.createTempDirectory("pathlore-bench-");
        try {
            out.printf("job: %s%n", Machine.describe());
            out.printf(
                    Locale.ROOT,
                    """
                    reports of a fabric as in whole, %d octets in an envelope, %d exporters, %,d in a second of stream time, all on the topic before
                    one TaskManager with %d slots, %d parts, RocksDB, a checkpoint every %d s, exactly once; JobManager and broker on the same processors
                    of the job: processor time of the TaskManager, all threads; embedded: of its one thread and the collector of garbage
                    """,
                    Traffic.DATAGRAM + Envelope.LENGTH,
                    Corpus.REPORTERS,
                    PER_SECOND,
                    SLOTS,
                    Parts.DEFAULT,
                    CHECKPOINTS.toSeconds());
            Results results = new Results();
            double embedded = embedded(quick);
            results.put("embedded.ns", embedded);
            out.printf("%n%-38s %9s %12s %12s%n", "of a report", "ns of CPU", "k/s per core", "k/s here");
            line(out, "embedded, in one piece", embedded, Double.NaN);
            try (KafkaBroker broker =
                            new KafkaBroker(directory, root.resolve("benchmark/target/job/broker/lib"), SLOTS);
                    FlinkCluster cluster = new FlinkCluster(
                            Files.createDirectory(directory.resolve("flink")),
                            root.resolve("flink/target/job/cluster/lib"),
                            SLOTS,
                            CHECKPOINTS)) {
                Trial trial = new Trial(broker, cluster, root.resolve("flink/target/job/pathlore-job.jar"));
                trial.run(quick, embedded, out, results);
            }
            results.put("loadAverage", Machine.load());
            return results;
        } finally {
            try (Stream<Path> left = Files.walk(directory)) {
                for (Path path : left.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            }
        }
    }

    private static void line(PrintStream out, String title, double nanos, double here) {
        out.printf(
                Locale.ROOT,
                "  %-36s %9.0f %12.0f %12s%n",
                title,
                nanos,
                MILLION / nanos,
                Double.isNaN(here) ? "" : String.format(Locale.ROOT, "%.0f", here / 1e3));
    }

    private static double embedded(boolean quick) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(Machine.onOneProcessor());
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-Xms2g", "-Xmx2g", "-XX:-UsePerfData"));
        if (Machine.hasLargePages()) {
            command.add("-XX:+UseTransparentHugePages");
        }
        command.addAll(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                EmbeddedWorker.class.getName(),
                Integer.toString(PER_SECOND),
                quick ? "10" : "20",
                quick ? "10" : "40"));
        try (var worker = new Contestant("embedded", command)) {
            return Double.parseDouble(worker.read());
        }
    }

    /** One job, from the first report on. */
    private static final class Trial {
        private final KafkaBroker broker;
        private final FlinkCluster cluster;
        private final Traffic traffic = Traffic.ofAFabric(PER_SECOND);
        private final Path jar;
        private String job = "";
        private String source = "";
        private String flows = "";

        Trial(KafkaBroker broker, FlinkCluster cluster, Path jar) {
            this.broker = broker;
            this.cluster = cluster;
            this.jar = jar;
        }

        void run(boolean quick, double embedded, PrintStream out, Results results) throws IOException {
            long warm = quick ? 1_000_000 : 2_000_000;
            long measured = quick ? 2_000_000 : 6_000_000;
            System.err.printf("bench: %,d reports onto the topic%n", warm + measured);
            broker.fill(traffic, warm + measured);
            submit();
            Point before = await(warm);
            System.err.println("bench: warm");
            Point after = await(broker.filled());
            double few = before.nanosEach(after);
            line(out, "job", few, before.perSecond(after));
            parts(out, before, after, results);
            results.put("job.ns", few);
            results.put("job.here", before.perSecond(after));
            results.put("job.ratio", embedded / few);
            checkpoints(out, results);

            Map<Integer, Long> known = new TreeMap<>();
            List<String> lines = new ArrayList<>();
            for (int count : FLOWS) {
                System.err.printf("bench: state of %,d flows%n", count);
                lines.add(state(count, known, results));
            }
            Point first = now();
            broker.fill(traffic, measured / 3);
            Point last = await(broker.filled());
            double many = first.nanosEach(last);
            line(out, String.format(Locale.ROOT, "job, with %,d flows", flows()), many, first.perSecond(last));
            results.put("job.many.ns", many);
            results.put("job.many.ratio", embedded / many);
            out.printf(
                    Locale.ROOT,
                    "%njob, per core: %.2f of embedded; with many flows %.2f%n",
                    embedded / few,
                    embedded / many);
            out.printf(
                    "%n%-38s %9s %9s %9s %12s %12s%n",
                    "a full checkpoint", "MB", "flows: MB", "B a flow", "complete, ms", "at most, ms");
            lines.forEach(out::println);
            out.println("at most: how long one task of flows stood still for it");
        }

        private void submit() throws IOException {
            job = cluster.submit(
                    jar,
                    SLOTS,
                    "--set",
                    "kafka.bootstrap=" + broker.bootstrap(),
                    "--parts",
                    Integer.toString(Parts.DEFAULT));
            for (JsonNode vertex : cluster.get("/jobs/" + job).path("vertices")) {
                String name = vertex.path("name").asText();
                if (name.startsWith("Source")) {
                    source = vertex.path("id").asText();
                } else if (name.startsWith("flows")) {
                    flows = vertex.path("id").asText();
                }
            }
        }

        private Point now() throws IOException {
            long reports = 0;
            for (JsonNode vertex : cluster.get("/jobs/" + job).path("vertices")) {
                if (vertex.path("id").asText().equals(source)) {
                    reports = vertex.path("metrics").path("write-records").asLong();
                }
            }
            Process process = cluster.taskManager().process();
            return new Point(
                    reports,
                    process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos(),
                    System.nanoTime(),
                    Threads.of(process.pid()));
        }

        /** Until so many were read. */
        private Point await(long reports) throws IOException {
            Point[] last = new Point[1];
            List<Program> all = new ArrayList<>(cluster.programs());
            all.add(broker.program());
            Program.await(reports + " reports are read", PATIENCE_SECONDS, all, () -> {
                if (!cluster.get("/jobs/" + job).path("state").asText().equals("RUNNING")) {
                    throw new IOException("the job does not run: "
                            + cluster.get("/jobs/" + job + "/exceptions")
                                    .path("exceptionHistory")
                                    .path("entries")
                                    .path(0)
                                    .path("stacktrace")
                                    .asText());
                }
                last[0] = now();
                return last[0].reports >= reports;
            });
            return last[0];
        }

        private static void parts(PrintStream out, Point before, Point after, Results results) {
            double reports = after.reports - before.reports;
            after.threads.forEach((name, nanos) -> {
                double each = (nanos - before.threads.getOrDefault(name, 0L)) / reports;
                out.printf(Locale.ROOT, "    %-34s %9.0f%n", name, each);
                results.put("job." + name.replaceAll("[^A-Za-z]", "") + ".ns", each);
            });
        }

        /** Those that came by themselves. */
        private void checkpoints(PrintStream out, Results results) throws IOException {
            JsonNode answer = cluster.get("/jobs/" + job + "/checkpoints");
            JsonNode summary = answer.path("summary");
            double octets = summary.path("checkpointed_size").path("avg").asDouble();
            double millis = summary.path("end_to_end_duration").path("avg").asDouble();
            out.printf(
                    Locale.ROOT,
                    "    checkpoints meanwhile: %d of %d completed, %.1f MB written each, complete after %.0f ms%n",
                    answer.path("counts").path("completed").asLong(),
                    answer.path("counts").path("total").asLong(),
                    octets / MILLION,
                    millis);
            results.put("job.checkpoint.octets", octets);
            results.put("job.checkpoint.millis", millis);
        }

        private long flows() throws IOException {
            String path = "/jobs/" + job + "/vertices/" + flows + "/subtasks/metrics?get=flows.pathlore.flows&agg=sum";
            return cluster.get(path).path(0).path("sum").asLong();
        }

        /** With so many flows, and nothing that waits for its time. */
        private String state(int count, Map<Integer, Long> known, Results results) throws IOException {
            traffic.eachItsFlow(true);
            long before = known.isEmpty()
                    ? flows()
                    : known.values().stream().max(Long::compare).orElse(0L);
            broker.fill(traffic, Math.max(0, count - before));
            traffic.eachItsFlow(false);
            traffic.skip(QUIET_NANOS);
            broker.fill(traffic, SAY_SO);
            Point _ = await(broker.filled());
            awaitRest();
            JsonNode checkpoint = checkpoint();
            long now = flows();
            known.put(count, now);
            double all = checkpoint.path("state_size").asDouble();
            double ofFlows =
                    checkpoint.path("tasks").path(flows).path("state_size").asDouble();
            double millis = checkpoint.path("end_to_end_duration").asDouble();
            double still = cluster.get("/jobs/" + job + "/checkpoints/details/"
                            + checkpoint.path("id").asLong() + "/subtasks/" + flows)
                    .path("summary")
                    .path("checkpoint_duration")
                    .path("sync")
                    .path("max")
                    .asDouble();
            String key = "flows." + count;
            results.put(key + ".known", (double) now);
            results.put(key + ".octets", all);
            results.put(key + ".flows.octets", ofFlows);
            results.put(key + ".octetsPerFlow", ofFlows / now);
            results.put(key + ".millis", millis);
            results.put(key + ".stillMillis", still);
            return String.format(
                    Locale.ROOT,
                    "  %-36s %9.1f %9.1f %9.0f %12.0f %12.0f",
                    String.format(Locale.ROOT, "%,d flows", now),
                    all / MILLION,
                    ofFlows / MILLION,
                    ofFlows / now,
                    millis,
                    still);
        }

        /** Time has come as far as it can: nothing changes any more. */
        private void awaitRest() throws IOException {
            long[] last = {-1};
            int[] same = new int[1];
            Program.await("rest", PATIENCE_SECONDS, cluster.programs(), () -> {
                long now = flows();
                same[0] = now == last[0] ? same[0] + 1 : 0;
                last[0] = now;
                return same[0] == UNCHANGED;
            });
        }

        /** All of it, behind everything that was read. */
        private JsonNode checkpoint() throws IOException {
            String id = cluster.post("/jobs/" + job + "/checkpoints", Map.of("checkpointType", "FULL"))
                    .path("request-id")
                    .asText();
            JsonNode[] answer = new JsonNode[1];
            Program.await("a checkpoint", PATIENCE_SECONDS, cluster.programs(), () -> {
                answer[0] = cluster.get("/jobs/" + job + "/checkpoints/" + id);
                return "COMPLETED".equals(answer[0].path("status").path("id").asText());
            });
            JsonNode operation = answer[0].path("operation");
            if (!operation.has("checkpointId")) {
                throw new IOException("no checkpoint: " + operation);
            }
            return cluster.get("/jobs/" + job + "/checkpoints/details/"
                    + operation.path("checkpointId").asLong());
        }
    }
}
