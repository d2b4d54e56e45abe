package io.pathlore.testkit.reference;

import java.util.Map;

/** Telemetry Report 1.0 [TR 1.0, spec-notes 3]. */
final class Report10 {
    private static final Layout FIXED = Layout.table("""
            Ver                 4   0
            Length              4   4
            NProt               3   8
            RepMdBits           6  11
            Reserved            6  17
            MovedD              1  17
            MovedQ              1  18
            MovedF              1  19
            D                   1  23
            Q                   1  24
            F                   1  25
            hw_id               6  26
            Switch_id          32  32
            Sequence_Number    32  64
            Ingress_Timestamp  32  96""");
    private static final int FIXED_BYTES = 16;
    private static final int FIXED_WORDS = 4;
    private static final int MD_BITS = 6;

    private static final Items ITEMS = Items.table("""
            0  ingressInterface:16 egressInterface:16
            1  hopLatency:32
            2  queueId:8 queueOccupancy:24
            3  egressTimestamp:32
            4  dropQueueId:8 dropReason:8 -:16
            5  txUtilization:32""");

    private final ReferenceOptions options;
    private final Octets octets;

    Report10(ReferenceOptions options, Octets octets) {
        this.options = options;
        this.octets = octets;
    }

    /** By the specification, and what follows is a packet or nothing. */
    boolean verifies() {
        if (octets.length() < FIXED_BYTES) {
            return false;
        }
        Layout.Header header = FIXED.at(octets, 0);
        int end = trueBytes(header);
        return header.get("NProt") <= 2
                && header.get("Length") * 4 == end
                && end <= octets.length()
                && (end == octets.length() || Plausible.startOrTooShort(start(header), octets, end));
    }

    /** as if Length were what the bitmap says. */
    boolean verifiesWithoutLength() {
        if (octets.length() < FIXED_BYTES) {
            return false;
        }
        Layout.Header header = FIXED.at(octets, 0);
        int end = trueBytes(header);
        return header.get("NProt") <= 2
                && header.get("Length") * 4 != end
                && end < octets.length()
                && Plausible.start(start(header), octets, end);
    }

    private static int trueBytes(Layout.Header header) {
        return (FIXED_WORDS + Integer.bitCount(header.number("RepMdBits"))) * 4;
    }

    private static PacketStart start(Layout.Header header) {
        return switch (header.number("NProt")) {
            case 0 -> PacketStart.ETHERNET;
            case 1 -> PacketStart.IPV4;
            default -> PacketStart.IPV6;
        };
    }

    private static String inner(Layout.Header header) {
        return switch (header.number("NProt")) {
            case 0 -> "ethernet";
            case 1 -> "ipv4";
            default -> "ipv6";
        };
    }

    Map<String, Object> decode(boolean wrongLength) {
        if (octets.length() < FIXED_BYTES) {
            throw Rejected.datagram("TR_TRUNCATED_HEADER");
        }
        Layout.Header header = FIXED.at(octets, 0);
        ReportJson out = new ReportJson(options, "1.0");
        if (wrongLength) {
            out.warnings.add("A-60");
        } else {
            if (header.get("Length") < FIXED_WORDS) {
                throw Rejected.datagram("TR10_LENGTH_TOO_SMALL");
            }
            if (header.get("NProt") > 2) {
                throw Rejected.datagram("TR10_RESERVED_NPROT");
            }
            if (header.get("Length") * 4 != trueBytes(header)) {
                throw Rejected.datagram("TR10_LENGTH_BITMAP_MISMATCH");
            }
            if (trueBytes(header) > octets.length()) {
                throw Rejected.datagram("TR10_LENGTH_OVERRUN");
            }
        }
        String moved = "";
        boolean noFlag = !header.flag("D") && !header.flag("Q") && !header.flag("F");
        if (options.quirks() && noFlag && header.flag("MovedF")) {
            out.warnings.add("A-47");
            moved = "Moved";
        }
        Map<String, Object> report = out.report;
        report.put("nodeId", header.get("Switch_id"));
        report.put("hwId", header.get("hw_id"));
        report.put("sequence", header.get("Sequence_Number"));
        report.put("index", 0L);
        report.put("inner", inner(header));
        report.put("dropped", header.flag(moved + "D"));
        report.put("congested", header.flag(moved + "Q"));
        report.put("tracked", header.flag(moved + "F"));

        if (!octets.allOnes(96, 32)) {
            out.metadata.put("ingressTimestamp", octets.decimal(96, 32));
        }
        int at = FIXED_BYTES;
        for (int bit = 0; bit < MD_BITS; bit++) {
            if (Items.isSet(header.number("RepMdBits"), bit, MD_BITS)) {
                ITEMS.read(bit, octets, at, 0, out.metadata);
                at += 4;
            }
        }
        if (octets.length() > at) {
            PacketWalk packet = out.packet(start(header), octets.slice(at, octets.length()), header.flag(moved + "F"));
            if (options.quirks() && header.get("Switch_id") == 0 && packet.firstIntExceededItsHopLimit()) {
                out.warnings.add("A-67");
                report.remove("nodeId");
            }
        }
        return out.json();
    }
}
