package io.pathlore.serve;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.pathlore.serve.access.Role;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Takes every request, decides, answers. An IOException leaves through the door it came from, so that the server below
 * closes the connection and forgets it; closing the exchange here would leave it among its connections for ever.
 */
final class Front implements HttpHandler {
    static final int MAX_TARGET_LENGTH = 2_048;
    static final int MAX_HEADER_BYTES = 16 * 1_024;
    private static final int MAX_PARAMETERS = 32;
    private static final int PIECE = 64 * 1_024;
    private static final String OTHER = "other";
    /** Nothing inline, nothing from elsewhere: what somebody put into a name is text, whatever it looks like. */
    private static final String CONTENT_POLICY =
            "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

    private static final double NANOS_PER_SECOND = 1e9;

    private final Router router;
    private final Gate gate;
    private final HttpMetrics metrics;
    private final Notices notices;
    private final Semaphore permits;
    private final Duration requestTime;
    private final AtomicInteger streams;
    private final Set<Listener> listening = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;

    Front(
            Router router,
            Gate gate,
            HttpMetrics metrics,
            AtomicInteger streams,
            Notices notices,
            HttpOptions.Limits limits) {
        this.router = router;
        this.gate = gate;
        this.metrics = metrics;
        this.streams = streams;
        this.notices = notices;
        this.permits = new Semaphore(limits.requests());
        this.requestTime = limits.requestTime();
    }

    /** From now on requests are answered 503, and streams end. */
    void stop() {
        stopping = true;
        listening.forEach(Listener::end);
    }

    /** What is known of a request on its way, for its answer and its count. */
    private static final class Course {
        private String route = OTHER;
        private @Nullable String allow;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        long start = System.nanoTime();
        Course course = new Course();
        Reply reply;
        try {
            reply = admit(exchange, course);
        } catch (Problem problem) {
            reply = problem(exchange, problem);
        } catch (RuntimeException e) {
            reply = fault(exchange, course, e);
        }
        headers(exchange, course);
        int status = switch (reply) {
            case Reply.Content content -> Sender.send(exchange, content);
            case Reply.Fixed fixed -> Sender.send(exchange, fixed);
            case Reply.Events events -> stream(exchange, events);
            case Reply.Made made -> make(exchange, made, course);
        };
        metrics.request(course.route, status, (System.nanoTime() - start) / NANOS_PER_SECOND);
    }

    private Reply.Content fault(HttpExchange exchange, Course course, Exception e) {
        notices.error("http request failed route=" + course.route + " error=" + e);
        return problem(exchange, new Problem(500, "a fault of this server: see its log"));
    }

    private Reply admit(HttpExchange exchange, Course course) throws Problem, IOException {
        if (stopping) {
            throw new Problem(503, "the server is stopping");
        }
        if (!permits.tryAcquire()) {
            throw new Problem(503, "too many requests at once: try again");
        }
        try {
            return answer(exchange, course);
        } finally {
            permits.release();
        }
    }

    private Reply answer(HttpExchange exchange, Course course) throws Problem, IOException {
        checkForm(exchange);
        gate.checkAim(exchange);
        String path = exchange.getRequestURI().getRawPath();
        if (!Router.plain(path)) {
            throw new Problem(400, "the path has escapes, empty or dotted segments; none here needs them");
        }
        String method = exchange.getRequestMethod();
        Router.Match match = router.match(method, path);
        Route route = match == null ? null : match.route();
        if (route != null) {
            course.route = route.path();
        }
        if (route != null && route.path().equals(SessionRoutes.LOGIN)) {
            gate.mayLogIn(exchange);
        }
        Caller caller;
        if (route != null && route.needed() == null) {
            caller = openCaller(exchange);
        } else {
            caller = gate.caller(exchange);
            // Also for paths that are not there: who may not read is not told which are.
            caller.demand(route == null ? Role.VIEWER : route.needed());
        }
        if (match == null) {
            throw new Problem(404, "there is nothing at this path");
        }
        if (method.equals("OPTIONS")) {
            course.allow = match.allow();
            return new Reply.Content(204, "", new byte[0]);
        }
        if (route == null) {
            course.allow = match.allow();
            throw new Problem(405, "this path takes " + match.allow());
        }
        Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
        byte[] body = body(exchange, route.maxBodyBytes());
        return route.answer(new Request(match.parameters(), query, body, caller));
    }

    /** A bad token on a route that needs none only means that nothing more is told. */
    private Caller openCaller(HttpExchange exchange) {
        try {
            return gate.caller(exchange);
        } catch (Problem e) {
            return Caller.nobody(false, exchange.getRemoteAddress().getAddress());
        }
    }

    private static void checkForm(HttpExchange exchange) throws Problem {
        String protocol = exchange.getProtocol();
        if (!protocol.equals("HTTP/1.1") && !protocol.equals("HTTP/1.0")) {
            throw new Problem(505, "HTTP/1.1 is spoken here");
        }
        if (exchange.getRequestURI().toString().length() > MAX_TARGET_LENGTH) {
            throw new Problem(414, "a path and its query have at most " + MAX_TARGET_LENGTH + " characters");
        }
        Headers headers = exchange.getRequestHeaders();
        long bytes = 0;
        for (Map.Entry<String, List<String>> header : headers.entrySet()) {
            for (String value : header.getValue()) {
                bytes += header.getKey().length() + value.length() + 4L;
            }
        }
        if (bytes > MAX_HEADER_BYTES) {
            throw new Problem(431, "headers have at most " + MAX_HEADER_BYTES + " bytes");
        }
        String length = headers.getFirst("Content-Length");
        if (length != null && !length.matches("[0-9]+")) {
            throw new Problem(400, "Content-Length is not a number"); // the server below takes "+5" for one
        }
    }

