package io.pathlore.analysis.ddos;

/** Leading bits of addresses, without an object for each. Hot path. */
final class Networks {
    /** The widest in which little to each address may be much to all; what is in one of them is never divided. */
    static final int WIDEST_V4 = 16;

    static final int WIDEST_V6 = 48;

    private static final long V4 = 1L << 61;
    private static final long V6 = 1L << 62;

    private Networks() {}

    static long high(boolean v6, long high, int length) {
        return !v6 ? 0 : length >= Long.SIZE ? high : high & -1L << Long.SIZE - length;
    }

    static long low(boolean v6, long low, int length) {
        return !v6
                ? low & 0xFFFF_FFFFL << 32 - length & 0xFFFF_FFFFL
                : length <= Long.SIZE ? 0 : low & -1L << 2 * Long.SIZE - length;
    }

    /** The widest one that an address is in, as a number; never 0. */
    static long widest(boolean v6, long high, long low) {
        return v6 ? V6 | high >>> Long.SIZE - WIDEST_V6 : V4 | (low & 0xFFFF_FFFFL) >>> Integer.SIZE - WIDEST_V4;
    }
}
