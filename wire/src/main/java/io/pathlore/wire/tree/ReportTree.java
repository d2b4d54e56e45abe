package io.pathlore.wire.tree;

import io.pathlore.model.Profile;
import io.pathlore.model.Quirk;
import io.pathlore.wire.Warnings;
import io.pathlore.wire.decode.InnerKind;
import io.pathlore.wire.decode.ReportView;
import io.pathlore.wire.inband.HopLayout;
import io.pathlore.wire.net.PacketView;
import io.pathlore.wire.tr05.FixedHeader;
import io.pathlore.wire.tr10.ReportHeader;
import io.pathlore.wire.tr20.GroupHeader;
import io.pathlore.wire.tr20.IndividualReport;
import io.pathlore.wire.tr20.Tlv;

/**
 * A decoded report as a tree for people: every field under the name its specification gives it, with its meaning and with
 * the bytes it was read from. Made for one report at a time; not for the hot path.
 */
public final class ReportTree {
    private static final int RESERVED_MD_BITS = 0x807E;

    private final ReportView report;
    private final Fields all;

    private ReportTree(ReportView report) {
        this.report = report;
        all = new Fields(report.buffer(), report.datagramStart(), report.datagramStart(), report.datagramEnd());
    }

    /** The report, the header of its datagram before it, and what was noticed. Offsets count from the datagram's start. */
    public static TreeNode of(ReportView report) {
        return new ReportTree(report).tree();
    }

    /** A data packet; offsets count from the packet's start. */
    public static TreeNode of(PacketView packet, Warnings warnings) {
        Fields fields = new Fields(packet.buffer(), packet.start(), packet.start(), packet.end());
        PacketTree.add(packet, fields, packet.start());
        addWarnings(warnings, fields);
        return fields.branch("Packet", "", packet.start(), packet.end() - packet.start());
    }

    private TreeNode tree() {
        switch (report.version()) {
            case V0_5 -> report05();
            case V1_0 -> report10();
            case V2_0 -> report20();
        }
        addWarnings(report.warnings(), all);
        String dialect =
                report.dialect() == Profile.SPEC ? "" : ", " + report.dialect().label();
        int length = report.datagramEnd() - report.datagramStart();
        return all.branch("Telemetry Report", report.version().label() + dialect, report.datagramStart(), length);
    }

    private static void addWarnings(Warnings warnings, Fields into) {
        if (warnings.count() == 0) {
            return;
        }
        Fields noticed = into.at(into.base());
        for (int i = 0; i < warnings.count(); i++) {
            String text = warnings.isFault(i)
                    ? warnings.fault(i).clause() + ": " + warnings.fault(i).meaning()
                    : warnings.quirk(i).clause() + ": " + warnings.quirk(i).meaning();
            noticed.note(warnings.name(i), text, warnings.offset(i));
        }
        into.add(new TreeNode("Warnings", Integer.toString(warnings.count()), 0, 0, noticed.nodes()));
    }

    // ---- version 0.5

    private void report05() {
        Fields f = all.at(report.start());
        f.number("Ver", 0, 4);
        long next = f.number(
                "NProto",
                4,
                4,
                value -> value == FixedHeader.NPROTO_ETHERNET
                        ? "Ethernet"
                        : value == FixedHeader.NPROTO_DROP ? "drop header" : "switch-local header");
        f.flag("D", 8, "dropped");
        f.flag("Q", 9, "congested queue");
        f.flag("F", 10, "tracked flow");
        f.hex("Reserved", 11, 15);
        f.number("hw_id", 26, 6);
        f.number("Sequence Number", 32, 32);
        f.item("Ingress Timestamp", 64, 32);
        all.add(f.branch("Fixed header", "", report.start(), FixedHeader.LENGTH));
        int behind = report.start() + FixedHeader.LENGTH;
        if (next == FixedHeader.NPROTO_DROP) {
            Fields drop = all.at(behind);
            switchAndPorts(drop);
            drop.item("Queue id", 64, 8);
            drop.item("Drop reason", 72, 8);
            drop.hex("Pad", 80, 16);
            all.add(drop.branch("Drop header", "", behind, FixedHeader.DROP_LENGTH));
        } else if (next == FixedHeader.NPROTO_LOCAL) {
            Fields local = all.at(behind);
            switchAndPorts(local);
            local.item("Queue id", 64, 8);
            local.item("Queue occupancy", 72, 24);
            local.item("Egress timestamp", 96, 32);
            all.add(local.branch("Switch-local header", "", behind, FixedHeader.LOCAL_LENGTH));
        }
        innerPacket();
    }

