package io.pathlore.cli.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.pathlore.analysis.event.Event;
import io.pathlore.ingest.Ledger.Term;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A collector, somebody who sends to it, and somebody who listens to its streams. */
public final class ServedCollector implements AutoCloseable {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final JsonMapper MAPPER = new JsonMapper();

    private final HttpClient client = HttpClient.newHttpClient();
    private final LiveCollector live;
    private final DatagramSocket socket;
    private long sent;

    public ServedCollector(Path directory, String... sets) throws IOException, ServiceException {
        List<String> all = new ArrayList<>(List.of("journal.sync=20ms"));
        all.addAll(List.of(sets));
        live = new LiveCollector(directory, all.toArray(String[]::new));
        socket = new DatagramSocket(new InetSocketAddress(LOOPBACK, 0));
    }

    public CollectorProcess process() {
        return live.process();
    }

    public String url() {
        return live.url();
    }

    /** And waits until all that was sent is in the journal. */
    public void send(byte[]... datagrams) throws IOException {
        for (byte[] datagram : datagrams) {
            socket.send(new DatagramPacket(
                    datagram, datagram.length, LOOPBACK, process().collector().port()));
            sent++;
        }
        until(() -> process().collector().ledger().read(Term.JOURNALLED) == sent);
    }

    /** What may be asked again and again until it holds. */
    @FunctionalInterface
    public interface Condition {
        boolean holds() throws IOException;
    }

    public static void until(Condition condition) throws IOException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.holds()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("waited in vain");
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    <T> HttpResponse<T> get(String path, HttpResponse.BodyHandler<T> body) throws IOException {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(url() + path))
                    .timeout(Duration.ofSeconds(30))
                    .build();
            return client.send(request, body);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The status of an order without a word. */
    int post(String path, String token) throws IOException {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(url() + path))
                    .timeout(Duration.ofSeconds(30))
                    .header("Authorization", "Bearer " + token)
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();
            return client.send(request, BodyHandlers.discarding()).statusCode();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** As if the analysis had found it. */
    public void happens(Event event) {
        EventBook.Entry ignored = process().events().add(event);
    }

    /** Those who listen to a stream now. */
    public int listeners() throws IOException {
        String metrics = get("/metrics", BodyHandlers.ofString()).body();
        String name = "\npathlore_http_streams ";
        int at = metrics.indexOf(name) + name.length();
        return (int) Double.parseDouble(metrics.substring(at, metrics.indexOf('\n', at)));
    }

    /** What a problem says is in it, too. */
    public JsonNode get(String path) throws IOException {
        return MAPPER.readTree(get(path, BodyHandlers.ofString()).body());
    }

    /** The lines of a stream, from the first. */
    Lines stream(String path) throws IOException {
        HttpResponse<InputStream> answer = get(path, BodyHandlers.ofInputStream());
        if (answer.statusCode() != 200) {
            throw new AssertionError(path + ": " + answer.statusCode());
        }
        return new Lines(new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8)));
    }

    /** Events, one after the other. */
    record Lines(BufferedReader reader) implements AutoCloseable {
        /** The next of this kind. */
        JsonNode next(String event) throws IOException {
            String line = reader.readLine();
            while (line != null && !line.equals("event: " + event)) {
                line = reader.readLine();
            }
            String data = reader.readLine();
            if (data == null) {
                throw new AssertionError("the stream ended");
            }
            return MAPPER.readTree(data.substring("data: ".length()));
        }

        @Override
        public void close() throws IOException {
            reader.close();
        }
    }

    @Override
    public void close() {
        socket.close();
        client.shutdownNow();
        live.close();
    }
}
