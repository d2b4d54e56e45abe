package io.pathlore.bench.load;

import io.pathlore.bench.Results;
import io.pathlore.model.FlowKey;
import io.pathlore.store.tables.QueryException;
import io.pathlore.store.tables.QueryLimits;
import io.pathlore.store.tables.Row;
import io.pathlore.store.tables.TableOptions;
import io.pathlore.store.tables.TableStore;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * How fast rows are stored, and how long three questions take that people ask, beside a plain table of as many rows that has only the
 * columns the questions need, as numbers.
 */
final class TableQuestions {
    private static final long MINUTE = 60_000_000_000L;
    private static final long START = 1_700_000_040_000_000_000L;
    private static final int FLOWS = 100_000;
    private static final int QUEUES = 2_000;
    private static final int QUEUES_A_NODE = 20;
    private static final int TIMES = 5;
    private static final long CROWDED = 16L << 20;
    private static final long MEMORY = 4L << 30;

    private TableQuestions() {}

    static void run(Path directory, int rows, PrintStream out, Results results)
            throws IOException, InterruptedException {
        TableOptions options = new TableOptions(Duration.ZERO, Duration.ZERO, Duration.ZERO, MEMORY, 256L << 20, 2);
        TableStore store = TableStore.open(directory, options, System.err::println);
        Thread thread = Thread.ofPlatform().start(store);
        double hops = fill(store, rows, TableQuestions::hop);
        double flows = fill(store, rows, TableQuestions::flow);
        results.put("stored.hopsPerSecond", hops);
        results.put("stored.flowsPerSecond", flows);
        out.printf(
                Locale.ROOT,
                "%nstored: %,.0f rows/s of queues, %,.0f rows/s of flows (%,d of each)%n",
                hops,
                flows,
                rows);
        try (var plain = DriverManager.getConnection("jdbc:duckdb:" + directory.resolve("plain.duckdb"));
                Statement sql = plain.createStatement()) {
            sql.execute("SET threads = 2");
            sql.execute("SET memory_limit = '4GiB'");
            sql.execute("CREATE TABLE plain AS SELECT make_timestamp_ns(" + START + " + (range // " + FLOWS + ") * "
                    + MINUTE + ") AS time, hash(range % " + FLOWS + ") AS flow, (range % " + QUEUES + ") // "
                    + QUEUES_A_NODE + " AS node, 500 + hash(range) % 100000 AS latency, hash(range) % 7 AS drops,"
                    + " hash(range % 50) AS path FROM range(" + rows + ")");
            sql.execute("CHECKPOINT");
            String last = "make_timestamp_ns(" + (START + (rows - 1) / FLOWS * MINUTE) + ")";
            out.printf("%n%-44s %9s %9s   %s%n", "questions, median of " + TIMES, "tables", "plain", "plain = 1");
            ask(
                    "top ten flows by drops, last minute",
                    store,
                    "SELECT flow_id, sum(drops) AS drops FROM flows_1m WHERE time >= " + last
                            + " GROUP BY flow_id ORDER BY drops DESC, flow_id LIMIT 10",
                    sql,
                    "SELECT flow, sum(drops) AS drops FROM plain WHERE time >= " + last
                            + " GROUP BY flow ORDER BY drops DESC, flow LIMIT 10",
                    out,
                    results);
            ask(
                    "p99 of hop latency of each node, all rows",
                    store,
                    "SELECT node, quantile_disc(latency_max, 0.99) AS p99 FROM hops_1s GROUP BY node ORDER BY node",
                    sql,
                    "SELECT node, quantile_disc(latency, 0.99) AS p99 FROM plain GROUP BY node ORDER BY node",
                    out,
                    results);
            ask(
                    "path of one flow, all rows",
                    store,
                    "SELECT time, path_id FROM flows_1m WHERE flow_id = '" + key(77).id() + "' ORDER BY time",
                    sql,
                    "SELECT time, path FROM plain WHERE flow = hash(77) ORDER BY time",
                    out,
                    results);
        } catch (SQLException | QueryException e) {
            throw new IOException(e);
        } finally {
            store.stop();
            thread.join();
            store.close();
        }
    }

