package io.pathlore.bench.load;

import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.udp.DatagramBatch;
import io.pathlore.ingest.udp.Journalling;
import io.pathlore.store.journal.DiskFiles;
import io.pathlore.store.journal.Journal;
import io.pathlore.store.journal.JournalDrop;
import io.pathlore.store.journal.JournalOptions;
import io.pathlore.store.journal.JournalWriter;
import io.pathlore.wire.envelope.Envelope;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;

/** The journal as a collector has it: what is offered is written and synced by a thread of its own. */
final class Journalled implements Journalling, AutoCloseable {
    private static final int BUFFER_BYTES = 32 << 20;
    private static final Duration SYNC = Duration.ofMillis(200);
    private static final JournalOptions OPTIONS = JournalOptions.of(64L << 20, Duration.ofHours(1), 512L << 20);
    private static final long PATIENCE_NANOS = 20_000_000_000L;

    private final JournalWriter writer;
    private final Thread thread;
    private final Ledger.Worker ledger;
    private long offered;

    Journalled(Path directory, Ledger.Worker ledger) throws IOException {
        this.ledger = ledger;
        Journal journal = Journal.open(
                DiskFiles.make(directory),
                OPTIONS,
                new SplittableRandom()::nextLong,
                epochNanos(),
                Throwable::printStackTrace);
        writer = new JournalWriter(journal, 1, BUFFER_BYTES, SYNC, Journalled::epochNanos);
        thread = Thread.ofPlatform().name("pathlore-journal").start(writer);
    }

    private static long epochNanos() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    @Override
    public void offer(DatagramBatch batch, int index) {
        int known = batch.flags(index);
        int flags = (known & DatagramBatch.KERNEL_TIME) != 0 ? Envelope.KERNEL_TIME : 0;
        flags |= (known & DatagramBatch.DUPLICATE) != 0 ? Envelope.DUPLICATE : 0;
        flags |= (known & DatagramBatch.UNBOUND) != 0 ? Envelope.UNBOUND : 0;
        boolean taken = writer.ring(0)
                .offer(
                        flags,
                        batch.wireLength(index),
                        batch.timeNanos(index),
                        batch.v6(index),
                        batch.sourceHi(index),
                        batch.sourceLo(index),
                        batch.sourcePort(index),
                        batch.destinationHi(index),
                        batch.destinationLo(index),
                        batch.destinationPort(index),
                        batch.data(),
                        batch.offset(index),
                        batch.length(index));
        if (taken) {
            offered++;
            ledger.count(Ledger.Term.JOURNALLED); // or dropped by the disk, which is asked in the end
        } else {
            ledger.journalDropped(io.pathlore.ingest.JournalDrop.SLOW);
        }
    }

    @Override
    public void endBatch() {
        writer.ring(0).publish();
    }

    /** Waits until all that was offered is on the disk; then the processor time the journal's thread has used so far. */
    long settle() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (writer.journalled() + dropped() < offered) {
            if (System.nanoTime() > deadline) {
                throw new IOException("the journal does not get done");
            }
            Thread.sleep(1);
        }
        return ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.threadId());
    }

    /** By the disk. From any thread. */
    long dropped() {
        return writer.dropped(JournalDrop.FULL) + writer.dropped(JournalDrop.ERROR);
    }

    @Override
    public void close() throws IOException {
        writer.stop();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        writer.close();
    }
}
