package io.pathlore.analysis.ddos;

/** Leading bits of addresses, without an object for each. Hot path. */
final class Networks {
    private Networks() {}

    static long high(boolean v6, long high, int length) {
        return !v6 ? 0 : length >= Long.SIZE ? high : high & -1L << Long.SIZE - length;
    }

    static long low(boolean v6, long low, int length) {
        return !v6
                ? low & 0xFFFF_FFFFL << 32 - length & 0xFFFF_FFFFL
                : length <= Long.SIZE ? 0 : low & -1L << 2 * Long.SIZE - length;
    }
}
