package io.pathlore.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.serve.access.Role;
import io.pathlore.serve.access.TokenStore;
import io.pathlore.testkit.Json;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApiServerTest {
    @TempDir
    private Path directory;

    @Test
    void answersTheStandardRoutes() throws Exception {
        try (Running running = new Running(directory)) {
            assertThat(running.get("/api/v1/status").body()).isEqualTo("{\"version\":\"1\"}");
            HttpResponse<String> ledger = running.get("/api/v1/ledger");
            assertThat(ledger.body()).isEqualTo("{\"datagramsRead\":7}");
            assertThat(ledger.headers().map())
                    .containsEntry("content-type", List.of("application/json"))
                    .containsEntry("cache-control", List.of("no-store"))
                    .containsEntry("x-content-type-options", List.of("nosniff"));
            assertThat(ledger.headers().firstValue("content-security-policy").orElse(""))
                    .contains("default-src 'self'")
                    .contains("frame-ancestors 'none'");
            assertThat(running.get("/api/v1/exporters").body()).isEqualTo("{\"limit\":1000}");
            assertThat(running.get("/api/v1/exporters?limit=5&cursor=%41").body())
                    .isEqualTo("{\"limit\":5}");
        }
    }

    @Test
    void healthTellsEverybodyWhetherAndReadersWhy() throws Exception {
        try (Running running = new Running(directory)) {
            assertThat(running.get("/healthz").statusCode()).isEqualTo(200);
            HttpResponse<String> ready = running.get("/readyz");
            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(Json.object(ready.body())).containsKey("checks");
            running.healthy = false;
            HttpResponse<String> far = running.send(running.request("/healthz").header("Forwarded", "for=192.0.2.1"));
            assertThat(far.statusCode()).isEqualTo(503);
            assertThat(far.body()).isEqualTo("{\"status\":\"failed\"}");
        }
    }

    @Test
    void refusesParametersItDoesNotKnow() throws Exception {
        try (Running running = new Running(directory)) {
            for (String path : List.of(
                    "/api/v1/status?x=1",
                    "/api/v1/exporters?filter=1",
                    "/api/v1/exporters?limit=0",
                    "/api/v1/exporters?limit=10001",
                    "/api/v1/exporters?limit=1&limit=2",
                    "/api/v1/exporters?limit=-1")) {
                assertThat(running.get(path).statusCode()).as(path).isEqualTo(400);
            }
        }
    }

    @Test
    void saysOnceWhyTokensCannotBeRead() throws Exception {
        try (Running running = new Running(directory)) {
            Files.writeString(directory.resolve("tokens"), "not tokens\n");
            for (int i = 0; i < 3; i++) {
                var answer = running.send(
                        running.request("/api/v1/ledger").header("Authorization", "Bearer " + running.viewer));
                assertThat(answer.statusCode()).isEqualTo(503);
            }
            assertThat(running.notices).singleElement().asString().contains("tokens cannot be read");
        }
    }

    @Test
    void methodsAreAnsweredAsHttpSays() throws Exception {
        try (Running running = new Running(directory)) {
            String head = running.raw("HEAD /api/v1/ledger HTTP/1.1", running.host());
            assertThat(head)
                    .startsWith("HTTP/1.1 200 ")
                    .containsIgnoringCase("content-length: 19")
                    .endsWith("\r\n\r\n");
            String options = running.raw("OPTIONS /api/v1/ledger HTTP/1.1", running.host());
            assertThat(options).startsWith("HTTP/1.1 204 ").contains("Allow: GET, HEAD, OPTIONS");
            for (String method : List.of("POST", "TRACE", "PUT", "get", "BREW")) {
                String answer = running.raw(method + " /api/v1/ledger HTTP/1.1", running.host());
                assertThat(answer).as(method).startsWith("HTTP/1.1 405 ").contains("Allow: GET, HEAD, OPTIONS");
            }
            assertThat(running.get("/nothing").statusCode()).isEqualTo(404);
            assertThat(running.raw("GET /api/v1/ledger HTTP/9.9", running.host()))
                    .startsWith("HTTP/1.1 505 ");
        }
    }

    @Test
    void pathsHaveOneSpelling() throws Exception {
        try (Running running = new Running(directory)) {
            for (String path : List.of(
                    "/api/v1/%6cedger",
                    "/api/v1/%2e%2e/v1/ledger",
                    "//api/v1/ledger",
                    "/api//v1/ledger",
                    "/api/v1/../v1/ledger",
                    "/api/v1/./ledger",
                    "/api/v1/ledger;x",
                    "/api/v1/ledger/..",
                    "/api/v1/ledger%00",
                    "/api/v1/ledger%2f",
                    "/api/v1/x%5c",
                    "/healthz;/../api/v1/secret",
                    "/healthz/%2e%2e/api/v1/secret")) {
                String answer = running.raw("GET " + path + " HTTP/1.1", running.host());
                // "//api/…" names another server for an URI parser: then it is the Host that is foreign.
                assertThat(answer).as(path).matches("(?s)HTTP/1.1 (400|403) .*");
            }
            for (String path :
                    List.of("/api/v1/ledger/", "/api/v1/ledger.css", "/API/v1/ledger", "/api/v1/things//approve")) {
                assertThat(running.raw("GET " + path + " HTTP/1.1", running.host()))
                        .as(path)
                        .matches("(?s)HTTP/1.1 40[04] .*");
            }
        }
    }

    @Test
    void bodiesAreBounded() throws Exception {
        try (Running running = new Running(directory)) {
            String bearer = "Bearer " + running.operator;
            HttpRequest.Builder post =
                    running.request("/api/v1/things/ab-1/approve").header("Authorization", bearer);
            post.header("Content-Type", "application/json");
            assertThat(running.send(post.POST(HttpRequest.BodyPublishers.ofString("x".repeat(100))))
                            .body())
                    .isEqualTo("{\"id\":\"ab-1\",\"bytes\":100}");
            String start = "POST /api/v1/things/1/approve HTTP/1.1\r\nHost: " + running.host() + "\r\nAuthorization: "
                    + bearer + "\r\nContent-Type: application/json\r\n";
            // One byte too many, a promise of a gigabyte, chunks; none has to arrive before the answer leaves.
            assertThat(running.raw(start + "Content-Length: 101\r\n\r\n" + "x".repeat(101)))
                    .startsWith("HTTP/1.1 413 ");
            assertThat(running.raw(start + "Transfer-Encoding: chunked\r\n\r\n" + "65\r\n" + "x".repeat(101)
                            + "\r\n0\r\n\r\n"))
                    .startsWith("HTTP/1.1 413 ");
            try (Socket socket = running.connect()) {
                socket.getOutputStream()
                        .write((start + "Content-Length: 1000000000\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
                byte[] answer = socket.getInputStream().readNBytes(12);
                assertThat(new String(answer, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 413");
            }
            assertThat(running.raw(start.replace("application/json", "text/plain")
                            + "Connection: close\r\nContent-Length: 1\r\n\r\nx"))
                    .startsWith("HTTP/1.1 415 ");
            assertThat(running.raw("GET /api/v1/ledger HTTP/1.1", running.host(), "Content-Length: +0"))
                    .startsWith("HTTP/1.1 400 ");
        }
    }

    @Test
    void longTargetsAndHeadersAreRefused() throws Exception {
        try (Running running = new Running(directory)) {
            assertThat(running.raw("GET /" + "a".repeat(3000) + " HTTP/1.1", running.host()))
                    .startsWith("HTTP/1.1 414 ");
            assertThat(running.raw("GET /healthz HTTP/1.1", running.host(), "X: " + "a".repeat(20_000)))
                    .startsWith("HTTP/1.1 431 ");
            // Too long even to be read: closed without an answer.
            assertThat(running.raw("GET /healthz HTTP/1.1", running.host(), "X: " + "a".repeat(100_000)))
                    .isEmpty();
            String[] many = new String[150];
            for (int i = 0; i < many.length; i++) {
                many[i] = "X-" + i + ": 1";
            }
            assertThat(running.raw("GET /healthz HTTP/1.1", running.host(), many))
                    .isEmpty();
            assertThat(running.get("/healthz").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void malformedRequestsAreRefusedAndHarmNobody() throws Exception {
        try (Running running = new Running(directory, Running.QUICK)) {
            for (String text : List.of(
                    "\0\1\2\3\r\n\r\n",
                    "GET\r\n\r\n",
                    "GET /\r\n\r\n",
                    "GET / HTTP/1.1\r\n: x\r\n\r\n",
                    "GET /a b HTTP/1.1\r\n\r\n",
                    "GET /healthz HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                    "GET /healthz HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                    "OPTIONS * HTTP/1.1\r\n\r\n",
                    "GET /healthz HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                    "\u0016\3\1\2\0\1\0\r\n\r\n")) {
                assertThat(running.raw(text)).as(text).matches("(?s)(HTTP/1.1 (4|5).*)?");
            }
            assertThat(running.get("/healthz").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrder() throws Exception {
        try (Running running = new Running(directory)) {
            String one = "GET /api/v1/ledger HTTP/1.1\r\nHost: " + running.host() + "\r\n\r\n";
            String two = "GET /api/v1/status HTTP/1.1\r\nHost: " + running.host() + "\r\nConnection: close\r\n\r\n";
            String answer = running.raw(one + two);
            assertThat(answer).containsSubsequence("200", "datagramsRead", "HTTP/1.1 200", "version");
        }
    }

    @Test
    void clientsThatSendHalfARequestAreCutOff() throws Exception {
        try (Running running = new Running(directory, Running.QUICK)) {
            List<Socket> slow = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                Socket socket = running.connect();
                socket.getOutputStream().write("GET /healthz HTT".getBytes(StandardCharsets.US_ASCII));
                slow.add(socket);
            }
            assertThat(running.get("/healthz").statusCode()).isEqualTo(200);
            for (Socket socket : slow) {
                assertThat(Running.rest(socket)).isEmpty();
                socket.close();
            }
            assertThat(running.get("/metrics").body()).contains("pathlore_http_timeouts_total 20\n");
        }
    }

    @Test
    void clientsThatDoNotTakeTheirAnswerAreCutOff() throws Exception {
        try (Running running = new Running(directory, Running.QUICK);
                Socket socket = new Socket()) {
            socket.setReceiveBufferSize(4096);
            socket.connect(running.server.address());
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write(("GET /api/v1/large HTTP/1.1\r\nHost: " + running.host() + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            while (!running.get("/metrics").body().contains("pathlore_http_timeouts_total 1\n")) {
                Thread.onSpinWait();
            }
            assertThat(Running.rest(socket).length()).isLessThan(64 << 20);
        }
    }

    @Test
    void tooManyRequestsAtOnceAreAnswered503() throws Exception {
        HttpOptions.Limits one = new HttpOptions.Limits(64, 1, 64, Duration.ofSeconds(20));
        try (Running running = new Running(directory, one)) {
            CompletableFuture<HttpResponse<String>> first = running.client()
                    .sendAsync(running.request("/api/v1/slow").build(), HttpResponse.BodyHandlers.ofString());
            running.entered.await();
            HttpResponse<String> second = running.get("/api/v1/ledger");
            assertThat(second.statusCode()).isEqualTo(503);
            assertThat(second.headers().firstValue("Retry-After")).isPresent();
            running.leave.countDown();
            assertThat(first.join().statusCode()).isEqualTo(200);
            assertThat(running.get("/api/v1/ledger").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aFaultOfOursIsToldInTheLogAndNotToTheClient() throws Exception {
        try (Running running = new Running(directory)) {
            HttpResponse<String> answer = running.get("/api/v1/broken");
            assertThat(answer.statusCode()).isEqualTo(500);
            assertThat(answer.body()).doesNotContain("on purpose");
            assertThat(running.notices)
                    .anyMatch(line -> line.contains("on purpose") && line.contains("/api/v1/broken"));
        }
    }

    @Test
    void stopLetsFinishWhatBegan() throws Exception {
        try (Running running = new Running(directory)) {
            CompletableFuture<HttpResponse<String>> first = running.client()
                    .sendAsync(running.request("/api/v1/slow").build(), HttpResponse.BodyHandlers.ofString());
            running.entered.await();
            CompletableFuture<Void> stop =
                    CompletableFuture.runAsync(() -> running.server.stop(Duration.ofSeconds(20)));
            running.leave.countDown();
            assertThat(first.join().body()).isEqualTo("{\"slow\":true}");
            stop.join();
        }
    }

    @Test
    void stopKeepsItsDeadline() throws Exception {
        try (Running running = new Running(directory)) {
            CompletableFuture<HttpResponse<String>> first = running.client()
                    .sendAsync(running.request("/api/v1/slow").build(), HttpResponse.BodyHandlers.ofString());
            running.entered.await();
            running.server.stop(Duration.ofMillis(50));
            assertThat(first.handle((answer, failure) -> failure != null).join())
                    .isTrue();
        }
    }

    @Test
    void aFileIsMadeSentAndRemoved() throws Exception {
        try (Running running = new Running(directory)) {
            HttpResponse<byte[]> answer = running.client()
                    .send(running.request("/api/v1/made/file").build(), HttpResponse.BodyHandlers.ofByteArray());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo(Running.MADE);
            assertThat(answer.headers().firstValue("Content-Length")).hasValue(Integer.toString(Running.MADE.length));
            assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/plain");
            assertThat(answer.headers().firstValue("Content-Disposition"))
                    .hasValue("attachment; filename=\"made.txt\"");
            assertThat(running.get("/api/v1/made/empty").body()).isEmpty();
            assertThat(running.get("/api/v1/made/refused").statusCode()).isEqualTo(422);
            assertThat(running.get("/api/v1/made/broken").statusCode()).isEqualTo(500);
            assertThat(running.notices).hasSize(1);
            assertThat(directory.resolve("made.tmp")).doesNotExist();
        }
    }

    @Test
    void aFileMayTakeLongerToMakeThanARequest() throws Exception {
        try (Running running = new Running(directory, Running.QUICK)) {
            CompletableFuture<HttpResponse<String>> answer = running.client()
                    .sendAsync(running.request("/api/v1/made/late").build(), HttpResponse.BodyHandlers.ofString());
            long start = System.nanoTime();
            while (System.nanoTime() - start < 2 * Running.QUICK.requestTime().toNanos()) {
                assertThat(running.get("/healthz").statusCode()).isEqualTo(200);
            }
            running.leave.countDown();
            assertThat(answer.join().body()).hasSize(Running.MADE.length);
        }
    }

    @Test
    void aQuestionWithABodyNeedsNoMoreThanReading() throws Exception {
        try (Running running = new Running(directory)) {
            var question = running.request("/api/v1/question")
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{}"));
            assertThat(running.send(question).body()).isEqualTo("{\"bytes\":2}");
        }
        assertThatThrownBy(() -> new Route("POST", "/x", Role.VIEWER, 1, request -> Reply.json(200, "{}")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Route("DELETE", "/x", Role.VIEWER, 1, true, request -> Reply.json(200, "{}")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aBusyPortIsOneLine() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            HttpOptions options = HttpOptions.loopback(taken.getLocalPort());
            assertThatThrownBy(() -> start(options))
                    .isInstanceOf(ServeException.class)
                    .hasMessageContaining("http port " + taken.getLocalPort() + " on 127.0.0.1 is in use")
                    .hasMessageContaining("set http.port")
                    .message()
                    .doesNotContain("\n");
        }
    }

    @Test
    void anotherAddressNeedsTlsOrACourageousOperator() throws Exception {
        InetAddress any = InetAddress.ofLiteral("0.0.0.0");
        assertThatThrownBy(() -> start(new HttpOptions(any, 0, null, false, Set.of(), HttpOptions.Limits.DEFAULT)))
                .isInstanceOf(ServeException.class)
                .hasMessageContaining("no TLS")
                .hasMessageContaining("http.insecure");
        // Refused by the same rule on any address; bound to loopback only, as all tests are.
        assertThatThrownBy(() -> start(new HttpOptions(
                        InetAddress.ofLiteral("192.0.2.1"), 0, null, true, Set.of(), HttpOptions.Limits.DEFAULT)))
                .hasMessageContaining("cannot be bound");
        assertThat(warnings)
                .hasSize(1)
                .first()
                .asString()
                .contains("without protection")
                .contains("in clear");
    }

    private final List<String> warnings = new ArrayList<>();

    private ApiServer start(HttpOptions options) throws Exception {
        Sources sources = new Sources(() -> "{}", () -> "{}", page -> "{}", List::of, out -> {});
        return ApiServer.start(
                options, TokenStore.open(directory, Running.NOW), sources, List.of(), () -> Running.NOW, new Notices() {
                    @Override
                    public void warn(String line) {
                        warnings.add(line);
                    }

                    @Override
                    public void error(String line) {
                        throw new AssertionError(line);
                    }
                });
    }
}
