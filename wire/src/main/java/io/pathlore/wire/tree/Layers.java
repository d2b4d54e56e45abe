package io.pathlore.wire.tree;

import io.pathlore.wire.net.Layer;
import java.util.function.IntFunction;

/**
 * Field by field, the headers around the telemetry. Widths and names are those of the documents that define them; a header
 * that was cut shows the fields it still has.
 */
final class Layers {
    private static final int GENEVE_BASE = 8;

    private Layers() {}

    static TreeNode tree(Layer layer, Fields fields, Telemetry telemetry) {
        return switch (layer) {
            case ETHERNET -> ethernet(fields);
            case VLAN -> vlan(fields);
            case MPLS -> mpls(fields);
            case PPPOE -> pppoe(fields);
            case ARP -> arp(fields);
            case IPV4 -> ipv4(fields);
            case IPV6 -> ipv6(fields);
            case HOP_BY_HOP -> options(fields, "IPv6 Hop-by-Hop Options", telemetry);
            case DESTINATION_OPTIONS -> options(fields, "IPv6 Destination Options", telemetry);
            case ROUTING -> extension(fields, "IPv6 Routing");
            case MOBILITY -> extension(fields, "Mobility");
            case HIP -> extension(fields, "Host Identity Protocol");
            case SHIM6 -> extension(fields, "Shim6");
            case FRAGMENT -> fragment(fields);
            case AH -> authentication(fields);
            case ESP -> esp(fields);
            case TCP -> tcp(fields);
            case UDP -> udp(fields, "UDP");
            case UDP_LITE -> udp(fields, "UDP-Lite");
            case DCCP -> ports(fields, "DCCP");
            case SCTP -> sctp(fields);
            case ICMP -> icmp(fields, "ICMP", Names::icmpType);
            case ICMPV6 -> icmp(fields, "ICMPv6", Names::icmpv6Type);
            case IGMP -> igmp(fields);
            case VXLAN -> vxlan(fields);
            case VXLAN_GPE -> vxlanGpe(fields);
            case GENEVE -> geneve(fields, telemetry);
            case GTP_U -> gtpU(fields);
            case GRE -> gre(fields);
            case NSH -> nsh(fields);
            case IOAM -> ioamHeader(fields, telemetry);
            case INT -> throw new IllegalArgumentException("INT has a tree of its own");
        };
    }

    /** What is known of the telemetry inside a header's options. */
    interface Telemetry {
        /** Adds the IOAM data at this index, if it was understood. */
        void addIoam(Fields fields, int index);

        /** Whether INT stands there, which has a tree of its own. */
        boolean isInt(int index);
    }

    private static TreeNode ethernet(Fields f) {
        f.mac("Destination", 0);
        f.mac("Source", 48);
        long type = f.hex("EtherType", 96, 16, value -> Names.etherType((int) value));
        int length = 14;
        if (type >= 0 && type < 0x0600) {
            f.hex("LLC", 112, 24);
            f.hex("SNAP organisation", 136, 24);
            f.hex("SNAP protocol", 160, 16, value -> Names.etherType((int) value));
            length = 22;
        }
        return f.branch("Ethernet", "", f.base(), length);
    }

    private static TreeNode vlan(Fields f) {
        f.number("PCP", 0, 3);
        f.number("DEI", 3, 1);
        long vid = f.number("VID", 4, 12);
        f.hex("EtherType", 16, 16, value -> Names.etherType((int) value));
        return f.branch("VLAN", value(vid), f.base(), 4);
    }

    private static TreeNode mpls(Fields f) {
        int labels = 0;
        for (boolean bottom = false; !bottom && f.has(32 * labels, 32); labels++) {
            int bit = 32 * labels;
            f.number("Label", bit, 20);
            f.number("TC", bit + 20, 3);
            bottom = f.number("S", bit + 23, 1) == 1;
            f.number("TTL", bit + 24, 8);
        }
        return f.branch("MPLS", labels == 1 ? "1 label" : labels + " labels", f.base(), 4 * labels);
    }

    private static TreeNode pppoe(Fields f) {
        f.number("Version", 0, 4);
        f.number("Type", 4, 4);
        f.hex("Code", 8, 8);
        long session = f.hex("Session ID", 16, 16);
        f.number("Length", 32, 16);
        f.hex("PPP protocol", 48, 16, value -> value == 0x21 ? "IPv4" : value == 0x57 ? "IPv6" : "");
        return f.branch("PPPoE", session < 0 ? "" : Fields.hexOf(session, 16), f.base(), 8);
    }

