package io.pathlore.store.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class BackgroundTest {
    @Test
    void oneThreadStepsBackAndTheOthersDoNot() throws Exception {
        int before = nice();
        FutureTask<Integer> other = new FutureTask<>(() -> {
            Background.enter();
            return nice();
        });
        Thread.ofPlatform().start(other);
        assertThat(other.get()).isEqualTo(Math.max(before, Background.NICE));
        assertThat(nice()).isEqualTo(before);
    }

    /** The nineteenth word; the second may hold blanks, and ends with a parenthesis [proc_pid_stat(5)]. */
    private static int nice() throws Exception {
        String stat = Files.readString(Path.of("/proc/thread-self/stat"));
        return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[16]);
    }
}
