package io.pathlore.cli.service;

import io.pathlore.analysis.event.Burst;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.cli.config.Service;
import io.pathlore.engine.Engine;
import io.pathlore.store.journal.DiskFiles;
import io.pathlore.store.journal.JournalReader;
import io.pathlore.store.tables.Mark;
import io.pathlore.store.tables.QueryException;
import io.pathlore.store.tables.QueryLimits;
import io.pathlore.store.tables.Row;
import io.pathlore.store.tables.TableException;
import io.pathlore.store.tables.TableHealth;
import io.pathlore.store.tables.TableStore;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the tables filled. What the running pipeline adds up goes into them as it comes. What is not in them, after a stop, a crash,
 * or when they could not be written for a while, is read again from the journal, up to a full minute from which on the running
 * pipeline takes over: before that minute everything comes from the journal, from it on everything from the pipeline, so nothing is
 * missing and nothing counts twice. Nobody who analyses ever waits for it. What happens is written into the book of events, too.
 */
final class TableFiller implements AutoCloseable, EventSink {
    private static final long MINUTE = 60_000_000_000L;
    private static final long SECOND = 1_000_000_000L;
    private static final long PAUSE_NANOS = 50_000_000L;

    /** Until what was received before a time has been offered to the journal. */
    private static final long OFFERED_NANOS = 2 * SECOND;

    /** Datagrams that are read again before somebody looks whether there is something better to do. */
    private static final int STRIDE = 1_024;

    /** To read the journal again, before the tables are left with a gap. */
    private static final int ATTEMPTS = 5;

    /** Rows of attacks that are remembered, for the tables may not be open, or have to be filled again: nobody finds them in the journal. */
    private static final int OF_ATTACKS = 8_192;

    private static final long NOT_YET = Long.MAX_VALUE;

    private final Service service;
    private final EventBook events;
    private final TableFeed live;
    private final long seed;
    private final LongSupplier epochNanos;
    private final Notes notes;
    private @Nullable Tables tables;
    private @Nullable Collector collector;
    private @Nullable Thread thread;

    /** Guarded by itself. */
    private final ArrayDeque<Row> ofAttacks = new ArrayDeque<>();

    private volatile @Nullable TableStore store;

    /** From which time on rows of the running pipeline are wanted. */
    private volatile long liveFrom = NOT_YET;

    /** Up to there the running pipeline has told everything. */
    private volatile long liveTo = Long.MIN_VALUE;

    private int refusals;
    private boolean begun;
    private boolean restored;
    private volatile boolean catchingUp = true;
    private volatile boolean behind;
    private volatile boolean stopping;

    /** @param beside is given the rows of the running pipeline too, also where there are no tables */
    TableFiller(Service service, EventBook events, RowSink beside, long seed, LongSupplier epochNanos, Notes notes) {
        this.service = service;
        this.events = events;
        this.seed = seed;
        this.epochNanos = epochNanos;
        this.notes = notes;
        live = new TableFeed(
                service.store().enabled() ? new Live(beside) : beside,
                service.config().inventory(),
                PathBook.of(service));
    }

    /** For the running pipeline. */
    TableFeed live() {
        return live;
    }

    /** Begins to fill. */
    void start(Tables filled, Collector running) {
        if (service.store().enabled()) {
            tables = filled;
            collector = running;
            thread = Thread.ofPlatform().name("pathlore-tables").start(this::run);
        }
    }

    // The running pipeline
    // --------------------------------------------------------------------------------------------------------------

    private final class Live implements RowSink {
        private final RowSink beside;

        Live(RowSink beside) {
            this.beside = beside;
        }

        @Override
        public void row(Row row) {
            beside.row(row);
            if (row instanceof Row.AttackSecond) {
                remember(row);
            }
            if (row.key() != null || row.time() >= liveFrom) {
                give(row);
            }
        }

        @Override
        public void complete(long untilNanos) {
            liveTo = untilNanos;
            TableStore open = store;
            if (open != null && !catchingUp && untilNanos > liveFrom) {
                boolean _ = open.mark(untilNanos, Map.of());
            }
        }
    }

    /** What was stopped. Any thread. */
    void on(Row.Stopped stopped) {
        remember(stopped);
        give(stopped);
    }

    private void remember(Row ofAttack) {
        synchronized (ofAttacks) {
            if (ofAttacks.size() == OF_ATTACKS) {
                ofAttacks.removeFirst();
            }
            ofAttacks.addLast(ofAttack);
        }
    }

