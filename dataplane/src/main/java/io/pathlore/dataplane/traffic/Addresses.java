package io.pathlore.dataplane.traffic;

import java.util.List;

/** Addresses of hosts that are not in the topology. Hot path. */
final class Addresses {
    private static final long GLOBAL_UNICAST = 0x2000_0000_0000_0000L;
    private static final int PRIVATE = 10;
    private static final int LOOPBACK = 127;
    private static final int FIRST_MULTICAST = 224;

    private Addresses() {}

    /** Somewhere in the Internet: not in 0/8, 10/8, 127/8 nor from 224 on. */
    static int ipv4(Dice dice) {
        int address = dice.nextInt();
        int first = address >>> 24;
        while (first == 0 || first == PRIVATE || first == LOOPBACK || first >= FIRST_MULTICAST) {
            address = dice.nextInt();
            first = address >>> 24;
        }
        return address;
    }

    /** Upper half of an address in 2000::/3. */
    static long ipv6High(Dice dice) {
        return GLOBAL_UNICAST | dice.nextLong() >>> 3;
    }

    static void forgeSource(Endpoints endpoints, Dice dice) {
        if (endpoints.v6) {
            endpoints.sourceHigh = ipv6High(dice);
            endpoints.sourceLow = dice.nextLong();
        } else {
            endpoints.sourceLow = Integer.toUnsignedLong(ipv4(dice));
        }
    }

    /** Any address of the prefix around the destination: one is as good as another to a carpet bomber. */
    static void spreadDestination(Endpoints endpoints, long high, long low, int prefixLength, Dice dice) {
        if (endpoints.v6) {
            // Below /64 the lower half alone varies: that many addresses are more than anybody sends packets.
            long mask = prefixLength <= 64 ? -1L : (1L << 128 - prefixLength) - 1;
            endpoints.destinationHigh = high;
            endpoints.destinationLow = low & ~mask | dice.nextLong() & mask;
        } else {
            long mask = (1L << 32 - prefixLength) - 1;
            endpoints.destinationLow = low & ~mask | dice.nextLong() & mask;
        }
    }

    /** The smallest prefix, but not longer than {@code atMost}, around addresses given as high and low halves. */
    static AttackFact.Victim cover(boolean v6, List<long[]> addresses, int atMost, int port, int protocol) {
        int bits = v6 ? 128 : 32;
        int length = Math.min(atMost, bits);
        long[] first = addresses.get(0);
        for (long[] address : addresses) {
            long highDifference = first[0] ^ address[0];
            long lowDifference = first[1] ^ address[1];
            int shared = !v6
                    ? Integer.numberOfLeadingZeros((int) lowDifference)
                    : highDifference != 0
                            ? Long.numberOfLeadingZeros(highDifference)
                            : 64 + Long.numberOfLeadingZeros(lowDifference);
            length = Math.min(length, shared);
        }
        return prefix(v6, first[0], first[1], length, port, protocol);
    }

    static AttackFact.Victim prefix(boolean v6, long high, long low, int length, int port, int protocol) {
        if (!v6) {
            return new AttackFact.Victim(
                    false, 0, length == 0 ? 0 : low & -1L << 32 - length & 0xFFFF_FFFFL, length, port, protocol);
        }
        long highMask = length == 0 ? 0 : length >= 64 ? -1L : -1L << 64 - length;
        long lowMask = length <= 64 ? 0 : -1L << 128 - length;
        return new AttackFact.Victim(true, high & highMask, low & lowMask, length, port, protocol);
    }
}