    private static TreeNode arp(Fields f) {
        f.hex("Hardware type", 0, 16);
        long protocol = f.hex("Protocol type", 16, 16, value -> Names.etherType((int) value));
        f.number("Hardware length", 32, 8);
        f.number("Protocol length", 40, 8);
        f.number("Operation", 48, 16, value -> value == 1 ? "request" : value == 2 ? "reply" : "");
        if (protocol == 0x0800) {
            f.mac("Sender MAC", 64);
            f.ipv4("Sender IP", 112);
            f.mac("Target MAC", 144);
            f.ipv4("Target IP", 192);
        }
        return f.branch("ARP", "", f.base(), protocol == 0x0800 ? 28 : 8);
    }

    private static TreeNode ipv4(Fields f) {
        f.number("Version", 0, 4);
        long words = f.number("IHL", 4, 4, value -> 4 * value + " bytes");
        f.hex("DSCP", 8, 6);
        f.number("ECN", 14, 2);
        f.number("Total Length", 16, 16);
        f.hex("Identification", 32, 16);
        f.flag("DF", 49, "do not fragment");
        f.flag("MF", 50, "more fragments");
        f.number("Fragment Offset", 51, 13, value -> value == 0 ? "" : 8 * value + " bytes");
        f.number("TTL", 64, 8);
        f.number("Protocol", 72, 8, value -> Names.protocol((int) value));
        f.hex("Header Checksum", 80, 16);
        f.ipv4("Source", 96);
        f.ipv4("Destination", 128);
        int length = (int) (4 * Math.max(5, words));
        f.bytes("Options", 160, length - 20);
        String between = f.has(0, 160) ? f.ipv4At(f.base() + 12) + " > " + f.ipv4At(f.base() + 16) : "";
        return f.branch("IPv4", between, f.base(), length);
    }

    private static TreeNode ipv6(Fields f) {
        f.number("Version", 0, 4);
        f.hex("DSCP", 4, 6);
        f.number("ECN", 10, 2);
        f.hex("Flow Label", 12, 20);
        f.number("Payload Length", 32, 16);
        f.number("Next Header", 48, 8, value -> Names.protocol((int) value));
        f.number("Hop Limit", 56, 8);
        f.ipv6("Source", 64);
        f.ipv6("Destination", 192);
        String between = f.has(0, 320) ? f.ipv6At(f.base() + 8) + " > " + f.ipv6At(f.base() + 24) : "";
        return f.branch("IPv6", between, f.base(), 40);
    }

    private static int extensionStart(Fields f) {
        f.number("Next Header", 0, 8, value -> Names.protocol((int) value));
        long units = f.number("Hdr Ext Len", 8, 8, value -> 8 * (value + 1) + " bytes");
        return (int) (8 * (Math.max(0, units) + 1));
    }

    private static TreeNode extension(Fields f, String label) {
        int length = extensionStart(f);
        f.bytes("Data", 16, length - 2);
        return f.branch(label, "", f.base(), length);
    }

    private static TreeNode options(Fields f, String label, Telemetry telemetry) {
        int length = extensionStart(f);
        int at = 2;
        while (at < length && f.has(8 * at, 8)) {
            long type = f.peek(8 * at, 8);
            int optionLength = type == 0 ? 1 : 2 + (int) Math.max(0, f.peek(8 * at + 8, 8));
            Fields option = f.at(f.base() + at, f.base() + Math.min(length, at + optionLength));
            option.hex("Option Type", 0, 8, value -> optionName((int) value));
            if (type != 0) {
                option.number("Opt Data Len", 8, 8);
                ioamOrData(option, type, optionLength, telemetry);
            }
            f.add(option.branch("Option", optionName((int) type), option.base(), optionLength));
            at += optionLength;
        }
        return f.branch(label, "", f.base(), length);
    }

    private static void ioamOrData(Fields option, long type, int optionLength, Telemetry telemetry) {
        if (type == 0x31 || type == 0x11) {
            option.hex("Reserved", 16, 8);
            option.number("IOAM Option-Type", 24, 8, value -> Names.ioamType((int) value));
            telemetry.addIoam(option, option.base() + 4);
        } else {
            option.bytes("Data", 16, optionLength - 2);
        }
    }

    private static String optionName(int type) {
        return switch (type) {
            case 0 -> "Pad1";
            case 1 -> "PadN";
            case 0x31 -> "IOAM, may change en route";
            case 0x11 -> "IOAM";
            case 0x05 -> "Router Alert";
            default -> "";
        };
    }

