package io.pathlore.analysis.filter;

import io.pathlore.model.IpText;
import java.util.List;

/** What a field is compared with. One number or address is a range with one value in it. */
public sealed interface Value {
    /** Both ends belong to it. */
    record Numbers(long from, long to) implements Value {
        static Numbers only(long number) {
            return new Numbers(number, number);
        }

        boolean isSingle() {
            return from == to;
        }

        boolean contains(long number) {
            return number >= from && number <= to;
        }
    }

    /**
     * From one address to another, both of one family, as 128 bits. IPv4 is mapped into IPv6, and no range of IPv6 addresses has
     * an IPv4 address in it: {@code ::/0} means what runs over IPv6.
     */
    record Addresses(long fromHigh, long fromLow, long toHigh, long toLow) implements Value {
        private static final long MAPPED = 0xFFFFL;
        private static final long IPV4 = 0xFFFF_FFFFL;

        static boolean isIpv4(long high, long low) {
            return high == 0 && low >>> 32 == MAPPED;
        }

        static long mapped(long ipv4) {
            return MAPPED << 32 | ipv4;
        }

        boolean isIpv4() {
            return isIpv4(fromHigh, fromLow);
        }

        boolean isSingle() {
            return fromHigh == toHigh && fromLow == toLow;
        }

        boolean contains(long high, long low) {
            return isIpv4(high, low) == isIpv4()
                    && isNotAfter(fromHigh, fromLow, high, low)
                    && isNotAfter(high, low, toHigh, toLow);
        }

        static boolean isNotAfter(long high, long low, long otherHigh, long otherLow) {
            int upper = Long.compareUnsigned(high, otherHigh);
            return upper < 0 || upper == 0 && Long.compareUnsigned(low, otherLow) <= 0;
        }

        /** The length of the prefix that this is, by its family; -1 if it is none. */
        int prefixLength() {
            long high = fromHigh ^ toHigh;
            long low = fromLow ^ toLow;
            int length = high == 0 ? 64 + Long.numberOfLeadingZeros(low) : Long.numberOfLeadingZeros(high);
            boolean wholeHigh = isSuffixMask(high) && (fromHigh & high) == 0;
            boolean wholeLow = isSuffixMask(low) && (fromLow & low) == 0 && (high == 0 || low == -1);
            if (!wholeHigh || !wholeLow) {
                return -1;
            }
            return isIpv4() ? length - 96 : length;
        }

        /** Zeros, then ones. */
        private static boolean isSuffixMask(long bits) {
            return (bits & bits + 1) == 0;
        }

        static String text(long high, long low) {
            return isIpv4(high, low) ? IpText.of(false, 0, low & IPV4) : IpText.of(true, high, low);
        }
    }

    /** A word, or for {@code like} a pattern. */
    record Text(String text) implements Value {}

    /** Node ids in travel order; for {@code like} also {@link Wildcards#ANY_HOPS}. */
    record Path(List<Long> nodes) implements Value {
        public Path {
            nodes = List.copyOf(nodes);
        }
    }
}
