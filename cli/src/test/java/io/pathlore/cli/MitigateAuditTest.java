package io.pathlore.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.cli.Program.Ended;
import io.pathlore.mitigate.audit.AuditLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** M-15: whoever changes the audit is found out by whoever looks. */
class MitigateAuditTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    @SuppressWarnings("NullAway.Init") // below
    private Path file;

    @BeforeEach
    void write() throws IOException {
        Files.writeString(directory.resolve("pathlore.yaml"), "data: data\n");
        file = directory.resolve("data/mitigations/audit.jsonl");
        Files.createDirectories(file.getParent());
        try (AuditLog audit = new AuditLog(file)) {
            for (int i = 0; i < 3; i++) {
                audit.append(new AuditLog.Act(i, "ann", "approved", "a flood", "bb430c06c80e961e", "id" + i));
            }
        }
    }

    private Ended audit(String... args) {
        return new Program()
                .in(directory)
                .with(Stream.concat(Stream.of("mitigate", "audit"), Stream.of(args))
                        .toArray(String[]::new));
    }

    private static String last(Ended ended) {
        return ended.out().strip().replaceAll(".* ", "");
    }

    @Test
    void saysThatItHoldsAndWhatToWriteDown() {
        Ended ended = audit();
        assertThat(ended.status()).as(ended.err()).isEqualTo(ExitCode.OK);
        assertThat(ended.out()).matches("3 lines hold; last hash [0-9a-f]{64}\n");
        assertThat(audit(file.toString(), "--last", last(ended)).status()).isEqualTo(ExitCode.OK);
    }

    @Test
    void findsAChangedLineAndAnEndThatWasCutOff() throws IOException {
        String last = last(audit());
        List<String> lines = Files.readAllLines(file);
        Files.writeString(file, String.join("\n", lines.subList(0, 2)) + "\n");
        assertThat(audit().status()).as("nobody can tell from the file").isEqualTo(ExitCode.OK);
        Ended cut = audit("--last", last);
        assertThat(cut.status()).isEqualTo(ExitCode.FINDINGS);
        assertThat(cut.err()).contains("cut off");

        Files.writeString(file, String.join("\n", lines).replace("\"id1\"", "\"id7\"") + "\n");
        Ended changed = audit();
        assertThat(changed.status()).isEqualTo(ExitCode.FINDINGS);
        assertThat(changed.err()).contains("the audit was changed: line 2");
        assertThat(changed.out()).isEmpty();
    }

    @Test
    void whatIsNotThereIsAFailureInOneLine() {
        Ended ended = audit("nowhere.jsonl");
        assertThat(ended.status()).isEqualTo(ExitCode.RUNTIME);
        assertThat(ended.err()).endsWith("nowhere.jsonl: no such file; a collector makes it in its data directory\n");
    }
}
