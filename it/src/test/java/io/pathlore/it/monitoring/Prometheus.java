package io.pathlore.it.monitoring;

import io.pathlore.testkit.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** A real Prometheus on the loopback, which scrapes one collector every other second. */
final class Prometheus implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 10_000;
    private static final int UNAVAILABLE = 503;

    private final Process process;
    private final int port;
    private final Path log;

    Prometheus(Path directory, Path rules, int collector) throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort(); // it can only be told a number
        }
        Path config = Files.writeString(directory.resolve("prometheus.yml"), """
                global: { scrape_interval: 2s, scrape_timeout: 2s, evaluation_interval: 2s }
                rule_files: ["%s"]
                scrape_configs:
                  - job_name: pathlore
                    static_configs: [{ targets: ["127.0.0.1:%d"] }]
                """.formatted(rules, collector));
        log = directory.resolve("prometheus.log");
        process = new ProcessBuilder(
                        "prometheus",
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + directory.resolve("tsdb"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /** Where continuous integration runs, its absence is a failure; elsewhere nobody has to have it. */
    static void mustBeThere() throws Exception {
        boolean there;
        try {
            there = run(List.of("promtool", "--version")).status == 0;
        } catch (IOException absent) {
            there = false;
        }
        String message = "prometheus is not installed (Debian: apt-get install prometheus): nobody asked our queries";
        if (!there && System.getenv("CI_NEEDS_ALL") != null) {
            Assertions.fail(message);
        }
        Assumptions.assumeTrue(there, message);
    }

    record Said(int status, String text) {}

    static Said run(List<String> command) throws IOException, InterruptedException {
        Process tool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(tool.waitFor(), text);
    }

    /** How many series the query has now; -1 while it does not answer. */
    int series(String query) throws IOException {
        Map<String, Object> answer = get("/api/v1/query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8));
        if (!"success".equals(answer.get("status"))) {
            throw new AssertionError(query + ": " + answer);
        }
        return answer.get("data") instanceof Map<?, ?> data && data.get("result") instanceof List<?> result
                ? result.size()
                : -1;
    }

    boolean isUp() {
        try {
            return series("up{job=\"pathlore\"} == 1") == 1;
        } catch (IOException e) {
            if (!process.isAlive()) {
                throw new AssertionError("prometheus ended: " + said(), e);
            }
            return false;
        }
    }

    private String said() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private Map<String, Object> get(String path) throws IOException {
        var connection = (HttpURLConnection)
                URI.create("http://127.0.0.1:" + port + path).toURL().openConnection();
        connection.setConnectTimeout(PATIENCE_MILLIS);
        connection.setReadTimeout(PATIENCE_MILLIS);
        if (connection.getResponseCode() == UNAVAILABLE) {
            throw new IOException("prometheus reads its files");
        }
        boolean good = connection.getResponseCode() < 400;
        try (InputStream in = good ? connection.getInputStream() : connection.getErrorStream()) {
            return in == null
                    ? Map.of("status", connection.getResponseCode())
                    : Json.object(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
