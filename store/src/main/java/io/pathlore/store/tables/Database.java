package io.pathlore.store.tables;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/**
 * One open DuckDB file. DuckDB lets one process have it for writing, with as many connections as it likes, and settings are
 * those of the whole instance. So it is closed up for everybody when it is opened: whatever is asked of it later can reach no
 * file but its own and those of {@link #exports}, no network, no extension and no setting.
 */
final class Database implements AutoCloseable {
    static final String FILE = "tables.duckdb";
    private static final long PATIENCE_NANOS = 5_000_000_000L;

    private final Path file;
    private final Path exports;
    private final @Nullable Object identity;
    private final DuckDBConnection connection;
    private final Set<Reader> readers = new HashSet<>();
    private boolean closing;

    /** A connection for one question at a time, which others may stop. */
    final class Reader implements AutoCloseable {
        private final DuckDBConnection own;
        private volatile @Nullable Statement running;

        private Reader(DuckDBConnection own) {
            this.own = own;
        }

        Statement statement() throws SQLException {
            Statement statement = own.createStatement();
            running = statement;
            return statement;
        }

        PreparedStatement prepare(String sql) throws SQLException {
            PreparedStatement statement = own.prepareStatement(sql);
            running = statement;
            return statement;
        }

        /** Does nothing where nothing runs; so one who must be sure calls it again. */
        void cancel() {
            Statement statement = running;
            if (statement != null) {
                try {
                    statement.cancel();
                } catch (SQLException e) {
                    // It has ended by itself.
                }
            }
        }

        @Override
        public void close() throws SQLException {
            running = null;
            try {
                own.close();
            } finally {
                forget(this);
            }
        }
    }

    private Database(Path file, Path exports, @Nullable Object identity, DuckDBConnection connection) {
        this.file = file;
        this.exports = exports;
        this.identity = identity;
        this.connection = connection;
    }

    /** @param joining see {@link #lockUp} */
    static Database open(Path directory, TableOptions options, List<String> migrations, boolean joining)
            throws TableException {
        try {
            Files.createDirectories(directory);
            return open(directory, directory.resolve("export"), options, migrations, false, joining);
        } catch (IOException e) {
            throw e instanceof TableException known ? known : new TableException(directory, "cannot be opened", e);
        }
    }

    /** For reading only: beside others who do the same, but not beside one who writes. */
    static Database read(Path directory, TableOptions options, List<String> migrations) throws TableException {
        if (!Files.exists(directory.resolve(FILE))) {
            throw new TableException(directory, "there are none");
        }
        try {
            return open(directory, Files.createTempDirectory("pathlore-export"), options, migrations, true, false);
        } catch (IOException e) {
            throw e instanceof TableException known ? known : new TableException(directory, "cannot be opened", e);
        }
    }

    private static Database open(
            Path directory,
            Path exports,
            TableOptions options,
            List<String> migrations,
            boolean readOnly,
            boolean joining)
            throws IOException {
        Path file = directory.resolve(FILE).toAbsolutePath();
        Files.createDirectories(exports);
        DuckDBConnection connection = null;
        boolean opened = false;
        try {
            if (!readOnly) {
                createIfAbsent(file, options);
            }
            connection = connect(file, options, readOnly);
            lockUp(connection, exports, joining);
            Migrations.run(connection, directory, migrations, readOnly);
            Database database = new Database(file, exports, identity(file), connection);
            opened = true;
            return database;
        } catch (SQLException e) {
            throw new TableException(directory, "cannot be opened", e);
        } finally {
            if (!opened && connection != null) {
                closeQuietly(connection);
            }
            if (!opened && readOnly) {
                Files.deleteIfExists(exports);
            }
        }
    }

