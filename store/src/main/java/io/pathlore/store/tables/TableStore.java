package io.pathlore.store.tables;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/**
 * Puts rows into tables. Rows wait in memory until {@link #flush}, or {@link #mark} says that everything up to a point of the stream
 * is among them; then a thread that runs {@link #run} stores them, in transactions of a bounded size, and the mark with the last of
 * them. Rows behind the mark may be in the tables already, so whoever begins after it, when the tables were opened too, calls {@link
 * #rewind} first, which removes them. So after a crash the tables say themselves where to begin again, and no row is missing or
 * counted twice.
 *
 * <p>Nobody who appends waits for the disk or is thrown at by it. What does not fit into the memory for waiting rows is turned
 * away and counted, and from then on everything is, for a mark must not pass a gap: who fills the tables calls {@link #restart} and
 * reads the journal again from there. A disk that refuses is a state: the rows wait, the mark stays, and there is another
 * attempt every second.
 *
 * <p>All but {@link #run} and {@link #close} may be called by any thread.
 */
public final class TableStore implements Runnable, AutoCloseable {
    static final long RETRY_NANOS = 1_000_000_000;
    /** What is left at the end is tried so often, and then left to the journal. */
    private static final int LAST_TRIES = 5;
    /** Of the memory of DuckDB, for the rows of one transaction: it holds them, what it makes of them, and the log beside them. */
    private static final int TRANSACTION_SHARE = 16;
    /** Of the stream, between two times of removing what is old. */
    static final long RETENTION_NANOS = Duration.ofMinutes(10).toNanos();

    private static final String INCOMING = "incoming";
    private static final String STAGED = "staged";

    /** Who begins again sees for the first time what was seen before. */
    private static final String SEEN_BEFORE =
            "UPDATE staged SET first_seen = least(staged.first_seen, nodes.first_seen)"
                    + " FROM nodes WHERE nodes.node = staged.node";

    /** How far the stream is, and where to read on. */
    private record Point(long storedToNanos, Map<String, String> positions) {}

    /**
     * What one transaction does.
     *
     * @param rewind removes what is behind the mark first
     * @param point what is stored up to then; null where the mark stays
     */
    private record Batch(
            boolean rewind,
            List<List<Row>> parts,
            long weight,
            @Nullable Point point) {
        long rows() {
            return parts.stream().mapToLong(List::size).sum();
        }

        Batch plus(Batch next) {
            List<List<Row>> both = new ArrayList<>(parts);
            both.addAll(next.parts);
            return new Batch(rewind, both, weight + next.weight, next.point == null ? point : next.point);
        }
    }

    private final Path directory;
    private final TableOptions options;
    private final List<String> migrations;
    private final Consumer<String> notes;
    private final BufferAllocator allocator = new RootAllocator();

    private List<Row> open = new ArrayList<>();
    private final ArrayDeque<Batch> ready = new ArrayDeque<>();
    /** What is being stored, or was not when the disk refused: then the same is tried again, and not more. */
    private @Nullable Batch attempt;

    private @Nullable Database database;
    private Mark mark;
    private String trouble = "";
    private boolean gap;
    /** Whether DuckDB may join small groups of rows when it tidies up, which takes memory that may not be there. */
    private boolean joining = true;

    private boolean writing;
    private boolean stopping;
    private boolean dead;
    private long retryAt;
    private long retainedTo = Long.MIN_VALUE;
    private long waiting;
    private long stored;
    private long refused;
    private long failures;

    private TableStore(
            Path directory,
            TableOptions options,
            List<String> migrations,
            Consumer<String> notes,
            Database database,
            Mark mark) {
        this.directory = directory;
        this.options = options;
        this.migrations = migrations;
        this.notes = notes;
        this.database = database;
        this.mark = mark;
    }

    /**
     * Opens the tables, and makes them where there are none.
     *
     * @param notes told a line when storing begins to fail, and when it works again
     * @throws TableException if another process has them, a newer program wrote them, or the disk refuses
     */
    public static TableStore open(Path directory, TableOptions options, Consumer<String> notes) throws TableException {
        return open(directory, options, notes, Migrations.STEPS);
    }

