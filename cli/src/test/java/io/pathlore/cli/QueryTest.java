package io.pathlore.cli;

import static io.pathlore.cli.service.LiveCollector.SECOND;
import static io.pathlore.cli.service.LiveCollector.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.cli.Program.Ended;
import io.pathlore.cli.service.LiveCollector;
import io.pathlore.store.tables.Row;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code query} and {@code export TABLE}, of a collector that runs and of one that did. */
class QueryTest {
    private static final String ALL = "SELECT node, name, version FROM nodes ORDER BY node";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    @SuppressWarnings("NullAway.Init")
    private LiveCollector collector;

    @BeforeEach
    void start() throws Exception {
        collector = new LiveCollector(directory);
        collector.store(
                START + 60 * SECOND,
                new Row.Node(3, "leaf, 3", null, null, START, START),
                new Row.Node(11, "=cmd()", null, null, START, START + SECOND));
    }

    @AfterEach
    void stop() {
        collector.close();
    }

    private Ended run(String... args) {
        return new Program().in(directory).set("HOME", "/nonexistent").with(args);
    }

    private Ended ask(String... options) {
        return run(Stream.concat(Stream.of("query", "--server", collector.url()), Stream.of(options))
                .toArray(String[]::new));
    }

    @Test
    void showsRowsInEveryFormat() {
        assertThat(ask(ALL).out()).isEqualTo("""
                node  name     version
                   3  leaf, 3  -
                  11  =cmd()   -
                """);
        assertThat(ask("-o", "json", ALL).out()).isEqualTo("""
                [
                {"node":3,"name":"leaf, 3","version":null},
                {"node":11,"name":"=cmd()","version":null}
                ]
                """);
        assertThat(ask("-o", "jsonl", ALL).lines()).hasSize(2).last().asString().startsWith("{\"node\":11,");
        assertThat(ask("-o", "csv", ALL).out()).isEqualTo("""
                node,name,version
                3,"leaf, 3",
                11,'=cmd(),
                """);
        assertThat(ask("-o", "csv", "--no-header", ALL).lines()).hasSize(2);
        assertThat(ask("SELECT 340282366920938463463374607431768211455::UHUGEINT AS big, [1, NULL] AS l, 0.1 AS d")
                        .lines()
                        .getLast())
                .isEqualTo("340282366920938463463374607431768211455  [1,null]  0.1");
    }

    @Test
    void aQuestionComesFromAFileOrStdinToo() throws IOException {
        Files.writeString(directory.resolve("q.sql"), "-- how many\nSELECT count(*) AS n\nFROM nodes;\n");
        assertThat(ask("--file", "q.sql", "-o", "jsonl").out()).isEqualTo("{\"n\":2}\n");
        Ended piped = new Program()
                .in(directory)
                .input("SELECT 1 AS a".getBytes(StandardCharsets.UTF_8))
                .with("query", "--server", collector.url(), "-o", "csv", "-");
        assertThat(piped.out()).isEqualTo("a\n1\n");
        assertThat(ask().status()).isEqualTo(2);
        assertThat(ask("--file", "q.sql", "SELECT 1").status()).isEqualTo(2);
        assertThat(ask("--file", "missing.sql").status()).isEqualTo(1);
    }

    @Test
    void listsTheTables() {
        Ended ended = run("query", "--tables");
        assertThat(ended.status()).isZero();
        assertThat(ended.out()).contains("drops_1s      time, node, interface, queue, reason, reports, packets\n");
        assertThat(ask("SHOW TABLES").out()).contains("flows_1m");
        assertThat(run("query", "--help").out()).contains("flows_1m").startsWith("Ask the tables");
    }

