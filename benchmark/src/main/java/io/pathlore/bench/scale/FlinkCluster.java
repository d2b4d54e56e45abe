package io.pathlore.bench.scale;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A JobManager and one TaskManager, each a process of its own, on the loopback. */
final class FlinkCluster implements AutoCloseable {
    private static final long START_SECONDS = 90;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String ENTRY = "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint";
    private static final String BOUNDARY = "pathlore-job-jar";
    private static final JsonMapper JSON = new JsonMapper();
    private static final List<String> JVM = List.of(
            "-XX:-UsePerfData",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow");

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final int port;
    private final List<Program> programs = new ArrayList<>();

    FlinkCluster(Path directory, Path libraries, int slots, Duration checkpoints) throws IOException {
        port = Program.freePort();
        configure(directory, slots, checkpoints);
        boolean ready = false;
        try {
            start("jobmanager", directory, libraries, List.of("-Xmx512m", "-XX:+UseSerialGC"), ENTRY);
            start(
                    "taskmanager",
                    directory,
                    libraries,
                    List.of("-Xms6g", "-Xmx6g", "-XX:MaxDirectMemorySize=1g"),
                    "org.apache.flink.runtime.taskexecutor.TaskManagerRunner");
            Program.await("its slots", START_SECONDS, programs, () -> {
                try {
                    return get("/overview").path("slots-total").asInt() == slots;
                } catch (IOException e) {
                    return false; // it does not listen yet
                }
            });
            ready = true;
        } finally {
            if (!ready) {
                close();
            }
        }
    }

    /** No script works out how memory is shared, so all of it is said. What is not is as Flink has it. */
    private void configure(Path directory, int slots, Duration checkpoints) throws IOException {
        Path temporary = Files.createDirectories(directory.resolve("tmp"));
        Files.writeString(directory.resolve("config.yaml"), """
                jobmanager:
                  rpc: { address: 127.0.0.1, port: %2$d }
                  bind-host: 127.0.0.1
                  memory: { process: { size: 1024m } }
                rest: { address: 127.0.0.1, port: %1$d, bind-address: 127.0.0.1 }
                web: { tmpdir: "%5$s", refresh-interval: 200ms }
                metrics: { fetcher: { update-interval: 200 } }
                io: { tmp: { dirs: "%5$s" } }
                taskmanager:
                  host: 127.0.0.1
                  bind-host: 127.0.0.1
                  numberOfTaskSlots: %3$d
                  cpu: { cores: %3$d.0 }
                  memory:
                    framework: { heap: { size: 128m }, off-heap: { size: 128m } }
                    task: { heap: { size: 6016m }, off-heap: { size: 512m } }
                    network: { min: 256m, max: 256m }
                    managed: { size: 512m }
                    jvm-metaspace: { size: 256m }
                    jvm-overhead: { min: 256m, max: 256m }
                state: { backend: { type: rocksdb } }
                execution:
                  checkpointing:
                    interval: %4$dms
                    mode: EXACTLY_ONCE
                    incremental: true
                    dir: "%6$s"
                """.formatted(
                        port,
                        Program.freePort(),
                        slots,
                        checkpoints.toMillis(),
                        temporary,
                        directory.resolve("checkpoints").toUri()));
    }

    private void start(String name, Path directory, Path libraries, List<String> more, String main) throws IOException {
        List<String> jvm = new ArrayList<>(JVM);
        jvm.addAll(more);
        programs.add(
                Program.start(name, directory, libraries, jvm, main, List.of("--configDir", directory.toString())));
    }

    List<Program> programs() {
        return programs;
    }

    Program taskManager() {
        return programs.getLast();
    }

    /** Its id. */
    String submit(Path jar, int parallelism, String... arguments) throws IOException {
        BodyPublisher body = BodyPublishers.concat(
                BodyPublishers.ofString(
                        "--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"jarfile\"; filename=\""
                                + jar.getFileName() + "\"\r\nContent-Type: application/x-java-archive\r\n\r\n"),
                BodyPublishers.ofFile(jar),
                BodyPublishers.ofString("\r\n--" + BOUNDARY + "--\r\n"));
        JsonNode uploaded = ask(request("/jars/upload")
                .header("Content-Type", "multipart/form-data; boundary=" + BOUNDARY)
                .POST(body));
        String id = Path.of(uploaded.path("filename").asText()).getFileName().toString();
        Map<String, Object> run = Map.of("programArgsList", List.of(arguments), "parallelism", parallelism);
        return post("/jars/" + id + "/run", run).path("jobid").asText();
    }

    JsonNode get(String path) throws IOException {
        return ask(request(path).GET());
    }

    JsonNode post(String path, Map<String, ?> body) throws IOException {
        return ask(request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(JSON.writeValueAsString(body))));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(PATIENCE);
    }

    private JsonNode ask(HttpRequest.Builder builder) throws IOException {
        HttpRequest request = builder.build();
        try {
            HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
            if (answer.statusCode() >= 300) {
                throw new IOException(request.uri() + ": " + answer.statusCode() + " " + answer.body());
            }
            return JSON.readTree(answer.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        programs.reversed().forEach(Program::close);
        client.shutdownNow();
    }
}
