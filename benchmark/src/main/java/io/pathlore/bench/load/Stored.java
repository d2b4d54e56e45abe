package io.pathlore.bench.load;

import io.pathlore.cli.service.RowSink;
import io.pathlore.store.tables.Row;
import io.pathlore.store.tables.TableOptions;
import io.pathlore.store.tables.TableStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Tables, and the thread that stores, as the collector has them: once a second what was told goes to the disk. */
final class Stored implements RowSink, AutoCloseable {
    private static final long SECOND = 1_000_000_000L;

    private final TableStore store;
    private final Thread storing;
    private final Thread flushing;
    private volatile boolean stopping;

    Stored(Path directory) throws IOException {
        store = TableStore.open(directory, TableOptions.DEFAULT, System.err::println);
        storing = Thread.ofPlatform().start(store);
        flushing = Thread.ofPlatform().start(this::flush);
    }

    private void flush() {
        while (!stopping) {
            LockSupport.parkNanos(SECOND);
            boolean _ = store.flush();
        }
    }

    @Override
    public void row(Row row) {
        boolean _ = store.append(row);
    }

    @Override
    public void complete(long untilNanos) {
        boolean _ = store.mark(untilNanos, Map.of());
    }

    /** What is wrong with it; empty where nothing is. */
    String trouble() {
        var health = store.health();
        return health.line() + (health.refused() > 0 ? health.refused() + " rows were turned away" : "");
    }

    long rows() {
        return store.health().stored();
    }

    @Override
    public void close() throws IOException {
        stopping = true;
        LockSupport.unpark(flushing);
        store.stop();
        try {
            flushing.join();
            storing.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        store.close();
    }
}
