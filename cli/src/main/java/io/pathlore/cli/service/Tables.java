package io.pathlore.cli.service;

import io.pathlore.cli.config.Service;
import io.pathlore.model.TimeText;
import io.pathlore.serve.JsonText;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Sources;
import io.pathlore.serve.metrics.MetricWriter;
import io.pathlore.store.tables.Answer;
import io.pathlore.store.tables.Queries;
import io.pathlore.store.tables.QueryException;
import io.pathlore.store.tables.QueryLimits;
import io.pathlore.store.tables.Row;
import io.pathlore.store.tables.Table;
import io.pathlore.store.tables.TableException;
import io.pathlore.store.tables.TableExport;
import io.pathlore.store.tables.TableHealth;
import io.pathlore.store.tables.TableOptions;
import io.pathlore.store.tables.TableStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a running process, the thread that stores, and how they are doing. The thread opens them too: whatever is wrong
 * with them, and however long it takes to put them in order after a crash, nobody waits for it, and it is tried again.
 */
public final class Tables implements AutoCloseable {
    private static final Duration RETRY = Duration.ofSeconds(2);
    private static final int MAX_THREADS = 4;
    private static final long PAUSE_NANOS = 5_000_000;

    private final boolean enabled;
    private final Path directory;
    private final TableOptions options;
    private final Notes notes;
    private @Nullable Thread thread;

    // Guarded by this.
    private @Nullable TableStore store;
    private @Nullable Queries queries;
    private String trouble = "";
    private long refusals;
    private boolean stopping;

    private volatile BooleanSupplier catchingUp = () -> false;

    private Tables(Service service, MemoryPlan plan, Notes notes) {
        Service.Storing storing = service.store();
        enabled = storing.enabled();
        directory = service.storeDirectory();
        options = new TableOptions(
                storing.seconds(),
                storing.minutes(),
                storing.events(),
                storing.memoryBytes(),
                Math.max(1, plan.rowBytes()),
                Math.clamp(Runtime.getRuntime().availableProcessors() / 4, 1, MAX_THREADS));
        this.notes = notes;
    }

    /** Begins to open them, if they are wanted. */
    static Tables start(Service service, MemoryPlan plan, Notes notes) {
        Tables tables = new Tables(service, plan, notes);
        if (tables.enabled) {
            tables.thread = Thread.ofPlatform().name("pathlore-store").start(tables::run);
        }
        return tables;
    }

    /** Who knows whether they lack something that is being read again. */
    void filledBy(BooleanSupplier who) {
        catchingUp = who;
    }

    private void run() {
        TableStore opened = open();
        if (opened != null) {
            opened.run();
        }
    }

    /** Until it succeeds; null if that is to stop. */
    private @Nullable TableStore open() {
        while (true) {
            TableStore opened = null;
            String refusal = "";
            try {
                opened = TableStore.open(directory, options, line -> notes.warn("tables", line));
            } catch (TableException e) {
                refusal = String.valueOf(e.getMessage());
            } catch (LinkageError | RuntimeException e) {
                refusal =
                        "tables " + directory + ": cannot be used on this machine, or with these options of Java: " + e;
            }
            synchronized (this) {
                if (opened != null) {
                    store = opened;
                    queries = opened.queries(QueryLimits.DEFAULT);
                    if (!trouble.isEmpty()) {
                        notes.info("tables " + directory + ": can be used again");
                    }
                    trouble = "";
                    if (stopping) {
                        opened.stop();
                    }
                    notifyAll();
                    return opened;
                }
                trouble = refusal;
                refusals++;
                notifyAll();
                notes.warn("tables", refusal + "; received and analysed is all the same, and it is tried again");
                if (!pause()) {
                    return null;
                }
            }
        }
    }