    private interface Maker {
        Row row(int number);
    }

    private static double fill(TableStore store, int rows, Maker maker) {
        long before = store.health().stored();
        long start = System.nanoTime();
        for (int i = 0; i < rows; i++) {
            while (!store.append(maker.row(i))) {
                throw new IllegalStateException(store.health().line());
            }
            if (i % 8_192 == 0) {
                boolean _ = store.flush();
                while (store.health().waitingBytes() > CROWDED) {
                    LockSupport.parkNanos(100_000);
                }
            }
        }
        boolean _ = store.mark(START + rows, Map.of());
        while (store.health().stored() - before < rows) {
            LockSupport.parkNanos(100_000);
        }
        return rows * 1e9 / (System.nanoTime() - start);
    }

    private static long spread(long value) {
        long h = value * 0x9E37_79B9_7F4A_7C15L;
        return (h ^ h >>> 32) >>> 1;
    }

    private static Row hop(int number) {
        int queue = number % QUEUES;
        long latency = 500 + spread(number) % 100_000;
        return new Row.Hop(
                false,
                START + (long) (number / QUEUES) * 1_000_000_000L,
                queue / QUEUES_A_NODE,
                queue % QUEUES_A_NODE,
                0,
                10,
                500,
                latency / 2,
                latency,
                latency,
                null,
                spread(number) % 10_000,
                Row.ABSENT,
                0,
                1.0);
    }

    private static FlowKey key(int flow) {
        return FlowKey.ipv4(0x0A00_0000 | flow, 0x0A01_0001, 6, 1_000 + flow % 60_000, 443);
    }

    private static final FlowKey[] KEYS = new FlowKey[FLOWS];

    static {
        Arrays.setAll(KEYS, TableQuestions::key);
    }

    private static Row flow(int number) {
        int flow = number % FLOWS;
        return new Row.Flow(
                START + (long) (number / FLOWS) * MINUTE,
                KEYS[flow],
                10,
                Row.ABSENT,
                String.format(Locale.ROOT, "%016x", flow % 50),
                1_000,
                spread(number) % 100_000,
                spread(number) % 7);
    }

    private static void ask(
            String what,
            TableStore store,
            String ours,
            Statement plain,
            String theirs,
            PrintStream out,
            Results results)
            throws SQLException, QueryException, InterruptedException {
        var queries = store.queries(new QueryLimits(Duration.ofMinutes(2), 1_000, 1 << 20, 4_096, 1));
        double[] tables = new double[TIMES];
        double[] baseline = new double[TIMES];
        for (int i = 0; i < TIMES; i++) {
            long start = System.nanoTime();
            int found = queries.ask(ours).rows().size();
            tables[i] = (System.nanoTime() - start) / 1e6;
            start = System.nanoTime();
            int same = 0;
            try (ResultSet rows = plain.executeQuery(theirs)) {
                while (rows.next()) {
                    same++;
                }
            }
            baseline[i] = (System.nanoTime() - start) / 1e6;
            if (found == 0 || found != Math.min(1_000, same)) {
                throw new IllegalStateException(what + ": " + found + " rows, and " + same);
            }
        }
        Arrays.sort(tables);
        Arrays.sort(baseline);
        double ratio = tables[TIMES / 2] / baseline[TIMES / 2];
        String name = "question." + what.replaceAll("[^a-z0-9]+", "-");
        results.put(name + ".millis", tables[TIMES / 2]);
        results.put(name + ".plainMillis", baseline[TIMES / 2]);
        out.printf(
                Locale.ROOT, "  %-42s %6.0f ms %6.0f ms   %.2f%n", what, tables[TIMES / 2], baseline[TIMES / 2], ratio);
    }
}