    static TableStore open(Path directory, TableOptions options, Consumer<String> notes, List<String> migrations)
            throws TableException {
        Database database = Database.open(directory, options, migrations, true);
        database.clearExports();
        try {
            return new TableStore(directory, options, migrations, notes, database, database.mark());
        } catch (SQLException e) {
            Database.closeQuietly(database);
            throw new TableException(directory, "cannot be read", e);
        }
    }

    /** False if it was turned away, and then so is everything until {@link #restart}. */
    public synchronized boolean append(Row row) {
        if (!fits(row.weight(), 1)) {
            return false;
        }
        open.add(row);
        return true;
    }

    /** All of them, or none. */
    public synchronized boolean append(Collection<? extends Row> rows) {
        long weight = 0;
        for (Row row : rows) {
            weight += row.weight();
        }
        if (!fits(weight, rows.size())) {
            return false;
        }
        open.addAll(rows);
        return true;
    }

    private boolean fits(long weight, long rows) {
        if (gap || dead || waiting + weight > options.queueBytes()) {
            if (!gap && !dead) {
                gap = true;
                notes.accept("tables " + directory + ": cannot keep up; rows are turned away until they are read again"
                        + " from the journal");
            }
            refused += rows;
            return false;
        }
        waiting += weight;
        return true;
    }

    /**
     * Everything of the stream before here was appended: store it. False, and nothing happens, if some of it was turned away.
     *
     * <p>Who begins again reads on from here, and makes no row anew that begins before: so this is a point where no second and no
     * minute is open.
     *
     * @param positions for each stream that is read, where to read on; all of them, every time, or none ever
     */
    public synchronized boolean mark(long storedToNanos, Map<String, String> positions) {
        return release(new Point(storedToNanos, Map.copyOf(positions)));
    }

    /** Store what was appended; the mark stays where it is. False, and nothing happens, if some of it was turned away. */
    public synchronized boolean flush() {
        return release(null);
    }

    private boolean release(@Nullable Point point) {
        if (gap || dead) {
            return false;
        }
        List<Row> rows = new ArrayList<>();
        long weight = 0;
        for (Row row : open) {
            if (!rows.isEmpty() && weight + row.weight() > transactionBytes()) {
                ready.addLast(new Batch(false, List.of(rows), weight, null));
                rows = new ArrayList<>();
                weight = 0;
            }
            rows.add(row);
            weight += row.weight();
        }
        if (!rows.isEmpty() || point != null) {
            ready.addLast(new Batch(false, List.of(rows), weight, point));
        }
        open = new ArrayList<>();
        notifyAll();
        return true;
    }

    private long transactionBytes() {
        return options.memoryBytes() / TRANSACTION_SHARE;
    }

    /**
     * Removes the rows of seconds and minutes that lie behind the mark, before anything is stored that is appended from now on. For
     * who opened the tables and fills them from the mark; {@link #restart} does it too.
     */
    public synchronized void rewind() {
        ready.addLast(new Batch(true, List.of(), 0, null));
        notifyAll();
    }

    /**
     * Forgets everything that is not stored, rewinds, and takes rows again. Waits while a transaction is on its way.
     *
     * @return where to begin
     * @throws TableException if that is not known, because the tables cannot be read now; to be tried again later
     */
    public synchronized Mark restart() throws TableException, InterruptedException {
        Mark from = resume();
        rewind();
        return from;
    }

    /**
     * As {@link #restart}, but removes nothing: for who fills them with {@link Row.Told} only, which are replaced when they come again.
     *
     * @return where to begin
     * @throws TableException if that is not known, because the tables cannot be read now; to be tried again later
     */
    public synchronized Mark resume() throws TableException, InterruptedException {
        gap = true;
        open = new ArrayList<>();
        ready.clear();
        while (writing) {
            wait();
        }
        if (dead || database == null) {
            throw new TableException(directory, "where to begin again is not known: " + trouble);
        }
        attempt = null;
        waiting = 0;
        gap = false;
        return mark;
    }

    /** How far the stream is stored. */
    public synchronized Mark stored() {
        return mark;
    }

