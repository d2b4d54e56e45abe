package io.pathlore.store.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Between the thread that receives and the disk. {@link #offer} copies a datagram into memory of fixed size and never waits;
 * a thread of its own, which runs {@link #run}, writes what is there in large blocks and syncs at an interval, for all records
 * of the interval at once.
 *
 * <p>Hot path: {@link #offer}, by one thread. Counters may be read by any.
 */
public final class JournalWriter implements Runnable {
    /** What {@link #offer} returns when the memory is full, which is counted as {@link JournalDrop#SLOW}. */
    public static final long REFUSED = JournalRing.REFUSED;

    private static final int BLOCK = 1 << 20;
    private static final long MAINTAIN_NANOS = 1_000_000_000;
    private static final long IDLE_NANOS = 2_000_000;
    // Enough for a write that is worth its system call.
    private static final int WORTHWHILE = 256 << 10;

    private final Journal journal;
    private final JournalRing ring;
    private final long syncNanos;
    private final LongSupplier epochClock;
    private long lastSync;
    private long lastMaintained;
    private boolean started;
    private volatile boolean stopping;

    /**
     * @param bufferBytes memory for records not yet written; rounded up to a power of two
     * @param sync longest time from writing a record to its acknowledgement, on a disk that keeps up
     * @param epochClock the time of day in nanoseconds, for {@link #run}
     */
    public JournalWriter(Journal journal, int bufferBytes, Duration sync, LongSupplier epochClock) {
        this.journal = journal;
        this.epochClock = epochClock;
        syncNanos = sync.toNanos();
        ring = new JournalRing(bufferBytes, journal.edgeId(), journal.firstPosition());
    }

    /**
     * Takes a copy of a datagram. Flags are those of {@link io.pathlore.wire.envelope.Envelope}; where {@code v6} is false,
     * addresses are the lower 32 bits of the low halves. By one thread, always the same.
     *
     * @return the position the record will have, or {@link #REFUSED}
     */
    public long offer(
            int flags,
            int originalLength,
            long receivedNanos,
            boolean v6,
            long exporterHigh,
            long exporterLow,
            int exporterPort,
            long destinationHigh,
            long destinationLow,
            int destinationPort,
            ByteBuffer datagram,
            int offset,
            int length) {
        return ring.offer(
                flags,
                originalLength,
                receivedNanos,
                v6,
                exporterHigh,
                exporterLow,
                exporterPort,
                destinationHigh,
                destinationLow,
                destinationPort,
                datagram,
                offset,
                length);
    }

    public long journalled() {
        return journal.counts().journalled();
    }

    public long dropped(JournalDrop reason) {
        return reason == JournalDrop.SLOW ? ring.refusals() : journal.counts().dropped(reason);
    }

    public JournalCounts counts() {
        return journal.counts();
    }

    /**
     * One round of the writing thread; {@link #run} does nothing else. True if more is waiting that is worth writing at once.
     *
     * @param ticks a monotonic clock
     * @param nowNanos the time of day
     */
    boolean step(long ticks, long nowNanos) {
        if (!started) {
            started = true;
            lastSync = ticks;
            lastMaintained = ticks;
        }
        // As much as was there at the start of the round: syncing must not wait for a source that never pauses.
        for (long left = ring.waiting(); left > 0; left -= BLOCK) {
            if (!ring.drain(journal, BLOCK, ticks, nowNanos)) {
                break;
            }
        }
        if (ticks - lastSync >= syncNanos) {
            journal.sync(ticks);
            lastSync = ticks;
        }
        if (ticks - lastMaintained >= MAINTAIN_NANOS) {
            journal.maintain(ticks, nowNanos);
            lastMaintained = ticks;
        }
        return ring.waiting() >= WORTHWHILE;
    }

    /** Writes until {@link #stop}, then what is left. */
    @Override
    public void run() {
        while (!stopping) {
            // An interrupt would close the file under the write [FileChannel]; this thread is stopped by stop() only.
            boolean ignored = Thread.interrupted();
            if (!step(System.nanoTime(), epochClock.getAsLong())) {
                LockSupport.parkNanos(this, IDLE_NANOS);
            }
        }
        finish(System.nanoTime(), epochClock.getAsLong());
    }

    /** Writes and syncs all that was offered. */
    void finish(long ticks, long nowNanos) {
        while (ring.drain(journal, BLOCK, ticks, nowNanos)) {}
        journal.sync(ticks);
    }

    /** Lets {@link #run} end, once nothing is offered any more. The journal is to be closed behind it. */
    public void stop() {
        stopping = true;
    }

    /** After {@link #run} has ended. */
    public void close() throws IOException {
        journal.close();
    }
}
