package io.pathlore.mitigate.enforcer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.pathlore.mitigate.http.Destination;
import io.pathlore.mitigate.http.Secret;
import io.pathlore.testkit.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebhookTest {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final List<String> bodies = new CopyOnWriteArrayList<>();
    private final List<String> signatures = new CopyOnWriteArrayList<>();
    private volatile int status = 204;
    private final HttpServer server;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    WebhookTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    @BeforeEach
    void serve() {
        server.createContext("/hook", exchange -> {
            bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            signatures.add(exchange.getRequestHeaders().getFirst(Secret.HEADER));
            if (status == 302) {
                exchange.getResponseHeaders().add("Location", "/elsewhere");
            }
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
    }

    /** RFC 4231, test case 2. */
    @Test
    void signsAsTheStandardSays() {
        Secret secret = new Secret("Jefe".getBytes(StandardCharsets.US_ASCII));
        assertThat(secret.signature("what do ya want for nothing?"))
                .isEqualTo("sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    }

    @Test
    void postsSignedOrders() throws Exception {
        Path file = Files.writeString(directory.resolve("secret"), "Jefe\n");
        Secret secret = Secret.read(file);
        try (Webhook webhook = new Webhook("edge", Destination.parse(url(), true), secret, PATIENCE)) {
            webhook.install(Rules.device(0x101, 5792));
            webhook.withdraw(Rules.flow(null, Rules.v4(198, 51, 100, 0, 24), 17, 53, 9600));
        }
        assertThat(bodies).hasSize(2);
        assertThat(signatures).containsExactly(secret.signature(bodies.get(0)), secret.signature(bodies.get(1)));
        assertThat(Json.object(bodies.get(0)))
                .containsEntry("order", "install")
                .containsEntry("enforcer", "edge")
                .containsEntry("action", "drop")
                .containsEntry(
                        "match",
                        Map.of("device", "00:00:00:00:01:01", "destination", "192.168.1.10", "destinationPort", 5792L));
        assertThat(Json.object(bodies.get(1)))
                .containsEntry("order", "withdraw")
                .containsEntry("action", "rate-limit")
                .containsEntry("bytesPerSecond", 9600L);
    }

    @Test
    void takesOnlyTwoHundredsForAYesAndFollowsNobody() throws Exception {
        Secret secret = new Secret(new byte[] {1});
        try (Webhook webhook = new Webhook("edge", Destination.parse(url(), true), secret, PATIENCE)) {
            for (int answer : List.of(302, 400, 503)) {
                status = answer;
                assertThatThrownBy(() -> webhook.install(Rules.device(1, 1)))
                        .isInstanceOf(EnforcerException.class)
                        .hasMessage("127.0.0.1 answered " + answer);
            }
        }
        assertThat(bodies).hasSize(3);
    }

    @Test
    void callsNoPrivateAddressUnlessToldTo() {
        try (Webhook webhook =
                new Webhook("edge", Destination.parse(url(), false), new Secret(new byte[] {1}), PATIENCE)) {
            assertThatThrownBy(() -> webhook.install(Rules.device(1, 1)))
                    .isInstanceOf(EnforcerException.class)
                    .hasMessageContaining("private address 127.0.0.1; set allow-private");
        }
        assertThat(bodies).isEmpty();
    }
}