    @Test
    void saysWhatIsWrongInOneLineAndOneNumber() {
        Ended wrong = ask("SELECT nothing FROM nodes");
        assertThat(wrong.status()).isEqualTo(2);
        assertThat(wrong.err().lines()).hasSize(2).first().asString().startsWith("pathlore query: Binder Error");
        assertThat(ask("DROP TABLE nodes"))
                .satisfies(ended -> assertThat(ended.status()).isEqualTo(2))
                .satisfies(ended -> assertThat(ended.err()).contains("only questions are answered"));
        Ended greedy = ask("SELECT a.range FROM range(100000) a, range(100000) b ORDER BY b.range DESC, 1");
        assertThat(greedy.status()).isEqualTo(1);
        assertThat(greedy.err()).hasLineCount(1).contains("ask for less");
        Ended cut = ask("SELECT range FROM range(20000)");
        assertThat(cut.status()).isZero();
        assertThat(cut.err()).isEqualTo("pathlore: only the first 10000 rows; there are more\n");
        assertThat(ask("SELECT 1 WHERE false").err()).isEqualTo("pathlore: no rows\n");
        String nobody = collector.url();
        collector.close();
        assertThat(run("query", "--server", nobody, "SELECT 1").status()).isEqualTo(5);
    }

    @Test
    void readsTheTablesOfACollectorThatDoesNotRun() {
        Ended busy = run("query", "--store", "data", ALL);
        assertThat(busy.status()).isEqualTo(1);
        assertThat(busy.err()).contains("a collector has them open").hasLineCount(1);
        Ended before = ask("-o", "json", ALL);
        String port = collector.url().replaceAll(".*:", "");
        collector.close();
        for (Ended after : List.of(
                run("query", "--store", "data", "-o", "json", ALL),
                run("query", "--store", "data/store", "-o", "json", ALL),
                run(
                        "query",
                        "--set",
                        "data=" + directory.resolve("data"),
                        "--set",
                        "http.port=" + port,
                        "-o",
                        "json",
                        ALL))) {
            assertThat(after.status()).as(after.err()).isZero();
            assertThat(after.out()).isEqualTo(before.out());
        }
        assertThat(run("query", "--store", "data", "DELETE FROM nodes").status())
                .isEqualTo(2);
        assertThat(run("query", "--store", "nowhere", ALL).err())
                .contains("no such directory")
                .hasLineCount(1);
    }

    @Test
    void exportsATableThatRunsAndOneThatDid() throws IOException {
        assertThat(run("export", "nodes", "--server", collector.url(), "--out", "a.csv")
                        .status())
                .isZero();
        Ended there = run("export", "nodes", "--server", collector.url(), "--out", "a.csv");
        assertThat(there.status()).isEqualTo(1);
        assertThat(there.err()).isEqualTo("pathlore: a.csv: is there already; --force replaces it\n");
        Ended forced = run(
                "export",
                "nodes",
                "--server",
                collector.url(),
                "--since",
                "2026-11-15T18:00:01Z",
                "--force",
                "--out",
                "a.csv");
        assertThat(forced.err()).startsWith("a.csv: nodes, ");
        assertThat(Files.readAllLines(directory.resolve("a.csv")))
                .hasSize(2)
                .last()
                .asString()
                .startsWith("11,'=cmd(),");
        assertThat(run("export", "nodes", "--out", "a.txt").status()).isEqualTo(2);
        assertThat(run("export", "node", "--out", "a.csv").err()).contains("there are: reports, hops_1s");
        assertThat(run("export", "nodes", "--server", "http://127.0.0.1:9", "--out", "b.csv")
                        .status())
                .isEqualTo(5);
        collector.close();
        for (String name : List.of("c.parquet", "c.jsonl", "c.csv")) {
            Ended ended = run("export", "nodes", "--from", "data", "--out", name);
            assertThat(ended.status()).as(ended.err()).isZero();
        }
        assertThat(Files.readAllLines(directory.resolve("c.jsonl"))).hasSize(2);
        assertThat(run(
                                "export",
                                "nodes",
                                "--set",
                                "data=" + directory.resolve("data"),
                                "--set",
                                "http.port=9",
                                "--out",
                                "d.csv")
                        .status())
                .isZero();
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("data", "a.csv", "c.parquet", "c.jsonl", "c.csv", "d.csv");
        }
    }
}
