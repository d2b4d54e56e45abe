package io.pathlore.it.api;

import io.pathlore.it.collect.JavaProcess;
import io.pathlore.it.collect.RunningCollector;
import io.pathlore.serve.access.Role;
import io.pathlore.serve.access.Token;
import io.pathlore.serve.access.TokenException;
import io.pathlore.serve.access.TokenStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code pathlore demo} as a user runs it: a collector with something of everything, tokens of every role, and a client that sends what it likes. */
final class ServedDemo implements AutoCloseable {
    private static final Pattern WHERE = Pattern.compile("open (http://\\S+)#token=(\\S+) .* data in (\\S+)");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** What came back. */
    record Answer(int status, String type, String body, HttpHeaders headers) {}

    final String admin;
    final String viewer;
    final String operator;
    final String expired;
    private final String url;
    private final JavaProcess java;
    private final HttpClient client = HttpClient.newHttpClient();

    private ServedDemo(JavaProcess java) throws IOException, TokenException {
        this.java = java;
        Matcher[] found = new Matcher[1];
        RunningCollector.until("the demo says where it is", () -> {
            if (!java.process().isAlive()) {
                throw new AssertionError("it ended: " + Files.readString(java.err()));
            }
            found[0] = WHERE.matcher(Files.readString(java.err()));
            return found[0].find();
        });
        url = found[0].group(1).replaceFirst("/$", "");
        admin = found[0].group(2);
        Instant instant = Instant.now();
        long now = instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
        TokenStore tokens = TokenStore.open(Path.of(found[0].group(3)).resolve("data"), now);
        viewer = tokens.add("looks", Role.VIEWER, now, Token.NEVER);
        operator = tokens.add("acts", Role.OPERATOR, now, Token.NEVER);
        expired = tokens.add("acted", Role.ADMIN, now - 2, now - 1);
    }

    static ServedDemo start(Path directory, List<String> before, List<String> jvm, String... options)
            throws IOException, TokenException {
        List<String> arguments = new ArrayList<>(List.of(
                "demo",
                "--port",
                Integer.toString(RunningCollector.freeUdpPort()),
                "--http-port",
                Integer.toString(RunningCollector.freeTcpPort())));
        arguments.addAll(List.of(options));
        JavaProcess java = JavaProcess.start(directory, before, jvm, RunningCollector.MAIN, arguments);
        boolean done = false;
        try {
            ServedDemo demo = new ServedDemo(java);
            done = true;
            return demo;
        } finally {
            if (!done) {
                java.process().destroyForcibly();
            }
        }
    }

    /** Until an attack was found, a rule against it is proven, and the tables have all of it. */
    ServedDemo untilMuchHappened() throws IOException {
        RunningCollector.until(
                "a rule is proven", () -> get("/api/v1/mitigations").body().contains("\"proven\":true"));
        for (String list : List.of("flows", "links", "paths", "queues", "drops", "nodes")) {
            RunningCollector.until(list, () -> {
                Answer answer = get("/api/v1/" + list);
                return answer.status == 200 && !answer.body.contains("\"items\":[]");
            });
        }
        return this;
    }

    String url() {
        return url;
    }

    String host() {
        return URI.create(url).getAuthority();
    }

    JavaProcess process() {
        return java;
    }

    Answer get(String path) throws IOException {
        return ask("GET", path, null, null);
    }

    /** {@code headers}: name, value, name, value. */
    Answer ask(String method, String path, @Nullable String token, @Nullable String body, String... headers)
            throws IOException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url + path)).timeout(PATIENCE);
        request.method(
                method,
                body == null
                        ? HttpRequest.BodyPublishers.noBody()
                        : HttpRequest.BodyPublishers.ofString(body, StandardCharsets.UTF_8));
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        try {
            boolean stream = path.startsWith("/api/v1/stream/");
            HttpResponse<Stream<String>> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofLines());
            try (var lines = answer.body()) {
                boolean endless = stream && answer.statusCode() == 200;
                String text = endless ? "" : lines.collect(Collectors.joining("\n"));
                return new Answer(
                        answer.statusCode(),
                        answer.headers().firstValue("Content-Type").orElse(""),
                        text,
                        answer.headers());
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
        java.process().destroy(); // SIGTERM: it removes what it wrote
        try {
            if (!java.process().waitFor(30, TimeUnit.SECONDS)) {
                java.process().destroyForcibly();
            }
        } catch (InterruptedException e) {
            java.process().destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
