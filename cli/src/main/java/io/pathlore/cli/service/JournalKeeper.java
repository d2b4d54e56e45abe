package io.pathlore.cli.service;

import io.pathlore.cli.config.Service;
import io.pathlore.ingest.Ledger;
import io.pathlore.store.journal.DiskFiles;
import io.pathlore.store.journal.Journal;
import io.pathlore.store.journal.JournalCounts;
import io.pathlore.store.journal.JournalDamage;
import io.pathlore.store.journal.JournalDrop;
import io.pathlore.store.journal.JournalOptions;
import io.pathlore.store.journal.JournalRing;
import io.pathlore.store.journal.JournalWriter;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The journal of a running process, the thread that writes it, and how it is doing. */
final class JournalKeeper {
    /** How long after the last refusal of the disk all is well again. */
    private static final long TROUBLE_NANOS = 2_000_000_000L;

    private static final int NAMED_DAMAGE = 8;

    /** What an operator is told. */
    record State(String word, String detail) {}

    private static final class Trouble {
        private volatile long atNanos;
        private volatile String what = "";
    }

    private final Service service;
    private final JournalWriter writer;
    private final Trouble trouble;
    private final LongSupplier epochNanos;
    private final Notes notes;
    private @Nullable Thread thread;

    private JournalKeeper(
            Service service, JournalWriter writer, Trouble trouble, LongSupplier epochNanos, Notes notes) {
        this.service = service;
        this.writer = writer;
        this.trouble = trouble;
        this.epochNanos = epochNanos;
        this.notes = notes;
    }

    static JournalKeeper open(Service service, MemoryPlan plan, LongSupplier epochNanos, Notes notes)
            throws ServiceException {
        Service.Journalling options = service.journal();
        Trouble trouble = new Trouble();
        SecureRandom random = new SecureRandom();
        try {
            Journal journal = Journal.open(
                    DiskFiles.make(service.journalDirectory()),
                    JournalOptions.of(options.segmentBytes(), options.keep(), options.keepBytes()),
                    random::nextLong,
                    epochNanos.getAsLong(),
                    e -> {
                        trouble.what = String.valueOf(e.getMessage());
                        trouble.atNanos = epochNanos.getAsLong();
                        notes.warn("journal", trouble.what + ": datagrams are counted and analysed, and not kept");
                    });
            tell(journal.found(), notes);
            JournalWriter writer =
                    new JournalWriter(journal, plan.workers(), plan.journalBytes(), options.sync(), epochNanos);
            return new JournalKeeper(service, writer, trouble, epochNanos, notes);
        } catch (IOException e) {
            throw new ServiceException(e.getMessage() + "; or run without one: journal.enabled=false", e);
        }
    }

    private static void tell(List<JournalDamage> found, Notes notes) {
        found.stream().limit(NAMED_DAMAGE).forEach(damage -> notes.warn("journal: " + damage.text()));
        if (found.size() > NAMED_DAMAGE) {
            notes.warn("journal: damaged in " + (found.size() - NAMED_DAMAGE) + " more places");
        }
    }

    void begin() {
        thread = Thread.ofPlatform().name("pathlore-journal").start(writer);
    }

    /** Writes and syncs all that was offered; nobody offers any more. */
    void close() {
        writer.stop();
        Thread running = thread;
        boolean interrupted = false;
        while (running != null && running.isAlive()) {
            try {
                running.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        try {
            writer.close();
        } catch (IOException e) {
            notes.error("journal: cannot be closed in order: " + e.getMessage() + "; the next start repairs it");
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Has the ledger count what becomes of datagrams here. */
    void count(Ledger ledger) {
        ledger.addCount(Ledger.Term.JOURNALLED, writer::journalled);
        ledger.addCount(io.pathlore.ingest.JournalDrop.FULL, () -> writer.dropped(JournalDrop.FULL));
        ledger.addCount(io.pathlore.ingest.JournalDrop.ERROR, () -> writer.dropped(JournalDrop.ERROR));
        ledger.addHolder(writer::waiting);
    }

    JournalRing ring(int worker) {
        return writer.ring(worker);
    }

    long waiting() {
        return writer.waiting();
    }

    @Nullable
    Throwable failure() {
        return writer.failure();
    }

    JournalCounts counts() {
        return writer.counts();
    }

    String directory() {
        return service.journalDirectory().toString();
    }

    State state() {
        if (writer.failure() != null) {
            return new State("error", "the writing thread has ended: " + writer.failure());
        }
        if (epochNanos.getAsLong() - trouble.atNanos > TROUBLE_NANOS) {
            return new State("ok", "");
        }
        boolean full = trouble.what.contains("space") || trouble.what.contains("full");
        return new State(full ? "full" : "error", trouble.what);
    }
}
