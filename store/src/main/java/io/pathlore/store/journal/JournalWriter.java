package io.pathlore.store.journal;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Between the threads that receive and the disk. Each of them has a {@link JournalRing} of its own, which never lets it wait; a
 * thread that runs {@link #run} writes what is there in large blocks, a block of each ring in turn, and syncs at an interval,
 * for all records of the interval at once. Records of one ring stay in order; those of different rings follow each other as
 * they are found.
 *
 * <p>Counters, {@link #books} and {@link #failure} may be read by any thread.
 */
public final class JournalWriter implements Runnable {
    private static final int BLOCK = 1 << 20;
    private static final long MAINTAIN_NANOS = 1_000_000_000;
    private static final long IDLE_NANOS = 2_000_000;
    // Enough for a write that is worth its system call.
    private static final int WORTHWHILE = 256 << 10;

    private final Journal journal;
    private final JournalRing[] rings;
    private final long[] left;
    private final long syncNanos;
    private final LongSupplier epochClock;
    private long lastSync;
    private long lastMaintained;
    private boolean started;
    private volatile boolean stopping;
    private volatile @Nullable Throwable failure;

    /**
     * @param rings how many threads receive
     * @param bufferBytesPerRing memory for records not yet written; rounded up to a power of two
     * @param sync longest time from writing a record to its acknowledgement, on a disk that keeps up
     * @param epochClock the time of day in nanoseconds, for {@link #run}
     */
    public JournalWriter(Journal journal, int rings, int bufferBytesPerRing, Duration sync, LongSupplier epochClock) {
        if (rings < 1) {
            throw new IllegalArgumentException(rings + " rings; at least 1");
        }
        this.journal = journal;
        this.epochClock = epochClock;
        syncNanos = sync.toNanos();
        this.rings = new JournalRing[rings];
        for (int i = 0; i < rings; i++) {
            this.rings[i] = new JournalRing(bufferBytesPerRing, journal.edgeId());
        }
        left = new long[rings];
    }

    /** The one of the receiving thread {@code index}, counted from 0. */
    public JournalRing ring(int index) {
        return rings[index];
    }

    /** All counts in agreement, also while everybody works. */
    public JournalBooks books() {
        JournalCounts counts = journal.counts();
        long journalled = counts.journalled();
        long full = counts.dropped(JournalDrop.FULL);
        long error = counts.dropped(JournalDrop.ERROR);
        // Last: whatever was written or dropped was taken before.
        long taken = 0;
        long slow = 0;
        for (JournalRing ring : rings) {
            taken += ring.taken();
            slow += ring.refused();
        }
        return new JournalBooks(taken, journalled, full, slow, error);
    }

    public long journalled() {
        return journal.counts().journalled();
    }

    public long dropped(JournalDrop reason) {
        return books().dropped(reason);
    }

    /** Records that were taken, and are neither journalled nor dropped yet. */
    public long waiting() {
        return books().waiting();
    }

    public JournalCounts counts() {
        return journal.counts();
    }

    /**
     * What {@link #run} did not expect and therefore stopped writing for; null while all is well. A disk that refuses is no
     * failure. After one nothing is written any more: what is offered is dropped as {@link JournalDrop#ERROR}.
     */
    public @Nullable Throwable failure() {
        return failure;
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
        for (int i = 0; i < rings.length; i++) {
            left[i] = rings[i].waitingBytes();
        }
        while (drain(ticks, nowNanos)) {}
        if (ticks - lastSync >= syncNanos) {
            journal.sync(ticks);
            lastSync = ticks;
        }
        if (ticks - lastMaintained >= MAINTAIN_NANOS) {
            journal.maintain(ticks, nowNanos);
            lastMaintained = ticks;
        }
        long waiting = 0;
        for (JournalRing ring : rings) {
            waiting += ring.waitingBytes();
        }
        return waiting >= WORTHWHILE;
    }

    /** Writes a block of each ring that has something left; false if none has. */
    private boolean drain(long ticks, long nowNanos) {
        boolean more = false;
        for (int i = 0; i < rings.length; i++) {
            if (left[i] > 0) {
                left[i] -= rings[i].drain(journal, BLOCK, ticks, nowNanos);
                more |= left[i] > 0;
            }
        }
        return more;
    }

    /** Writes until {@link #stop}, then what is left. */
    @Override
    public void run() {
        try {
            while (!stopping) {
                // An interrupt would close the file under the write [FileChannel]; this thread is stopped by stop()
                // only.
                boolean ignored = Thread.interrupted();
                if (!step(System.nanoTime(), epochClock.getAsLong())) {
                    LockSupport.parkNanos(this, IDLE_NANOS);
                }
            }
            finish(System.nanoTime(), epochClock.getAsLong());
        } catch (RuntimeException | Error e) {
            failure = e;
            discard();
        }
    }

    /** Until {@link #stop}. The journal is in no known state, but the books have to balance. */
    private void discard() {
        while (true) {
            boolean last = stopping;
            for (JournalRing ring : rings) {
                ring.discard();
            }
            journal.counts().drop(JournalDrop.ERROR, waiting());
            if (last) {
                return;
            }
            boolean ignored = Thread.interrupted();
            LockSupport.parkNanos(this, IDLE_NANOS);
        }
    }

    /** Writes and syncs all that was offered. */
    void finish(long ticks, long nowNanos) {
        for (JournalRing ring : rings) {
            while (ring.drain(journal, BLOCK, ticks, nowNanos) > 0) {}
        }
        journal.sync(ticks);
    }

    /** Lets {@link #run} end, once nothing is offered any more. The journal is to be closed behind it. */
    public void stop() {
        stopping = true;
    }

    /** After {@link #run} has ended. */
    public void close() throws IOException {
        if (failure == null) {
            journal.close();
        } else {
            journal.release();
        }
    }
}