    private static TreeNode fragment(Fields f) {
        f.number("Next Header", 0, 8, value -> Names.protocol((int) value));
        f.hex("Reserved", 8, 8);
        f.number("Fragment Offset", 16, 13, value -> 8 * value + " bytes");
        f.flag("M", 31, "more fragments");
        f.hex("Identification", 32, 32);
        return f.branch("IPv6 Fragment", "", f.base(), 8);
    }

    private static TreeNode authentication(Fields f) {
        f.number("Next Header", 0, 8, value -> Names.protocol((int) value));
        long words = f.number("Payload Len", 8, 8);
        f.hex("Reserved", 16, 16);
        f.hex("SPI", 32, 32);
        int length = (int) (4 * (Math.max(0, words) + 2));
        if (length >= 12) {
            f.number("Sequence Number", 64, 32);
            f.bytes("Integrity Check Value", 96, length - 12);
        }
        return f.branch("AH", "", f.base(), length);
    }

    private static TreeNode esp(Fields f) {
        long spi = f.hex("SPI", 0, 32);
        f.number("Sequence Number", 32, 32);
        return f.branch("ESP", spi < 0 ? "" : "SPI " + Fields.hexOf(spi, 32), f.base(), 8);
    }

    private static TreeNode tcp(Fields f) {
        f.number("Source Port", 0, 16);
        f.number("Destination Port", 16, 16);
        f.number("Sequence Number", 32, 32);
        f.number("Acknowledgment Number", 64, 32);
        long words = f.number("Data Offset", 96, 4, value -> 4 * value + " bytes");
        f.hex("Flags", 104, 8, value -> Names.tcpFlags((int) value));
        f.number("Window", 112, 16);
        f.hex("Checksum", 128, 16);
        f.number("Urgent Pointer", 144, 16);
        // The options are not shown as bytes: INT may stand before them, inside what the data offset covers.
        int length = (int) Math.max(20, 4 * words);
        return f.branch("TCP", betweenPorts(f), f.base(), length);
    }

    private static TreeNode udp(Fields f, String label) {
        f.number("Source Port", 0, 16);
        f.number("Destination Port", 16, 16);
        f.number("Length", 32, 16);
        f.hex("Checksum", 48, 16);
        return f.branch(label, betweenPorts(f), f.base(), 8);
    }

    private static TreeNode ports(Fields f, String label) {
        f.number("Source Port", 0, 16);
        f.number("Destination Port", 16, 16);
        return f.branch(label, betweenPorts(f), f.base(), 4);
    }

    private static TreeNode sctp(Fields f) {
        f.number("Source Port", 0, 16);
        f.number("Destination Port", 16, 16);
        f.hex("Verification Tag", 32, 32);
        f.hex("Checksum", 64, 32);
        return f.branch("SCTP", betweenPorts(f), f.base(), 12);
    }

    private static String betweenPorts(Fields f) {
        return f.has(0, 32) ? f.peek(0, 16) + " > " + f.peek(16, 16) : "";
    }

    private static TreeNode icmp(Fields f, String label, IntFunction<String> typeName) {
        long type = f.number("Type", 0, 8, value -> typeName.apply((int) value));
        f.number("Code", 8, 8);
        f.hex("Checksum", 16, 16);
        boolean echo = label.equals("ICMP") ? type == 0 || type == 8 : type == 128 || type == 129;
        if (echo) {
            f.hex("Identifier", 32, 16);
            f.number("Sequence Number", 48, 16);
        }
        return f.branch(label, type < 0 ? "" : typeName.apply((int) type), f.base(), echo ? 8 : 4);
    }

    private static TreeNode igmp(Fields f) {
        f.hex("Type", 0, 8);
        f.number("Max Resp Time", 8, 8);
        f.hex("Checksum", 16, 16);
        f.ipv4("Group Address", 32);
        return f.branch("IGMP", "", f.base(), 8);
    }

    private static TreeNode vxlan(Fields f) {
        f.hex("Flags", 0, 8);
        f.hex("Reserved", 8, 24);
        long vni = f.number("VNI", 32, 24);
        f.hex("Reserved", 56, 8);
        return f.branch("VXLAN", vni < 0 ? "" : "VNI " + vni, f.base(), 8);
    }

    private static TreeNode vxlanGpe(Fields f) {
        f.number("Ver", 2, 2);
        f.flag("I", 4, "VNI is valid");
        f.flag("P", 5, "Next Protocol is valid");
        f.flag("B", 6, "BUM traffic");
        f.flag("O", 7, "OAM");
        f.hex("Reserved", 8, 16);
        f.hex("Next Protocol", 24, 8, value -> Names.gpeProtocol((int) value));
        long vni = f.number("VNI", 32, 24);
        f.hex("Reserved", 56, 8);
        return f.branch("VXLAN-GPE", vni < 0 ? "" : "VNI " + vni, f.base(), 8);
    }

