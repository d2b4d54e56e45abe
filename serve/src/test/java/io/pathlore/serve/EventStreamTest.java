package io.pathlore.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventStreamTest {
    @TempDir
    private Path directory;

    @Test
    void aClientReadsWhatIsPublishedAndTheEnd() throws Exception {
        try (Running running = new Running(directory)) {
            HttpResponse<InputStream> answer = open(running);
            assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/event-stream");
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
                assertThat(lines.readLine()).isEqualTo(":");
                assertThat(lines.readLine()).isEmpty();
                running.events.publish("all", "report", "{\"a\":1}\nid: 7\r\nä");
                for (String line : new String[] {"event: report", "data: {\"a\":1}", "data: id: 7", "data: ä", ""}) {
                    assertThat(lines.readLine()).isEqualTo(line);
                }
                assertThat(running.events.clients()).isEqualTo(1);
                running.server.stop(Duration.ofSeconds(20));
                assertThat(lines.readLine()).isNull();
            }
            assertThat(running.events.clients()).isZero();
            assertThat(running.events.dropped()).isZero();
        }
    }

    @Test
    void oneClientTooManyIsAnswered503() throws Exception {
        try (Running running = new Running(directory)) {
            HttpResponse<InputStream> first = open(running);
            HttpResponse<InputStream> second = open(running);
            assertThat(open(running).statusCode()).isEqualTo(503);
            running.events.close();
            first.body().close();
            second.body().close();
        }
    }

    @Test
    void aClientThatDoesNotReadIsDroppedAndCountedAndNobodyWaitsForIt() throws Exception {
        try (Running running = new Running(directory, Running.QUICK);
                Socket socket = new Socket()) {
            socket.setReceiveBufferSize(4096);
            socket.connect(running.server.address());
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write(("GET /api/v1/stream/events HTTP/1.1\r\nHost: " + running.host() + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(socket.getInputStream().read()).isEqualTo('H');
            String large = "x".repeat(1 << 20);
            while (running.events.dropped() == 0) {
                running.events.publish("all", "report", large);
            }
            assertThat(running.events.dropped()).isEqualTo(1);
            assertThat(running.events.clients()).isZero();
            while (!running.get("/metrics").body().contains("pathlore_http_streams 0\n")) {
                Thread.onSpinWait(); // its lease runs out
            }
        }
    }

    @Test
    void aClientIsToldOnlyWhatItWants() throws Exception {
        try (Running running = new Running(directory);
                BufferedReader lines = lines(open(running, "/api/v1/stream/events?about=b"))) {
            assertThat(lines.readLine()).isEqualTo(":");
            running.events.publish("a", "report", "one");
            running.events.publish("b", "report", "two");
            assertThat(lines.readLine()).isEmpty();
            assertThat(lines.readLine()).isEqualTo("event: report");
            assertThat(lines.readLine()).isEqualTo("data: two");
        }
    }

    @Test
    void aFeedTellsItsOwnClientAndEndsWithIt() throws Exception {
        try (Running running = new Running(directory, Running.QUICK)) {
            try (BufferedReader lines = lines(open(running, "/api/v1/stream/fed"))) {
                for (String line : new String[] {":", "", "event: count", "data: 0", "", "event: count", "data: 1"}) {
                    assertThat(lines.readLine()).isEqualTo(line);
                }
            }
            assertThat(running.fed.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aFeedEndsWithTheServer() throws Exception {
        try (Running running = new Running(directory);
                BufferedReader lines = lines(open(running, "/api/v1/stream/fed"))) {
            assertThat(lines.readLine()).isEqualTo(":");
            running.server.stop(Duration.ofSeconds(20));
            assertThat(running.fed.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static HttpResponse<InputStream> open(Running running) throws Exception {
        return open(running, "/api/v1/stream/events");
    }

    private static HttpResponse<InputStream> open(Running running, String path) throws Exception {
        return running.client().send(running.request(path).build(), HttpResponse.BodyHandlers.ofInputStream());
    }

    private static BufferedReader lines(HttpResponse<InputStream> answer) {
        return new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
    }
}
