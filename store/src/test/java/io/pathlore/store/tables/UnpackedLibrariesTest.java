package io.pathlore.store.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Nothing is left in the temporary directory, also by a process that is killed. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class UnpackedLibrariesTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private static List<String> loaded(String name) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> line.contains("/" + name)).toList();
        }
    }

    @Test
    void whatIsLoadedHasNoNameAnyMore() throws Exception {
        try (TableStore store = TableStore.open(directory, TableOptions.DEFAULT, line -> {})) {
            assertThat(store.stored().flush()).isZero();
            for (String name : List.of("libduckdb_java", "jnilib-")) {
                assertThat(loaded(name)).as(name).isNotEmpty().allMatch(line -> line.endsWith("(deleted)"));
            }
        }
    }
}
