package io.pathlore.store.tables;

import io.pathlore.store.tables.QueryException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table, or a time of it, as a file: {@code .parquet}, {@code .csv} or {@code .jsonl}. The file appears under its name when it is
 * whole, or not at all. Rows are in the order in which they were stored: to sort them would take memory for all of them.
 */
public final class TableExport {
    private static final Duration TIME = Duration.ofMinutes(10);
    private static final int AT_ONCE = 3;
    private static final long LOOK_NANOS = 50_000_000;

    /** How a file is written, by what its name ends in. */
    public enum Format {
        /** Groups are smaller than usual, for each is gathered in memory. */
        PARQUET("FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 20480"),
        CSV("FORMAT csv, HEADER"),
        JSONL("FORMAT json");

        private final String options;

        Format(String options) {
            this.options = options;
        }

        /** {@code parquet}, {@code csv}, {@code jsonl}. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        private String ending() {
            return "." + label();
        }

        /** Null if there is none of that name. */
        public static @Nullable Format named(String label) {
            for (Format format : values()) {
                if (format.label().equals(label)) {
                    return format;
                }
            }
            return null;
        }

        /** What the name of the file says; null if it says nothing. */
        public static @Nullable Format of(Path out) {
            for (Format format : values()) {
                if (out.toString().endsWith(format.ending())) {
                    return format;
                }
            }
            return null;
        }
    }

    private TableExport() {}

    /**
     * Writes it.
     *
     * @param sinceNanos 0 for all there is
     * @param untilNanos not included; {@link Long#MAX_VALUE} for all there is
     */
    static void write(Database database, Table table, long sinceNanos, long untilNanos, Path out) throws IOException {
        Format format = Format.of(out);
        if (format == null) {
            throw new TableException(out, "cannot be exported: the name has to end in .parquet, .csv or .jsonl");
        }
        Path beside = out.toAbsolutePath().resolveSibling(out.getFileName() + ".tmp");
        Path written = null;
        try {
            written = make(database, table, format, sinceNanos, untilNanos);
            // The directory is on another disk perhaps, where nothing can be renamed to.
            Files.move(written, beside, StandardCopyOption.REPLACE_EXISTING);
            Files.move(beside, out.toAbsolutePath(), StandardCopyOption.ATOMIC_MOVE);
        } catch (QueryException e) {
            throw new TableException(out, "cannot be exported", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TableException(out, "cannot be exported", e);
        } finally {
            if (written != null) {
                Files.deleteIfExists(written);
            }
            Files.deleteIfExists(beside);
        }
    }

    /** A new file in the directory of exports; whoever asked for it removes it. DuckDB works in a thread of its own. */
    static Path make(Database database, Table table, Format format, long sinceNanos, long untilNanos)
            throws IOException, QueryException, InterruptedException {
        Path written = create(database, table, format);
        boolean done = false;
        try (Database.Reader reader = database.reader()) {
            String sql = "COPY (" + selection(table, format, sinceNanos, untilNanos) + ") TO "
                    + Database.text(written.toAbsolutePath().toString()) + " (" + format.options + ")";
            FutureTask<Void> task = new FutureTask<>(() -> {
                Background.enter();
                try (Statement statement = reader.statement()) {
                    statement.execute(sql);
                }
                return null;
            });
            Thread.ofPlatform().daemon().name("pathlore-export").start(task);
            await(task, reader, written);
            done = true;
            return written;
        } catch (SQLException e) {
            throw new QueryException(Reason.BUSY, table.label() + ": " + TableException.reason(e));
        } finally {
            if (!done) {
                Files.deleteIfExists(written);
            }
        }
    }

    /** What was made and not yet taken away counts too. */
    private static Path create(Database database, Table table, Format format) throws IOException, QueryException {
        synchronized (database) {
            try (Stream<Path> others = Files.list(database.exports())) {
                if (others.count() >= AT_ONCE) {
                    throw new QueryException(Reason.BUSY, "others are exporting; try again");
                }
            }
            return Files.createTempFile(database.exports(), table.label(), format.ending());
        }
    }

    /** Until it is written, or there is a reason to stop it: the disk is that of the journal. */
    private static void await(FutureTask<Void> task, Database.Reader reader, Path written)
            throws IOException, QueryException, InterruptedException {
        long start = System.nanoTime();
        long room = Files.getFileStore(written).getUsableSpace() / 2;
        String stopped = "";
        InterruptedException left = null;
        while (true) {
            try {
                task.get(LOOK_NANOS, TimeUnit.NANOSECONDS);
                if (left != null) {
                    throw left;
                }
                return;
            } catch (TimeoutException e) {
                if (Files.size(written) > room) {
                    stopped = "it would take more than half of the room on the disk; ask for a shorter time";
                } else if (System.nanoTime() - start > TIME.toNanos()) {
                    stopped = "not written within " + TIME.toMinutes() + " minutes; ask for a shorter time";
                }
            } catch (InterruptedException e) {
                left = e;
            } catch (ExecutionException e) {
                if (left != null) {
                    throw left;
                }
                throw refusal(e.getCause(), stopped);
            }
            if (!stopped.isEmpty() || left != null) {
                reader.cancel();
            }
        }
    }

    private static QueryException refusal(@Nullable Throwable e, String stopped) {
        if (!(e instanceof SQLException)) {
            throw new IllegalStateException(e);
        }
        String line = TableException.reason(e);
        return stopped.isEmpty()
                ? new QueryException(line.contains("Out of Memory") ? Reason.TOO_MUCH : Reason.BUSY, line)
                : new QueryException(Reason.TOO_MUCH, stopped);
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
        return "SELECT " + String.join(", ", columns) + " FROM " + table.label() + " WHERE true" + since + until;
    }

    /** A name is not a formula, whatever a spreadsheet thinks. */
    private static String inert(Column column) {
        String name = column.quoted();
        return "CASE WHEN regexp_matches(" + name + ", '^[=+@\\t\\r-]') THEN '''' || " + name + " ELSE " + name
                + " END AS " + name;
    }
}