    private List<Row> remembered() {
        synchronized (ofAttacks) {
            return List.copyOf(ofAttacks);
        }
    }

    private void give(Row row) {
        TableStore open = store;
        if (open != null && !behind && !open.append(row)) {
            behind = true; // the thread sees to it
        }
    }

    @Override
    public void on(Event event) {
        give(events.add(event));
    }

    private void give(EventBook.Entry entry) {
        give(TableFeed.event(entry.event(), entry.json()));
    }

    @Override
    public void on(Burst burst) {
        Row.Episode episode = TableFeed.episode(burst);
        if (episode != null) {
            give(episode);
        }
    }

    // Catching up
    // --------------------------------------------------------------------------------------------------------------

    private void run() {
        try {
            while (!stopping) {
                TableStore open = begin();
                if (open != null) {
                    long lastFlush = System.nanoTime();
                    while (!stopping && !behind) {
                        LockSupport.parkNanos(this, PAUSE_NANOS);
                        if (System.nanoTime() - lastFlush >= SECOND) {
                            lastFlush = System.nanoTime();
                            boolean _ = open.flush();
                        }
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            catchingUp = true;
            notes.error("the tables are no longer filled: " + e + " - this is a bug in pathlore, please report it;"
                    + " what was received is in the journal, and the next start reads it");
            throw e;
        }
    }

    /** From where the tables are to where the running pipeline takes over; null if that has to be tried again. */
    private @Nullable TableStore begin() throws InterruptedException {
        catchingUp = true;
        liveFrom = NOT_YET;
        Tables filled = tables;
        TableStore open = filled == null ? null : filled.store();
        if (open == null) {
            LockSupport.parkNanos(this, PAUSE_NANOS);
            return null;
        }
        if (!open.stored().positions().isEmpty()) {
            notes.warn(
                    "tables",
                    "tables " + service.storeDirectory() + ": were filled from Kafka by 'pathlore serve', and are not"
                            + " written to; give the collector a data directory of its own");
            TimeUnit.SECONDS.sleep(1);
            return null;
        }
        try {
            Mark mark = open.restart(); // and what lies behind it is removed
            behind = false;
            store = open;
            if (!restored) {
                restored = true;
                restore(open, mark.storedToNanos());
            }
            events.all().forEach(this::give);
            remembered().forEach(new Patient(open)::row);
            catchUp(open, mark.storedToNanos());
            refusals = 0;
            return open;
        } catch (TableException e) {
            TimeUnit.SECONDS.sleep(1); // who stores has told why
            return null;
        } catch (IOException e) {
            if (++refusals < ATTEMPTS) {
                notes.warn("tables", "the journal cannot be read: " + e.getMessage() + "; it is tried again");
                TimeUnit.SECONDS.sleep(1);
                return null;
            }
            notes.warn("tables", "the journal cannot be read: " + e.getMessage() + "; the tables have a gap");
            refusals = 0;
            takeOver(open, nextMinute());
            return open;
        }
    }

    /** What an earlier process told. What had not ended then is followed no further than it was. */
    private void restore(TableStore open, long stored) throws InterruptedException {
        List<Event> earlier = stored(open, notes);
        if (stored != Row.ABSENT) {
            earlier.replaceAll(event -> event.endNanos() == Event.OPEN ? event.endedBy(stored) : event);
        }
        events.restore(earlier);
    }

    /** The last events in the tables, the oldest first. */
    static List<Event> stored(TableStore open, Notes notes) throws InterruptedException {
        List<Event> earlier = new ArrayList<>();
        try {
            open.queries(QueryLimits.DEFAULT)
                    .read("SELECT json FROM events ORDER BY start DESC LIMIT " + EventBook.EVENTS, List.of(), row -> {
                        EventReader.read(String.valueOf(row.text("json"))).ifPresent(earlier::add);
                    });
        } catch (QueryException e) {
            notes.warn("tables", "what happened before the start is not shown: " + e.getMessage());
        }
        Collections.reverse(earlier);
        return earlier;
    }

    private long nextMinute() {
        return (Math.floorDiv(epochNanos.getAsLong() + SECOND, MINUTE) + 1) * MINUTE;
    }

    private void takeOver(TableStore open, long from) {
        liveFrom = from;
        catchingUp = false;
        long to = liveTo;
        if (to > from) {
            boolean _ = open.mark(to, Map.of());
        }
    }

    private void catchUp(TableStore open, long stored) throws IOException, InterruptedException {
        Collector running = collector;
        if (running == null) {
            return;
        }
        JournalKeeper journal = running.journal();
        long from = stored == Row.ABSENT ? Long.MIN_VALUE : stored;
        long started = running.startedNanos();
        long startMinute = Math.floorDiv(started, MINUTE) * MINUTE;
        boolean first = !begun;
        begun = true;
        if (journal == null || !Files.isDirectory(service.journalDirectory())) {
            takeOver(open, first ? Long.MIN_VALUE : nextMinute());
            return;
        }
        if (first && from < started && !isThere(startMinute, started)) {
            // The minute of the start is the running pipeline's own, all of it.
            liveFrom = startMinute;
            reread(open, from, startMinute, journal, running);
        } else {
            reread(open, from, NOT_YET, journal, running);
        }
    }

    /** Whether the journal has something from that time. */
    private boolean isThere(long from, long until) throws IOException {
        try (JournalReader reader =
                new JournalReader(DiskFiles.of(service.journalDirectory()), damage -> {}).between(from, until)) {
            return reader.next();
        }
    }

    /**
     * Up to the time that is asked for, or to the full minute at which there is no more to read; there the running pipeline takes
     * over. Who is told to stop before leaves the mark where it is.
     */
    private void reread(TableStore open, long from, long until, JournalKeeper journal, Collector running)
            throws IOException, InterruptedException {
        boolean follows = until == NOT_YET;
        long to = until;
        Rereading again = null;
        boolean last = !follows;
        try (JournalReader reader = new JournalReader(DiskFiles.of(service.journalDirectory()), damage -> {})
                .between(Rereading.leadIn(from), until)) {
            while (!stopping && !behind) {
                int count = 0;
                while (count < STRIDE && reader.next()) {
                    if (reader.envelope().receivedNanos() < to) {
                        again = again == null ? new Rereading(running.service(), from, new Patient(open), seed) : again;
                        again.add(reader.envelope());
                    }
                    count++;
                }
                Engine engine = running.engine();
                if (engine != null && engine.shedLevel() > 0) {
                    LockSupport.parkNanos(this, PAUSE_NANOS); // who receives comes first
                }
                if (count == STRIDE) {
                    continue;
                }
                if (last) {
                    break;
                }
                if (to == NOT_YET) {
                    to = nextMinute();
                    liveFrom = to;
                }
                last = epochNanos.getAsLong() > to + OFFERED_NANOS && journal.waiting() == 0;
                if (!last) {
                    boolean _ = open.flush();
                    LockSupport.parkNanos(this, PAUSE_NANOS);
                }
            }
        }
        if (again != null && !stopping) {
            again.end();
        }
        if (!stopping && !behind && open.mark(to, Map.of())) {
            takeOver(open, to);
        }
    }

    /** For who can wait: gives the tables time to take the rows. */
    static final class Patient implements RowSink {
        private static final int ENOUGH = 4_096;
        private static final long CROWDED_BYTES = 8L << 20;

        private final TableStore store;
        private int since;

        Patient(TableStore store) {
            this.store = store;
        }

        @Override
        public void row(Row row) {
            if (++since >= ENOUGH) {
                since = 0;
                boolean _ = store.flush();
                while (isCrowded(store.health())) {
                    LockSupport.parkNanos(this, PAUSE_NANOS / 10);
                }
            }
            boolean _ = store.append(row);
        }

        private static boolean isCrowded(TableHealth health) {
            return health.state() == TableHealth.State.OK && health.waitingBytes() > CROWDED_BYTES;
        }

        @Override
        public void complete(long untilNanos) {
            boolean _ = store.mark(untilNanos, Map.of());
        }
    }

    /** Stores what was told. The pipeline has ended before. */
    @Override
    public void close() {
        stopping = true;
        Thread running = thread;
        if (running == null) {
            return;
        }
        LockSupport.unpark(running);
        boolean interrupted = false;
        while (running.isAlive()) {
            try {
                running.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        TableStore open = store;
        if (open != null) {
            boolean journalled = service.journal().enabled();
            // Without a journal nobody can read the last minute again: it counts as it is.
            boolean _ = journalled || catchingUp ? open.flush() : open.mark(nextMinute(), Map.of());
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether the tables lack something that is being read again, and how far that has come. */
    boolean isCatchingUp() {
        return catchingUp;
    }
}
