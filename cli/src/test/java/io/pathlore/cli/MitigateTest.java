package io.pathlore.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.cli.Program.Ended;
import io.pathlore.cli.service.ServedCollector;
import io.pathlore.testkit.controller.ScriptedController;
import io.pathlore.testkit.vectors.GoldenVectors;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The operator's hand, by a collector that runs. */
@Timeout(120)
class MitigateTest {
    private static final String KEY = "fc2bc3f5d924da44";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private Ended mitigate(ServedCollector collector, String... words) {
        List<String> all = new ArrayList<>(List.of("mitigate"));
        all.addAll(List.of(words));
        all.addAll(List.of(
                "--server",
                collector.url(),
                "--token-file",
                directory.resolve("data/admin.token").toString()));
        return new Program().in(directory).with(all.toArray(String[]::new));
    }

    @Test
    void aCommentStandsInTheAudit() throws Exception {
        Files.writeString(directory.resolve("pathlore.yaml"), "defend: { mode: auto }\n");
        try (ServedCollector collector = new ServedCollector(directory)) {
            assertThat(mitigate(collector, "deny", "fc2b").err()).contains("there is no mitigation fc2b");
            assertThat(mitigate(collector, "withdraw-all", "--comment", "maintenance, \"night\"")
                            .status())
                    .isZero();
            assertThat(mitigate(collector, "resume").status()).isZero();
            var audit = collector.get("/api/v1/audit").path("items");
            assertThat(audit.path(1).path("what").asText()).isEqualTo("withdraw-all");
            assertThat(audit.path(1).path("comment").asText()).isEqualTo("maintenance, \"night\"");
            assertThat(audit.path(0).path("what").asText()).isEqualTo("resume");
            assertThat(audit.path(0).has("comment")).isFalse();
            assertThat(mitigate(collector, "withdraw-all", "--comment", "x".repeat(501))
                            .err())
                    .contains("comment: longer than 500 characters");
        }
    }

    @Test
    void withdrawsARuleThatOnlyDropReportsKnowOf() throws Exception {
        try (ScriptedController controller = new ScriptedController()) {
            controller.put(KEY);
            Files.writeString(directory.resolve("pathlore.yaml"), """
                    inventory: [ { node: 123, addresses: [127.0.0.1] } ]
                    defend: { enforcers: [ { name: far, kind: command, command: [/bin/false], nodes: [9] },
                      { name: near, kind: transparent-security, url: "%s", nodes: [123] } ] }
                    """.formatted(controller.uri()));
            try (ServedCollector collector = new ServedCollector(directory)) {
                collector.send(GoldenVectors.bytes("T2"));
                ServedCollector.until(() ->
                        !collector.get("/api/v1/mitigations").path("orphans").isEmpty());
                var orphan =
                        collector.get("/api/v1/mitigations").path("orphans").path(0);
                assertThat(orphan.path("dropKey").asText()).isEqualTo(KEY);
                assertThat(orphan.path("node").asLong()).isEqualTo(123);
                assertThat(orphan.path("dropCount").asLong()).isEqualTo(4242);

                assertThat(mitigate(collector, "approve", "fc2b").status())
                        .as("there is nothing to approve")
                        .isEqualTo(ExitCode.RUNTIME);
                assertThat(controller.calls()).isEmpty();
                Ended ended = mitigate(collector, "withdraw", "fc2b");
                assertThat(ended.status()).as(ended.err()).isZero();
                assertThat(ended.out()).contains("if it drops on, it will be shown again");
                ServedCollector.until(() -> controller.keys().isEmpty());
                assertThat(controller.calls())
                        .containsExactly("DELETE /aggAttack {\"event\":{\"dropKey\":\"" + KEY
                                + "\",\"dropCount\":0,\"count\":3}}");
                assertThat(collector.get("/api/v1/audit").toString()).contains("remove-orphan", "near");
            }
        }
    }
}
