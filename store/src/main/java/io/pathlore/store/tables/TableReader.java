package io.pathlore.store.tables;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;

/** Reads the tables of a collector that does not run. */
public final class TableReader implements AutoCloseable {
    private final Database database;
    private final Path directory;

    private TableReader(Path directory, Database database) {
        this.directory = directory;
        this.database = database;
    }

    /** Whether there are tables in the directory. */
    public static boolean areIn(Path directory) {
        return Files.exists(directory.resolve(Database.FILE));
    }

    /**
     * Opens tables that are there.
     *
     * @throws TableException if there are none, a collector has them open, or a program of another version wrote them
     */
    public static TableReader open(Path directory, TableOptions options) throws TableException {
        return new TableReader(directory, Database.read(directory, options, Migrations.STEPS));
    }

    /** How far the stream is stored. */
    public Mark stored() throws TableException {
        try {
            return database.mark();
        } catch (SQLException e) {
            throw new TableException(directory, "cannot be read", e);
        }
    }

    public Queries queries(QueryLimits limits) {
        return new Queries(() -> database, limits);
    }

    /** Writes a table to a file. See {@link TableExport}. */
    public void export(Table table, long sinceNanos, long untilNanos, Path out) throws IOException {
        TableExport.write(database, table, sinceNanos, untilNanos, out);
    }

    @Override
    public void close() throws IOException {
        Database.closeQuietly(database);
        Files.deleteIfExists(database.exports());
    }
}
