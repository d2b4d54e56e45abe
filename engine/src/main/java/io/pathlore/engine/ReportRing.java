package io.pathlore.engine;

import io.pathlore.model.ReportRow;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * Reports on their way from the one thread that decodes to the one that analyses. What is added can be taken after
 * {@link #publish}: once per batch, so that the two threads seldom touch the same line of memory. A row is never cut: what is left
 * at the end, where it is too little, is skipped. Hot path.
 */
final class ReportRing {
    private static final VarHandle PUBLISHED;
    private static final VarHandle TAKEN;
    private static final VarHandle ROWS_ADDED;
    private static final VarHandle ROWS_TAKEN;

    /** In place of a row's layout: go on at the start. */
    private static final byte SKIP = 0;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            PUBLISHED = lookup.findVarHandle(ReportRing.class, "published", long.class);
            TAKEN = lookup.findVarHandle(ReportRing.class, "taken", long.class);
            ROWS_ADDED = lookup.findVarHandle(ReportRing.class, "rowsAdded", long.class);
            ROWS_TAKEN = lookup.findVarHandle(ReportRing.class, "rowsTaken", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ByteBuffer bytes;
    private final int capacity;

    // The decoding thread's: places count on, octet by octet.
    private long added;
    private long takenSeen;
    private long rowsAdded;
    // Shared.
    private long published;
    // The analysing thread's.
    private long next;
    private long publishedSeen;

    @SuppressWarnings("unused") // read and written as TAKEN
    private long taken;

    private long rowsNext;

    @SuppressWarnings("unused") // read and written as ROWS_TAKEN
    private long rowsTaken;

    ReportRing(int bytes) {
        capacity = Math.max(ReportRow.MAX_LENGTH, bytes) / Long.BYTES * Long.BYTES;
        this.bytes = ByteBuffer.allocateDirect(capacity);
    }

    /** Copies the row; false when there is no room. */
    boolean add(ByteBuffer from, int at) {
        int length = ReportRow.length(from, at);
        int place = (int) (added % capacity);
        int skipped = capacity - place < length ? capacity - place : 0;
        if (added + skipped + length - takenSeen > capacity) {
            takenSeen = (long) TAKEN.getAcquire(this);
            if (added + skipped + length - takenSeen > capacity) {
                return false;
            }
        }
        if (skipped > 0) {
            bytes.put(place, SKIP);
            place = 0;
        }
        bytes.put(place, from, at, length);
        added += skipped + length;
        ROWS_ADDED.setOpaque(this, rowsAdded + 1);
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

    ByteBuffer bytes() {
        return bytes;
    }

    /** By the thread that takes: where the next row lies, or -1. It stays there until {@link #release}. */
    int next() {
        int place = peek();
        if (place >= 0) {
            next += ReportRow.length(bytes, place);
            rowsNext++;
        }
        return place;
    }

    /** By the thread that takes: what {@link #next} will answer. */
    int peek() {
        if (next == publishedSeen) {
            publishedSeen = (long) PUBLISHED.getAcquire(this);
            if (next == publishedSeen) {
                return -1;
            }
        }
        int place = (int) (next % capacity);
        if (bytes.get(place) == SKIP) {
            next += capacity - place;
            place = 0;
        }
        return place;
    }

    /** By the thread that takes: how much of it waits to be taken. */
    int percentWaiting() {
        return (int) (((long) PUBLISHED.getAcquire(this) - next) * 100 / capacity);
    }

    /** All that {@link #next} gave have been dealt with, and counted. */
    void release() {
        ROWS_TAKEN.setRelease(this, rowsNext);
        TAKEN.setRelease(this, next);
    }

    /** By any thread: rows added, and not yet dealt with. */
    long waiting() {
        long out = (long) ROWS_TAKEN.getAcquire(this); // first: the other only grows
        return (long) ROWS_ADDED.getAcquire(this) - out;
    }
}
