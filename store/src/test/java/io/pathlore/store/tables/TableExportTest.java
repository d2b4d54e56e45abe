package io.pathlore.store.tables;

import static io.pathlore.store.tables.Rows.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exported files say what the tables say, and are whole. */
class TableExportTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path temp;

    private Path tables() {
        return temp.resolve("tables");
    }

    private Path out(String name) {
        return temp.resolve("it's here").resolve(name);
    }

    @BeforeEach
    void fill() throws Exception {
        Files.createDirectory(temp.resolve("it's here"));
        try (TableStore store = TableStore.open(tables(), TableOptions.DEFAULT, line -> {})) {
            for (Table table : Table.values()) {
                assertThat(store.append(List.of(Rows.full(table), Rows.unknown(table))))
                        .isTrue();
            }
            for (int i = 1; i <= 10; i++) {
                assertThat(store.append(Rows.hop(true, START + i, i, i))).isTrue();
            }
            assertThat(store.append(new Row.Node(9, "=cmd()", null, "-1", START, START)))
                    .isTrue();
            assertThat(store.mark(START, Map.of())).isTrue();
            assertThat(store.step(0)).as(store.health().line()).isTrue();
        }
    }

    /** By a DuckDB that knows nothing of us. */
    private static List<String> read(String sql) throws Exception {
        List<String> rows = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                rows.add(row.getString(1));
            }
        }
        return rows;
    }

    private static String text(Path file) {
        return Database.text(file.toString());
    }

    private void export(Table table, Path file) throws Exception {
        try (TableReader reader = TableReader.open(tables(), TableOptions.DEFAULT)) {
            reader.export(table, 0, Long.MAX_VALUE, file);
        }
    }

    @ParameterizedTest
    @EnumSource(Table.class)
    void parquetHasTheSameColumnsAndRows(Table table) throws Exception {
        Path file = out("all.parquet");
        export(table, file);
        String addresses = table.columnNames().stream()
                .filter(name -> name.endsWith("_number"))
                .map(name -> ", " + name)
                .reduce("", String::concat);
        String without = addresses.isEmpty() ? "*" : "* EXCLUDE (" + addresses.substring(2) + ")";
        String rows = "SELECT to_json(t)::VARCHAR FROM (SELECT " + without + " FROM %s) t ORDER BY 1";
        String ours = "jdbc:duckdb:" + tables().resolve(Database.FILE);
        List<String> expected = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(ours);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(rows.formatted(table.label()))) {
            while (row.next()) {
                expected.add(row.getString(1));
            }
        }
        assertThat(expected).isNotEmpty();
        assertThat(read(rows.formatted(text(file)))).isEqualTo(expected);
        assertThat(read("SELECT column_name FROM (DESCRIBE FROM " + text(file) + ")"))
                .isEqualTo(table.columnNames());
    }

    @Test
    void csvAndJsonLinesCanBeReadBack() throws Exception {
        export(Table.HOPS_1M, out("h.csv"));
        export(Table.HOPS_1M, out("h.jsonl"));
        String sums = "SELECT count(*) || ' ' || sum(reports) || ' ' || count(latency_min) || ' ' || max(\"time\")"
                + " || ' ' || max(latency_histogram) FROM ";
        assertThat(read(sums + "read_csv(" + text(out("h.csv")) + ", all_varchar = false)"))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("12 60 1 2026-11-15 18:00:00.123456")
                .endsWith("015201");
        assertThat(read(sums + "read_json(" + text(out("h.jsonl")) + ", format = 'newline_delimited')"))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("12 60 1 2026-11-15 18:00:00.123456");
        assertThat(Files.readAllLines(out("h.csv")).getFirst())
                .isEqualTo(String.join(",", Table.HOPS_1M.columnNames()));
        assertThat(Files.readAllLines(out("h.jsonl"))).hasSize(12).allMatch(line -> line.startsWith("{\"time\":"));
    }

    @Test
    void takesTheTimeAskedForWithoutItsEnd() throws Exception {
        try (TableReader reader = TableReader.open(tables(), TableOptions.DEFAULT)) {
            reader.export(Table.HOPS_1M, START + 3, START + 6, out("part.parquet"));
        }
        assertThat(read("SELECT node FROM " + text(out("part.parquet")))).containsExactly("3", "4", "5");
    }

    @Test
    void aNameIsNoFormula() throws Exception {
        export(Table.NODES, out("n.csv"));
        assertThat(Files.readString(out("n.csv"))).contains("9,'=cmd(),").contains(",'-1,");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x.txt", "parquet", "x.parquet.gz"})
    void aNameHasToSayHow(String name) {
        assertThat(TableExport.Format.of(out(name))).isNull();
        assertThatThrownBy(() -> export(Table.PATHS, out(name)))
                .isInstanceOf(TableException.class)
                .hasMessageContaining("has to end in .parquet, .csv or .jsonl");
    }

    @Test
    void leavesNothingBehindWhereItCannotWrite() throws Exception {
        Path taken = out("taken.csv");
        Files.createDirectories(taken.resolve("inside"));
        assertThatThrownBy(() -> export(Table.PATHS, taken)).isInstanceOf(IOException.class);
        assertThat(taken).isDirectory();
        try (Stream<Path> left = Files.list(temp.resolve("it's here"))) {
            assertThat(left).containsExactly(taken);
        }
        try (Stream<Path> left = Files.list(tables().resolve("export"))) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void moreThanMemoryHoldsCanBeWritten() throws Exception {
        TableOptions tight = new TableOptions(Duration.ZERO, Duration.ZERO, Duration.ZERO, 64L << 20, 64L << 20, 1);
        Path own = temp.resolve("large");
        int rounds = 40;
        int rows = 20_000;
        Random random = new Random(1);
        long ticks = 0;
        try (TableStore store = TableStore.open(own, tight, line -> {})) {
            for (int n = 0; n < rounds; n++) {
                for (int i = 0; i < rows; i++) {
                    assertThat(store.append(Rows.hop(false, START + n, random.nextLong(1L << 32), random.nextLong())))
                            .isTrue();
                }
                assertThat(store.mark(START + n, Map.of())).isTrue();
                for (int tries = 0; tries < 2 && store.stored().storedToNanos() < START + n; tries++) {
                    boolean ignored = store.step(ticks += TableStore.RETRY_NANOS);
                }
                assertThat(store.stored().storedToNanos())
                        .as(store.health().line())
                        .isEqualTo(START + n);
            }
            for (TableExport.Format format : TableExport.Format.values()) {
                Path file = store.make(Table.HOPS_1S, format, 0, Long.MAX_VALUE);
                assertThat(file).hasParent(own.resolve("export")).isNotEmptyFile();
                if (format == TableExport.Format.PARQUET) {
                    assertThat(read("SELECT count(*) FROM " + text(file)))
                            .containsExactly(Integer.toString(rounds * rows));
                }
            }
            assertThatThrownBy(() -> store.make(Table.PATHS, TableExport.Format.CSV, 0, Long.MAX_VALUE))
                    .as("three lie there already")
                    .isInstanceOf(QueryException.class);
        }
        TableStore.open(own, tight, line -> {}).close();
        try (Stream<Path> left = Files.list(own.resolve("export"))) {
            assertThat(left).as("of one that ended too early").isEmpty();
        }
    }

    @Test
    void whileTheCollectorWritesTooAndOverAnOlderFile() throws Exception {
        Files.writeString(out("h.csv"), "old");
        try (TableStore store = TableStore.open(tables(), TableOptions.DEFAULT, line -> {})) {
            store.export(Table.HOPS_1M, 0, Long.MAX_VALUE, out("h.csv"));
        }
        assertThat(Files.readAllLines(out("h.csv"))).hasSize(13);
    }
}