    public synchronized TableHealth health() {
        TableHealth.State state =
                !trouble.isEmpty() ? TableHealth.State.FAILED : gap ? TableHealth.State.BEHIND : TableHealth.State.OK;
        String line = state == TableHealth.State.BEHIND
                ? "tables " + directory + ": rows were turned away; they have to be read again from the journal"
                : trouble;
        return new TableHealth(state, line, mark, stored, refused, waiting, failures);
    }

    /** Asks these tables; good for as long as they are open. */
    public Queries queries(QueryLimits limits) {
        return new Queries(this::database, limits);
    }

    /** Writes a table to a file. See {@link TableExport}. */
    public void export(Table table, long sinceNanos, long untilNanos, Path out) throws IOException {
        TableExport.write(database(), table, sinceNanos, untilNanos, out);
    }

    /**
     * Writes a table to a new file beside the tables, which whoever asked for it removes.
     *
     * @throws QueryException if it takes too much, or the tables have to be closed
     */
    public Path make(Table table, TableExport.Format format, long sinceNanos, long untilNanos)
            throws IOException, QueryException, InterruptedException {
        return TableExport.make(database(), table, format, sinceNanos, untilNanos);
    }

    /** For who asks. After a failure what waits is stored first: nobody else takes memory or holds on to old rows meanwhile. */
    synchronized Database database() throws TableException {
        if (database == null || !trouble.isEmpty()) {
            throw new TableException(
                    directory, "cannot be asked now: " + (trouble.isEmpty() ? "they are opened anew" : trouble));
        }
        return database;
    }

    /** Stores until {@link #stop}, then what is left. */
    @Override
    public void run() {
        Background.enter();
        try {
            while (await()) {
                boolean ignored = step(System.nanoTime());
            }
            int tries = 0;
            while (isLeft() && tries < LAST_TRIES) {
                if (attempt()) {
                    tries = 0;
                } else if (isLeft() && ++tries < LAST_TRIES) {
                    pause();
                }
            }
        } catch (Error e) {
            end(e);
        }
    }

    private synchronized boolean isLeft() {
        return attempt != null || !ready.isEmpty();
    }

