package io.pathlore.store.tables;

import static io.pathlore.store.tables.QueryException.Reason.BUSY;
import static io.pathlore.store.tables.QueryException.Reason.REFUSED;
import static io.pathlore.store.tables.QueryException.Reason.TOO_MUCH;
import static io.pathlore.store.tables.QueryException.Reason.WRONG;
import static io.pathlore.store.tables.Rows.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.pathlore.store.tables.QueryException.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may ask may only ask. */
@Timeout(120)
class QueriesTest {
    private static final TableOptions OPTIONS =
            new TableOptions(Duration.ZERO, Duration.ZERO, Duration.ZERO, 128L << 20, 16 << 20, 2);
    private static final QueryLimits LIMITS = new QueryLimits(Duration.ofMillis(1_500), 1_000, 1 << 20, 4_096, 2);
    private static final String ENDLESS =
            "WITH RECURSIVE a AS (SELECT 1 AS n UNION ALL SELECT n FROM a) SELECT max(n) FROM a";
    private static final String GREEDY =
            "SELECT a.range, b.range FROM range(100000) a, range(100000) b ORDER BY 2 DESC, 1";
    private static final String SECRET = "a secret in a file";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path temp;

    @SuppressWarnings("NullAway.Init")
    private static TableStore store;

    @SuppressWarnings("NullAway.Init")
    private static Queries queries;

    @BeforeAll
    static void open() throws Exception {
        Files.writeString(temp.resolve("secret.csv"), SECRET + "\n");
        store = TableStore.open(temp.resolve("tables"), OPTIONS, line -> {});
        Files.writeString(temp.resolve("tables/export/secret.csv"), SECRET + "\n");
        for (int i = 0; i < 5_000; i++) {
            assertThat(store.append(Rows.hop(false, START + i, i, 1))).isTrue();
        }
        assertThat(store.append(Rows.full(Table.FLOWS_1M))).isTrue();
        assertThat(store.append(Rows.full(Table.EVENTS))).isTrue();
        assertThat(store.mark(START, Map.of())).isTrue();
        assertThat(store.step(0)).as(store.health().line()).isTrue();
        queries = store.queries(LIMITS);
    }

    @AfterAll
    static void close() throws Exception {
        store.close();
    }

    private static QueryException refusal(String sql) {
        QueryException refusal = catchThrowableOfType(QueryException.class, () -> queries.ask(sql));
        assertThat(refusal).as(sql).isNotNull();
        return refusal;
    }

    private static List<String> ask(String sql) throws Exception {
        return queries.ask(sql).rows();
    }

    record Attack(String sql, Reason... reasons) {}