    private static void switchAndPorts(Fields f) {
        f.item("Switch id", 0, 32);
        f.item("Ingress port id", 32, 16);
        f.item("Egress port id", 48, 16);
    }

    // ---- version 1.0

    private void report10() {
        Fields f = all.at(report.start());
        f.number("Ver", 0, 4);
        f.number("Length", 4, 4, value -> "words of the header");
        f.number(
                "NProt",
                8,
                3,
                value -> value == ReportHeader.NPROT_ETHERNET
                        ? "Ethernet"
                        : value == ReportHeader.NPROT_IPV4
                                ? "IPv4"
                                : value == ReportHeader.NPROT_IPV6 ? "IPv6" : "reserved");
        long bits = f.hex("RepMdBits", 11, 6, value -> Names.repMdBits10((int) value));
        if (report.warnings().has(Quirk.A_47)) {
            flags(f, 17);
            f.hex("Reserved", 20, 6);
        } else {
            f.hex("Reserved", 17, 6);
            flags(f, 23);
        }
        f.number("hw_id", 26, 6);
        f.number("Switch id", 32, 32);
        f.number("Sequence Number", 64, 32);
        f.item("Ingress Timestamp", 96, 32);
        all.add(f.branch("Report header", "", report.start(), ReportHeader.LENGTH));
        metadata10((int) bits);
        innerPacket();
    }

    private static void flags(Fields f, int bit) {
        f.flag("D", bit, "dropped");
        f.flag("Q", bit + 1, "congested queue");
        f.flag("F", bit + 2, "tracked flow");
    }

    private void metadata10(int bits) {
        if (bits == 0) {
            return;
        }
        int start = report.start() + ReportHeader.LENGTH;
        Items items = new Items(all.at(start), bits);
        items.pair(ReportHeader.MD_INTERFACES, "Ingress port id", 16, "Egress port id", 16);
        items.word(ReportHeader.MD_LATENCY, "Hop latency");
        items.pair(ReportHeader.MD_QUEUE, "Queue id", 8, "Queue occupancy", 24);
        items.word(ReportHeader.MD_EGRESS_TIMESTAMP, "Egress timestamp");
        items.drop(ReportHeader.MD_DROP);
        items.word(ReportHeader.MD_UTILIZATION, "Egress port TX utilization");
        all.add(items.fields.branch("Metadata", "", start, items.bit / 8));
    }

    // ---- version 2.0

    private void report20() {
        Fields group = all.at(report.datagramStart());
        group.number("Ver", 0, 4);
        group.number("hw_id", 4, 6);
        group.number("Sequence Number", 10, 22);
        group.number("Node ID", 32, 32);
        all.add(group.branch("Group header", "", report.datagramStart(), GroupHeader.LENGTH));
        if (report.warnings().has(Quirk.A_58)) {
            innerPacket();
            return;
        }
        Fields f = all.at(report.start());
        f.number("RepType", 0, 4, value -> repType((int) value));
        f.number(
                "InType",
                4,
                4,
                value -> value < InnerKind.values().length ? InnerKind.values()[(int) value].label() : "reserved");
        f.number("Report Length", 8, 8, ReportTree::reportLength);
        f.number("MD Length", 16, 8, value -> "words of metadata");
        flags(f, 24);
        f.flag("I", 27, "intermediate report");
        f.number("Rsvd", 28, 4);
        all.add(f.branch("Individual report header", "report " + (report.index() + 1), report.start(), 4));
        if (report.type() == IndividualReport.TYPE_INT) {
            mainContents();
        }
        inner20();
    }

