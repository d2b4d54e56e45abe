package io.pathlore.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PausesTest {
    @TempDir
    private Path directory = Path.of("");

    private Pauses read(String log) throws IOException {
        return Pauses.of(Files.writeString(directory.resolve("log"), log));
    }

    private static String pause(int nanos) {
        return "Safepoint \"SerialGCCollect\", Time since last: 99999 ns, Reaching safepoint: 2848 ns, "
                + "At safepoint: 7 ns, Leaving safepoint: 1 ns, Total: " + nanos
                + " ns, Threads: 0 runnable, 10 total\n";
    }

    @Test
    void readsHowLongEachLasted() throws IOException {
        String log = IntStream.rangeClosed(1, 2_000).mapToObj(PausesTest::pause).collect(Collectors.joining());
        Pauses pauses = read(log);
        assertThat(pauses.count()).isEqualTo(2_000);
        assertThat(pauses.quantile(0.5)).isEqualTo(1_000);
        assertThat(pauses.quantile(0.999)).isEqualTo(1_998);
    }

    @Test
    void noPauseIsNoTime() throws IOException {
        assertThat(read("").quantile(0.999)).isZero();
        assertThat(read(pause(5)).quantile(0.999)).isEqualTo(5);
    }
}
