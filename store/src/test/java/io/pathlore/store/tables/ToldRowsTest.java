package io.pathlore.store.tables;

import static io.pathlore.store.tables.Rows.START;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows that are read from one store and told to another are the same there, and stand there once however often they are told. */
class ToldRowsTest {
    private static final long NOW = 1_000;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path temp;

    private TableStore open(String name) throws TableException {
        return TableStore.open(temp.resolve(name), TableOptions.DEFAULT, line -> {});
    }

    private static void store(TableStore store, Map<String, String> positions, List<? extends Row> rows) {
        assertThat(store.append(rows)).isTrue();
        assertThat(store.mark(START, positions)).isTrue();
        assertThat(store.step(NOW)).isTrue();
    }

    private static List<Row.Told> all(TableStore store, Table table, int page) throws Exception {
        TablePages.Walk walk = new TablePages(store.queries(QueryLimits.DEFAULT)).walk(table, 0, Long.MAX_VALUE, page);
        List<Row.Told> all = new ArrayList<>();
        for (List<Row.Told> next = walk.next(); !next.isEmpty(); next = walk.next()) {
            all.addAll(next);
        }
        return all;
    }

    private static String text(TableStore store, Table table) throws Exception {
        return store.queries(QueryLimits.DEFAULT)
                .ask("SELECT * FROM " + table.label() + " ORDER BY ALL")
                .rows()
                .toString();
    }

    @ParameterizedTest
    @EnumSource(Table.class)
    void areTheSameElsewhereAndThereOnce(Table table) throws Exception {
        try (TableStore here = open("here");
                TableStore there = open("there")) {
            store(here, Map.of(), List.of(Rows.full(table), Rows.unknown(table)));
            List<Row.Told> told = all(here, table, 1);
            // What has no time yet is not told.
            boolean timeless = table == Table.EPISODES || table == Table.NODES;
            assertThat(told).hasSize(timeless ? 1 : 2);
            for (int i = 0; i < 2; i++) {
                store(there, Map.of("topic/0", Integer.toString(i)), told);
            }
            store(there, Map.of("topic/0", "2"), List.of(told.getFirst(), told.getFirst()));
            assertThat(all(there, table, 10)).hasSameSizeAs(told);
            if (!timeless) {
                assertThat(text(there, table)).isEqualTo(text(here, table));
            }
        }
    }

    private static Row.Told hop(long time, Long queue, long reports) {
        Object[] values = new Object[Table.HOPS_1S.columns().size()];
        values[0] = time;
        values[1] = 7L;
        values[3] = queue;
        values[4] = reports;
        return new Row.Told(Table.HOPS_1S, Arrays.asList(values));
    }

    @Test
    @SuppressWarnings("NullAway") // an unknown queue is what this is about
    void theLaterOneOfAKeyCountsAlsoWhereAPartOfItIsUnknown() throws Exception {
        try (TableStore store = open("tables")) {
            store(store, Map.of("topic/0", "3"), List.of(hop(START, null, 1), hop(START, 0L, 10), hop(START, null, 2)));
            store(store, Map.of("topic/0", "5"), List.of(hop(START, null, 3), hop(START + 1, null, 100)));
            assertThat(store.queries(QueryLimits.DEFAULT)
                            .ask("SELECT sum(reports)::BIGINT AS n FROM hops_1s")
                            .rows()
                            .toString())
                    .contains("113");
        }
    }

    /** The rows and where to read on are one: whoever begins again has neither less nor more. */
    @Test
    void whereToReadOnIsStoredWithTheRows() throws Exception {
        try (TableStore store = open("tables")) {
            store(store, Map.of("topic/0", "2"), List.of(hop(START, 0L, 1), hop(START + Rows.SECOND, 0L, 2)));
            // Not stored: neither they nor the mark behind them.
            assertThat(store.append(hop(START + 2 * Rows.SECOND, 0L, 4))).isTrue();
            assertThat(store.mark(START + Rows.SECOND, Map.of("topic/0", "3"))).isTrue();
        }
        try (TableStore store = open("tables")) {
            Mark mark = store.resume();
            assertThat(mark.positions()).containsExactly(Map.entry("topic/0", "2"));
            store(store, Map.of("topic/0", "3"), List.of(hop(START + 2 * Rows.SECOND, 0L, 4)));
            assertThat(all(store, Table.HOPS_1S, 10))
                    .as("rows ahead of the mark stay")
                    .hasSize(3);
        }
    }

    /** A flow that had to leave and came back has two rows in its minute. */
    @Test
    void partsOfARowAreToldAsOne() throws Exception {
        try (TableStore store = open("tables")) {
            Row.Hop one = Rows.hop(true, START, 3, 5);
            store(store, Map.of(), List.of(one, Rows.hop(true, START, 3, 6), Rows.hop(true, START, 4, 1)));
            List<Row.Told> told = all(store, Table.HOPS_1M, 10);
            assertThat(told).hasSize(2);
            assertThat(told.getFirst().value("reports")).isEqualTo(11L);
        }
    }

    @Test
    void pagesHaveEachRowOnce() throws Exception {
        try (TableStore store = open("tables")) {
            List<Row> rows = new ArrayList<>();
            for (int i = 0; i < 25; i++) {
                rows.add(Rows.hop(false, START + i % 5 * Rows.SECOND, i, i));
                rows.add(Rows.path("p" + (char) ('a' + i), START + i, 1L));
            }
            store(store, Map.of(), rows);
            for (int i = 0; i < 25; i++) {
                rows.add(new Row.AttackSecond(START + i / 2 * Rows.SECOND, "a" + i % 2, i, true, 1));
            }
            store(store, Map.of(), rows.subList(50, 75));
            store(store, Map.of(), rows.subList(60, 75));
            for (Table table : List.of(Table.HOPS_1S, Table.PATHS, Table.ATTACKS_1S)) {
                assertThat(all(store, table, 4).stream().map(Row.Told::key).distinct())
                        .hasSize(25);
            }
            TablePages pages = new TablePages(store.queries(QueryLimits.DEFAULT));
            assertThat(pages.count(Table.HOPS_1S, START, START + Rows.SECOND)).isEqualTo(5);
            assertThat(pages.first(List.of(Table.HOPS_1S, Table.DROPS_1S), START + 1, Long.MAX_VALUE))
                    .isEqualTo(START + Rows.SECOND);
            assertThat(pages.last(Table.HOPS_1S, 0, START)).isEqualTo(Row.ABSENT);
        }
    }
}
