package io.pathlore.cli;

import org.jspecify.annotations.Nullable;

/** Names of IP protocols as they are written in flows. */
public final class Protocols {
    private Protocols() {}

    /** Null when the number has no common name. */
    public static @Nullable String name(int protocol) {
        return switch (protocol) {
            case 1 -> "icmp";
            case 2 -> "igmp";
            case 4 -> "ipv4";
            case 6 -> "tcp";
            case 17 -> "udp";
            case 33 -> "dccp";
            case 41 -> "ipv6";
            case 47 -> "gre";
            case 50 -> "esp";
            case 51 -> "ah";
            case 58 -> "icmpv6";
            case 89 -> "ospf";
            case 132 -> "sctp";
            case 136 -> "udp-lite";
            default -> null;
        };
    }
}