    private static Map<String, String> query(@Nullable String raw) throws Problem {
        Map<String, String> query = new HashMap<>();
        if (raw == null || raw.isEmpty()) {
            return query;
        }
        String[] parts = raw.split("&", MAX_PARAMETERS + 1);
        for (String part : parts) {
            int equals = part.indexOf('=');
            try {
                String name = URLDecoder.decode(equals < 0 ? part : part.substring(0, equals), StandardCharsets.UTF_8);
                String value = equals < 0 ? "" : URLDecoder.decode(part.substring(equals + 1), StandardCharsets.UTF_8);
                if (query.put(name, value) != null || parts.length > MAX_PARAMETERS) {
                    throw new Problem(400, "the query has a parameter twice, or more than " + MAX_PARAMETERS);
                }
            } catch (IllegalArgumentException e) {
                throw new Problem(400, "the query has a broken escape");
            }
        }
        return query;
    }

    private static byte[] body(HttpExchange exchange, int max) throws Problem, IOException {
        String length = exchange.getRequestHeaders().getFirst("Content-Length");
        boolean tooLong = length != null && (length.length() > 10 || Long.parseLong(length) > max);
        byte[] body = tooLong ? new byte[0] : exchange.getRequestBody().readNBytes(max + 1);
        if (tooLong || body.length > max) {
            throw new Problem(413, "a request to this path has at most " + max + " bytes");
        }
        String encoding = exchange.getRequestHeaders().getFirst("Content-Encoding");
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            throw new Problem(415, "Content-Encoding: bodies are short, and are sent as they are");
        }
        String type = exchange.getRequestHeaders().getFirst("Content-Type");
        if (body.length > 0 && (type == null || !type.matches("(?i)application/json *(;.*)?"))) {
            throw new Problem(415, "Content-Type has to be application/json"); // a form of another site cannot say so
        }
        return body;
    }

    private static Reply.Content problem(HttpExchange exchange, Problem problem) {
        int status = problem.status();
        Headers headers = exchange.getResponseHeaders();
        if (status == 401) {
            boolean given = exchange.getRequestHeaders().containsKey("Authorization");
            headers.set("WWW-Authenticate", "Bearer realm=\"pathlore\"" + (given ? ", error=\"invalid_token\"" : ""));
        }
        if (status == 503 || status == 429) {
            headers.set("Retry-After", status == 503 ? "1" : "60");
        }
        switch (status) {
            // What follows on this connection may be the rest of something that was not understood.
            case 400, 413, 414, 431, 503, 505 -> headers.set("Connection", "close");
            default -> {}
        }
        JsonText json = new JsonText()
                .open('{')
                .name("type")
                .value("about:blank")
                .name("title")
                .value(Problem.title(status))
                .name("status")
                .value(status)
                .name("detail")
                .value(problem.detail());
        if (!problem.place().isEmpty()) {
            json.name("place").value(problem.place());
        }
        byte[] body = json.close('}').toString().getBytes(StandardCharsets.UTF_8);
        return new Reply.Content(status, "application/problem+json", body);
    }

    private static void headers(HttpExchange exchange, Course course) {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Security-Policy", CONTENT_POLICY);
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("X-Frame-Options", "DENY");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set("Cache-Control", "no-store");
        if (course.allow != null) {
            headers.set("Allow", course.allow);
        }
    }

    private int make(HttpExchange exchange, Reply.Made made, Course course) throws IOException {
        if (exchange.getRequestMethod().equals("HEAD")) {
            return Sender.send(exchange, new Reply.Content(200, made.type(), new byte[0]));
        }
        Lease lease = Lease.CURRENT.get();
        lease.suspend();
        Path file;
        try {
            file = made.maker().make();
        } catch (Problem problem) {
            return Sender.send(exchange, problem(exchange, problem));
        } catch (RuntimeException e) {
            return Sender.send(exchange, fault(exchange, course, e));
        } finally {
            lease.renew(requestTime);
        }
        try (InputStream in = Files.newInputStream(file)) {
            exchange.getResponseHeaders().set("Content-Disposition", "attachment; filename=\"" + made.name() + "\"");
            send(exchange, made.type(), in, Files.size(file), lease);
            return 200;
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private void send(HttpExchange exchange, String type, InputStream in, long length, Lease lease) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(200, length == 0 ? -1 : length); // 0 would mean: of unknown length
        OutputStream out = exchange.getResponseBody();
        byte[] piece = new byte[PIECE];
        for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
            out.write(piece, 0, count);
            lease.renew(requestTime);
        }
        out.flush();
        out.close();
    }

    private int stream(HttpExchange exchange, Reply.Events events) throws IOException {
        boolean head = exchange.getRequestMethod().equals("HEAD");
        Listener client = head ? null : events.enter();
        if (client == null) {
            return head
                    ? Sender.send(exchange, new Reply.Content(200, "text/event-stream", new byte[0]))
                    : Sender.send(exchange, problem(exchange, new Problem(503, "too many clients: try again later")));
        }
        streams.incrementAndGet();
        listening.add(client);
        try {
            if (stopping) {
                client.end();
            }
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.getResponseHeaders().set("Connection", "close");
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            client.run(out, Lease.CURRENT.get(), requestTime);
            out.close();
            return 200;
        } finally {
            events.leave(client);
            listening.remove(client);
            streams.decrementAndGet();
        }
    }
}
