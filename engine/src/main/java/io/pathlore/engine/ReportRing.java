package io.pathlore.engine;

import io.pathlore.model.ReportRow;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * Reports on their way from the one thread that decodes to the one that analyses. What is added can be taken after
 * {@link #publish}: once per batch, so that the two threads seldom touch the same line of memory. Hot path.
 */
final class ReportRing {
    private static final VarHandle ADDED;
    private static final VarHandle PUBLISHED;
    private static final VarHandle TAKEN;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            ADDED = lookup.findVarHandle(ReportRing.class, "added", long.class);
            PUBLISHED = lookup.findVarHandle(ReportRing.class, "published", long.class);
            TAKEN = lookup.findVarHandle(ReportRing.class, "taken", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ByteBuffer rows;
    private final int capacity;

    // The decoding thread's.
    private long added;
    private long takenSeen;
    // Shared.
    private long published;
    // The analysing thread's.
    private long taken;

    ReportRing(int bytes) {
        capacity = Math.max(1, bytes / ReportRow.LENGTH);
        rows = ByteBuffer.allocateDirect(capacity * ReportRow.LENGTH);
    }

    /** Copies the row; false when there is no room. */
    boolean add(ByteBuffer from, int at) {
        if (added - takenSeen >= capacity) {
            takenSeen = (long) TAKEN.getAcquire(this);
            if (added - takenSeen >= capacity) {
                return false;
            }
        }
        rows.put((int) (added % capacity) * ReportRow.LENGTH, from, at, ReportRow.LENGTH);
        ADDED.setOpaque(this, added + 1);
        return true;
    }

    /** From now on the other thread may take what was added. */
    void publish() {
        if (published != added) {
            PUBLISHED.setRelease(this, added);
        }
    }

    /** By the thread that adds: how full it is. */
    int percent() {
        return (int) ((added - (long) TAKEN.getAcquire(this)) * 100 / capacity);
    }

    /** By the thread that takes: how many are there. */
    int ready() {
        return (int) ((long) PUBLISHED.getAcquire(this) - taken);
    }

    ByteBuffer rows() {
        return rows;
    }

    /** Where the {@code index}-th of those that are ready lies. */
    int offset(int index) {
        return (int) ((taken + index) % capacity) * ReportRow.LENGTH;
    }

    /** These have been dealt with, and counted. */
    void take(int count) {
        TAKEN.setRelease(this, taken + count);
    }

    /** By any thread: added, and not yet dealt with. */
    long waiting() {
        long out = (long) TAKEN.getAcquire(this); // first: the other only grows
        return (long) ADDED.getAcquire(this) - out;
    }
}
