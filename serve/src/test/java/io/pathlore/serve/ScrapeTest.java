package io.pathlore.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.serve.metrics.Exposition;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScrapeTest {
    @Test
    void requestsAreCountedByRouteAndNeverByWhatWasAsked(@TempDir Path directory) throws Exception {
        try (Running running = new Running(directory)) {
            running.get("/api/v1/ledger");
            running.get("/api/v1/ledger");
            running.get("/nothing/here");
            running.get("/metrics");
            // Counted after the answer has left, so the last one may be on its way.
            HttpResponse<String> scrape = running.get("/metrics");
            assertThat(scrape.headers().firstValue("Content-Type"))
                    .hasValue("text/plain; version=0.0.4; charset=utf-8");
            assertThat(Exposition.parse(scrape.body()))
                    .containsEntry("pathlore_http_requests_total{route=\"/api/v1/ledger\",status=\"200\"}", 2.0)
                    .containsEntry("pathlore_http_requests_total{route=\"other\",status=\"404\"}", 1.0)
                    .containsKey("pathlore_jvm_heap_used_bytes");
            assertThat(scrape.body()).doesNotContain("nothing");
        }
    }
}
