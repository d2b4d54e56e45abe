package io.pathlore.store.journal;

import io.pathlore.wire.envelope.Envelope;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * Where one receiving thread leaves its datagrams for the journal: {@link #offer} copies one into memory of fixed size and
 * never waits. A ring of bytes in which records stand as they will stand in the file, so that a datagram is copied once; only
 * their positions are given by the thread that writes, since there may be several rings. A record that does not fit before
 * the end of the memory starts at its beginning, and the rest is marked as skipped. So does one that comes while nothing waits:
 * then the rest is not taken, it is only not used, and all of the memory is there for what comes next.
 *
 * <p>Hot path. {@link #offer} is for one thread, always the same.
 */
public final class JournalRing {
    private static final int MIN_CAPACITY = 1 << 18;
    private static final int SKIP = -1;

    /** While nothing waits, only so much of the memory is used, again and again: so much stays in the caches. */
    private static final int NEAR = 1 << 20;

    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);

    // Numbers that threads share lie away from those of the other thread, and of other rings: two cache lines, since
    // processors fetch them in pairs. The receiving thread's: how far it wrote, what it counted, how far it last saw
    // the
    // other come.
    private static final int APART = 16;
    private static final int TAIL = APART;
    private static final int TAKEN = APART + 1;
    private static final int REFUSED = APART + 2;
    private static final int HEAD_SEEN = APART + 3;
    private static final int WRITTEN = APART + 4;
    /** Where it last started over while nothing waited, and where it then went on. */
    private static final int LEFT = APART + 5;

    private static final int ENTERED = APART + 6;
    // The writing thread's: how far it took.
    private static final int HEAD = 2 * APART;

    private final long[] slots = new long[3 * APART];
    private final ByteBuffer memory;
    /** The writer's own position and limit over the same memory. */
    private final ByteBuffer block;

    private final int capacity;
    private final long edgeId;

    /** {@code capacity} is rounded up to a power of two. */
    JournalRing(int capacity, long edgeId) {
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
        slots[LEFT] = -1;
    }

    /**
     * Takes a copy of a datagram. Flags are those of {@link Envelope}; where {@code v6} is false, addresses are the lower 32
     * bits of the low halves.
     *
     * @return false if there is no room, which is counted as {@link JournalDrop#SLOW}
     */
    public boolean offer(
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
        long at = slots[WRITTEN];
        int index = (int) at & capacity - 1;
        if (index >= NEAR && at == slots[TAIL] && isEmpty(at)) {
            slots[LEFT] = at;
            at += capacity - index;
            index = 0;
            slots[ENTERED] = at;
            slots[HEAD_SEEN] = at;
        }
        int skip = size > capacity - index ? capacity - index : 0;
        if (at + skip + size - slots[HEAD_SEEN] > capacity) {
            seeHead();
            if (at + skip + size - slots[HEAD_SEEN] > capacity) {
                SLOT.setRelease(slots, REFUSED, slots[REFUSED] + 1);
                return false;
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
                0,
                v6,
                exporterHigh,
                exporterLow,
                exporterPort,
                destinationHigh,
                destinationLow,
                destinationPort);
        memory.put(into, datagram, offset, length);
        // Counted before it can be written, so that nobody ever sees more written than taken.
        SLOT.setRelease(slots, TAKEN, slots[TAKEN] + 1);
        slots[WRITTEN] = at + size;
        return true;
    }

    /** Whether all that was offered is written. */
    private boolean isEmpty(long at) {
        seeHead();
        return slots[HEAD_SEEN] == at;
    }

    /** The other thread may still stand where this one left. */
    private void seeHead() {
        slots[HEAD_SEEN] = Math.max((long) SLOT.getAcquire(slots, HEAD), slots[ENTERED]);
    }

    /** Lets the writing thread see what was offered: after a batch, once the thread's own counts say so. */
    public void publish() {
        if (slots[TAIL] != slots[WRITTEN]) {
            SLOT.setRelease(slots, TAIL, slots[WRITTEN]);
        }
    }

    /**
     * Gives at most {@code limit} octets of whole records, but at least one record, their positions, and hands them to the
     * journal. Returns the octets that are free again; 0 if nothing waits.
     */
    long drain(Journal journal, int limit, long ticks, long nowNanos) {
        long until = (long) SLOT.getAcquire(slots, TAIL);
        long head = after(slots[HEAD], until);
        long start = head;
        int index = (int) head & capacity - 1;
        if (head < until && RecordFrame.envelopeLength(block, index) == SKIP) {
            head += capacity - index;
            index = 0;
        }
        if (head == until) {
            return 0;
        }
        int end = index;
        long room = Math.min(until - head, capacity - index);
        while (end - index < room && end - index < limit && RecordFrame.envelopeLength(block, end) != SKIP) {
            Envelope.putPosition(block, end + RecordFrame.LENGTH, journal.takePosition());
            end += RecordFrame.sizeAt(block, end);
        }
        journal.append(block, index, end, ticks, nowNanos);
        head += end - index;
        SLOT.setRelease(slots, HEAD, head);
        return head - start;
    }

    /** Where what waits begins. Nobody starts over again before that is taken. By the writing thread. */
    private long after(long head, long until) {
        return head < until && head == slots[LEFT] ? head + capacity - ((int) head & capacity - 1) : head;
    }

    /** Forgets what waits. By the writing thread. */
    void discard() {
        SLOT.setRelease(slots, HEAD, (long) SLOT.getAcquire(slots, TAIL));
    }

    /** Octets that wait. By the writing thread. */
    long waitingBytes() {
        long until = (long) SLOT.getAcquire(slots, TAIL);
        return until - after(slots[HEAD], until);
    }

    /** Offers that were not refused. By any thread. */
    long taken() {
        return (long) SLOT.getAcquire(slots, TAKEN);
    }

    /** By any thread. */
    long refused() {
        return (long) SLOT.getAcquire(slots, REFUSED);
    }
}
