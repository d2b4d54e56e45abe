package io.pathlore.cli.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a collector says of its own settings. */
class SettingsRoutesTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    @Test
    void eachValueSaysWhereItComesFromAndTheAuditWhetherItIsWhole() throws Exception {
        try (ServedCollector collector = new ServedCollector(directory, "analysis.silent-after=17s")) {
            Map<String, String> origins = new HashMap<>();
            JsonNode config = collector.get("/api/v1/config");
            for (JsonNode one : config.path("items")) {
                origins.put(
                        one.path("key").asText(),
                        one.path("value").asText() + " " + one.path("origin").asText());
            }
            assertThat(origins)
                    .containsEntry("analysis.silent-after", "17s --set")
                    .containsEntry("listen.binding", "learn default");
            assertThat(config.path("needRestart").isEmpty()).isTrue();

            assertThat(collector.get("/api/v1/tokens", BodyHandlers.ofString()).statusCode())
                    .as("who has a token is for an admin to know, on this machine too")
                    .isEqualTo(401);

            JsonNode whole = collector.get("/api/v1/audit/check");
            assertThat(whole.path("holds").asBoolean()).isTrue();
            Files.writeString(
                    Path.of(whole.path("file").asText()), "{\"line\":7,\"hash\":\"ab\"}\n", StandardOpenOption.APPEND);
            JsonNode broken = collector.get("/api/v1/audit/check");
            assertThat(broken.path("holds").asBoolean()).isFalse();
            assertThat(broken.path("problem").asText()).startsWith("line 1 ");
        }
    }
}
