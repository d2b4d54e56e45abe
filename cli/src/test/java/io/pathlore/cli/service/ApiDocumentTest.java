package io.pathlore.cli.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.serve.Operation;
import io.pathlore.serve.Parameter;
import io.pathlore.serve.Route;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The document has every route that a collector has, and no other; what it is about is checked against a living one elsewhere. */
class ApiDocumentTest {
    private static final Pattern SEGMENT = Pattern.compile("\\{([a-z]+)}");

    @Test
    void everyRouteIsInTheDocumentAndTheOtherWayRound(@TempDir Path directory) throws Exception {
        try (ServedCollector served = new ServedCollector(directory)) {
            Set<String> real = new TreeSet<>();
            for (Route route : served.process().served()) {
                real.add(route.method() + " " + route.path());
                Operation operation =
                        Objects.requireNonNull(route.operation(), () -> route.path() + " is not described");
                assertThat(operation.path().stream().map(Parameter::name).toList())
                        .as(route.path())
                        .isEqualTo(SEGMENT.matcher(route.path())
                                .results()
                                .map(each -> each.group(1))
                                .toList());
                assertThat(operation.answers()).as(route.path()).isNotEmpty();
                assertThat(operation.summary()).as(route.path()).matches("[A-Z].*[^.]");
                assertThat(operation.body().isEmpty() || route.maxBodyBytes() > 0)
                        .as(route.path())
                        .isTrue();
            }
            JsonNode document = served.get("/openapi.json");
            Set<String> told = new TreeSet<>();
            Set<String> ids = new TreeSet<>();
            document.path("paths")
                    .properties()
                    .forEach(path -> path.getValue().properties().forEach(operation -> {
                        told.add(operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey());
                        ids.add(operation.getValue().path("operationId").asText());
                    }));
            assertThat(told).isEqualTo(real);
            assertThat(ids).hasSameSizeAs(told);
            Set<String> schemas = document.path("components").path("schemas").properties().stream()
                    .map(Map.Entry::getKey)
                    .collect(Collectors.toSet());
            assertThat(schemas)
                    .containsAll(document.findValues("$ref").stream()
                            .map(each -> each.asText().replace("#/components/schemas/", ""))
                            .toList());
        }
    }

    /** With an empty body, by somebody who may do all: who needs one says so, and the others act. */
    @Test
    void onlyWhatIsSaidToNeedABodyNeedsOne(@TempDir Path directory) throws Exception {
        try (ServedCollector served = new ServedCollector(directory)) {
            String token =
                    Files.readString(directory.resolve("data/admin.token")).strip();
            Map<String, Boolean> told = new TreeMap<>();
            served.get("/openapi.json").path("paths").properties().forEach(path -> {
                JsonNode body = path.getValue().path("post").path("requestBody");
                if (!body.isMissingNode()) {
                    told.put(path.getKey(), body.path("required").asBoolean());
                }
            });
            assertThat(told)
                    .containsEntry("/api/v1/mitigations/{id}/approve", true)
                    .containsEntry("/api/v1/mitigations/withdraw-all", false);
            Map<String, Boolean> real = new TreeMap<>();
            for (String path : told.keySet()) {
                int status = served.post(SEGMENT.matcher(path).replaceAll("0123456789abcdef"), token);
                real.put(path, status == 400);
            }
            assertThat(real).isEqualTo(told);
        }
    }
}