    private static TreeNode geneve(Fields f, Telemetry telemetry) {
        f.number("Ver", 0, 2);
        long optionWords = f.number("Opt Len", 2, 6, value -> 4 * value + " bytes");
        f.flag("O", 8, "control packet");
        f.flag("C", 9, "critical options");
        f.hex("Protocol Type", 16, 16, value -> Names.etherType((int) value));
        long vni = f.number("VNI", 32, 24);
        f.hex("Reserved", 56, 8);
        int length = GENEVE_BASE + (int) (4 * Math.max(0, optionWords));
        for (int at = GENEVE_BASE; at < length && f.has(8 * at, 32); ) {
            Fields option = f.at(f.base() + at, f.base() + length);
            long type = option.hex("Option Class", 0, 16);
            option.hex("Type", 16, 8);
            long words = option.number("Length", 27, 5, value -> 4 * value + " bytes");
            int optionLength = 4 + (int) (4 * words);
            if (!telemetry.isInt(option.base() + 4)) {
                option.bytes("Data", 32, optionLength - 4);
            }
            f.add(option.branch("Option", "class " + Fields.hexOf(type, 16), option.base(), optionLength));
            at += optionLength;
        }
        return f.branch("Geneve", vni < 0 ? "" : "VNI " + vni, f.base(), length);
    }

    private static TreeNode gtpU(Fields f) {
        f.number("Version", 0, 3);
        f.number("PT", 3, 1);
        long e = f.flag("E", 5, "extension header");
        long s = f.flag("S", 6, "sequence number");
        long pn = f.flag("PN", 7, "N-PDU number");
        f.hex("Message Type", 8, 8, value -> value == 0xFF ? "G-PDU" : "");
        f.number("Length", 16, 16);
        long teid = f.hex("TEID", 32, 32);
        boolean optional = e == 1 || s == 1 || pn == 1;
        if (optional) {
            f.number("Sequence Number", 64, 16);
            f.number("N-PDU Number", 80, 8);
            f.hex("Next Extension Header", 88, 8);
        }
        String value = teid < 0 ? "" : "TEID " + Fields.hexOf(teid, 32);
        return f.branch("GTP-U", value, f.base(), optional ? 12 : 8);
    }

    private static TreeNode gre(Fields f) {
        long c = f.flag("C", 0, "checksum present");
        f.flag("R", 1, "routing present");
        long k = f.flag("K", 2, "key present");
        long s = f.flag("S", 3, "sequence number present");
        f.number("Ver", 13, 3);
        f.hex("Protocol Type", 16, 16, value -> Names.etherType((int) value));
        int bit = 32;
        if (c == 1) {
            f.hex("Checksum", bit, 16);
            bit += 32;
        }
        if (k == 1) {
            f.hex("Key", bit, 32);
            bit += 32;
        }
        if (s == 1) {
            f.number("Sequence Number", bit, 32);
            bit += 32;
        }
        return f.branch("GRE", "", f.base(), bit / 8);
    }

    private static TreeNode nsh(Fields f) {
        f.number("Ver", 0, 2);
        f.number("TTL", 4, 6);
        long words = f.number("Length", 10, 6, value -> 4 * value + " bytes");
        f.number("MD Type", 20, 4);
        f.hex("Next Protocol", 24, 8, value -> Names.nshProtocol((int) value));
        long path = f.number("Service Path Identifier", 32, 24);
        f.number("Service Index", 56, 8);
        int length = (int) (4 * Math.max(2, words));
        f.bytes("Context", 64, length - 8);
        return f.branch("NSH", path < 0 ? "" : "path " + path, f.base(), length);
    }

    /** What stands between a carrier that is not IPv6 and an IOAM option [RFC 9452 §3]. */
    private static TreeNode ioamHeader(Fields f, Telemetry telemetry) {
        f.number("IOAM-Type", 0, 8, value -> Names.ioamType((int) value));
        long words = f.number("IOAM HDR Len", 8, 8, value -> 4 * value + " bytes");
        f.hex("Reserved", 16, 8);
        f.hex("Next Protocol", 24, 8, value -> Names.nshProtocol((int) value));
        telemetry.addIoam(f, f.base() + 4);
        return f.branch("IOAM header", "", f.base(), (int) (4 * Math.max(1, words)));
    }

    private static String value(long number) {
        return number < 0 ? "" : Long.toString(number);
    }
}