    private static Stream<Attack> attacks() {
        String file = "'" + temp.resolve("secret.csv") + "'";
        String near = "'" + temp.resolve("tables/export/secret.csv") + "'";
        String tables = "'" + temp.resolve("tables/tables.duckdb") + "'";
        String out = "'" + temp.resolve("out.csv") + "'";
        String nearOut = "'" + temp.resolve("tables/export/out.csv") + "'";
        return Stream.of(
                // Reads a file.
                new Attack("SELECT * FROM read_csv(" + file + ")", REFUSED),
                new Attack("SELECT * FROM read_csv(" + near + ")", REFUSED),
                new Attack("SELECT * FROM READ_CSV_AUTO(" + near + ")", REFUSED),
                new Attack("SELECT * FROM \"read_text\"(" + near + ")", REFUSED),
                new Attack("SELECT * FROM main.read_text(" + near + ")", REFUSED),
                new Attack("SELECT * FROM system.main.read_text(" + near + ")", REFUSED),
                new Attack("SELECT (SELECT content FROM read_text(" + near + "))", REFUSED),
                new Attack("SELECT 1 WHERE EXISTS (FROM read_blob(" + near + "))", REFUSED),
                new Attack("WITH a AS (FROM read_json(" + near + ")) FROM a", REFUSED),
                new Attack("SELECT 1 UNION ALL SELECT content FROM read_text(" + near + ")", REFUSED),
                new Attack("FROM hops_1s, LATERAL (FROM read_text(" + near + "))", REFUSED),
                new Attack("SELECT 1 ORDER BY (SELECT content FROM read_text(" + near + "))", REFUSED),
                new Attack("DESCRIBE SELECT * FROM read_csv(" + near + ")", REFUSED),
                new Attack("SUMMARIZE SELECT * FROM read_csv(" + near + ")", REFUSED),
                new Attack("EXPLAIN ANALYZE SELECT * FROM read_csv(" + near + ")", REFUSED),
                new Attack("SELECT * FROM read_parquet(" + file + ")", REFUSED),
                new Attack("SELECT * FROM parquet_metadata(" + file + ")", REFUSED),
                new Attack("SELECT * FROM sniff_csv(" + near + ")", REFUSED),
                new Attack("SELECT * FROM glob('/*')", REFUSED),
                new Attack("SELECT * FROM " + file, REFUSED, WRONG),
                new Attack("SELECT * FROM \"" + temp.resolve("secret.csv") + "\"", REFUSED, WRONG),
                new Attack("SELECT * FROM " + near, REFUSED),
                new Attack("SELECT * FROM 'secret.csv'", REFUSED),
                new Attack("SELECT 1 IN (FROM \"" + temp.resolve("tables/export/secret.csv") + "\")", REFUSED),
                new Attack("FROM " + tables, REFUSED, WRONG),
                // Runs SQL that the gate did not see.
                new Attack("SELECT * FROM query('SELECT 1')", REFUSED),
                new Attack("SELECT * FROM query_table('hops_1s')", REFUSED),
                new Attack("SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))", REFUSED),
                new Attack("SELECT json_serialize_plan('SELECT 1')", REFUSED),
                // Tells about the process.
                new Attack("SELECT getenv('HOME')", REFUSED, WRONG),
                new Attack("SELECT GETENV('HOME')", REFUSED, WRONG),
                new Attack("SELECT current_setting('memory_limit')", REFUSED),
                new Attack("SELECT * FROM duckdb_settings()", REFUSED),
                new Attack("SELECT * FROM duckdb_secrets()", REFUSED),
                new Attack("SELECT * FROM duckdb_databases", REFUSED),
                new Attack("SELECT * FROM pg_catalog.pg_settings", REFUSED),
                new Attack("SELECT * FROM pragma_database_list", REFUSED),
                new Attack("SELECT * FROM pragma_database_list()", REFUSED),
                // Does something.
                new Attack("ATTACH " + tables + " AS other", REFUSED),
                new Attack("ATTACH ':memory:' AS other", REFUSED),
                new Attack("COPY hops_1s TO " + out, REFUSED),
                new Attack("COPY hops_1s TO " + nearOut, REFUSED),
                new Attack("COPY hops_1s FROM " + near, REFUSED),
                new Attack("EXPORT DATABASE " + out, REFUSED),
                new Attack("IMPORT DATABASE " + out, REFUSED),
                new Attack("INSTALL httpfs", REFUSED),
                new Attack("LOAD httpfs", REFUSED),
                new Attack("LOAD '/tmp/x.duckdb_extension'", REFUSED),
                new Attack("SET memory_limit = '100GB'", REFUSED),
                new Attack("RESET memory_limit", REFUSED),
                new Attack("SET VARIABLE a = 1", REFUSED),
                new Attack("PRAGMA database_list", REFUSED),
                new Attack("PRAGMA memory_limit = '100GB'", REFUSED),
                new Attack("CALL pragma_version()", REFUSED),
                new Attack("CREATE TABLE t (a INT)", REFUSED),
                new Attack("CREATE TEMP TABLE t AS SELECT 1", REFUSED),
                new Attack("CREATE SECRET s (TYPE s3)", REFUSED, WRONG),
                new Attack("INSERT INTO hops_1s (node) VALUES (1)", REFUSED),
                new Attack("INSERT INTO hops_1s (node) VALUES (1) RETURNING node", REFUSED),
                new Attack("WITH a AS (SELECT 1) DELETE FROM hops_1s", REFUSED),
                new Attack("WITH a AS (DELETE FROM hops_1s RETURNING node) SELECT * FROM a", REFUSED, WRONG),
                new Attack("UPDATE hops_1s SET node = 1", REFUSED),
                new Attack("DELETE FROM hops_1s", REFUSED),
                new Attack("MERGE INTO hops_1s USING hops_1m ON (false) WHEN MATCHED THEN DELETE", REFUSED),
                new Attack("TRUNCATE hops_1s", REFUSED),
                new Attack("DROP TABLE hops_1s", REFUSED),
                new Attack("ALTER TABLE hops_1s ADD COLUMN a INT", REFUSED),
                new Attack("CHECKPOINT", REFUSED),
                new Attack("SELECT * FROM checkpoint()", REFUSED),
                new Attack("SELECT * FROM force_checkpoint()", REFUSED),
                new Attack("VACUUM", REFUSED),
                new Attack("BEGIN", REFUSED),
                new Attack("USE memory", REFUSED),
                new Attack("PREPARE p AS SELECT 1", REFUSED),
                new Attack("EXECUTE p", REFUSED),
                new Attack("EXPLAIN DELETE FROM hops_1s", REFUSED),
                new Attack("EXPLAIN ANALYZE DELETE FROM hops_1s", REFUSED),
                new Attack("EXPLAIN EXPLAIN SELECT 1", REFUSED, WRONG),
                new Attack("SELECT 1; SELECT 2", REFUSED),
                new Attack("SELECT 1; DROP TABLE hops_1s", REFUSED),
                new Attack("EXPLAIN SELECT 1; DROP TABLE hops_1s", REFUSED),
                new Attack("SELECT 1) AS a; DROP TABLE hops_1s; SELECT * FROM (SELECT 1", WRONG),
                new Attack("", REFUSED, WRONG),
                new Attack(";", REFUSED, WRONG),
                new Attack("-- nothing", REFUSED, WRONG),
                new Attack("SELECT " + "1+".repeat(5_000) + "1", REFUSED),
                // Takes too much.
                new Attack(
                        "WITH RECURSIVE a AS (SELECT 1 AS n UNION ALL SELECT n FROM a) SELECT max(n) FROM a", TOO_MUCH),
                new Attack("SELECT count(*) FROM range(10000000) a, range(10000000) b, range(1000) c", TOO_MUCH),
                new Attack(
                        "SELECT list(a.range + b.range) AS l FROM range(100000) a, range(100000) b GROUP BY a.range % 7",
                        TOO_MUCH),
                new Attack(GREEDY, TOO_MUCH),
                new Attack("SELECT len(range(2000000000))", REFUSED),
                new Attack("SELECT len(main.Generate_Series(1, 2000000000))", REFUSED),
                new Attack("SELECT [x FOR x IN range(2000000000)]", REFUSED),
                new Attack("FROM unnest(range(2000000000))", REFUSED),
                new Attack("SELECT (2000000000).range()", REFUSED),
                new Attack("SELECT printf('%1000000000d', 1)", REFUSED),
                new Attack("SELECT sleep_ms(60000)", REFUSED),
                new Attack("SELECT repeat('x', 1000000000)", REFUSED),
                new Attack("SELECT lpad('x', 1000000000, 'y')", REFUSED));
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void refusesOrStopsInOneLine(Attack attack) throws Exception {
        QueryException refusal = refusal(attack.sql);
        assertThat(refusal.reason()).as(refusal.getMessage()).isIn((Object[]) attack.reasons);
        assertThat(refusal.getMessage()).isNotBlank().doesNotContain("\n", SECRET);
        assertThat(temp.resolve("out.csv")).doesNotExist();
        assertThat(temp.resolve("tables/export/out.csv")).doesNotExist();
        assertThat(ask("SELECT count(*) AS n FROM hops_1s")).containsExactly("{\"n\":5000}");
    }

    /** Were the gate ever wrong, there is a wall behind it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM read_csv('%s/secret.csv')",
                "SELECT * FROM '%s/secret.csv'",
                "SELECT * FROM glob('%s/*')",
                "COPY hops_1s TO '%s/out.csv'",
                "ATTACH '%s/other.duckdb'",
                "SET memory_limit = '100GB'",
                "SET GLOBAL enable_external_access = true",
                "SET temp_directory = '%s'",
                "RESET lock_configuration",
                "INSTALL httpfs",
                "LOAD httpfs",
                "CREATE TABLE t (a INT)",
                "DELETE FROM hops_1s",
            })
    void theInstanceItselfIsClosedUp(String sql) throws Exception {
        try (Database.Reader reader = store.database().reader();
                Statement statement = reader.statement()) {
            statement.execute("BEGIN TRANSACTION READ ONLY");
            assertThatThrownBy(() -> statement.execute(sql.replace("%s", temp.toString())))
                    .isInstanceOf(SQLException.class)
                    .hasMessageNotContaining("Syntax");
        }
        assertThat(temp.resolve("out.csv")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1 AS a",
                "select 1 as a;",
                " SELECT 1 AS a -- with a comment",
                "/* first */ SELECT 1 AS a",
                "WITH b AS (SELECT 1 AS a) SELECT * FROM b",
                "FROM (VALUES (1)) AS t(a)",
                "SELECT 1 AS a UNION SELECT 1",
                "SELECT a FROM range(1, 2) AS r(a)",
                "SELECT unnest([1]) AS a",
                "SELECT count(*) AS a FROM events WHERE kind = 'attack' AND \"end\" > start",
                "SELECT count(*) AS a FROM attacks e WHERE e.end IS NOT NULL",
                "SELECT count(*) AS a FROM flows_1m WHERE source_number BETWEEN ipv4('10.0.0.0') AND ipv4('10.255.255.255')",
                "SELECT row_number() OVER (ORDER BY time DESC) AS a FROM hops_1s QUALIFY a = 1",
            })
    void answersWhatOnlyAsks(String sql) throws Exception {
        assertThat(queries.ask(sql)).isEqualTo(new Answer(List.of("a"), List.of("{\"a\":1}"), false));
    }

    @Test
    void describesShowsSummarizesAndExplains() throws Exception {
        assertThat(ask("SHOW TABLES")).contains("{\"name\":\"hops_1s\"}");
        assertThat(ask("DESCRIBE paths").get(1)).contains("\"nodes\"", "\"BIGINT[]\"");
        assertThat(ask("SUMMARIZE hops_1s").getFirst()).contains("\"time\"");
        assertThat(ask("SELECT table_name FROM information_schema.tables")).contains("{\"table_name\":\"events\"}");
        Answer plan = queries.ask("explain SELECT node FROM hops_1s WHERE node > 3");
        assertThat(plan.columns()).containsExactly("plan");
        assertThat(plan.rows()).hasSize(1);
        assertThat(plan.rows().getFirst()).contains("hops_1s");
        assertThat(ask("EXPLAIN ANALYZE SELECT node FROM hops_1s WHERE node > 3")
                        .getFirst())
                .contains("4,996");
    }

    @Test
    void answersAreJsonWhateverTheValues() throws Exception {
        assertThat(ask("SELECT 'a\"b\n' AS t, NULL AS n, [1, NULL] AS l, {'x': 1} AS s, 1.5 AS d, true AS b,"
                        + " 'nan'::DOUBLE IS NULL AS f"))
                .containsExactly("{\"t\":\"a\\\"b\\n\",\"n\":null,\"l\":[1,null],\"s\":{\"x\":1},\"d\":1.5,\"b\":true,"
                        + "\"f\":false}");
        assertThat(ask("SELECT 'inf'::DOUBLE AS i, 'nan'::FLOAT AS n, 0.5::DOUBLE AS \"a \"\"b\", 2 AS \"row\""))
                .containsExactly("{\"i\":null,\"n\":null,\"a \\\"b\":0.5,\"row\":2}");
        assertThat(queries.ask("SELECT 1 AS a, 2 AS a, 3 AS asked, 4 AS answer"))
                .isEqualTo(new Answer(
                        List.of("a", "a_1", "asked", "answer"),
                        List.of("{\"a\":1,\"a_1\":2,\"asked\":3,\"answer\":4}"),
                        false));
        assertThat(ask("SELECT node FROM hops_1s ORDER BY node DESC LIMIT 3"))
                .containsExactly("{\"node\":4999}", "{\"node\":4998}", "{\"node\":4997}");
    }

    @Test
    void cutsAnAnswerAtItsRowsAndItsBytes() throws Exception {
        Answer many = queries.ask("SELECT node FROM hops_1s ORDER BY node");
        assertThat(many.cut()).isTrue();
        assertThat(many.rows()).hasSize(LIMITS.rows());
        assertThat(many.rows().getLast()).isEqualTo("{\"node\":999}");
        assertThat(queries.ask("SELECT node FROM hops_1s LIMIT 1000").cut()).isFalse();

        Answer wide = queries.ask(
                "WITH w AS (SELECT string_agg('abcd', '') AS w FROM range(50000)) " + "SELECT w FROM w, range(100)");
        assertThat(wide.cut()).isTrue();
        assertThat(wide.rows()).hasSize((int) (LIMITS.answerBytes() / 200_008));
        assertThat(queries.ask("SELECT range AS r FROM range(1000000000000)").rows())
                .hasSize(LIMITS.rows());
    }

    @Test
    void saysWhatIsWrongWithAQuestion() {
        assertThat(refusal("SELEC 1"))
                .hasMessageContaining("SELEC")
                .extracting("reason")
                .isEqualTo(WRONG);
        assertThat(refusal("SELECT nodes FROM hops_1s").getMessage()).contains("nodes");
        assertThat(refusal("SELECT * FROM hops_1h").getMessage()).contains("hops_1h");
        assertThat(refusal("SELECT error('mine')").getMessage()).contains("mine");
    }

    @Test
    void othersWaitTheirTurnAndNotForever() throws Exception {
        Queries one = store.queries(new QueryLimits(Duration.ofMillis(500), 1, 100, 4_096, 1));
        List<Reason> reasons = new CopyOnWriteArrayList<>();
        List<Thread> threads = Stream.generate(() -> Thread.ofPlatform()
                        .start(() -> reasons.add(catchThrowableOfType(QueryException.class, () -> one.ask(ENDLESS))
                                .reason())))
                .limit(4)
                .toList();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(reasons).hasSize(4).contains(TOO_MUCH, BUSY).doesNotContain(REFUSED, WRONG);
        assertThat(one.ask("SELECT 1 AS a").rows()).hasSize(1);
    }

    @Test
    void aGreedyQuestionDoesNotCostARow(@TempDir Path own) throws Exception {
        TableStore busy = TableStore.open(own, OPTIONS, line -> {});
        Thread thread = Thread.ofPlatform().start(busy);
        List<Reason> reasons = new CopyOnWriteArrayList<>();
        Queries greedy = busy.queries(new QueryLimits(Duration.ofSeconds(20), 1, 1_000, 4_096, 1));
        Thread asking = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < 3; i++) {
                reasons.add(catchThrowableOfType(QueryException.class, () -> greedy.ask(GREEDY))
                        .reason());
            }
        });
        long n = 0;
        while (asking.isAlive() || n < 10) {
            if (busy.health().waitingBytes() > OPTIONS.queueBytes() / 2) {
                Thread.onSpinWait();
                continue;
            }
            n++;
            for (int i = 0; i < 2_000; i++) {
                assertThat(busy.append(Rows.hop(false, START + n, i, n))).isTrue();
            }
            assertThat(busy.mark(START + n, Map.of())).isTrue();
        }
        asking.join();
        assertThat(reasons).hasSize(3).isSubsetOf(TOO_MUCH, BUSY);
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (busy.stored().storedToNanos() < START + n && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        busy.stop();
        thread.join();
        assertThat(busy.queries(LIMITS)
                        .ask("SELECT count(*) AS c, count(DISTINCT reports) AS n FROM hops_1s")
                        .rows())
                .as(busy.health().toString())
                .containsExactly("{\"c\":" + 2_000 * n + ",\"n\":" + n + "}");
        busy.close();
    }

    @Test
    void whoClosesTheTablesDoesNotWaitForThoseWhoAsk(@TempDir Path own) throws Exception {
        TableStore closed = TableStore.open(own, OPTIONS, line -> {});
        Queries patient = closed.queries(new QueryLimits(Duration.ofMinutes(5), 1, 1, 4_096, 2));
        List<QueryException> refusals = new CopyOnWriteArrayList<>();
        Thread asking = Thread.ofPlatform()
                .start(() -> refusals.add(catchThrowableOfType(QueryException.class, () -> patient.ask(ENDLESS))));
        while (closed.database().readers() == 0) {
            Thread.onSpinWait();
        }
        closed.close();
        asking.join();
        assertThat(refusals).extracting(QueryException::reason).containsExactly(BUSY);
        assertThat(catchThrowableOfType(QueryException.class, () -> patient.ask("SELECT 1"))
                        .reason())
                .isEqualTo(BUSY);
    }

    // The program's own questions
    // --------------------------------------------------------------------------------------------------------------

    @Test
    void aQuestionOfOurOwnHasParametersAndRows() throws Exception {
        List<String> told = new ArrayList<>();
        queries.read(
                "SELECT flow_id, source, source_port, vni, latency_p50, reports / 2.0 AS half, [1, 4294967295] AS list,"
                        + " CAST(NULL AS BIGINT) AS nothing, 'x\\x00'::BLOB AS octets, true AS yes FROM flows_1m"
                        + " WHERE source = ? AND source_port = ?",
                List.of("10.0.1.1", 45678L),
                row -> told.add(row.text("source") + " " + row.number("source_port") + " " + row.share("half") + " "
                        + row.numbers("list") + " " + row.number("nothing") + " " + row.signed("nothing") + " "
                        + row.text("nothing") + " " + row.share("nothing") + " " + row.numbers("nothing") + " "
                        + Arrays.toString(row.bytes("octets")) + " " + (row.bytes("nothing") == null) + " "
                        + row.flag("yes")));
        assertThat(told).containsExactly("10.0.1.1 45678 2.5 [1, 4294967295] -1 null null NaN [] [120, 0] true true");
    }

    @Test
    void aQuestionOfOurOwnEndsInTimeAndWritesNothing() throws Exception {
        List<Long> nodes = new ArrayList<>();
        queries.read("SELECT node FROM hops_1s", List.of(), row -> nodes.add(row.number("node")));
        assertThat(nodes).hasSize(5_000);
        assertThat(catchThrowableOfType(QueryException.class, () -> queries.read(ENDLESS, List.of(), row -> {}))
                        .reason())
                .isEqualTo(TOO_MUCH);
        Queries hasty = store.queries(new QueryLimits(Duration.ofMillis(300), 1_000, 1 << 20, 4_096, 2));
        long[] told = {0};
        assertThat(catchThrowableOfType(
                                QueryException.class,
                                () -> hasty.read("SELECT node FROM hops_1s", List.of(), row -> {
                                    told[0]++;
                                    long end = System.nanoTime() + 1_000_000;
                                    while (System.nanoTime() - end < 0) {
                                        Thread.onSpinWait();
                                    }
                                }))
                        .reason())
                .isEqualTo(TOO_MUCH);
        assertThat(told[0]).isBetween(1L, 500L);
        assertThat(catchThrowableOfType(
                        QueryException.class, () -> queries.read("DELETE FROM hops_1s", List.of(), row -> {})))
                .isNotNull();
        assertThat(catchThrowableOfType(
                                QueryException.class,
                                () -> queries.read("SELECT 1 AS one", List.of(), row -> row.number("two")))
                        .reason())
                .isEqualTo(WRONG);
    }
}
