package io.pathlore.testkit.reference;

import java.util.LinkedHashMap;
import java.util.Map;

/** Reports of CableLabs Transparent Security as emitted [spec-notes 7, 3.9]. */
final class TransparentSecurity {
    private static final Layout HEADER = Layout.table("""
            Ver           4    0
            hw_id         6    4
            sequence_no  16   10
            node_id      32   32
            rep_type      4   64
            in_type       4   68
            md_len        8   80
            D             1   88
            Q             1   89
            F             1   90
            I             1   91
            Domain_ID    16  112""");

    private static final Layout DOMAIN = Layout.table("""
            DsMdBits    16  128
            DsMdStatus  16  144""");

    private static final int DETECTABLE = 16;
    private static final int TRACKED_HEADER = 24;
    private static final int DROP_REPORT = 48;
    private static final int DROP_IN_TYPE = 2;

    private static final Items DROP = Items.table("""
            0  dropQueueId:8 dropReason:8 -:16""");

    private final ReferenceOptions options;
    private final Octets octets;

    TransparentSecurity(ReferenceOptions options, Octets octets) {
        this.options = options;
        this.octets = octets;
    }

    boolean verifies() {
        if (octets.length() < DETECTABLE) {
            return false;
        }
        Layout.Header header = HEADER.at(octets, 0);
        return header.get("Ver") == 2
                && header.get("rep_type") == 0
                && header.get("md_len") != 0
                && header.get("Domain_ID") == ReferenceOptions.TRANSPARENT_SECURITY_DOMAIN;
    }

    Map<String, Object> decode() {
        Layout.Header header = HEADER.at(octets, 0);
        boolean drop = header.get("in_type") == DROP_IN_TYPE;
        if (drop && octets.length() < DROP_REPORT) {
            throw Rejected.datagram("TS_DROP_TOO_SHORT");
        }
        if (octets.length() < TRACKED_HEADER) {
            throw Rejected.datagram("TR_TRUNCATED_HEADER");
        }
        ReportJson out = new ReportJson(options, "2.0");
        out.transparentSecurity();
        out.report.put("nodeId", header.get("node_id"));
        out.report.put("hwId", header.get("hw_id"));
        out.report.put("sequence", header.get("sequence_no"));
        out.report.put("index", 0L);
        out.report.put("type", "int");
        out.report.put("inner", drop ? "ds-extension" : "ethernet");
        out.report.put("dropped", header.flag("D"));
        out.report.put("congested", header.flag("Q"));
        out.report.put("tracked", header.flag("F"));
        out.report.put("intermediate", header.flag("I"));

        Layout.Header bits = DOMAIN.at(octets, 0);
        Map<String, Object> domain = new LinkedHashMap<>();
        domain.put("id", header.get("Domain_ID"));
        domain.put("bits", bits.get("DsMdBits"));
        domain.put("status", bits.get("DsMdStatus"));
        out.other.put("domain", domain);

        if (drop) {
            dropReport(out);
        } else {
            trackedFlow(header, out);
        }
        return out.json();
    }

    private void dropReport(ReportJson out) {
        out.warnings.add("A-33");
        DROP.read(0, octets, 20, 0, out.metadata);
        Map<String, Object> drop = new LinkedHashMap<>();
        drop.put("timestamp", octets.u32(24));
        drop.put("count", octets.u32(28));
        drop.put("key", octets.hex(32, 48));
        out.other.put("drop", drop);
    }

    private void trackedFlow(Layout.Header header, ReportJson out) {
        out.warnings.add("A-28");
        out.warnings.add("A-29");
        out.warnings.add("A-32");
        if (octets.length() == TRACKED_HEADER) {
            out.warnings.add("TR20_INNER_MISSING");
        } else {
            out.packet(PacketStart.ETHERNET, octets.slice(TRACKED_HEADER, octets.length()), header.flag("F"));
        }
    }
}
