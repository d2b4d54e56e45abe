package io.pathlore.store.tables;

import java.math.BigInteger;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads tables to tell others of them, a page at a time. What a table has in several rows of one {@link Table#identity}, because a collector had no
 * room to add it up to the end, is one row here.
 */
public final class TablePages {
    private static final Set<String> SUMS = Set.of(
            "reports",
            "packets",
            "drops",
            "datagrams",
            "bytes",
            "undecodable",
            "rejected_reports",
            "duplicates",
            "lost");

    /** An episode is told when it has ended, and may have begun long before. */
    private static final String END = "\"end\"";

    /** The largest numbers are no time to DuckDB. */
    private static final long LATEST = Long.MAX_VALUE - 1_000_000_000L;

    private final Queries queries;

    public TablePages(Queries queries) {
        this.queries = queries;
    }

    /** Pages of one table. Nothing is held open between two of them. */
    public final class Walk {
        private final Table table;
        private final long sinceNanos;
        private final long untilNanos;
        private final int rows;
        private long offset;
        private boolean over;
        private Row.@Nullable Told last;

        private Walk(Table table, long sinceNanos, long untilNanos, int rows) {
            this.table = table;
            this.sinceNanos = sinceNanos;
            this.untilNanos = untilNanos;
            this.rows = rows;
        }

        /** The next rows, in the order of their identity; none where there are no more. */
        public List<Row.Told> next() throws QueryException, InterruptedException {
            if (over) {
                return List.of();
            }
            List<Row.Told> page = page(table, sinceNanos, untilNanos, rows, offset, last);
            offset += page.size();
            over = page.size() < rows;
            last = page.isEmpty() ? last : page.getLast();
            return page;
        }
    }

    /** All rows whose time is in a span. */
    public Walk walk(Table table, long sinceNanos, long untilNanos, int rows) {
        return new Walk(table, sinceNanos, untilNanos, rows);
    }

    private List<Row.Told> page(Table table, long since, long until, int rows, long offset, Row.@Nullable Told last)
            throws QueryException, InterruptedException {
        List<Object> parameters = new ArrayList<>(bounds(since, until));
        String behind = "";
        // Rows whose time is not what tells them apart may leave the span meanwhile: counting them would skip others.
        boolean byKey = table.isReplaced() && !table.identity().contains(table.timeColumn());
        Object key = last == null || !byKey ? null : last.value(table.identity().getFirst());
        if (key != null) {
            behind = " AND " + table.identity().getFirst() + " > ?";
            parameters.add(key);
        }
        String order = table.identity().stream()
                .map(column -> Integer.toString(table.indexOf(column) + 1))
                .collect(Collectors.joining(", "));
        String sql = "SELECT " + selection(table) + " FROM " + table.label() + " AS t WHERE " + span(table) + behind
                + (table.isReplaced() ? "" : " GROUP BY " + grouping(table))
                + " ORDER BY " + order + " LIMIT " + rows + (byKey ? "" : " OFFSET " + offset);
        List<Row.Told> page = new ArrayList<>();
        queries.read(sql, parameters, row -> page.add(told(table, row)));
        return page;
    }

    /** How many rows are in a span, as they stand in the table. */
    public long count(Table table, long sinceNanos, long untilNanos) throws QueryException, InterruptedException {
        return number(
                "SELECT count(*) AS n FROM " + table.label() + " WHERE " + span(table), bounds(sinceNanos, untilNanos));
    }

    /** The first time that any row has in a span; {@link Row#ABSENT} where there is none. */
    public long first(List<Table> tables, long sinceNanos, long untilNanos)
            throws QueryException, InterruptedException {
        List<Object> parameters = new ArrayList<>();
        List<String> parts = new ArrayList<>();
        for (Table table : tables) {
            parts.add("(SELECT min(" + changed(table) + ") FROM " + table.label() + " WHERE " + span(table) + ")");
            parameters.addAll(bounds(sinceNanos, untilNanos));
        }
        return number("SELECT epoch_ns(least(" + String.join(", ", parts) + ")) AS n", parameters);
    }

    /** The last time that a row of a table has in a span; {@link Row#ABSENT} where there is none. */
    public long last(Table table, long sinceNanos, long untilNanos) throws QueryException, InterruptedException {
        return number(
                "SELECT epoch_ns(max(" + changed(table) + ")) AS n FROM " + table.label() + " WHERE " + span(table),
                bounds(sinceNanos, untilNanos));
    }

    private long number(String sql, List<Object> parameters) throws QueryException, InterruptedException {
        long[] found = {Row.ABSENT};
        queries.read(sql, parameters, row -> found[0] = row.number("n"));
        return found[0];
    }

    private static String changed(Table table) {
        return table == Table.EPISODES ? END : table.timeColumn();
    }

    private static List<Object> bounds(long sinceNanos, long untilNanos) {
        return List.of(sinceNanos, Math.min(untilNanos, LATEST));
    }

    private static String span(Table table) {
        return changed(table) + " >= make_timestamp_ns(?) AND " + changed(table) + " < make_timestamp_ns(?)";
    }

    private static String grouping(Table table) {
        return table.identity().stream().map(column -> "t." + column).collect(Collectors.joining(", "));
    }

    private static String selection(Table table) {
        return table.columns().stream()
                .map(column -> selected(table, column) + " AS " + column.quoted())
                .collect(Collectors.joining(", "));
    }

    private static String selected(Table table, Column column) {
        String one = "t." + column.quoted();
        if (!table.isReplaced() && !table.identity().contains(column.name())) {
            one = together(column, one);
        }
        return switch (column.kind()) {
            case TIME -> "epoch_ns(" + one + ")";
            case ADDRESS -> "CAST(" + one + " AS VARCHAR)";
            case NUMBER, SHARE, FLAG, TEXT, BYTES, NUMBERS -> one;
        };
    }

    private static String together(Column column, String one) {
        if (SUMS.contains(column.name())) {
            return "CAST(sum(" + one + ") AS BIGINT)";
        }
        return switch (column.kind()) {
            case NUMBER -> (column.name().endsWith("_min") ? "min(" : "max(") + one + ")";
            case SHARE -> "min(" + one + ")";
            case TIME, FLAG, TEXT, BYTES, NUMBERS, ADDRESS -> "any_value(" + one + ")";
        };
    }

    private static Row.Told told(Table table, TableRow row) throws SQLException {
        List<@Nullable Object> values = new ArrayList<>();
        for (Column column : table.columns()) {
            String name = column.name();
            values.add(
                    switch (column.kind()) {
                        case TIME, NUMBER -> row.signed(name);
                        case SHARE -> share(row.share(name));
                        case FLAG -> row.flag(name);
                        case TEXT -> row.text(name);
                        case BYTES -> row.bytes(name);
                        case NUMBERS -> row.numbers(name);
                        case ADDRESS -> address(row.text(name));
                    });
        }
        return new Row.Told(table, values);
    }

    private static @Nullable Double share(double share) {
        return Double.isNaN(share) ? null : share;
    }

    private static @Nullable BigInteger address(@Nullable String number) {
        return number == null ? null : new BigInteger(number);
    }
}