    private String repType(int type) {
        if (report.dialect() == Profile.TRANSPARENT_SECURITY && type == 0) {
            return "INT in the draft of April 2020";
        }
        return type == IndividualReport.TYPE_INNER_ONLY
                ? "inner only"
                : type == IndividualReport.TYPE_INT ? "INT" : type == IndividualReport.TYPE_IOAM ? "IOAM" : "reserved";
    }

    private static String reportLength(long words) {
        return words == IndividualReport.LENGTH_TO_END ? "to the end of the datagram" : "words behind this one";
    }

    private void mainContents() {
        int start = report.start() + IndividualReport.LENGTH;
        Fields f = all.at(start);
        long bits = f.hex("RepMdBits", 0, 16, value -> Names.repMdBits20((int) value));
        f.hex("Domain Specific ID", 16, 16);
        f.hex("DSMdBits", 32, 16);
        f.hex("DSMdstatus", 48, 16);
        all.add(f.branch("Main contents", "", start, IndividualReport.MAIN_LENGTH));
        if (report.dialect() == Profile.TRANSPARENT_SECURITY) {
            transparentSecurity(start + IndividualReport.MAIN_LENGTH);
            return;
        }
        if (report.hasMetadata() && report.metadata().layout().length() > 0) {
            metadata20((int) bits);
        }
        domain();
    }

    private void metadata20(int bits) {
        int start = report.metadata().offset();
        Items items = new Items(all.at(start), bits);
        boolean wideReserved =
                report.metadata().layout().length() > 4 * HopLayout.reportWords(bits) && (bits & RESERVED_MD_BITS) != 0;
        items.reserved(wideReserved ? 0x8000 : 0);
        items.pair(0x4000, "Level 1 ingress interface", 16, "Level 1 egress interface", 16);
        items.word(0x2000, "Hop latency");
        items.pair(0x1000, "Queue id", 8, "Queue occupancy", 24);
        items.wide(0x0800, "Ingress timestamp");
        items.wide(0x0400, "Egress timestamp");
        items.pair(0x0200, "Level 2 ingress interface", 32, "Level 2 egress interface", 32);
        items.word(0x0100, "Egress interface TX utilization");
        items.pair(0x0080, "Buffer id", 8, "Buffer occupancy", 24);
        items.reserved(wideReserved ? RESERVED_MD_BITS & 0x7FFF : 0);
        items.drop(0x0001);
        all.add(items.fields.branch("Metadata", "", start, items.bit / 8));
    }

    private void domain() {
        int end = report.metadata().offset() + report.metadata().layout().length();
        if (report.domainWords() > 0) {
            Fields f = all.at(report.domainOffset());
            for (int i = 0; i < report.domainWords(); i++) {
                f.hex("Word " + (i + 1), 32 * i, 32);
            }
            int length = 4 * report.domainWords();
            all.add(f.branch("Domain specific metadata", "", report.domainOffset(), length));
            end = report.domainOffset() + length;
        }
        if (end < report.innerOffset() && report.warnings().has(Quirk.A_08)) {
            Fields f = all.at(end);
            f.bytes("Words", 0, report.innerOffset() - end);
            all.add(f.branch("Surplus metadata", "all ones", end, report.innerOffset() - end));
        }
    }

    private void transparentSecurity(int start) {
        Fields f = all.at(start);
        if (report.dropOffset() < 0) {
            f.hex("Variable optional metadata", 0, 32);
            all.add(f.branch("Metadata", "", start, 4));
            return;
        }
        Items items = new Items(f, 1);
        items.drop(1);
        all.add(f.branch("Metadata", "", start, 4));
        Fields drop = all.at(report.dropOffset());
        drop.number("Timestamp", 0, 32, value -> "seconds since 1970");
        drop.number("Drop count", 32, 32);
        drop.bytes("Drop key", 64, 16);
        all.add(drop.branch("Drop data", "", report.dropOffset(), 24));
        if (report.end() < report.datagramEnd()) {
            Fields trailer = all.at(report.end());
            trailer.bytes("Bytes", 0, report.datagramEnd() - report.end());
            int length = report.datagramEnd() - report.end();
            all.add(trailer.branch("Trailer", "not part of the report", report.end(), length));
        }
    }

