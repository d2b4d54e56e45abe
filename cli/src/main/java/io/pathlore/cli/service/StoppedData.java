package io.pathlore.cli.service;

import io.pathlore.cli.config.Service;
import io.pathlore.model.TimeText;
import io.pathlore.serve.JsonText;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Sources;
import io.pathlore.serve.metrics.MetricWriter;
import io.pathlore.store.journal.DiskFiles;
import io.pathlore.store.journal.JournalInUseException;
import io.pathlore.store.journal.JournalReader;
import io.pathlore.store.tables.Mark;
import io.pathlore.store.tables.Row;
import io.pathlore.store.tables.TableException;
import io.pathlore.store.tables.TableReader;
import io.pathlore.store.tables.TableStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The data of a collector that does not run, which no collector can begin to write meanwhile. What only the journal has is added to the tables, behind
 * their mark: the collector removes it when it starts again, and adds it up itself. So it finds its data as it left them.
 */
final class StoppedData implements Origin {
    private static final long SECOND = 1_000_000_000L;
    private static final long MINUTE = 60 * SECOND;

    /** Nobody can send to it, so nobody can make its hashes meet. */
    private static final long SEED = 1;

    private final Service service;
    private final boolean journalled;
    private final @Nullable Closeable lock;
    private final Notes notes;
    private long fromNanos;
    private long toNanos;

    private StoppedData(Service service, boolean journalled, @Nullable Closeable lock, Notes notes) {
        this.service = service;
        this.journalled = journalled;
        this.lock = lock;
        this.notes = notes;
    }

    /** Makes sure that it is there, and that nobody else writes it. */
    static StoppedData take(Service service, Notes notes) throws ServiceException {
        Path data = service.data();
        Path journal = service.journalDirectory();
        try {
            boolean journalled = DiskFiles.isJournal(journal);
            if (!journalled && !TableReader.areIn(service.storeDirectory())) {
                throw new ServiceException("data " + data
                        + (Files.isDirectory(data) ? ": no collector has written there" : ": no such directory")
                        + "; name the data of one with --data DIR, or set kafka.bootstrap");
            }
            Closeable lock = Files.isDirectory(journal) ? DiskFiles.of(journal).lock() : null;
            return new StoppedData(service, journalled, lock, notes);
        } catch (JournalInUseException e) {
            throw inUse(data, e.owner(), e);
        } catch (IOException e) {
            throw new ServiceException(String.valueOf(e.getMessage()), e);
        }
    }

    /** What somebody is told who wants what a running collector has. */
    static ServiceException inUse(Path data, String owner, Exception cause) {
        return new ServiceException(
                "data " + data + ": a collector runs on it" + owner + "; ask that one, or stop it first", cause);
    }

    /** Adds to the tables what they lack, and sees from when to when they are. */
    void read(Tables tables) throws ServiceException {
        TableStore store = tables.await();
        long last = Long.MIN_VALUE;
        try {
            if (!store.stored().positions().isEmpty()) {
                throw new ServiceException("data " + service.data()
                        + ": was filled from Kafka, not by a collector; set kafka.bootstrap to go on with it");
            }
            if (journalled) {
                last = addJournal(store);
                tables.awaitStored();
            }
            findTimes(tables, last);
        } catch (Problem e) {
            throw new ServiceException("tables " + tables.directory() + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new ServiceException(String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServiceException("interrupted", e);
        }
    }

    /** The time of the last datagram; the smallest number where there are none behind the mark. */
    private long addJournal(TableStore store) throws IOException, TableException, InterruptedException {
        Mark mark = store.stored();
        long from = mark.storedToNanos() == Row.ABSENT ? Long.MIN_VALUE : mark.storedToNanos();
        long last = Long.MIN_VALUE;
        try (JournalReader reader = new JournalReader(
                        DiskFiles.of(service.journalDirectory()),
                        damage -> notes.warn("journal-damage", "journal: " + damage.text()))
                .between(Rereading.leadIn(from), Long.MAX_VALUE)) {
            Rereading again = null;
            boolean wanted = false;
            while (reader.next()) {
                long received = reader.envelope().receivedNanos();
                if (!wanted && received >= from) {
                    wanted = true;
                    notes.info("reads the journal"
                            + (mark.storedToNanos() == Row.ABSENT ? "" : " from " + TimeText.of(from)));
                    Mark _ = store.restart();
                }
                last = Math.max(last, received);
                again = again == null ? new Rereading(service, from, new Unmarked(store), SEED) : again;
                again.add(reader.envelope());
            }
            if (again == null || !wanted) {
                return Long.MIN_VALUE; // what the tables have behind their mark is all there is of it
            }
            again.end();
        }
        return last;
    }

    /** What is added here is the collector's to add up: the mark stays where the collector left it. */
    private static final class Unmarked implements RowSink {
        private final TableFiller.Patient rows;

        Unmarked(TableStore store) {
            rows = new TableFiller.Patient(store);
        }

        @Override
        public void row(Row row) {
            rows.row(row);
        }

        @Override
        public void complete(long untilNanos) {}
    }

    private void findTimes(Tables tables, long lastDatagram) throws Problem {
        long[] found = {Long.MAX_VALUE, lastDatagram, Long.MIN_VALUE};
        tables.read("""
                SELECT epoch_ns(least((SELECT min(time) FROM exporters_1m), (SELECT min(time) FROM hops_1m),
                        (SELECT min(time) FROM hops_1s), (SELECT min(start) FROM events))) AS first,
                    epoch_ns(greatest((SELECT max(time) FROM hops_1s), (SELECT max(last_seen) FROM nodes),
                        (SELECT max(detected_at) FROM events))) AS last,
                    epoch_ns((SELECT max(time) FROM exporters_1m)) AS minute
                """, row -> {
            found[0] = row.number("first") == Row.ABSENT ? lastDatagram : row.number("first");
            found[1] = Math.max(found[1], row.number("last"));
            found[2] = row.number("minute");
        });
        if (found[1] < found[2]) {
            found[1] = found[2] + MINUTE - 1; // nothing says when in it
        }
        long to = found[1] == Row.ABSENT || found[1] == Long.MIN_VALUE ? CollectorProcess.epochNanos() : found[1];
        toNanos = (Math.floorDiv(to, SECOND) + 1) * SECOND;
        fromNanos = Math.min(
                found[0] == Long.MIN_VALUE ? toNanos - MINUTE : Math.floorDiv(found[0], SECOND) * SECOND, toNanos);
    }

    @Override
    public @Nullable Path kept() {
        return journalled ? service.journalDirectory() : null;
    }

    @Override
    public long nowNanos() {
        return toNanos;
    }

    @Override
    public void status(JsonText json) {
        json.name("recording").open('{');
        json.name("name").value(service.data().toString());
        json.name("from").value(TimeText.of(fromNanos));
        json.name("to").value(TimeText.of(toNanos)).close('}');
    }

    @Override
    public void write(MetricWriter out) {}

    @Override
    public List<Sources.Check> checks() {
        return List.of();
    }

    @Override
    public String greeting() {
        return "serves " + service.data() + " from " + TimeText.of(fromNanos) + " to " + TimeText.of(toNanos)
                + "; nothing is received";
    }

    @Override
    public void stop() {}

    @Override
    public void close() {
        try {
            if (lock != null) {
                lock.close();
            }
        } catch (IOException e) {
            notes.warn("journal " + service.journalDirectory() + ": cannot be let go: " + e.getMessage());
        }
    }
}
