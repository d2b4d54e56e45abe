package io.pathlore.mitigate.enforcer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.testkit.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalCommandTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private static LocalCommand sh(Duration timeout, String script, String... words) {
        List<String> all = new ArrayList<>(List.of("/bin/sh", "-c", script, "sh"));
        all.addAll(List.of(words));
        return new LocalCommand("local", all, timeout);
    }

    @Test
    void getsTheOrderOnItsInput() throws Exception {
        Path heard = directory.resolve("heard");
        sh(PATIENCE, "cat > \"$1\"", heard.toString()).install(Rules.device(0x101, 5792));
        assertThat(Json.object(Files.readString(heard)))
                .containsEntry("order", "install")
                .containsEntry("rule", "drop device=00:00:00:00:01:01 destination=192.168.1.10 port=5792");
    }

    /** No shell is between: a word is a word. */
    @Test
    void passesWordsAsTheyAre() throws Exception {
        Path heard = directory.resolve("heard");
        String word = "$(touch " + directory.resolve("owned") + "); `id` > x && 'y'";
        sh(PATIENCE, "printf %s \"$2\" > \"$1\"", heard.toString(), word).withdraw(Rules.device(1, 1));
        assertThat(Files.readString(heard)).isEqualTo(word);
        assertThat(directory.resolve("owned")).doesNotExist();
    }

    @Test
    void tellsWhyItFailed() {
        assertThatThrownBy(() -> sh(PATIENCE, "echo 'no such\tport' >&2; echo more >&2; exit 3")
                        .install(Rules.device(1, 1)))
                .isInstanceOf(EnforcerException.class)
                .hasMessage("/bin/sh ended with 3: no such?port");
        assertThatThrownBy(() -> new LocalCommand("local", List.of("/nowhere/x"), PATIENCE).install(Rules.device(1, 1)))
                .isInstanceOf(EnforcerException.class)
                .hasMessageContaining("/nowhere/x does not start");
    }

    @Test
    void stopsWhatDoesNotEnd() throws Exception {
        Path pid = directory.resolve("pid");
        assertThatThrownBy(
                        () -> sh(Duration.ofMillis(1500), "echo $$ > \"$1\"; while :; do sleep 1; done", pid.toString())
                                .install(Rules.device(1, 1)))
                .hasMessageContaining("did not end within 1500 ms");
        long number = Long.parseLong(Files.readString(pid).strip());
        assertThat(ProcessHandle.of(number).map(ProcessHandle::isAlive).orElse(false))
                .isFalse();
    }

    @Test
    void keepsSecretsOfTheEnvironmentToItself() throws Exception {
        Path heard = directory.resolve("heard");
        sh(PATIENCE, "env > \"$1\"", heard.toString()).install(Rules.device(1, 1));
        assertThat(Files.readAllLines(heard))
                .allMatch(line -> line.matches("(PATH|HOME|LANG|TZ|PWD|SHLVL|_|OLDPWD)=.*"));
    }

    /** More than a pipe holds, on both. */
    @Test
    void letsATalkativeProgramEnd() throws Exception {
        sh(
                        PATIENCE,
                        "i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890123456789; echo 0123456789012345678901234567890123456789 >&2; i=$((i+1)); done")
                .install(Rules.device(1, 1));
    }
}
