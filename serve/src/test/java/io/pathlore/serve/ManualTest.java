package io.pathlore.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.serve.access.Role;
import io.pathlore.testkit.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the server says of itself is what it does. */
class ManualTest {
    private static final Route ROUTE = Route.get(
                    "/api/v1/x/{id}",
                    Role.VIEWER,
                    request -> Reply.json(200, request.query().toString()))
            .is(Operation.of("X", "An <x>, `so` to say")
                    .at(Parameter.text("id", "of an x", "[0-9]+"))
                    .takes(
                            Parameter.number("limit", "so many", 1, 9, 5),
                            Parameter.choice("order", "which", "up", "down"),
                            Parameter.text("word", "any"))
                    .answers("Problem")
                    .refuses(404));

    private static String ask(Map<String, String> query) throws Problem {
        Reply.Content reply = (Reply.Content) ROUTE.answer(Request.local(Map.of("id", "1"), query));
        return new String(reply.body(), StandardCharsets.UTF_8);
    }

    @Test
    void whatIsUsualNeedNotBeSaid() throws Exception {
        assertThat(ask(Map.of())).isEqualTo("{limit=5, order=up}");
        assertThat(ask(Map.of("limit", "9", "word", ""))).isEqualTo("{limit=9, word=, order=up}");
    }

    @Test
    void whatTheDocumentDoesNotSayIsRefused() {
        for (String bad : List.of("0", "10", "-1", "+1", "01", "1e1", "", " 1", "99999999999999999999")) {
            assertThatThrownBy(() -> ask(Map.of("limit", bad))).hasMessage("limit: a number from 1 to 9");
        }
        assertThatThrownBy(() -> ask(Map.of("order", "left"))).hasMessage("order: up or down");
        assertThatThrownBy(() -> ask(Map.of("limits", "1"))).hasMessage("this route takes only limit, order, word");
    }

    @Test
    void theDocumentSaysWhatIsChecked() {
        Map<String, Object> document = Json.object(OpenApi.of(List.of(ROUTE), "{}"));
        assertThat(document).containsEntry("openapi", "3.1.0");
        assertThat(String.valueOf(document.get("paths")))
                .contains("operationId=getXId", "minimum=1, maximum=9, default=5", "enum=[up, down], default=up")
                .contains("pattern=^([0-9]+)$", "bearer=[viewer]", "session=[viewer]", "404=");
        assertThat(ManualPage.of(List.of(ROUTE)))
                .contains(
                        "An &lt;x&gt;, <code>so</code> to say", "/api/v1/x/{id}", "1 to 9, else 5", "up, down, else up")
                .doesNotContain("<script", "http://", "https://", "style=");
    }

    @Test
    void everyRouteThatIsThereForAllIsInTheDocument(@TempDir Path directory) throws Exception {
        try (Running running = new Running(directory)) {
            Map<?, ?> paths =
                    (Map<?, ?>) Json.object(running.get("/openapi.json").body()).get("paths");
            long told = running.server.routes().stream()
                    .filter(route -> route.operation() != null)
                    .map(Route::path)
                    .distinct()
                    .count();
            assertThat(paths).hasSize((int) told);
            String page = running.get("/openapi").body();
            for (Object path : paths.keySet()) {
                assertThat(page).contains("<code>" + path + "</code>");
            }
            assertThat(running.get("/openapi.css").statusCode()).isEqualTo(200);
        }
    }
}