    /** False if that is to stop. */
    private synchronized boolean pause() {
        long until = System.nanoTime() + RETRY.toNanos();
        for (long left = RETRY.toNanos(); left > 0 && !stopping; left = until - System.nanoTime()) {
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException e) {
                // This thread is stopped by close() only.
            }
        }
        return !stopping;
    }

    /** Stores all that was marked, then closes; nobody appends any more. */
    @Override
    public void close() {
        Thread running = thread;
        if (running == null) {
            return;
        }
        synchronized (this) {
            stopping = true;
            notifyAll();
            if (store != null) {
                store.stop();
            }
        }
        boolean interrupted = false;
        while (running.isAlive()) {
            try {
                running.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        TableStore last = store();
        try {
            if (last != null) {
                last.close();
            }
        } catch (TableException e) {
            notes.error(e.getMessage() + "; the next start repairs them");
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** For who fills them; null while they are not open: what comes now has to be read again from the journal. */
    public synchronized @Nullable TableStore store() {
        return store;
    }

    /** For who cannot go on without them. */
    synchronized TableStore await() throws ServiceException {
        try {
            while (store == null) {
                if (!trouble.isEmpty()) {
                    throw new ServiceException(trouble);
                }
                wait();
            }
            return store;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServiceException("interrupted", e);
        }
    }

    /** Until all that was marked up to this time is in the tables, or cannot be. */
    void awaitStored(long nanos) throws ServiceException {
        TableStore filled = await();
        while (filled.health().mark().storedToNanos() < nanos) {
            if (filled.health().state() != TableHealth.State.OK) {
                throw new ServiceException(filled.health().line());
            }
            boolean _ = filled.flush();
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
    }

    /** Until all that was appended is in the tables, or cannot be. */
    void awaitStored() throws ServiceException {
        TableStore filled = await();
        boolean _ = filled.flush();
        while (filled.health().waitingBytes() > 0) {
            if (filled.health().state() != TableHealth.State.OK) {
                throw new ServiceException(filled.health().line());
            }
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
    }

    String directory() {
        return directory.toString();
    }

    // Asking
    // --------------------------------------------------------------------------------------------------------------

    /** For questions of our own; all share the turns and the limits of those of users. */
    public synchronized Queries queries() throws Problem {
        if (queries == null) {
            throw notOpen();
        }
        return queries;
    }

    private synchronized TableStore opened() throws Problem {
        if (store == null) {
            throw notOpen();
        }
        return store;
    }

    private Problem notOpen() {
        if (!enabled) {
            return new Problem(404, "there are no tables: store.enabled is false");
        }
        return new Problem(503, trouble.isEmpty() ? "the tables are being opened: try again" : trouble);
    }

    /** The answer, or why there is none as HTTP says it. */
    public Answer ask(String sql) throws Problem {
        try {
            return queries().ask(sql);
        } catch (QueryException e) {
            throw new Problem(status(e.reason()), String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Problem(503, "the server is stopping");
        }
    }

    /** A question of our own, answered row by row, or why there is no answer as HTTP says it. */
    void read(String sql, Queries.RowReader to) throws Problem {
        try {
            queries().read(sql, List.of(), to);
        } catch (QueryException e) {
            throw new Problem(status(e.reason()), String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Problem(503, "the server is stopping");
        }
    }

    /** A table as a file, which whoever asked for it removes. */
    Path make(Table table, TableExport.Format format, long sinceNanos, long untilNanos) throws Problem {
        TableStore opened = opened();
        try {
            return opened.make(table, format, sinceNanos, untilNanos);
        } catch (QueryException e) {
            throw new Problem(status(e.reason()), String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new Problem(503, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Problem(503, "the server is stopping");
        }
    }

    private static int status(QueryException.Reason reason) {
        return switch (reason) {
            case WRONG -> 400;
            case REFUSED -> 403;
            case TOO_MUCH -> 422;
            case BUSY -> 503;
        };
    }

    // Health
    // --------------------------------------------------------------------------------------------------------------

    /** What an operator is told. */
    private record State(String word, String detail) {}

    private synchronized State state() {
        if (!trouble.isEmpty()) {
            return new State("failed", trouble);
        }
        TableHealth health = health();
        return health == null
                ? new State("opening", "")
                : new State(health.state().name().toLowerCase(Locale.ROOT), health.line());
    }

    private synchronized @Nullable TableHealth health() {
        return store == null ? null : store.health();
    }

    private synchronized long failures() {
        return refusals + (store == null ? 0 : store.health().failures());
    }

    void status(JsonText json) {
        json.name("store").open('{').name("enabled").value(enabled);
        if (enabled) {
            State state = state();
            json.name("directory").value(directory());
            json.name("state").value(state.word);
            if (!state.detail.isEmpty()) {
                json.name("detail").value(state.detail);
            }
            TableHealth health = health();
            if (health != null) {
                if (health.mark().storedToNanos() != Row.ABSENT) {
                    json.name("storedTo").value(TimeText.of(health.mark().storedToNanos()));
                }
                json.name("rowsStored").value(health.stored());
                json.name("rowsRefused").value(health.refused());
                json.name("waitingBytes").value(health.waitingBytes());
            }
            json.name("catchingUp").value(catchingUp.getAsBoolean());
            json.name("failures").value(failures());
            json.name("memory").value(options.memoryBytes());
        }
        json.close('}');
    }

    /** Null where there is nothing to check. While they are being opened nothing is wrong with them. */
    Sources.@Nullable Check check() {
        if (!enabled) {
            return null;
        }
        State state = state();
        return new Sources.Check(
                "store",
                false,
                state.word.equals("ok") || state.word.equals("opening"),
                state.detail.isEmpty()
                        ? (state.word.equals("ok") ? "writes to " + directory() : state.word)
                        : state.detail);
    }

    void write(MetricWriter out) {
        if (!enabled) {
            return;
        }
        out.gauge("pathlore_store_up", "1 while the tables can be written and asked.")
                .value(state().word.equals("ok") ? 1 : 0);
        out.counter("pathlore_store_failures_total", "Attempts to open the tables, or to store, that failed.")
                .value(failures());
        TableHealth health = health();
        if (health == null) {
            return;
        }
        out.counter("pathlore_store_rows_total", "Rows stored in tables.").value(health.stored());
        out.counter("pathlore_store_rows_refused_total", "Rows turned away because too many waited.")
                .value(health.refused());
        out.gauge("pathlore_store_waiting_bytes", "Memory of rows that wait to be stored.")
                .value(health.waitingBytes());
        if (health.mark().storedToNanos() != Row.ABSENT) {
            out.gauge("pathlore_store_stored_to_seconds", "Stream time up to which everything is in the tables.")
                    .value(health.mark().storedToNanos() / 1e9);
        }
    }
}
