package io.pathlore.store.tables;

import io.pathlore.store.tables.Database.Reader;
import io.pathlore.store.tables.QueryException.Reason;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;

/**
 * Lets pass what only asks: one {@code SELECT} (with {@code WITH}, {@code FROM …}, {@code VALUES}), {@code DESCRIBE},
 * {@code SHOW}, {@code SUMMARIZE}, or {@code EXPLAIN} of one of them. DuckDB's own parser says what a text is; what is run
 * afterwards is not the text but what the parser made of it.
 */
final class SqlGate {
    /** Functions that may stand behind {@code FROM}. All others read files, run SQL of their own or tell about the process. */
    private static final Set<String> TABLE_FUNCTIONS = Set.of(
            "range",
            "generate_series",
            "unnest",
            "json_each",
            "json_tree",
            "duckdb_columns",
            "duckdb_functions",
            "duckdb_tables",
            "duckdb_types");

    /**
     * Functions that tell about the process, sleep, or make much of nothing: DuckDB works them out while it plans, where neither the
     * limit of memory nor that of time reaches. Some of them may stand behind {@code FROM} all the same, for there they come
     * in pieces.
     */
    private static final Set<String> REFUSED = Set.of(
            "array_resize",
            "bar",
            "bitstring",
            "current_setting",
            "equi_width_bins",
            "format",
            "generate_series",
            "getenv",
            "json_deserialize_sql",
            "json_serialize_plan",
            "json_serialize_sql",
            "list_resize",
            "lpad",
            "nextval",
            "pg_sleep",
            "printf",
            "query",
            "query_table",
            "range",
            "repeat",
            "rpad",
            "set_config",
            "setval",
            "sleep_ms",
            "stats",
            "to_base",
            "write_log");

    private static final Set<String> INSIDE = Set.of("duckdb_", "pg_", "pragma_", "sqlite_");

    private static final String EXPLAIN = "explain";
    private static final String ANALYZE = "analyze";

    /** @param sql one statement that asks, without what the parser ignores */
    record Question(String sql, boolean explain) {}

    private SqlGate() {}

    static Question check(Reader reader, String text) throws SQLException, QueryException {
        String rest = text.strip();
        String explain = "";
        for (String word : new String[] {EXPLAIN, ANALYZE}) {
            if (startsWith(rest, word) && (word.equals(EXPLAIN) || !explain.isEmpty())) {
                explain += word + " ";
                rest = rest.substring(word.length()).strip();
            }
        }
        String tree = parse(reader, rest);
        checkNames(reader, tree);
        return new Question(explain + text(reader, tree), !explain.isEmpty());
    }

    private static boolean startsWith(String text, String word) {
        return text.regionMatches(true, 0, word, 0, word.length())
                && text.length() > word.length()
                && Character.isWhitespace(text.charAt(word.length()));
    }

    private static String parse(Reader reader, String sql) throws SQLException, QueryException {
        try (PreparedStatement parser = reader.prepare("""
                WITH parsed AS MATERIALIZED (SELECT json_serialize_sql(CAST(? AS VARCHAR)) AS tree)
                SELECT tree ->> 'error', tree ->> 'error_type', tree ->> 'error_message',
                    json_array_length(tree, '$.statements'), CAST(tree AS VARCHAR)
                FROM parsed
                """)) {
            parser.setString(1, sql);
            try (ResultSet row = parser.executeQuery()) {
                row.next();
                if (row.getBoolean(1)) {
                    throw "parser".equals(row.getString(2))
                            ? new QueryException(Reason.WRONG, firstLine(row.getString(3)))
                            : new QueryException(
                                    Reason.REFUSED,
                                    "only questions are answered: SELECT, WITH, DESCRIBE, SHOW, SUMMARIZE, EXPLAIN");
                }
                if (row.getInt(4) != 1) {
                    throw new QueryException(Reason.REFUSED, "one statement at a time, these are " + row.getInt(4));
                }
                return row.getString(5);
            }
        }
    }

    private static void checkNames(Reader reader, String tree) throws SQLException, QueryException {
        try (PreparedStatement names = reader.prepare("""
                SELECT key, lower(atom ->> '$'), path FROM json_tree(CAST(? AS JSON))
                WHERE key IN ('function_name', 'table_name', 'schema_name') AND type = 'VARCHAR'
                """)) {
            names.setString(1, tree);
            try (ResultSet row = names.executeQuery()) {
                while (row.next()) {
                    String name = row.getString(2).replace("\"", "");
                    boolean allowed = row.getString(1).equals("function_name")
                            ? isAllowed(name, row.getString(3).endsWith(".function"))
                            : isTable(name);
                    if (!allowed) {
                        throw new QueryException(Reason.REFUSED, name + " cannot be asked here");
                    }
                }
            }
        }
    }

    private static boolean isAllowed(String function, boolean behindFrom) {
        return behindFrom ? TABLE_FUNCTIONS.contains(function) : !REFUSED.contains(function);
    }

    /** A name with a dot is that of a file, which DuckDB would open; where exports are it may. */
    private static boolean isTable(String name) {
        return TABLE_FUNCTIONS.contains(name)
                || (name.indexOf('.') < 0 && INSIDE.stream().noneMatch(name::startsWith));
    }

    private static String text(Reader reader, String tree) throws SQLException {
        try (PreparedStatement writer = reader.prepare("SELECT json_deserialize_sql(CAST(? AS JSON))")) {
            writer.setString(1, tree);
            try (ResultSet row = writer.executeQuery()) {
                row.next();
                String sql = row.getString(1).strip();
                return sql.endsWith(";") ? sql.substring(0, sql.length() - 1) : sql;
            }
        }
    }

    private static String firstLine(String text) {
        return text.strip().lines().findFirst().orElse("not SQL");
    }
}
