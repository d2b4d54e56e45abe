package io.pathlore.dataplane.watch;

/**
 * Addresses that begin alike. IPv4 addresses are in the lower 32 bits of {@code low}; bits behind the prefix are ignored.
 *
 * @param length in bits, 0 for every address of the family
 */
public record PrefixMatch(boolean v6, long high, long low, int length) {
    private static final int IPV4_BITS = 32;
    private static final int IPV6_BITS = 128;

    public static PrefixMatch ipv4(int address, int length) {
        return new PrefixMatch(false, 0, Integer.toUnsignedLong(address), length);
    }

    public static PrefixMatch ipv6(long high, long low, int length) {
        return new PrefixMatch(true, high, low, length);
    }

    public PrefixMatch {
        if (length < 0 || length > (v6 ? IPV6_BITS : IPV4_BITS)) {
            throw new IllegalArgumentException("a prefix of " + length + " bits");
        }
        high &= highMask(v6, length);
        low &= lowMask(v6, length);
    }

    private static long highMask(boolean v6, int length) {
        return v6 ? mask(Math.min(length, Long.SIZE)) : 0;
    }

    private static long lowMask(boolean v6, int length) {
        return v6 ? mask(Math.max(length - Long.SIZE, 0)) : mask(length) >>> IPV4_BITS;
    }

    /** The {@code bits} uppermost ones of 64. */
    private static long mask(int bits) {
        return bits == 0 ? 0 : -1L << Long.SIZE - bits;
    }

    /** Hot path. */
    public boolean contains(boolean v6, long high, long low) {
        return this.v6 == v6 && (high & highMask(v6, length)) == this.high && (low & lowMask(v6, length)) == this.low;
    }
}