    private synchronized void pause() {
        long until = System.nanoTime() + RETRY_NANOS;
        for (long left = RETRY_NANOS; left > 0; left = until - System.nanoTime()) {
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException e) {
                // This thread ends when it has tried often enough.
            }
        }
    }

    /** An error of the virtual machine: nothing that is known about the tables holds any more. */
    private synchronized void end(Error e) {
        dead = true;
        trouble = "tables " + directory + ": given up: " + TableException.reason(e);
        writing = false;
        notes.accept(trouble);
        notifyAll();
    }

    /** Until there is something to do; false if that is to stop. */
    private synchronized boolean await() {
        while (!stopping) {
            long left = trouble.isEmpty() ? 0 : retryAt - System.nanoTime();
            if (trouble.isEmpty() ? !ready.isEmpty() : left <= 0) {
                return true;
            }
            try {
                if (trouble.isEmpty()) {
                    wait();
                } else {
                    TimeUnit.NANOSECONDS.timedWait(this, left);
                }
            } catch (InterruptedException e) {
                // This thread is stopped by stop() only.
            }
        }
        return false;
    }

    /** Lets {@link #run} end, once nothing is appended any more. */
    public synchronized void stop() {
        stopping = true;
        notifyAll();
    }

    /** One round of the thread that stores. True if something was stored. */
    boolean step(long ticks) {
        synchronized (this) {
            if (!trouble.isEmpty() && ticks - retryAt < 0) {
                return false;
            }
        }
        boolean done = attempt();
        synchronized (this) {
            retryAt = ticks + RETRY_NANOS;
        }
        return done;
    }

    private boolean attempt() {
        synchronized (this) {
            writing = true;
        }
        try {
            Database usable = reopened();
            Batch batch = take();
            if (batch == null) {
                recovered();
                return false;
            }
            Mark reached = store(usable, batch);
            finish(batch, reached);
            if (batch.point != null) {
                retain(usable, reached.storedToNanos());
            }
            return true;
        } catch (IOException | SQLException | RuntimeException e) {
            fail(e);
            return false;
        } finally {
            synchronized (this) {
                writing = false;
                notifyAll();
            }
        }
    }

    /** After a failure it is not known whether the transaction was: the tables themselves say. */
    private Database reopened() throws TableException, SQLException {
        Database current = database;
        if (current != null) {
            return current;
        }
        Database fresh = Database.open(directory, options, migrations, joining);
        Mark found;
        try {
            found = fresh.mark();
        } catch (SQLException e) {
            Database.closeQuietly(fresh);
            throw e;
        }
        synchronized (this) {
            Batch last = attempt;
            if (last != null && isStored(last, found)) {
                stored += last.rows();
                waiting -= last.weight();
                attempt = null;
            } else if (found.flush() != mark.flush()) {
                gap = true;
                attempt = null;
                ready.clear();
                notes.accept("tables " + directory + ": are not the ones that were written to; they have to be filled"
                        + " again from the journal");
            }
            mark = found;
            database = fresh;
            return fresh;
        }
    }

    private boolean isStored(Batch batch, Mark found) {
        return found.equals(after(batch));
    }

    private Mark after(Batch batch) {
        Point point = batch.point;
        return point == null
                ? new Mark(mark.flush() + 1, mark.storedToNanos(), mark.positions())
                : new Mark(mark.flush() + 1, point.storedToNanos, point.positions);
    }

    /** What failed last, or as much as fits into one transaction; null if there is nothing. */
    private synchronized @Nullable Batch take() {
        if (attempt != null) {
            return attempt;
        }
        Batch batch = ready.pollFirst();
        if (batch != null) {
            for (Batch next = ready.peekFirst();
                    next != null && !next.rewind && batch.weight + next.weight <= transactionBytes();
                    next = ready.peekFirst()) {
                batch = batch.plus(next);
                ready.removeFirst();
            }
        }
        attempt = batch;
        return batch;
    }

    private Mark store(Database usable, Batch batch) throws IOException, SQLException {
        usable.requireFile();
        Mark next = after(batch);
        try (Statement sql = usable.connection().createStatement()) {
            sql.execute("BEGIN TRANSACTION");
            if (batch.rewind) {
                rewind(sql);
            }
            for (Map.Entry<Table, List<Row>> rows : byTable(batch).entrySet()) {
                insert(usable.connection(), sql, rows.getKey(), rows.getValue());
            }
            usable.mark(next);
            sql.execute("COMMIT");
        }
        return next;
    }

    /** Rows with a key are left: they are replaced when they are found again. */
    private void rewind(Statement sql) throws SQLException {
        boolean some = mark.storedToNanos() != Row.ABSENT;
        for (Table table : Table.values()) {
            if (!table.isReplaced()) {
                sql.execute("DELETE FROM " + table.label()
                        + (some
                                ? " WHERE " + table.timeColumn() + " >= make_timestamp_ns(" + mark.storedToNanos() + ")"
                                : ""));
            }
        }
    }

    private static Map<Table, List<Row>> byTable(Batch batch) {
        Map<Table, List<Row>> byTable = new EnumMap<>(Table.class);
        Map<Table, Map<Object, Row>> byKey = new EnumMap<>(Table.class);
        for (List<Row> part : batch.parts) {
            for (Row row : part) {
                Object key = row.key();
                if (key == null) {
                    byTable.computeIfAbsent(row.table(), _ -> new ArrayList<>()).add(row);
                } else {
                    byKey.computeIfAbsent(row.table(), _ -> new LinkedHashMap<>())
                            .put(key, row);
                }
            }
        }
        byKey.forEach((table, rows) -> byTable.put(table, new ArrayList<>(rows.values())));
        return byTable;
    }

    private void insert(DuckDBConnection connection, Statement sql, Table table, List<Row> rows) throws SQLException {
        try (RowStream stream = new RowStream(allocator, table, rows);
                ArrowArrayStream handle = ArrowArrayStream.allocateNew(allocator)) {
            Data.exportArrayStream(allocator, stream, handle);
            connection.registerArrowStream(INCOMING, handle);
            String incoming = "SELECT " + ArrowRowWriter.selection(table) + " FROM " + INCOMING;
            if (rows.getFirst().key() == null) {
                sql.execute("INSERT INTO " + table.label() + " " + incoming);
            } else {
                // No index: it would lie in memory for all events of a year, to save a look at one column.
                sql.execute("CREATE OR REPLACE TEMP TABLE " + STAGED + " AS " + incoming);
                if (table == Table.NODES) {
                    sql.execute(SEEN_BEFORE);
                }
                sql.execute(removal(table, rows));
                sql.execute("INSERT INTO " + table.label() + " SELECT * FROM " + STAGED);
                sql.execute("DROP TABLE " + STAGED);
            }
        } catch (IOException e) {
            throw new SQLException(e);
        }
    }

    /** Takes away what the staged rows take the place of. */
    private static String removal(Table table, List<Row> rows) {
        String label = table.label();
        if (table.identity().size() == 1) {
            String key = table.identity().getFirst();
            return "DELETE FROM " + label + " WHERE " + key + " IN (SELECT " + key + " FROM " + STAGED + ")";
        }
        // The time stands there as a number too, so that only the part of the table is looked at that it is in.
        long first = rows.stream().mapToLong(Row::time).min().orElse(0);
        long last = rows.stream().mapToLong(Row::time).max().orElse(0);
        StringBuilder sql = new StringBuilder("DELETE FROM " + label + " USING " + STAGED + " WHERE " + label
                + ".time BETWEEN make_timestamp_ns(" + first + ") AND make_timestamp_ns(" + last + ")");
        for (String column : table.identity()) {
            sql.append(" AND " + label + "." + column + " IS NOT DISTINCT FROM " + STAGED + "." + column);
        }
        return sql.toString();
    }

    private synchronized void finish(Batch batch, Mark reached) {
        mark = reached;
        attempt = null;
        stored += batch.rows();
        waiting = Math.max(0, waiting - batch.weight);
        recovered();
    }

    private synchronized void recovered() {
        if (!trouble.isEmpty()) {
            trouble = "";
            notes.accept("tables " + directory + ": can be written again");
        }
    }

    private void fail(Exception e) {
        Database broken;
        synchronized (this) {
            failures++;
            String line = e instanceof TableException
                    ? TableException.reason(e)
                    : "tables " + directory + ": cannot be written: " + TableException.reason(e);
            if (trouble.isEmpty()) {
                notes.accept(line);
            }
            trouble = line;
            broken = database;
            database = null;
            // Joining is what takes most memory of all that storing does; without it the rows are safe.
            joining = false;
        }
        if (broken != null) {
            Database.closeQuietly(broken);
        }
    }

    /** Removes what was kept long enough. What fails here fails again with the next rows, and is told then. */
    private void retain(Database usable, long storedToNanos) throws SQLException, TableException {
        if (retainedTo != Long.MIN_VALUE && storedToNanos - retainedTo < RETENTION_NANOS) {
            return;
        }
        try (Statement sql = usable.connection().createStatement()) {
            for (Table table : Table.values()) {
                long keep = options.keep(table.tier()).toNanos();
                if (keep > 0 && storedToNanos > keep) {
                    sql.execute("DELETE FROM " + table.label() + " WHERE " + table.timeColumn()
                            + " < make_timestamp_ns(" + (storedToNanos - keep) + ")");
                }
            }
            // Only now the room is free for new rows.
            sql.execute("CHECKPOINT");
        }
        retainedTo = storedToNanos;
        if (!joining) {
            joinAgain(usable);
        }
    }

    /** It is a setting of the whole instance. */
    private void joinAgain(Database usable) throws SQLException, TableException {
        synchronized (this) {
            joining = true;
            database = null;
        }
        Database.closeQuietly(usable);
        Database ignored = reopened();
    }

    /** Octets of rows that are on their way from here to DuckDB. */
    long travelling() {
        return allocator.getAllocatedMemory();
    }

    /** After {@link #run} has ended. */
    @Override
    public void close() throws TableException {
        Database last;
        synchronized (this) {
            dead = true;
            last = database;
            database = null;
            if (trouble.isEmpty()) {
                trouble = "closed";
            }
        }
        try {
            if (last != null) {
                last.close();
            }
        } catch (SQLException e) {
            throw new TableException(directory, "cannot be closed", e);
        } finally {
            Database.closeQuietly(allocator);
        }
    }
}
