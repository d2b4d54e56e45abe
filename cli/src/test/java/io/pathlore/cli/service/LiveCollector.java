package io.pathlore.cli.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.pathlore.cli.config.ConfigLoader;
import io.pathlore.store.tables.Row;
import io.pathlore.store.tables.TableStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** A whole collector in this process, on free ports of the loopback, and a client of it. */
public final class LiveCollector implements AutoCloseable {
    /** 2026-11-15T18:00:00Z. */
    public static final long START = 1_794_765_600_000_000_000L;

    public static final long SECOND = 1_000_000_000L;

    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final JsonMapper JSON = new JsonMapper();

    private final HttpClient client = HttpClient.newHttpClient();
    private final StringWriter log = new StringWriter();
    private final CollectorProcess process;

    public LiveCollector(Path directory, String... sets) throws IOException, ServiceException {
        List<String> all = new ArrayList<>(List.of(
                "data=" + directory.resolve("data"),
                "memory=64MiB",
                "store.memory=128MiB",
                "analysis.flows=1000",
                "listen.addresses=127.0.0.1",
                "listen.ports=" + freeUdpPort(),
                "http.port=" + freeTcpPort()));
        all.addAll(List.of(sets));
        process = CollectorProcess.start(
                new ConfigLoader(directory, directory, Map.of()).loadService(null, all),
                1,
                "test",
                true,
                new Notes(new PrintWriter(log), CollectorProcess::epochNanos));
    }

    private static int freeUdpPort() throws IOException {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(LOOPBACK, 0))) {
            return socket.getLocalPort();
        }
    }

    private static int freeTcpPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, LOOPBACK)) {
            return socket.getLocalPort();
        }
    }

    public CollectorProcess process() {
        return process;
    }

    /** Without the last slash. */
    public String url() {
        return process.url().replaceFirst("/$", "");
    }

    public String log() {
        return log.toString();
    }

    /** Asks again and again until it holds. */
    public static void until(String what, Callable<Boolean> condition) throws Exception {
        long start = System.nanoTime();
        while (!condition.call()) {
            assertThat(System.nanoTime() - start).as("waited in vain: " + what).isLessThan(PATIENCE.toNanos());
            Thread.onSpinWait();
        }
    }

    public TableStore opened() throws Exception {
        until("tables are open", () -> process.tables().store() != null);
        until("what the journal has is in them", () -> !process.isCatchingUp());
        TableStore store = process.tables().store();
        if (store == null) {
            throw new AssertionError("tables that were open are not");
        }
        return store;
    }

    /** Rows, and everything up to that time. Waits until they are in the tables. */
    public void store(long storedTo, Row... rows) throws Exception {
        TableStore store = opened();
        assertThat(store.append(List.of(rows))).isTrue();
        assertThat(store.mark(storedTo, Map.of())).isTrue();
        until("rows are stored", () -> store.stored().storedToNanos() == storedTo);
    }

    public HttpResponse<byte[]> bytes(String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create(url() + path)).build(), BodyHandlers.ofByteArray());
    }

    public HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create(url() + path)).build(), BodyHandlers.ofString());
    }

    public HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(url() + path))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body, StandardCharsets.UTF_8))
                        .build(),
                BodyHandlers.ofString());
    }

    public JsonNode json(String path) throws IOException, InterruptedException {
        HttpResponse<String> answer = get(path);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JSON.readTree(answer.body());
    }

    @Override
    public void close() {
        process.close();
        client.close();
    }
}