    /**
     * Under another name first: what DuckDB leaves of a file for which the disk had no room is no database, and would never be
     * opened again.
     */
    private static void createIfAbsent(Path file, TableOptions options) throws IOException, SQLException {
        if (Files.exists(file) && Files.size(file) > 0) {
            return;
        }
        Path made = file.resolveSibling(FILE + ".new");
        Files.deleteIfExists(made);
        connect(made, options, false).close();
        Files.move(made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static DuckDBConnection connect(Path file, TableOptions options, boolean readOnly) throws SQLException {
        Properties settings = new Properties();
        settings.setProperty("access_mode", readOnly ? "READ_ONLY" : "READ_WRITE");
        settings.setProperty("memory_limit", options.memoryBytes() + "B");
        settings.setProperty("threads", Integer.toString(options.threads()));
        settings.setProperty("autoinstall_known_extensions", "false");
        settings.setProperty("autoload_known_extensions", "false");
        settings.setProperty("allow_community_extensions", "false");
        // An instance that broke stays broken; the next one must not be the same.
        settings.setProperty("jdbc_instance_cache", "false");
        DuckDBConnection connection = (DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:" + file, settings);
        UnpackedLibraries.settle(!readOnly);
        return connection;
    }

    /**
     * Settles what nobody can change afterwards. A checkpoint joins groups of rows that are not full, three of 122880 rows in each
     * task, uncompressed in memory: as many tasks as DuckDB begins by itself, a hundred, take more than there is, and a checkpoint
     * that fails takes the instance with it.
     *
     * @param joining one task at a time, or none
     */
    private static void lockUp(DuckDBConnection connection, Path exports, boolean joining) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            sql.execute("SET GLOBAL max_vacuum_tasks = " + (joining ? 1 : 0));
            sql.execute("SET GLOBAL TimeZone = 'UTC'");
            // What does not fit into memory is refused, not spread over the disk of the journal.
            sql.execute("SET GLOBAL temp_directory = ''");
            sql.execute("SET GLOBAL allowed_directories = [" + text(exports.toAbsolutePath() + "/") + "]");
            sql.execute("SET GLOBAL enable_external_access = false");
            sql.execute("SET GLOBAL lock_configuration = true");
        }
    }

    /** As SQL writes it. */
    static String text(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    private static @Nullable Object identity(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }

    /** For the thread that writes. */
    DuckDBConnection connection() {
        return connection;
    }

    /** The one directory that {@code COPY} may write to. */
    Path exports() {
        return exports;
    }

    /** What a process left that ended before its exports were taken away. */
    void clearExports() throws TableException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(exports)) {
            for (Path file : left) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | DirectoryIteratorException e) {
            closeQuietly(this);
            throw new TableException(exports, "cannot be cleared", e);
        }
    }

    /** Or all that is written would go to a file that nobody can find. */
    void requireFile() throws IOException {
        Object now;
        try {
            now = identity(file);
        } catch (NoSuchFileException e) {
            throw new TableException(file, "were removed while in use; leave the directory to the collector", e);
        }
        if (!Objects.equals(identity, now)) {
            throw new TableException(file, "were replaced while in use; leave the directory to the collector");
        }
    }

    Mark mark() throws SQLException {
        long flush;
        long storedTo;
        Map<String, String> positions = new LinkedHashMap<>();
        try (Statement sql = connection.createStatement()) {
            try (ResultSet row = sql.executeQuery("SELECT flush, epoch_ns(time) FROM stored_to")) {
                if (!row.next()) {
                    return Mark.NONE;
                }
                flush = row.getLong(1);
                storedTo = row.getLong(2);
            }
            try (ResultSet row = sql.executeQuery("SELECT stream, position FROM stored_positions")) {
                while (row.next()) {
                    positions.put(row.getString(1), row.getString(2));
                }
            }
        }
        return new Mark(flush, storedTo, positions);
    }

    /** In the transaction that is open. */
    void mark(Mark mark) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            sql.execute("DELETE FROM stored_to");
            sql.execute("DELETE FROM stored_positions");
            sql.execute("INSERT INTO stored_to VALUES (" + mark.flush() + ", make_timestamp_ns(" + mark.storedToNanos()
                    + "))");
        }
        try (PreparedStatement sql = connection.prepareStatement("INSERT INTO stored_positions VALUES (?, ?)")) {
            for (Map.Entry<String, String> position : mark.positions().entrySet()) {
                sql.setString(1, position.getKey());
                sql.setString(2, position.getValue());
                sql.execute();
            }
        }
    }

    /** @throws SQLException if the database is about to close */
    Reader reader() throws SQLException {
        synchronized (readers) {
            if (closing) {
                throw new SQLException("the tables are being closed");
            }
            Reader reader = new Reader(connection.duplicate());
            readers.add(reader);
            return reader;
        }
    }

    int readers() {
        synchronized (readers) {
            return readers.size();
        }
    }

    private void forget(Reader reader) {
        synchronized (readers) {
            readers.remove(reader);
            readers.notifyAll();
        }
    }

    /** Stops who reads, then closes. */
    @Override
    public void close() throws SQLException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        synchronized (readers) {
            closing = true;
            while (!readers.isEmpty() && System.nanoTime() - deadline < 0) {
                readers.forEach(Reader::cancel);
                try {
                    TimeUnit.MILLISECONDS.timedWait(readers, 20);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    break;
                }
            }
        }
        connection.close();
    }

    static void closeQuietly(AutoCloseable open) {
        try {
            open.close();
        } catch (Exception e) {
            // What could be said was said by whatever made us close it.
        }
    }
}
