package io.pathlore.store.journal;

import io.pathlore.wire.envelope.Envelope;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * Records on their way from the one thread that receives to the one that writes: a ring of bytes in which they stand as they
 * will stand in the file, so that a datagram is copied once. A record that does not fit before the end of the memory starts
 * at its beginning, and the rest is marked as skipped.
 *
 * <p>Hot path.
 */
final class JournalRing {
    static final long REFUSED = -1;
    private static final int MIN_CAPACITY = 1 << 18;
    private static final int SKIP = -1;
    private static final VarHandle TAIL;
    private static final VarHandle HEAD;
    private static final VarHandle REFUSALS;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TAIL = lookup.findVarHandle(JournalRing.class, "tail", long.class);
            HEAD = lookup.findVarHandle(JournalRing.class, "head", long.class);
            REFUSALS = lookup.findVarHandle(JournalRing.class, "refusals", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ByteBuffer memory;
    /** The writer's own position and limit over the same memory. */
    private final ByteBuffer block;

    private final int capacity;
    private final long edgeId;

    // The receiving thread's: how far it wrote, how far it last saw the other come, the next position.
    private long tail;
    private long headSeen;
    private long position;
    private long refusals;
    // The writing thread's: how far it took. It looks every millisecond or so, so the two rarely share a cache line in
    // anger.
    private long head;

    /** {@code capacity} is rounded up to a power of two. */
    JournalRing(int capacity, long edgeId, long firstPosition) {
        if (capacity > 1 << 30) {
            throw new IllegalArgumentException("a ring of " + capacity + " bytes; at most 1 GiB");
        }
        int size = MIN_CAPACITY;
        while (size < capacity) {
            size <<= 1;
        }
        this.capacity = size;
        memory = ByteBuffer.allocateDirect(size);
        block = memory.duplicate();
        this.edgeId = edgeId;
        position = firstPosition;
    }

    /** Returns the position of the record, or {@link #REFUSED} if there is no room. */
    long offer(
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
        int envelope = Envelope.LENGTH + length;
        if (!RecordFrame.credible(envelope)) {
            throw new IllegalArgumentException("no datagram has " + length + " bytes");
        }
        int size = RecordFrame.size(envelope);
        long at = tail;
        int index = (int) at & capacity - 1;
        int skip = size > capacity - index ? capacity - index : 0;
        if (at + skip + size - headSeen > capacity) {
            headSeen = (long) HEAD.getAcquire(this);
            if (at + skip + size - headSeen > capacity) {
                REFUSALS.setRelease(this, refusals + 1);
                return REFUSED;
            }
        }
        if (skip > 0) {
            RecordFrame.putLength(memory, index, SKIP);
            at += skip;
            index = 0;
        }
        // First, because it reaches into the last octets, which stay as filling.
        memory.putLong(index + size - 8, 0);
        RecordFrame.putLength(memory, index, envelope);
        int into = Envelope.encode(
                memory,
                index + RecordFrame.LENGTH,
                flags,
                originalLength,
                receivedNanos,
                edgeId,
                position,
                v6,
                exporterHigh,
                exporterLow,
                exporterPort,
                destinationHigh,
                destinationLow,
                destinationPort);
        memory.put(into, datagram, offset, length);
        TAIL.setRelease(this, at + size);
        return position++;
    }

    /** Hands at most {@code limit} octets of whole records to the journal, but at least one record; false if there is none. */
    boolean drain(Journal journal, int limit, long ticks, long nowNanos) {
        long until = (long) TAIL.getAcquire(this);
        int index = (int) head & capacity - 1;
        if (head < until && RecordFrame.envelopeLength(block, index) == SKIP) {
            HEAD.setRelease(this, head + capacity - index);
            index = 0;
        }
        if (head == until) {
            return false;
        }
        int end = index;
        long room = Math.min(until - head, capacity - index);
        while (end - index < room && end - index < limit && RecordFrame.envelopeLength(block, end) != SKIP) {
            end += RecordFrame.sizeAt(block, end);
        }
        journal.append(block, index, end, ticks, nowNanos);
        HEAD.setRelease(this, head + end - index);
        return true;
    }

    /** Octets that wait. By the writing thread. */
    long waiting() {
        return (long) TAIL.getAcquire(this) - head;
    }

    /** By any thread. */
    long refusals() {
        return (long) REFUSALS.getAcquire(this);
    }
}
