package io.pathlore.cli.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.pathlore.cli.config.ConfigLoader;
import io.pathlore.testkit.vectors.GoldenVectors;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a collector left is shown as it would show it itself, and is as it was afterwards. */
@Timeout(120)
class ServingProcessTest {
    private static final byte[] DROP = GoldenVectors.bytes("R2");
    private static final byte[] LOCAL = GoldenVectors.bytes("R1");
    private static final JsonMapper JSON = new JsonMapper();
    private static final String SUMS = "SELECT (SELECT sum(datagrams)::BIGINT FROM exporters_1m) AS datagrams,"
            + " (SELECT sum(reports)::BIGINT FROM flows_1m) AS flows,"
            + " (SELECT sum(reports)::BIGINT FROM hops_1s) AS hops";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private final HttpClient client = HttpClient.newHttpClient();

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }

    private ServingProcess serve() throws IOException, ServiceException {
        List<String> sets = List.of(
                "data=" + directory.resolve("data"),
                "memory=64MiB",
                "store.memory=128MiB",
                "analysis.flows=1000",
                "http.port=" + freePort());
        return ServingProcess.start(
                new ConfigLoader(directory, directory, Map.of()).loadService(null, sets),
                "test",
                new Notes(new PrintWriter(new StringWriter()), CollectorProcess::epochNanos));
    }

    private JsonNode get(ServingProcess process, String path) throws IOException, InterruptedException {
        return JSON.readTree(client.send(
                        HttpRequest.newBuilder(URI.create(process.url() + path)).build(), BodyHandlers.ofString())
                .body());
    }

    private JsonNode ask(ServingProcess process, String sql) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(process.url() + "api/v1/query"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"sql\":\"" + sql + "\"}"))
                .build();
        return JSON.readTree(client.send(request, BodyHandlers.ofString()).body())
                .path("rows")
                .path(0);
    }

    @Test
    void whatWasReceivedIsThereAndCountsOnce() throws Exception {
        try (ServedCollector collector = new ServedCollector(directory)) {
            collector.send(LOCAL, DROP, LOCAL);
        }
        for (int run = 0; run < 2; run++) {
            try (ServingProcess process = serve()) {
                JsonNode sums = ask(process, SUMS);
                assertThat(sums.path("datagrams").asInt()).as("run " + run).isEqualTo(3);
                assertThat(sums.path("hops").asInt()).isPositive();
                JsonNode exporter =
                        get(process, "api/v1/exporters").path("items").path(0);
                assertThat(exporter.path("address").asText()).isEqualTo("127.0.0.1");
                assertThat(exporter.path("datagrams").asInt()).isEqualTo(3);
                assertThat(get(process, "api/v1/reports").path("items")).hasSize(3);
                JsonNode status = get(process, "api/v1/status");
                assertThat(status.path("recording").path("to").asText())
                        .isGreaterThan(status.path("recording").path("from").asText());
                assertThat(get(process, "api/v1/ledger").path("datagramsRead").asInt())
                        .isZero();
            }
        }
        // The collector adds the same up again, once.
        try (ServedCollector collector = new ServedCollector(directory)) {
            collector.send(LOCAL);
        }
        try (ServingProcess process = serve()) {
            assertThat(ask(process, SUMS).path("datagrams").asInt()).isEqualTo(4);
        }
    }

    @Test
    void whileACollectorRunsItIsTheOneToAsk() throws Exception {
        try (ServedCollector collector = new ServedCollector(directory)) {
            collector.send(LOCAL);
            assertThatThrownBy(this::serve)
                    .isInstanceOf(ServiceException.class)
                    .hasMessageMatching(
                            "data .*: a collector runs on it \\(process \\d+\\);" + " ask that one, or stop it first");
        }
        // And the other way round.
        try (ServingProcess _ = serve()) {
            assertThatThrownBy(() -> new ServedCollector(directory)).isInstanceOf(ServiceException.class);
        }
    }

    @Test
    void whereNothingIsThereIsNothingToServe() throws IOException {
        assertThatThrownBy(this::serve)
                .isInstanceOf(ServiceException.class)
                .hasMessageContaining("no such directory; name the data of one with --data DIR");
        Files.createDirectory(directory.resolve("data"));
        assertThatThrownBy(this::serve)
                .isInstanceOf(ServiceException.class)
                .hasMessageContaining("no collector has written there");
        assertThat(directory.resolve("data")).isEmptyDirectory();
    }
}
