package io.pathlore.store.tables;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/**
 * How fast rows of a second are stored, beside DuckDB's own appender, which takes them one by one. Say in which directory, and how
 * many rows if not a million.
 */
final class TableSpeed {
    private static final int ROUNDS = 5;
    private static final int NODES = 64;

    private TableSpeed() {}

    public static void main(String[] arguments) throws Exception {
        Path parent = Path.of(arguments.length > 0 ? arguments[0] : "target");
        int count = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1_000_000;
        List<Row> rows = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            long base = 300L + i % 977;
            rows.add(new Row.Hop(
                    false,
                    Rows.START + i / (NODES * 16) * Rows.SECOND,
                    i % NODES,
                    i / NODES % 16,
                    0,
                    100 + i % 7,
                    base,
                    base * 2,
                    base * 9,
                    base * 20,
                    null,
                    i % 1_013,
                    i % 101,
                    0,
                    1.0));
        }
        for (int round = 0; round < ROUNDS; round++) {
            Path directory = Files.createTempDirectory(parent, "table-speed");
            try {
                time("appender", count, () -> appender(directory.resolve("appender.duckdb"), rows));
                time("tables", count, () -> tables(directory, rows));
            } finally {
                remove(directory);
            }
        }
    }

    /** Something that takes time. */
    private interface Work {
        void run() throws IOException, SQLException;
    }

    private static void time(String name, int count, Work work) throws IOException, SQLException {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long cpu = system.getProcessCpuTime();
        long start = System.nanoTime();
        work.run();
        double seconds = (System.nanoTime() - start) * 1e-9;
        double cpuSeconds = (system.getProcessCpuTime() - cpu) * 1e-9;
        System.out.printf("%-9s %8.0f rows/s, %8.0f rows per CPU second%n", name, count / seconds, count / cpuSeconds);
    }

    private static void tables(Path directory, List<Row> rows) throws IOException {
        TableOptions options =
                new TableOptions(Duration.ZERO, Duration.ZERO, Duration.ZERO, 512L << 20, Long.MAX_VALUE, 1);
        try (TableStore store = TableStore.open(directory, options, line -> {})) {
            if (!store.append(rows) || !store.mark(Rows.START, Map.of()) || !store.step(0)) {
                throw new IOException(store.health().line());
            }
        }
    }

    private static void appender(Path file, List<Row> rows) throws SQLException {
        try (DuckDBConnection connection =
                        (DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:" + file + ";threads=1");
                Statement sql = connection.createStatement()) {
            sql.execute(Migrations.STEPS.getFirst());
            try (DuckDBAppender appender = connection.createAppender("hops_1s")) {
                for (Row row : rows) {
                    Row.Hop hop = (Row.Hop) row;
                    appender.beginRow();
                    appender.appendEpochNanos(hop.time());
                    appender.append(hop.node());
                    appender.append(hop.interfaceId());
                    appender.append(hop.queue());
                    appender.append(hop.reports());
                    appender.append(hop.latencyMin());
                    appender.append(hop.latencyP50());
                    appender.append(hop.latencyP99());
                    appender.append(hop.latencyMax());
                    appender.appendNull();
                    appender.append(hop.occupancyMax());
                    appender.append(hop.utilizationMax());
                    appender.append(hop.drops());
                    appender.append(hop.completeness());
                    appender.endRow();
                }
            }
            sql.execute("CHECKPOINT");
        }
    }

    private static void remove(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
