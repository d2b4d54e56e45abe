package io.pathlore.testkit.reference;

import java.util.Map;

/** Telemetry Report 0.5 [TR 0.5, spec-notes 3]. */
final class Report05 {
    private static final Layout FIXED = Layout.table("""
            Ver                 4   0
            NProto              4   4
            D                   1   8
            Q                   1   9
            F                   1  10
            Reserved           15  11
            hw_id               6  26
            Sequence_Number    32  32
            Ingress_Timestamp  32  64""");
    private static final int FIXED_BYTES = 12;

    /** Fields of the drop and local headers: name in the JSON, bits, offset. */
    private static final Object[][] DROP = {
        {"ingressInterface", 16, 32}, {"egressInterface", 16, 48}, {"dropQueueId", 8, 64}, {"dropReason", 8, 72},
    };

    private static final Object[][] LOCAL = {
        {"ingressInterface", 16, 32},
        {"egressInterface", 16, 48},
        {"queueId", 8, 64},
        {"queueOccupancy", 24, 72},
        {"egressTimestamp", 32, 96},
    };

    private final ReferenceOptions options;
    private final Octets octets;

    Report05(ReferenceOptions options, Octets octets) {
        this.options = options;
        this.octets = octets;
    }

    private static int fragment(int nProto) {
        return switch (nProto) {
            case 0 -> FIXED_BYTES;
            case 1 -> FIXED_BYTES + 12;
            case 2 -> FIXED_BYTES + 16;
            default -> throw new IllegalArgumentException("NProto " + nProto);
        };
    }

    /** this layout although the first nibble is 1. */
    boolean verifiesInDisguise() {
        if (octets.length() < FIXED_BYTES) {
            return false;
        }
        Layout.Header header = FIXED.at(octets, 0);
        return header.get("NProto") <= 2
                && header.get("Reserved") == 0
                && associated(header)
                && plausibleFragment(header.number("NProto"));
    }

    private static boolean associated(Layout.Header header) {
        return header.flag("D") || header.flag("Q") || header.flag("F");
    }

    private boolean plausibleFragment(int nProto) {
        return octets.length() > fragment(nProto) && Plausible.start(PacketStart.ETHERNET, octets, fragment(nProto));
    }

    Map<String, Object> decode() {
        if (octets.length() < FIXED_BYTES) {
            throw Rejected.datagram("TR_TRUNCATED_HEADER");
        }
        Layout.Header header = FIXED.at(octets, 0);
        int nProto = header.number("NProto");
        if (nProto > 2) {
            throw Rejected.datagram("TR05_RESERVED_NPROTO");
        }
        ReportJson out = new ReportJson(options, "0.5");
        if (header.get("Ver") == 1) {
            out.warnings.add("A-61");
        }
        // the two (strict) rows: in lenient mode only what carries a packet is believed
        boolean believed = options.lenient() && plausibleFragment(nProto);
        if (header.get("Reserved") != 0) {
            strict("TR05_RESERVED_NONZERO", believed, out);
        }
        if (!associated(header)) {
            strict("TR_NO_ASSOCIATION", believed, out);
        }
        int fragment = fragment(nProto);
        if (octets.length() < fragment) {
            throw Rejected.datagram("TR05_TRUNCATED_SUBHEADER");
        }

        Map<String, Object> report = out.report;
        if (nProto != 0 && !octets.allOnes(FIXED_BYTES * 8, 32)) {
            report.put("nodeId", octets.u32(FIXED_BYTES));
        }
        report.put("hwId", header.get("hw_id"));
        report.put("sequence", header.get("Sequence_Number"));
        report.put("index", 0L);
        report.put("inner", "ethernet");
        report.put("dropped", header.flag("D"));
        report.put("congested", header.flag("Q"));
        report.put("tracked", header.flag("F"));

        part(out.metadata, 0, "ingressTimestamp", 32, 64);
        Object[][] fields = nProto == 1 ? DROP : LOCAL;
        if (nProto != 0) {
            for (Object[] field : fields) {
                part(out.metadata, FIXED_BYTES, (String) field[0], (int) field[1], (int) field[2]);
            }
        }
        if (octets.length() > fragment) {
            out.packet(PacketStart.ETHERNET, octets.slice(fragment, octets.length()), header.flag("F"));
        }
        return out.json();
    }

    private static void strict(String fault, boolean believed, ReportJson out) {
        if (!believed) {
            throw Rejected.datagram(fault);
        }
        out.warnings.add(fault);
    }

    /** In this version every field of all ones is absent, in its own width [spec-notes 3.1]. */
    private void part(Map<String, Object> metadata, int from, String name, int bits, int off) {
        int bitOffset = from * 8 + off;
        if (octets.allOnes(bitOffset, bits)) {
            return;
        }
        if (name.endsWith("Timestamp")) {
            metadata.put(name, octets.decimal(bitOffset, bits));
        } else {
            metadata.put(name, octets.bits(bitOffset, bits));
        }
    }
}
