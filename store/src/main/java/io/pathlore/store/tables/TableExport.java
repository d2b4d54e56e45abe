package io.pathlore.store.tables;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A table, or a time of it, as a file: {@code .parquet}, {@code .csv} or {@code .jsonl}. The file appears under its name when it is
 * whole, or not at all.
 */
public final class TableExport {
    /** What a name may end in, and how it is written then. */
    private enum Format {
        PARQUET("FORMAT parquet, COMPRESSION zstd"),
        CSV("FORMAT csv, HEADER"),
        JSONL("FORMAT json");

        private final String options;

        Format(String options) {
            this.options = options;
        }

        private String ending() {
            return "." + name().toLowerCase(Locale.ROOT);
        }
    }

    private TableExport() {}

    /** Whether the name of a file says how to write it. */
    public static boolean knows(Path out) {
        for (Format format : Format.values()) {
            if (out.toString().endsWith(format.ending())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Writes it.
     *
     * @param sinceNanos 0 for all there is
     * @param untilNanos not included; {@link Long#MAX_VALUE} for all there is
     */
    static void write(Database database, Table table, long sinceNanos, long untilNanos, Path out) throws IOException {
        Format format = format(out);
        Path written = Files.createTempFile(database.exports(), table.label(), format.ending());
        Path beside = out.toAbsolutePath().resolveSibling(out.getFileName() + ".tmp");
        try {
            copy(
                    database,
                    "COPY (" + selection(table, format, sinceNanos, untilNanos) + ") TO "
                            + Database.text(written.toAbsolutePath().toString()) + " (" + format.options + ")");
            // The directory is on another disk perhaps, where nothing can be renamed to.
            Files.move(written, beside, StandardCopyOption.REPLACE_EXISTING);
            Files.move(beside, out.toAbsolutePath(), StandardCopyOption.ATOMIC_MOVE);
        } catch (SQLException e) {
            throw new TableException(out, "cannot be exported", e);
        } finally {
            Files.deleteIfExists(written);
            Files.deleteIfExists(beside);
        }
    }

    private static Format format(Path out) throws TableException {
        for (Format format : Format.values()) {
            if (out.toString().endsWith(format.ending())) {
                return format;
            }
        }
        throw new TableException(out, "cannot be exported: the name has to end in .parquet, .csv or .jsonl");
    }

    private static String selection(Table table, Format format, long sinceNanos, long untilNanos) {
        List<String> columns = new ArrayList<>();
        for (Column column : table.columns()) {
            columns.add(
                    switch (column.kind()) {
                        // Text has no octets.
                        case BYTES ->
                            format == Format.PARQUET
                                    ? column.quoted()
                                    : "hex(" + column.quoted() + ") AS " + column.quoted();
                        case TEXT -> format == Format.CSV ? inert(column) : column.quoted();
                        case TIME, NUMBER, SHARE, FLAG, NUMBERS, ADDRESS -> column.quoted();
                    });
        }
        String time = table.timeColumn();
        // The ends of all time are no times.
        String since = sinceNanos <= 0 ? "" : " AND " + time + " >= make_timestamp_ns(" + sinceNanos + ")";
        String until = untilNanos == Long.MAX_VALUE ? "" : " AND " + time + " < make_timestamp_ns(" + untilNanos + ")";
        return "SELECT " + String.join(", ", columns) + " FROM " + table.label() + " WHERE true" + since + until
                + " ORDER BY " + time;
    }

    /** A name is not a formula, whatever a spreadsheet thinks. */
    private static String inert(Column column) {
        String name = column.quoted();
        return "CASE WHEN regexp_matches(" + name + ", '^[=+@\\t\\r-]') THEN '''' || " + name + " ELSE " + name
                + " END AS " + name;
    }

    private static void copy(Database database, String sql) throws SQLException {
        try (Database.Reader reader = database.reader();
                Statement statement = reader.statement()) {
            statement.execute(sql);
        }
    }
}
