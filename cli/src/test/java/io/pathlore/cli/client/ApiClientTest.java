package io.pathlore.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.pathlore.cli.Stranger;
import io.pathlore.cli.client.ApiException.Kind;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApiClientTest {
    private static final ApiClient.Patience SHORT =
            new ApiClient.Patience(Duration.ofMillis(500), Duration.ofMillis(500));

    private static ApiClient client(String server, ApiClient.Patience patience, @Nullable AccessToken given) {
        return new ApiClient(
                ServerAddress.of(server),
                given,
                () -> {
                    throw new AccessToken.Missing("there is none");
                },
                null,
                patience);
    }

    private static ApiException failure(String server, ApiClient.Patience patience) {
        try (ApiClient client = client(server, patience, null)) {
            return catchThrowableOfType(ApiException.class, () -> client.get("/api/v1/status"));
        }
    }

    @Test
    void whoDoesNotAnswerIsNotWaitedForLong() throws Exception {
        try (ServerSocket mute = new ServerSocket(0, 8, InetAddress.ofLiteral("127.0.0.1"))) {
            ApiException failure = failure("127.0.0.1:" + mute.getLocalPort(), SHORT);
            assertThat(failure.kind()).isEqualTo(Kind.UNREACHABLE);
            assertThat(failure).hasMessageEndingWith(": no answer within 0.5 s");
        }
    }

    /** The time-out of the JDK's client ends with the headers. */
    @Test
    void norIsWhoDoesNotEndHisAnswer() throws Exception {
        CountDownLatch enough = new CountDownLatch(1);
        try (Stranger endless = new Stranger(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
            try {
                enough.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.close();
        })) {
            ApiException failure = failure(endless.url(), SHORT);
            enough.countDown();
            assertThat(failure.kind()).isEqualTo(Kind.UNREACHABLE);
            assertThat(failure).hasMessageEndingWith(": no answer within 0.5 s");
        }
    }

    @Test
    void whatIsNoHttpIsNoAnswer() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 8, InetAddress.ofLiteral("127.0.0.1"))) {
            Thread.ofVirtual().start(() -> {
                while (true) {
                    try (Socket socket = other.accept()) {
                        assertThat(socket.getInputStream().read()).isNotNegative();
                        socket.getOutputStream().write("220 mail.example\r\n".getBytes(StandardCharsets.US_ASCII));
                        socket.shutdownOutput();
                        // Closed with something unread, the connection would be reset and the banner perhaps not seen.
                        socket.getInputStream().transferTo(OutputStream.nullOutputStream());
                    } catch (IOException e) {
                        return;
                    }
                }
            });
            ApiException failure = failure("127.0.0.1:" + other.getLocalPort(), ApiClient.Patience.DEFAULT);
            assertThat(failure.kind()).isEqualTo(Kind.UNREACHABLE);
            assertThat(failure).hasMessageContaining(": no answer").hasMessageContaining("does it want https?");
            ApiException tls = failure("https://127.0.0.1:" + other.getLocalPort(), ApiClient.Patience.DEFAULT);
            assertThat(tls.kind()).isEqualTo(Kind.UNREACHABLE);
            assertThat(tls).hasMessageEndingWith(": does not speak TLS; does it want http?");
        }
    }

    @Test
    void namesThatDoNotExistAreSaidToBeThat() {
        ApiException failure = failure("no-such-host.invalid", ApiClient.Patience.DEFAULT);
        assertThat(failure.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(failure).hasMessage("http://no-such-host.invalid:8080: there is no host of this name");
    }

    @Test
    void aTokenIsOneWord(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("token");
        Files.writeString(file, " abc \n");
        AccessToken token = AccessToken.read(file);
        assertThat(token.secret()).isEqualTo("abc");
        assertThat(token.toString()).doesNotContain("abc");
        for (String text : new String[] {"", "a b", "a\r\nX-Evil: 1", "ä", "x".repeat(5_000)}) {
            Files.writeString(file, text);
            AccessToken.Missing missing = catchThrowableOfType(AccessToken.Missing.class, () -> AccessToken.read(file));
            assertThat(missing).hasMessage(file + ": is not a token, which is one word on one line");
        }
        assertThat(catchThrowableOfType(AccessToken.Missing.class, () -> AccessToken.read(directory)))
                .hasMessageContaining("cannot be read");
    }
}
