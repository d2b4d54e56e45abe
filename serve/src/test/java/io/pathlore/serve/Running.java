package io.pathlore.serve;

import io.pathlore.serve.access.Role;
import io.pathlore.serve.access.Token;
import io.pathlore.serve.access.TokenException;
import io.pathlore.serve.access.TokenStore;
import io.pathlore.serve.metrics.JvmMetrics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** A server on a free port of loopback, with one token of each role, and clients for it. */
final class Running implements AutoCloseable {
    static final long NOW = 1_800_000_000_000_000_000L;
    static final HttpOptions.Limits QUICK = new HttpOptions.Limits(64, 4, 64, Duration.ofMillis(400));

    /** More than one piece. */
    static final byte[] MADE = "0123456789".repeat(20_000).getBytes(StandardCharsets.US_ASCII);

    final List<String> notices = new CopyOnWriteArrayList<>();
    final CountDownLatch entered = new CountDownLatch(1);
    final CountDownLatch leave = new CountDownLatch(1);
    final CountDownLatch fed = new CountDownLatch(1);
    final EventStream<String> events = new EventStream<>(2, 4, Duration.ofSeconds(20));
    final TokenStore tokens;
    final ApiServer server;
    final String viewer;
    final String operator;
    final String admin;
    final String expired;
    volatile boolean healthy = true;

    private final JvmMetrics jvm = new JvmMetrics();
    private final HttpClient client = HttpClient.newHttpClient();

    Running(Path directory) throws IOException, TokenException, ServeException {
        this(directory, HttpOptions.Limits.DEFAULT);
    }

    Running(Path directory, HttpOptions.Limits limits) throws IOException, TokenException, ServeException {
        tokens = TokenStore.open(directory, NOW - 10);
        viewer = tokens.add("v", Role.VIEWER, NOW - 10, Token.NEVER);
        operator = tokens.add("o", Role.OPERATOR, NOW - 10, NOW + 1);
        admin = tokens.add("a", Role.ADMIN, NOW - 10, Token.NEVER);
        expired = tokens.add("e", Role.ADMIN, NOW - 10, NOW);
        Sources sources = new Sources(
                () -> "{\"version\":\"1\"}",
                () -> "{\"datagramsRead\":7}",
                page -> "{\"limit\":" + page.limit() + "}",
                () -> List.of(
                        new Sources.Check("ingest", true, healthy, "reading"),
                        new Sources.Check("journal", false, false, "disk \"full\"")),
                jvm);
        List<Route> more = new ArrayList<>();
        more.add(new Route(
                "POST",
                "/api/v1/things/{id}/approve",
                Role.OPERATOR,
                100,
                request -> Reply.json(
                        200, "{\"id\":\"" + request.path().get("id") + "\",\"bytes\":" + request.body().length + "}")));
        more.add(new Route("DELETE", "/api/v1/things/{id}", Role.ADMIN, 0, request -> Reply.json(200, "{}")));
        more.add(Route.get("/api/v1/secret", Role.ADMIN, request -> Reply.json(200, "{}")));
        more.add(Route.get("/api/v1/broken", Role.VIEWER, request -> {
            throw new IllegalStateException("on purpose");
        }));
        more.add(Route.get("/api/v1/slow", Role.VIEWER, request -> {
            entered.countDown();
            try {
                leave.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return Reply.json(200, "{\"slow\":true}");
        }));
        more.add(Route.get("/api/v1/large", Role.VIEWER, request -> Reply.json(200, " ".repeat(64 << 20))));
        more.add(Route.ask(
                "/api/v1/question", 100, request -> Reply.json(200, "{\"bytes\":" + request.body().length + "}")));
        more.add(Route.get(
                "/api/v1/made/{kind}",
                Role.VIEWER,
                request -> new Reply.Made(
                        "text/plain",
                        "made.txt",
                        () -> make(directory, String.valueOf(request.path().get("kind"))))));
        more.add(Route.get("/api/v1/stream/events", Role.VIEWER, request -> {
            String wanted = request.query().getOrDefault("about", "");
            return events.listen(about -> wanted.isEmpty() || wanted.equals(about));
        }));
        more.add(Route.get(
                "/api/v1/stream/fed",
                Role.VIEWER,
                request -> events.feed("pathlore-test-feed", listener -> feed(listener))));
        HttpOptions options =
                new HttpOptions(InetAddress.ofLiteral("127.0.0.1"), 0, null, false, Set.of("collector.test"), limits);
        server = ApiServer.start(options, tokens, sources, more, () -> NOW, new Notices() {
            @Override
            public void warn(String line) {
                notices.add(line);
            }

            @Override
            public void error(String line) {
                notices.add(line);
            }
        });
    }

    private Path make(Path directory, String kind) throws Problem {
        try {
            switch (kind) {
                case "refused" -> throw new Problem(422, "too much");
                case "broken" -> throw new IllegalStateException("on purpose");
                case "late" -> leave.await();
                default -> {}
            }
            return Files.write(directory.resolve("made.tmp"), kind.equals("empty") ? new byte[0] : MADE);
        } catch (IOException | InterruptedException e) {
            throw new Problem(503, "stopped");
        }
    }

    /** Counts until nobody listens. */
    private void feed(Listener listener) throws InterruptedException {
        for (int i = 0; listener.tell("count", Integer.toString(i)) && listener.stays(Duration.ofMillis(1)); i++) {}
        fed.countDown();
    }

    int port() {
        return server.address().getPort();
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(Duration.ofSeconds(30));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path));
    }

    HttpClient client() {
        return client;
    }

    Socket connect() throws IOException {
        Socket socket = new Socket();
        socket.connect(server.address());
        socket.setSoTimeout(20_000);
        return socket;
    }

    /** Sends these bytes, then reads until the server closes. */
    String raw(String text) throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return rest(socket);
        }
    }

    static String rest(Socket socket) throws IOException {
        StringBuilder text = new StringBuilder();
        byte[] buffer = new byte[4096];
        try {
            for (int n = socket.getInputStream().read(buffer);
                    n >= 0;
                    n = socket.getInputStream().read(buffer)) {
                text.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
            }
        } catch (java.net.SocketException e) {
            text.append(""); // a reset is a close too
        }
        return text.toString();
    }

    /** One request as it goes over the wire, answered and closed. */
    String raw(String line, @Nullable String host, String... headers) throws IOException {
        StringBuilder text = new StringBuilder(line).append("\r\n");
        if (host != null) {
            text.append("Host: ").append(host).append("\r\n");
        }
        for (String header : headers) {
            text.append(header).append("\r\n");
        }
        return raw(text.append("Connection: close\r\n\r\n").toString());
    }

    String host() {
        return "127.0.0.1:" + port();
    }

    @Override
    public void close() {
        leave.countDown();
        server.close();
        client.close();
        jvm.close();
    }
}
