package io.pathlore.it.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.it.collect.JavaProcess;
import io.pathlore.it.collect.RunningCollector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Flink cluster on the loopback, each of its processes a real one that can be killed. What they say is kept below
 * {@code it/target/flink}, and its end is part of what is thrown when a job does not become what it should.
 */
final class FlinkCluster implements AutoCloseable {
    /** The jar of the job, as it is shipped. */
    static final Path JOB = root().resolve("flink/target/pathlore-job.jar");

    private static final Path LIBRARIES = root().resolve("flink/target/cluster/lib");
    private static final Path LOGS = root().resolve("it/target/flink");
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int TAIL_LINES = 40;
    private static final int TRACE_LINES = 20;
    private static final List<String> JVM = List.of(
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-XX:TieredStopAtLevel=1",
            "-Dorg.slf4j.simpleLogger.showDateTime=true",
            "-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS",
            "-Dorg.slf4j.simpleLogger.log.org.apache.kafka=warn",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow");

    private final Setup setup;
    private final Path logs;
    private final FlinkRest rest;
    private final JavaProcess jobManager;
    private final Deque<JavaProcess> taskManagers = new ArrayDeque<>();
    private final Map<Path, String> uploaded = new LinkedHashMap<>();

    /**
     * What one is started with.
     *
     * @param directory where it keeps its configuration, checkpoints and savepoints
     * @param name of its logs
     * @param checkpoints how often there is one
     * @param taskManagers how many there are at first
     * @param slots of each of them
     * @param jvm more options for the virtual machines
     */
    record Setup(Path directory, String name, Duration checkpoints, int taskManagers, int slots, List<String> jvm) {
        static Setup in(Path directory, String name) {
            return new Setup(directory, name, Duration.ofSeconds(1), 1, 2, List.of());
        }

        Setup checkpoints(Duration every) {
            return new Setup(directory, name, every, taskManagers, slots, jvm);
        }

        Setup taskManagers(int count, int slotsOfEach) {
            return new Setup(directory, name, checkpoints, count, slotsOfEach, jvm);
        }

        /** With both compilers: where it has to be fast, and lives long enough to become it. */
        Setup fast() {
            return new Setup(directory, name, checkpoints, taskManagers, slots, List.of("-XX:TieredStopAtLevel=4"));
        }

        /** Waits until all its slots are there. */
        FlinkCluster start() throws IOException {
            return new FlinkCluster(this);
        }
    }

    private FlinkCluster(Setup setup) throws IOException {
        this.setup = setup;
        assertThat(LIBRARIES).as("mvn -pl flink -am package makes it").isDirectory();
        logs = emptied(LOGS.resolve(setup.name));
        int port = RunningCollector.freeTcpPort();
        configure(port, RunningCollector.freeTcpPort());
        rest = new FlinkRest(port);
        jobManager = start(
                "jobmanager",
                List.of("-Xmx512m"),
                "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint");
        boolean ready = false;
        try {
            for (int i = 0; i < setup.taskManagers; i++) {
                startTaskManager();
            }
            awaitSlots(setup.taskManagers * setup.slots);
            ready = true;
        } finally {
            if (!ready) {
                close();
            }
        }
    }

    /**
     * No script works out how memory is shared, so all of it is said. A heartbeat that fails to arrive is noticed within seconds; whoever
     * does not find another yet asks again at once, not after ten seconds; and answers over HTTP are not three seconds old.
     */
    private void configure(int port, int rpc) throws IOException {
        Path temporary = Files.createDirectories(setup.directory.resolve("tmp"));
        Files.writeString(setup.directory.resolve("config.yaml"), """
                jobmanager:
                  rpc: { address: 127.0.0.1, port: %2$d }
                  bind-host: 127.0.0.1
                  memory: { process: { size: 1024m } }
                rest: { address: 127.0.0.1, port: %1$d, bind-address: 127.0.0.1 }
                web: { tmpdir: "%5$s", refresh-interval: 50ms }
                cluster: { registration: { error-delay: 500ms, refused-registration-delay: 500ms } }
                io: { tmp: { dirs: "%5$s" } }
                taskmanager:
                  host: 127.0.0.1
                  bind-host: 127.0.0.1
                  numberOfTaskSlots: %3$d
                  cpu: { cores: 1.0 }
                  memory:
                    framework: { heap: { size: 128m }, off-heap: { size: 128m } }
                    task: { heap: { size: 384m }, off-heap: { size: 0m } }
                    network: { min: 64m, max: 64m }
                    managed: { size: 128m }
                    jvm-metaspace: { size: 192m }
                    jvm-overhead: { min: 128m, max: 128m }
                heartbeat: { interval: 500ms, timeout: 5s, rpc-failure-threshold: 2 }
                restart-strategy: { type: fixed-delay, fixed-delay: { attempts: 1000, delay: 200ms } }
                state: { backend: { type: rocksdb } }
                execution:
                  checkpointing:
                    interval: %4$dms
                    incremental: true
                    dir: "%6$s"
                    savepoint-dir: "%7$s"
                """.formatted(
                        port,
                        rpc,
                        setup.slots,
                        setup.checkpoints.toMillis(),
                        temporary,
                        setup.directory.resolve("checkpoints").toUri(),
                        setup.directory.resolve("savepoints").toUri()));
    }

    private static Path emptied(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> old = Files.walk(directory)) {
                for (Path path : old.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
        return Files.createDirectories(directory);
    }

    private JavaProcess start(String what, List<String> memory, String main) throws IOException {
        Path directory = Files.createTempDirectory(logs, what + '-');
        List<String> jvm = new ArrayList<>(JVM);
        jvm.addAll(memory);
        jvm.addAll(setup.jvm);
        return JavaProcess.start(
                directory, List.of(), jvm, LIBRARIES + "/*", main, List.of("--configDir", setup.directory.toString()));
    }

    /** One more. That its slots are there is for {@link #awaitSlots} to say. */
    void startTaskManager() throws IOException {
        taskManagers.addLast(start(
                "taskmanager",
                List.of("-Xmx512m", "-XX:MaxDirectMemorySize=192m"),
                "org.apache.flink.runtime.taskexecutor.TaskManagerRunner"));
    }

    /** {@code kill -9} of the one that was started first. */
    void killTaskManager() throws InterruptedException {
        taskManagers.removeFirst().process().destroyForcibly().waitFor();
    }

    /** Waits until the cluster knows of that many slots, neither more, which are dead, nor fewer. */
    void awaitSlots(int count) throws IOException {
        await(null, count + " slots", PATIENCE, () -> {
            try {
                return ((Number) Objects.requireNonNull(rest.get("/overview").get("slots-total"))).intValue() == count;
            } catch (IOException e) {
                return false; // it does not listen yet
            }
        });
    }

    /** Runs it with a parallelism of one, where it does not set its own. */
    String submit(Path jar, String... arguments) throws IOException {
        return run(jar, null, 1, arguments);
    }

    String submit(Path jar, int parallelism, String... arguments) throws IOException {
        return run(jar, null, parallelism, arguments);
    }

    /** Goes on where the savepoint was taken. */
    String submitFrom(String savepoint, Path jar, int parallelism, String... arguments) throws IOException {
        return run(jar, savepoint, parallelism, arguments);
    }

    private String run(Path jar, @Nullable String savepoint, int parallelism, String... arguments) throws IOException {
        String id = uploaded.get(jar);
        if (id == null) {
            id = rest.upload(jar);
            uploaded.put(jar, id);
        }
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("programArgsList", List.of(arguments));
        request.put("parallelism", parallelism);
        if (savepoint != null) {
            request.put("savepointPath", savepoint);
            request.put("allowNonRestoredState", false);
        }
        return text(rest.post("/jars/" + id + "/run", request), "jobid");
    }

    /** As Flink has it. A job is RUNNING also while its tasks wait for a slot: see {@link #runs}. */
    String state(String job) throws IOException {
        return text(rest.get("/jobs/" + job), "state");
    }

    /** Whether every task of it does. */
    boolean runs(String job) throws IOException {
        Map<String, Object> answer = rest.get("/jobs/" + job);
        if (!text(answer, "state").equals("RUNNING")) {
            return false;
        }
        for (Object vertex : (List<?>) Objects.requireNonNull(answer.get("vertices"))) {
            Map<?, ?> tasks = (Map<?, ?>) Objects.requireNonNull(((Map<?, ?>) vertex).get("tasks"));
            for (Map.Entry<?, ?> entry : tasks.entrySet()) {
                boolean running = entry.getKey().equals("RUNNING");
                if (running == (((Number) entry.getValue()).intValue() == 0)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Waits for it; for RUNNING, until every task runs. A job that failed instead is not waited for. */
    void awaitState(String job, String state, Duration patience) throws IOException {
        await(job, "job is " + state, patience, () -> {
            String now = state(job);
            if (now.equals("FAILED") && !state.equals(now)) {
                throw new AssertionError("the job failed");
            }
            return now.equals(state) && (!state.equals("RUNNING") || runs(job));
        });
    }

    /** Waits until the cluster knows that a task of it is gone. */
    void awaitLoss(String job, Duration patience) throws IOException {
        await(job, "the loss is noticed", patience, () -> !runs(job));
    }

    /** How many were completed since it was submitted. */
    long checkpoints(String job) throws IOException {
        Map<?, ?> counts = (Map<?, ?>)
                Objects.requireNonNull(rest.get("/jobs/" + job + "/checkpoints").get("counts"));
        return ((Number) Objects.requireNonNull(counts.get("completed"))).longValue();
    }

    /** Waits for one more that began after this call, or was under way. */
    void awaitCheckpoint(String job) throws IOException {
        long before = checkpoints(job);
        await(job, "a checkpoint", PATIENCE, () -> checkpoints(job) > before);
    }

    /** Where the savepoint is. */
    String stopWithSavepoint(String job) throws IOException {
        return stop(job, false);
    }

    /** As {@link #stopWithSavepoint}, and nothing will follow: all that waits for something is told as it stands. */
    String drain(String job) throws IOException {
        return stop(job, true);
    }

    private String stop(String job, boolean drain) throws IOException {
        String request = text(rest.post("/jobs/" + job + "/stop", Map.of("drain", drain)), "request-id");
        String[] location = new String[1];
        await(job, "a savepoint", PATIENCE, () -> {
            Map<String, Object> answer = rest.get("/jobs/" + job + "/savepoints/" + request);
            Map<?, ?> status = (Map<?, ?>) Objects.requireNonNull(answer.get("status"));
            if (!"COMPLETED".equals(status.get("id"))) {
                return false;
            }
            Map<?, ?> operation = (Map<?, ?>) Objects.requireNonNull(answer.get("operation"));
            location[0] = String.valueOf(operation.get("location"));
            assertThat(location[0]).as(operation.toString()).startsWith("file:");
            return true;
        });
        awaitState(job, "FINISHED", PATIENCE);
        return location[0];
    }

    private void await(@Nullable String job, String what, Duration patience, RunningCollector.Condition condition)
            throws IOException {
        try {
            RunningCollector.until(what, patience, () -> {
                assertThat(jobManager.process().isAlive())
                        .as("the JobManager ended")
                        .isTrue();
                for (JavaProcess taskManager : taskManagers) {
                    assertThat(taskManager.process().isAlive())
                            .as("a TaskManager ended")
                            .isTrue();
                }
                return condition.holds();
            });
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + (job == null ? "" : why(job)) + said(), e);
        }
    }

    /** What went wrong with it last. */
    private String why(String job) {
        try {
            Map<?, ?> history = (Map<?, ?>) Objects.requireNonNull(
                    rest.get("/jobs/" + job + "/exceptions").get("exceptionHistory"));
            List<?> entries = (List<?>) Objects.requireNonNull(history.get("entries"));
            if (entries.isEmpty()) {
                return "\n--- nothing went wrong with the job\n";
            }
            String trace = String.valueOf(((Map<?, ?>) entries.getFirst()).get("stacktrace"));
            return trace.lines().limit(TRACE_LINES).collect(Collectors.joining("\n", "\n--- the job\n", "\n"));
        } catch (IOException e) {
            return "\n--- the job: " + e + '\n';
        }
    }

    /** The end of every log. */
    private String said() throws IOException {
        StringBuilder all = new StringBuilder();
        List<JavaProcess> processes = new ArrayList<>(taskManagers);
        processes.addFirst(jobManager);
        for (JavaProcess process : processes) {
            List<String> lines = process.errors().lines().toList();
            all.append("\n--- ").append(process.err()).append('\n');
            lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size())
                    .forEach(line -> all.append(line).append('\n'));
        }
        return all.toString();
    }

    private static String text(Map<String, Object> answer, String key) {
        return String.valueOf(Objects.requireNonNull(answer.get(key), answer::toString));
    }

    private static Path root() {
        return Path.of(System.getProperty("pathlore.root", ".."))
                .toAbsolutePath()
                .normalize();
    }

    @Override
    public void close() {
        taskManagers.forEach(taskManager -> taskManager.process().destroyForcibly());
        jobManager.process().destroyForcibly();
        rest.close();
    }
}
