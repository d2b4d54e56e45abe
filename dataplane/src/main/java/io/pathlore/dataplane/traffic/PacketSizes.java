package io.pathlore.dataplane.traffic;

/**
 * How long packets are, as an MTU counts: from the IP header.
 *
 * @param bytes or {@link #MIXED}
 */
public record PacketSizes(int bytes) {
    /** The simple Internet mix: seven small packets, four of 576 octets, one of 1400. */
    public static final int MIXED = 0;

    private static final int SMALLEST = 28;
    private static final int LARGEST = 9_000;
    private static final int SMALL = 60;
    private static final int MEDIUM = 576;
    private static final int LARGE = 1_400;

    public PacketSizes {
        if (bytes != MIXED && (bytes < SMALLEST || bytes > LARGEST)) {
            throw new IllegalArgumentException("size: " + bytes + " is not from 28 to 9000 octets");
        }
    }

    int next(Dice dice) {
        if (bytes != MIXED) {
            return bytes;
        }
        int draw = dice.below(12);
        return draw < 7 ? SMALL : draw < 11 ? MEDIUM : LARGE;
    }

    /** For sources that only need one size. */
    int largest() {
        return bytes == MIXED ? LARGE : bytes;
    }
}
