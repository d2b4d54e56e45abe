package io.pathlore.wire.tree;

import io.pathlore.wire.inband.IntVersion;

/** Names of codepoints; empty where there is none worth showing. */
final class Names {
    private static final String[] REPORT_1_0 = {
        "ports", "hop latency", "queue", "egress timestamp", "drop reason", "TX utilization"
    };
    private static final String[] REPORT_2_0 = {
        "reserved",
        "interfaces",
        "hop latency",
        "queue",
        "ingress timestamp",
        "egress timestamp",
        "level 2 interfaces",
        "TX utilization",
        "buffer"
    };
    private static final String[] JUNE_2016 = {
        "switch id",
        "ingress port",
        "hop latency",
        "queue occupancy",
        "ingress timestamp",
        "egress port",
        "queue congestion",
        "TX utilization"
    };
    private static final String[] INT_0_5 = {
        "switch id",
        "ports",
        "hop latency",
        "queue",
        "ingress timestamp",
        "egress timestamp",
        "queue congestion",
        "TX utilization"
    };
    private static final String[] INT_2 = {
        "node id",
        "interfaces",
        "hop latency",
        "queue",
        "ingress timestamp",
        "egress timestamp",
        "level 2 interfaces",
        "TX utilization",
        "buffer"
    };

    private Names() {}

    static String etherType(int type) {
        return switch (type) {
            case 0x0800 -> "IPv4";
            case 0x0806 -> "ARP";
            case 0x6558 -> "Ethernet";
            case 0x8100 -> "VLAN";
            case 0x86DD -> "IPv6";
            case 0x8847 -> "MPLS";
            case 0x8848 -> "MPLS, upstream label";
            case 0x8864 -> "PPPoE session";
            case 0x88A8 -> "service VLAN";
            case 0x894F -> "NSH";
            case 0x9100, 0x9200 -> "VLAN, old service tag";
            default -> type >= 0 && type < 0x0600 ? "802.3 length" : "";
        };
    }

    static String protocol(int protocol) {
        return switch (protocol) {
            case 0 -> "IPv6 Hop-by-Hop Options";
            case 1 -> "ICMP";
            case 2 -> "IGMP";
            case 4 -> "IPv4";
            case 6 -> "TCP";
            case 17 -> "UDP";
            case 33 -> "DCCP";
            case 41 -> "IPv6";
            case 43 -> "IPv6 Routing";
            case 44 -> "IPv6 Fragment";
            case 47 -> "GRE";
            case 50 -> "ESP";
            case 51 -> "AH";
            case 58 -> "ICMPv6";
            case 59 -> "no next header";
            case 60 -> "IPv6 Destination Options";
            case 89 -> "OSPF";
            case 132 -> "SCTP";
            case 135 -> "Mobility";
            case 136 -> "UDP-Lite";
            case 139 -> "HIP";
            case 140 -> "Shim6";
            default -> "";
        };
    }

    static String gpeProtocol(int next) {
        return switch (next) {
            case 0x01 -> "IPv4";
            case 0x02 -> "IPv6";
            case 0x03 -> "Ethernet";
            case 0x04 -> "NSH";
            case 0x05 -> "MPLS, or INT of June 2016";
            case 0x08 -> "INT 1.0";
            case 0x80 -> "INT 2.0";
            case 0x82 -> "INT 2.1";
            default -> "";
        };
    }

    static String nshProtocol(int next) {
        return switch (next) {
            case 1 -> "IPv4";
            case 2 -> "IPv6";
            case 3 -> "Ethernet";
            case 4 -> "NSH";
            case 5 -> "MPLS";
            case 6 -> "IOAM";
            default -> "";
        };
    }

    static String ioamType(int type) {
        return switch (type) {
            case 0 -> "pre-allocated trace";
            case 1 -> "incremental trace";
            case 2 -> "proof of transit";
            case 3 -> "edge to edge";
            case 4 -> "direct export";
            default -> "unknown";
        };
    }

    static String icmpType(int type) {
        return switch (type) {
            case 0 -> "echo reply";
            case 3 -> "destination unreachable";
            case 5 -> "redirect";
            case 8 -> "echo request";
            case 11 -> "time exceeded";
            default -> "";
        };
    }

    static String icmpv6Type(int type) {
        return switch (type) {
            case 1 -> "destination unreachable";
            case 2 -> "packet too big";
            case 3 -> "time exceeded";
            case 128 -> "echo request";
            case 129 -> "echo reply";
            case 133 -> "router solicitation";
            case 134 -> "router advertisement";
            case 135 -> "neighbor solicitation";
            case 136 -> "neighbor advertisement";
            default -> "";
        };
    }

    static String tcpFlags(int flags) {
        String[] names = {"CWR", "ECE", "URG", "ACK", "PSH", "RST", "SYN", "FIN"};
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < names.length; i++) {
            if ((flags & 0x80 >>> i) != 0) {
                text.append(text.isEmpty() ? "" : ", ").append(names[i]);
            }
        }
        return text.toString();
    }

    static String repMdBits10(int bits) {
        return set(bits, 6, REPORT_1_0, "");
    }

    static String repMdBits20(int bits) {
        return set(bits, 16, REPORT_2_0, "drop reason");
    }

    static String instructions(IntVersion version, int bits) {
        return switch (version) {
            case JUNE_2016 -> set(bits, 16, JUNE_2016, "reserved");
            case V0_5 -> set(bits, 16, INT_0_5, "reserved");
            case V1_0, V2 -> set(bits, 16, INT_2, "checksum complement");
        };
    }

    /** Names of the bits that are set, the most significant first; {@code last} is that of bit 15. */
    private static String set(int bits, int width, String[] names, String last) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < width; i++) {
            if ((bits >>> (width - 1 - i) & 1) != 0) {
                String name = i < names.length ? names[i] : i == 15 ? last : "reserved";
                text.append(text.isEmpty() ? "" : ", ").append(name);
            }
        }
        return text.toString();
    }
}
