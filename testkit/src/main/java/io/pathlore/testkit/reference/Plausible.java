package io.pathlore.testkit.reference;

import java.util.Set;

/** Whether bytes start like a packet [spec-notes 2]. */
final class Plausible {
    private static final Set<Integer> ETHER_TYPES =
            Set.of(0x0800, 0x86DD, 0x0806, 0x8100, 0x88A8, 0x9100, 0x9200, 0x8847, 0x8848, 0x8864, 0x894F);
    private static final int ETHERNET = 14;

    private Plausible() {}

    static boolean start(PacketStart start, Octets octets, int at) {
        int present = octets.length() - at;
        return switch (start) {
            case ETHERNET -> present >= ETHERNET && ethernet(octets.u16(at + 12), octets, at + ETHERNET);
            case IPV4 -> present >= 1 && ipv4(octets.u8(at));
            case IPV6 -> present >= 1 && ipv6(octets.u8(at));
        };
    }

    /** As {@link #start}, or too short to judge. */
    static boolean startOrTooShort(PacketStart start, Octets octets, int at) {
        boolean tooShort = start == PacketStart.ETHERNET && octets.length() - at < ETHERNET;
        return tooShort || start(start, octets, at);
    }

    private static boolean ethernet(int type, Octets octets, int next) {
        if (!ETHER_TYPES.contains(type)) {
            return false;
        }
        if (next == octets.length()) {
            return true;
        }
        return switch (type) {
            case 0x0800 -> ipv4(octets.u8(next));
            case 0x86DD -> ipv6(octets.u8(next));
            default -> true;
        };
    }

    private static boolean ipv4(int first) {
        return first >> 4 == 4 && (first & 0x0F) >= 5;
    }

    private static boolean ipv6(int first) {
        return first >> 4 == 6;
    }
}
