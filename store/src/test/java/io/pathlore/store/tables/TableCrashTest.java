package io.pathlore.store.tables;

import static io.pathlore.store.tables.Rows.SECOND;
import static io.pathlore.store.tables.Rows.START;
import static io.pathlore.store.tables.TableHealth.State.FAILED;
import static io.pathlore.store.tables.TableHealth.State.OK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed while it stores, and a disk that has no more room. */
@Timeout(180)
class TableCrashTest {
    private static final int ROWS = 300;
    private static final int KILLS = 3;
    private static final int MARKS_BEFORE = 12;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    /** Stores until it is killed, and tells each mark that is stored. */
    static final class Victim {
        private Victim() {}

        public static void main(String[] arguments) throws Exception {
            TableStore store = TableStore.open(Path.of(arguments[0]), TableOptions.DEFAULT, line -> {});
            while (true) {
                append(store, store.stored().flush() + 1);
                if (store.step(0)) {
                    System.out.println(store.stored().flush());
                }
            }
        }
    }

    /** What the stream brings between mark {@code n - 1} and mark {@code n}. */
    private static void append(TableStore store, long n) {
        for (int i = 0; i < ROWS; i++) {
            assertThat(store.append(Rows.hop(false, START + n * SECOND, i, n))).isTrue();
        }
        assertThat(store.append(Rows.event("e", START, "{\"n\":" + n + "}"))).isTrue();
        assertThat(store.mark(START + n * SECOND, Map.of("journal", Long.toString(n))))
                .isTrue();
    }

    private Process start() throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "--enable-native-access=ALL-UNNAMED",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                Victim.class.getName(),
                directory.toString());
        return new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static List<String> ask(TableStore store, String sql) throws Exception {
        return store.queries(QueryLimits.DEFAULT).ask(sql).rows();
    }

    private static void assertAllUpTo(TableStore store, long last) throws Exception {
        assertThat(store.stored())
                .isEqualTo(new Mark(last, START + last * SECOND, Map.of("journal", Long.toString(last))));
        List<String> expected = new ArrayList<>();
        for (long n = 1; n <= last; n++) {
            expected.add("{\"n\":" + n + ",\"rows\":" + ROWS + "}");
        }
        assertThat(ask(store, "SELECT reports AS n, count(*) AS rows FROM hops_1s GROUP BY n ORDER BY n"))
                .isEqualTo(expected);
        assertThat(ask(store, "SELECT json FROM events")).containsExactly("{\"json\":\"{\\\"n\\\":" + last + "}\"}");
    }

    @Test
    void whatIsStoredAgreesWithTheMarkWheneverItIsKilled() throws Exception {
        long told = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            Process victim = start();
            try (BufferedReader out = victim.inputReader()) {
                for (int mark = 0; mark < MARKS_BEFORE; mark++) {
                    told = Long.parseLong(String.valueOf(out.readLine()));
                }
                assertThatThrownBy(() -> TableStore.open(directory, TableOptions.DEFAULT, line -> {}))
                        .as("one process at a time")
                        .isInstanceOf(TableException.class)
                        .hasMessageContaining("lock")
                        .message()
                        .doesNotContain("\n");
                assertThatThrownBy(() -> TableReader.open(directory, TableOptions.DEFAULT))
                        .isInstanceOf(TableException.class);
                // Through the handle: the process itself would close what it has said.
                assertThat(victim.toHandle().destroyForcibly()).isTrue();
                for (String line = out.readLine(); line != null; line = out.readLine()) {
                    told = Long.parseLong(line);
                }
            } finally {
                victim.destroyForcibly().waitFor();
            }
            try (TableReader reader = TableReader.open(directory, TableOptions.DEFAULT)) {
                assertThat(reader.stored().flush()).isBetween(told, told + 1);
            }
            try (TableStore store = TableStore.open(directory, TableOptions.DEFAULT, line -> {})) {
                assertThat(store.stored().flush()).isBetween(told, told + 1);
                assertAllUpTo(store, store.stored().flush());
            }
        }
    }

    /** No file may grow beyond a size: to who writes it is as if the disk was full. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void rowsWaitOutAFullDiskTwice() throws Exception {
        List<String> notes = new ArrayList<>();
        try (TableStore store = TableStore.open(directory, TableOptions.DEFAULT, notes::add)) {
            long n = 0;
            long ticks = 0;
            for (int outage = 1; outage <= 2; outage++) {
                append(store, ++n);
                assertThat(store.step(ticks)).as(store.health().line()).isTrue();
                Mark before = store.stored();

                long unlimited = limitFiles(Files.size(directory.resolve(Database.FILE)) + 4096);
                try {
                    long first = n + 1;
                    while (store.health().state() == OK && n < first + 1_000) {
                        append(store, ++n);
                        ticks += TableStore.RETRY_NANOS;
                        boolean ignored = store.step(ticks);
                        before = store.stored();
                    }
                    assertThat(store.health().state()).isEqualTo(FAILED);
                    assertThat(store.health().line())
                            .contains(directory.toString())
                            .doesNotContain("\n");
                    append(store, ++n);
                    ticks += TableStore.RETRY_NANOS;
                    boolean ignored = store.step(ticks);
                    assertThat(store.stored().flush()).isLessThan(n);
                    assertThat(store.stored().flush()).isGreaterThanOrEqualTo(before.flush());
                } finally {
                    limitFiles(unlimited);
                }
                for (String what : List.of("what failed", "what came since")) {
                    ticks += TableStore.RETRY_NANOS;
                    assertThat(store.step(ticks))
                            .as(what + store.health().line())
                            .isTrue();
                }
                assertThat(store.health().state()).isEqualTo(OK);
                assertThat(store.health().waitingBytes()).isZero();
                assertThat(store.health().refused()).isZero();
                assertThat(store.stored().storedToNanos()).isEqualTo(START + n * SECOND);
                assertThat(ask(store, "SELECT count(*) AS c, max(reports) AS m FROM hops_1s"))
                        .containsExactly("{\"c\":" + n * ROWS + ",\"m\":" + n + "}");
            }
        }
        assertThat(notes).hasSize(4);
    }

    /** Returns what was the limit before. The process itself, for the child would need a program that not every system has. */
    @SuppressWarnings("restricted")
    private static long limitFiles(long bytes) throws Exception {
        int fileSize = 1;
        Linker linker = Linker.nativeLinker();
        FunctionDescriptor type =
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS);
        MethodHandle get = linker.downcallHandle(linker.defaultLookup().findOrThrow("getrlimit"), type);
        MethodHandle set = linker.downcallHandle(linker.defaultLookup().findOrThrow("setrlimit"), type);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment limits = arena.allocate(ValueLayout.JAVA_LONG, 2);
            assertThat((int) get.invokeExact(fileSize, limits)).isZero();
            long before = limits.getAtIndex(ValueLayout.JAVA_LONG, 0);
            limits.setAtIndex(ValueLayout.JAVA_LONG, 0, bytes);
            assertThat((int) set.invokeExact(fileSize, limits)).isZero();
            return before;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
