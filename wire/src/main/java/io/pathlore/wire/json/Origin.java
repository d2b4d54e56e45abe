package io.pathlore.wire.json;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where a datagram came from: its place in a capture or a journal, when, from whom, to whom. Filled again for every datagram; addresses
 * as two halves, IPv4 in the lower one.
 */
public final class Origin {
    public static final long UNKNOWN_TIME = Long.MIN_VALUE;

    static final long NONE = -1;

    long frame;
    long id = NONE;
    boolean placed;
    long edge;
    int ordinal;

    @Nullable
    ByteBuffer raw;

    int rawOffset;
    int rawEnd;
    long timeNanos = UNKNOWN_TIME;
    boolean v6;
    boolean addressed;
    boolean destinationKnown;
    long sourceHigh;
    long sourceLow;
    int sourcePort;
    long destinationHigh;
    long destinationLow;
    int destinationPort;

    /** {@code frame} counts from 1; {@code timeNanos} since 1970, or {@link #UNKNOWN_TIME}. Forgets the addresses. */
    public Origin at(long frame, long timeNanos) {
        this.frame = frame;
        id = NONE;
        placed = false;
        raw = null;
        this.timeNanos = timeNanos;
        addressed = false;
        return this;
    }

    /** {@code position} is the place in a journal, which stands instead of a frame. Forgets the addresses. */
    public Origin atPosition(long position, long timeNanos) {
        at(0, timeNanos);
        id = position;
        return this;
    }

    /** As {@link #atPosition}, of a journal among others: ids then tell whose, and which of the datagram's reports, {@link #nth}. */
    public Origin atPlace(long edge, long position, long timeNanos) {
        atPosition(position, timeNanos);
        placed = true;
        this.edge = edge;
        ordinal = 0;
        return this;
    }

    /** Which report of its datagram, from 0. */
    public Origin nth(int ordinal) {
        this.ordinal = ordinal;
        return this;
    }

    /** The datagram itself, which is then shown too. Borrowed. */
    public Origin with(ByteBuffer datagram, int offset, int end) {
        raw = datagram;
        rawOffset = offset;
        rawEnd = end;
        return this;
    }

    public Origin between(
            boolean v6,
            long sourceHigh,
            long sourceLow,
            int sourcePort,
            long destinationHigh,
            long destinationLow,
            int destinationPort) {
        addressed = true;
        destinationKnown = true;
        this.v6 = v6;
        this.sourceHigh = sourceHigh;
        this.sourceLow = sourceLow;
        this.sourcePort = sourcePort;
        this.destinationHigh = destinationHigh;
        this.destinationLow = destinationLow;
        this.destinationPort = destinationPort;
        return this;
    }

    /** After {@link #between}: nobody knows which of the collector's addresses it was sent to. */
    public Origin toUnknownAddress() {
        destinationKnown = false;
        return this;
    }
}
