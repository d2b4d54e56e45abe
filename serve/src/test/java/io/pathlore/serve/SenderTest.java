package io.pathlore.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers are compressed for who can read that, and not sent again to who has them. */
class SenderTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private static HttpResponse<byte[]> get(Running running, String path, String... headers) throws Exception {
        HttpRequest.Builder request = running.request(path);
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return running.client().send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    private static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }

    @Test
    void whoCanReadGzipGetsIt() throws Exception {
        try (Running running = new Running(directory)) {
            for (String path : List.of("/metrics", "/assets/app.js", "/openapi.json")) {
                HttpResponse<byte[]> plain = get(running, path);
                HttpResponse<byte[]> packed = get(running, path, "Accept-Encoding", "br, gzip;q=0.5");
                assertThat(header(plain, "Content-Encoding")).isEmpty();
                assertThat(header(packed, "Content-Encoding")).isEqualTo("gzip");
                assertThat(header(plain, "Vary")).isEqualTo("Accept-Encoding");
                assertThat(packed.body().length).isLessThan(plain.body().length / 2);
                byte[] body = new GZIPInputStream(new ByteArrayInputStream(packed.body())).readAllBytes();
                if (!path.equals("/metrics")) {
                    assertThat(body).isEqualTo(plain.body());
                }
                assertThat(new String(body, StandardCharsets.UTF_8)).isNotBlank();
            }
            for (String no : List.of("gzip;q=0", "gzip;q=0.0", "identity", "*", "gzipped")) {
                assertThat(header(get(running, "/metrics", "Accept-Encoding", no), "Content-Encoding"))
                        .as(no)
                        .isEmpty();
            }
            // What is short, and what is compressed already or made for this answer, is sent as it is.
            assertThat(header(get(running, "/api/v1/session", "Accept-Encoding", "gzip"), "Content-Encoding"))
                    .isEmpty();
            assertThat(header(get(running, "/api/v1/made/file", "Accept-Encoding", "gzip"), "Content-Encoding"))
                    .isEmpty();
        }
    }

    @Test
    void whoHasAnAnswerIsToldSo() throws Exception {
        try (Running running = new Running(directory)) {
            for (String path : List.of("/api/v1/ledger", "/assets/app.js", "/openapi")) {
                HttpResponse<byte[]> first = get(running, path);
                String tag = header(first, "ETag");
                assertThat(tag).matches("W/\"[A-Za-z0-9_-]{24}\"");
                for (String known : List.of(tag, "\"other\", " + tag, "*")) {
                    HttpResponse<byte[]> again = get(running, path, "If-None-Match", known, "Accept-Encoding", "gzip");
                    assertThat(again.statusCode()).isEqualTo(304);
                    assertThat(again.body()).isEmpty();
                    assertThat(header(again, "ETag")).isEqualTo(tag);
                }
                assertThat(get(running, path, "If-None-Match", "W/\"x\"").statusCode())
                        .isEqualTo(200);
            }
            // Data is kept by no browser, what everybody may have is.
            assertThat(header(get(running, "/api/v1/ledger"), "Cache-Control")).isEqualTo("no-store");
            assertThat(header(get(running, "/"), "Cache-Control")).isEqualTo("no-cache");
        }
    }

    @Test
    void whoMayNotReadIsNotToldWhetherAnythingChanged() throws Exception {
        try (Running running = new Running(directory)) {
            assertThat(get(running, "/api/v1/ledger", "If-None-Match", "*", "Via", "1.1 proxy")
                            .statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void bodiesThatGrowWhenReadAreRefused() throws Exception {
        try (Running running = new Running(directory)) {
            HttpRequest.Builder bomb = running.request("/api/v1/question")
                    .header("Content-Type", "application/json")
                    .header("Content-Encoding", "gzip")
                    .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[90]));
            assertThat(running.send(bomb).statusCode()).isEqualTo(415);
        }
    }
}
