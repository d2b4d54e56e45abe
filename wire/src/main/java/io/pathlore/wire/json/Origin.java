package io.pathlore.wire.json;

/**
 * Where a datagram came from: its place in a capture or a journal, when, from whom, to whom. Filled again for every datagram; addresses
 * as two halves, IPv4 in the lower one.
 */
public final class Origin {
    public static final long UNKNOWN_TIME = Long.MIN_VALUE;

    static final long NONE = -1;

    long frame;
    long id = NONE;
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