    private void inner20() {
        if (report.inner() == InnerKind.TLV) {
            tlvs();
        } else if (report.inner() == InnerKind.DS_EXTENSION && report.dropOffset() < 0) {
            bytes("DS extension data", report.innerOffset(), report.innerEnd());
        } else if (report.type() == IndividualReport.TYPE_IOAM) {
            bytes("IOAM report", report.start() + IndividualReport.LENGTH, report.end());
        } else {
            innerPacket();
        }
    }

    private void bytes(String label, int from, int end) {
        if (from < end) {
            Fields f = all.at(from, end);
            f.bytes("Data", 0, end - from);
            all.add(f.branch(label, end - from + " bytes", from, end - from));
        }
    }

    private void tlvs() {
        Tlv tlv = new Tlv();
        for (int at = report.innerOffset(); report.tlv(at, tlv); at = tlv.end()) {
            Fields f = all.at(at, tlv.end());
            f.number("TLVType", 0, 4, value -> tlvType((int) value));
            f.number("Rsvd", 4, 4);
            f.number("TLVLength", 8, 8, value -> "words");
            f.hex("TLV Data Template", 16, 16);
            boolean isPacket = report.packet().layers() > 0 && report.packet().start() == tlv.dataOffset();
            if (isPacket) {
                PacketTree.add(report.packet(), f, report.datagramStart());
            } else {
                f.bytes("Data", 32, tlv.dataBytes());
            }
            all.add(f.branch("TLV", tlvType(tlv.type()), at, tlv.end() - at));
        }
    }

    private static String tlvType(int type) {
        return switch (type) {
            case Tlv.DS_EXTENSION -> "DS extension";
            case Tlv.ETHERNET -> "Ethernet";
            case Tlv.IPV4 -> "IPv4";
            case Tlv.IPV6 -> "IPv6";
            default -> "reserved";
        };
    }

    private void innerPacket() {
        if (report.innerOffset() >= report.innerEnd()) {
            return;
        }
        Fields f = all.at(report.innerOffset(), report.innerEnd());
        int length = report.innerEnd() - report.innerOffset();
        PacketView packet = report.packet();
        if (packet.layers() == 0 && packet.cutAt() == null) {
            f.bytes("Data", 0, length);
        } else {
            PacketTree.add(packet, f, report.datagramStart());
        }
        all.add(f.branch("Inner packet", length + " bytes", report.innerOffset(), length));
    }

    /** Metadata items in bit order. */
    private static final class Items {
        private final Fields fields;
        private final int bits;
        private int bit;

        Items(Fields fields, int bits) {
            this.fields = fields;
            this.bits = bits;
        }

        private void word(int mask, String label) {
            if ((bits & mask) != 0) {
                fields.item(label, bit, 32);
                bit += 32;
            }
        }

        private void wide(int mask, String label) {
            if ((bits & mask) != 0) {
                fields.item(label, bit, 64);
                bit += 64;
            }
        }

        private void pair(int mask, String first, int firstBits, String second, int secondBits) {
            if ((bits & mask) != 0) {
                fields.item(first, bit, firstBits, bit, firstBits + secondBits);
                fields.item(second, bit + firstBits, secondBits, bit, firstBits + secondBits);
                bit += firstBits + secondBits;
            }
        }

        private void drop(int mask) {
            if ((bits & mask) != 0) {
                fields.item("Queue id", bit, 8, bit, 32);
                fields.item("Drop reason", bit + 8, 8, bit, 32);
                fields.hex("Padding", bit + 16, 16);
                bit += 32;
            }
        }

        private void reserved(int mask) {
            for (int i = 0; i < Integer.bitCount(bits & mask); i++) {
                fields.hex("Reserved item", bit, 32);
                bit += 32;
            }
        }
    }
}
