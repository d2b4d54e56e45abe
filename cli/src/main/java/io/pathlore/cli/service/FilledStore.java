package io.pathlore.cli.service;

import io.pathlore.store.tables.Row;
import io.pathlore.store.tables.TableOptions;
import io.pathlore.store.tables.TableStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/** New tables for what a recording shows, which are kept for ever. Who fills them waits for the disk. */
public final class FilledStore implements RowSink, AutoCloseable {
    private static final long QUEUE_BYTES = 32L << 20;

    private final TableStore store;
    private final TableFiller.Patient rows;
    private final Thread thread;

    private FilledStore(TableStore store) {
        this.store = store;
        rows = new TableFiller.Patient(store);
        thread = Thread.ofPlatform().name("pathlore-store").start(store);
    }

    /**
     * Makes them.
     *
     * @throws IOException if there are tables already, or they cannot be made; its message is one line
     */
    public static FilledStore create(Path directory, long memoryBytes, Consumer<String> notes) throws IOException {
        TableOptions options =
                new TableOptions(Duration.ZERO, Duration.ZERO, Duration.ZERO, memoryBytes, QUEUE_BYTES, 1);
        TableStore store = TableStore.open(directory, options, notes);
        if (store.stored().flush() > 0) {
            store.close();
            throw new IOException("tables " + directory + ": there are some already; name another directory");
        }
        return new FilledStore(store);
    }

    @Override
    public void row(Row row) {
        rows.row(row);
    }

    @Override
    public void complete(long untilNanos) {
        rows.complete(untilNanos);
    }

    /**
     * Stores the rest.
     *
     * @throws IOException if some of it could not be stored
     */
    @Override
    public void close() throws IOException {
        store.stop();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        String line = store.health().line();
        store.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!line.isEmpty()) {
            throw new IOException(line);
        }
    }
}
