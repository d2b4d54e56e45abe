package io.pathlore.testkit.reference;

import io.pathlore.testkit.reference.ReferenceOptions.DomainItem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Telemetry Report 2.0: a group header and individual reports behind it [TR 2.0 §3.2, §3.3]. */
final class Report20 {
    private static final Layout GROUP = Layout.table("""
            Ver               4   0
            hw_id             6   4
            Sequence_Number  22  10
            Node_ID          32  32""");
    private static final int GROUP_BYTES = 8;

    private static final Layout FIRST_WORD = Layout.table("""
            RepType        4   0
            InType         4   4
            Report_Length  8   8
            MD_Length      8  16
            D              1  24
            Q              1  25
            F              1  26
            I              1  27""");
    private static final int FIRST_WORD_BYTES = 4;

    private static final Layout MAIN = Layout.table("""
            RepMdBits           16   0
            Domain_Specific_ID  16  16
            DSMdBits            16  32
            DSMdstatus          16  48""");
    private static final int MAIN_BYTES = 8;

    private static final Items ITEMS = Items.table("""
            1   ingressInterface:16 egressInterface:16
            2   hopLatency:32
            3   queueId:8 queueOccupancy:24
            4   ingressTimestamp:64
            5   egressTimestamp:64
            6   l2IngressInterface:32 l2EgressInterface:32
            7   txUtilization:32
            8   bufferId:8 bufferOccupancy:24
            15  dropQueueId:8 dropReason:8 -:16""");
    private static final int MD_BITS = 16;
    private static final int RESERVED_MD_BITS = 0x807E;

    private static final Layout TLV = Layout.table("""
            TLVType    4   0
            TLVLength  8   8
            Template  16  16""");
    private static final int TLV_HEADER = 4;

    private static final int TO_THE_END = 255;
    private static final int TO_THE_END_BYTES = 1020;
    private static final List<String> INNER = List.of("none", "tlv", "ds-extension", "ethernet", "ipv4", "ipv6");
    private static final List<String> TYPES = List.of("inner-only", "int", "ioam");

    private final ReferenceOptions options;
    private final Octets octets;
    private final int end;
    private final List<String> raised;
    private int tlvsSeen;

    /** {@code raised} gets all that {@link #decode} finds wrong, in order, also in reports that are then rejected. */
    Report20(ReferenceOptions options, Octets octets, List<String> raised) {
        this.options = options;
        this.octets = octets;
        this.raised = raised;
        this.end = octets.length();
    }

    private static PacketStart start(int inType) {
        return switch (inType) {
            case 3 -> PacketStart.ETHERNET;
            case 4 -> PacketStart.IPV4;
            case 5 -> PacketStart.IPV6;
            default -> throw new IllegalArgumentException("InType " + inType + " is no packet");
        };
    }

    // ---------------------------------------------------------------- candidates of lenient detection

    /** The first report follows the specification [spec-notes 2, nibble 2, candidate 2], and holds a packet if need be. */
    boolean verifies(boolean packetNeeded) {
        int at = GROUP_BYTES;
        if (end - at < FIRST_WORD_BYTES) {
            return false;
        }
        Layout.Header first = FIRST_WORD.at(octets, at);
        int repType = first.number("RepType");
        int inType = first.number("InType");
        int length = first.number("Report_Length");
        if (repType > 1 || inType > 5 || (repType == 0 && inType == 0)) {
            return false;
        }
        int rest = end - at - FIRST_WORD_BYTES;
        if (toTheEnd(length) ? rest < TO_THE_END_BYTES : rest < length * 4) {
            return false;
        }
        int reportEnd = toTheEnd(length) ? end : at + FIRST_WORD_BYTES + length * 4;
        int inner = at + FIRST_WORD_BYTES;
        if (repType == 1) {
            inner += MAIN_BYTES + first.number("MD_Length") * 4;
            if (inner > reportEnd) {
                return false;
            }
        }
        boolean packetBearing = inType >= 3 && inner < reportEnd;
        if (packetBearing) {
            Octets packet = octets.slice(inner, reportEnd);
            return packetNeeded
                    ? Plausible.start(start(inType), packet, 0)
                    : Plausible.startOrTooShort(start(inType), packet, 0);
        }
        return !packetNeeded && (inType != 1 || tlvsEndExactly(inner, reportEnd));
    }

    private boolean toTheEnd(int length) {
        return length == TO_THE_END && !options.literal255();
    }

    private boolean tlvsEndExactly(int from, int to) {
        int at = from;
        while (at < to) {
            if (to - at < TLV_HEADER) {
                return false;
            }
            at += TLV_HEADER + TLV.at(octets, at).number("TLVLength") * 4;
        }
        return at == to;
    }

    /** no lengths at all. Empty when it is not that. */
    Optional<PacketStart> lengthless() {
        int main = GROUP_BYTES + FIRST_WORD_BYTES;
        if (end < main + MAIN_BYTES) {
            return Optional.empty();
        }
        Layout.Header first = FIRST_WORD.at(octets, GROUP_BYTES);
        int inType = first.number("InType");
        if (first.get("RepType") != 1
                || inType < 3
                || inType > 5
                || first.get("Report_Length") != 0
                || first.get("MD_Length") != 0) {
            return Optional.empty();
        }
        int fragment = main + MAIN_BYTES + base(MAIN.at(octets, main).number("RepMdBits")) * 4;
        if (fragment >= end) {
            return Optional.empty();
        }
        for (PacketStart start : List.of(start(inType), PacketStart.ETHERNET)) {
            if (Plausible.start(start, octets, fragment)) {
                return Optional.of(start);
            }
        }
        return Optional.empty();
    }

    /** a group header and at once an Ethernet frame. */
    boolean verifiesAsGroupOnly() {
        return Plausible.start(PacketStart.ETHERNET, octets, Math.min(GROUP_BYTES, end));
    }

    // ---------------------------------------------------------------- datagrams

    private ReportJson begin(int index) {
        Layout.Header group = GROUP.at(octets, 0);
        ReportJson out = new ReportJson(options, "2.0");
        out.report.put("nodeId", group.get("Node_ID"));
        out.report.put("hwId", group.get("hw_id"));
        out.report.put("sequence", group.get("Sequence_Number"));
        out.report.put("index", (long) index);
        if (group.get("Ver") == 1) {
            out.warnings.add("A-57");
        }
        return out;
    }

    List<Map<String, Object>> decodeGroupOnly() {
        ReportJson out = begin(0);
        out.warnings.add("A-58");
        out.report.put("type", "inner-only");
        out.report.put("inner", "ethernet");
        out.packet(PacketStart.ETHERNET, octets.slice(GROUP_BYTES, end), true); // as if F were set
        return List.of(out.json());
    }

    List<Map<String, Object>> decodeLengthless(PacketStart start) {
        ReportJson out = begin(0);
        out.warnings.add("A-59");
        Layout.Header first = FIRST_WORD.at(octets, GROUP_BYTES);
        int inType = first.number("InType");
        boolean asItsType = start == start(inType);
        if (!asItsType) {
            out.warnings.add("A-29");
        }
        head(out, first, "int", asItsType ? INNER.get(inType) : "ethernet");
        int main = GROUP_BYTES + FIRST_WORD_BYTES;
        Layout.Header fixed = MAIN.at(octets, main);
        lenientBitmaps(fixed, out);
        int at = metadata(fixed, main + MAIN_BYTES, false, out);
        domain(fixed, at, at, out);
        out.packet(start, octets.slice(at, end), first.flag("F"));
        return List.of(out.json());
    }

    /** By the rules of section 8. */
    List<Map<String, Object>> decode() {
        if (end < GROUP_BYTES) {
            throw Rejected.datagram("TR_TRUNCATED_HEADER");
        }
        if (end - GROUP_BYTES < FIRST_WORD_BYTES) {
            throw Rejected.datagram("TR20_NO_REPORTS");
        }
        List<Map<String, Object>> results = new ArrayList<>();
        @Nullable ReportJson last = null;
        int at = GROUP_BYTES;
        for (int index = 0; at < end; index++) {
            if (end - at < FIRST_WORD_BYTES) {
                raised.add("TR20_TRAILING_BYTES");
                if (last == null) {
                    results.add(ReportJson.error("TR20_TRAILING_BYTES"));
                } else {
                    last.warnings.add("TR20_TRAILING_BYTES");
                    results.set(results.size() - 1, last.json());
                }
                break;
            }
            ReportJson report = begin(index);
            try {
                int next = reportEnd(at, index);
                individual(at, next, report);
                results.add(report.json());
                raised.addAll(report.warnings);
                last = report;
                at = next;
            } catch (Rejected rejected) {
                results.add(ReportJson.error(rejected.fault()));
                raised.addAll(report.warnings);
                raised.add(rejected.fault());
                last = null;
                if (rejected.reach() != Rejected.Reach.REPORT) {
                    break;
                }
                at = reportEnd(at, index);
            }
        }
        return results;
    }

    private int reportEnd(int at, int index) {
        if (index >= options.maxReports()) {
            throw Rejected.rest("TR20_TOO_MANY_REPORTS");
        }
        int length = FIRST_WORD.at(octets, at).number("Report_Length");
        int rest = end - at - FIRST_WORD_BYTES;
        if (toTheEnd(length)) {
            if (rest < TO_THE_END_BYTES) {
                throw Rejected.rest("TR20_FF_TOO_SHORT");
            }
            return end;
        }
        if (length * 4 > rest) {
            throw Rejected.rest("TR20_REPORT_LENGTH_OVERRUN");
        }
        return at + FIRST_WORD_BYTES + length * 4;
    }

    // ---------------------------------------------------------------- one individual report

    private static void head(ReportJson out, Layout.Header first, String type, String inner) {
        out.report.put("type", type);
        out.report.put("inner", inner);
        out.report.put("dropped", first.flag("D"));
        out.report.put("congested", first.flag("Q"));
        out.report.put("tracked", first.flag("F"));
        out.report.put("intermediate", first.flag("I"));
    }

    private void individual(int at, int reportEnd, ReportJson out) {
        Layout.Header first = FIRST_WORD.at(octets, at);
        int repType = first.number("RepType");
        int inType = first.number("InType");
        if (repType > 2) {
            throw Rejected.report("TR20_RESERVED_REPTYPE");
        }
        if (repType == 2) {
            if (!options.quirks()) {
                throw Rejected.report("TR20_UNSUPPORTED_IOAM_REPORT");
            }
            out.warnings.add("A-12");
        }
        if (inType > 5) {
            throw Rejected.report("TR20_RESERVED_INTYPE");
        }
        head(out, first, TYPES.get(repType), INNER.get(inType));
        if (repType == 2) {
            return;
        }
        if (repType == 0 && inType == 0) {
            throw Rejected.report("TR20_EMPTY_REPORT");
        }
        int inner = at + FIRST_WORD_BYTES;
        if (repType == 1) {
            inner = mainContents(inner, first.number("MD_Length"), inType, reportEnd, out);
        }
        if (inType == 0 && inner < reportEnd) {
            throw Rejected.report("TR20_INNER_NOT_EXPECTED");
        }
        if (inType != 0 && inner == reportEnd) {
            out.warnings.add("TR20_INNER_MISSING");
            return;
        }
        switch (inType) {
            case 0 -> {
                // nothing
            }
            case 1 -> tlvs(inner, reportEnd, first.flag("F"), out);
            case 2 -> out.other.put("extension", octets.hex(inner, reportEnd));
            default -> out.packet(start(inType), octets.slice(inner, reportEnd), first.flag("F"));
        }
    }

    /** base(RepMdBits): reserved bits have no width. */
    private static int base(int repMdBits) {
        int words = 0;
        for (int bit = 0; bit < MD_BITS; bit++) {
            words += Items.isSet(repMdBits, bit, MD_BITS) ? ITEMS.words(bit) : 0;
        }
        return words;
    }

    /** Returns the offset of the inner contents. */
    private int mainContents(int main, int mdLength, int inType, int reportEnd, ReportJson out) {
        if (reportEnd - main < MAIN_BYTES) {
            throw Rejected.report("TR20_MAIN_CONTENTS_TRUNCATED");
        }
        int from = main + MAIN_BYTES;
        if (from + mdLength * 4 > reportEnd) {
            throw Rejected.report("TR20_MD_OVERRUNS_REPORT");
        }
        Layout.Header fixed = MAIN.at(octets, main);
        int repMdBits = fixed.number("RepMdBits");
        if (!options.lenient()) {
            if ((repMdBits & RESERVED_MD_BITS) != 0) {
                throw Rejected.report("TR20_RESERVED_MDBIT");
            }
            if (fixed.get("DSMdBits") != 0 && fixed.get("Domain_Specific_ID") == 0) {
                throw Rejected.report("TR20_DS_ON_DEFAULT_DOMAIN");
            }
        }
        lenientBitmaps(fixed, out);
        int base = base(repMdBits);
        int wide = base + Integer.bitCount(repMdBits & RESERVED_MD_BITS);
        int words = mdLength;
        boolean reservedWords = false;
        int shownWords = -1; // all
        if (fits(fixed, words - base)) {
            // width 0 for reserved bits
        } else if (options.lenient() && wide != base && fits(fixed, words - wide)) {
            reservedWords = true;
        } else if (isUncounted(fixed, base, words, inType, from, reportEnd)) {
            out.warnings.add("A-05");
            words = base + leastDomainWords(fixed);
        } else if (isSurplusOfOnes(fixed, base, words, from)) {
            out.warnings.add("A-08");
            shownWords = base + leastDomainWords(fixed);
        } else {
            throw Rejected.report("TR20_MD_LENGTH_MISMATCH");
        }
        int end = from + words * 4;
        int at = metadata(fixed, from, reservedWords, out);
        domain(fixed, at, shownWords < 0 ? end : from + shownWords * 4, out);
        return end;
    }

    /** Rows marked (strict), as warnings. */
    private void lenientBitmaps(Layout.Header fixed, ReportJson out) {
        if ((fixed.get("RepMdBits") & RESERVED_MD_BITS) != 0) {
            out.warnings.add("TR20_RESERVED_MDBIT");
        }
        if (fixed.get("DSMdBits") != 0 && fixed.get("Domain_Specific_ID") == 0) {
            out.warnings.add("TR20_DS_ON_DEFAULT_DOMAIN");
        }
    }

    private Optional<List<DomainItem>> knownItems(Layout.Header fixed) {
        return new Domains(options.domains()).items(fixed.number("Domain_Specific_ID"), fixed.number("DSMdBits"));
    }

    /** Whether that many words can be domain metadata. */
    private boolean fits(Layout.Header fixed, int ds) {
        if (fixed.get("DSMdBits") == 0) {
            return ds == 0;
        }
        if (fixed.get("Domain_Specific_ID") == 0) {
            return ds >= 0;
        }
        return knownItems(fixed)
                .map(items -> ds == Domains.words(items))
                .orElse(ds >= Long.bitCount(fixed.get("DSMdBits")));
    }

    private int leastDomainWords(Layout.Header fixed) {
        return knownItems(fixed).map(Domains::words).orElse(Long.bitCount(fixed.get("DSMdBits")));
    }

    /** MD Length does not count the domain words, as the TLVs behind them show. */
    private boolean isUncounted(Layout.Header fixed, int base, int words, int inType, int from, int reportEnd) {
        int least = leastDomainWords(fixed);
        int inner = from + (base + least) * 4;
        return options.quirks()
                && inType == 1
                && fixed.get("DSMdBits") != 0
                && fixed.get("Domain_Specific_ID") != 0
                && words - base < least
                && inner < reportEnd
                && tlvsEndExactly(inner, reportEnd);
    }

    /** padded with all ones out to the Hop ML of the packet. */
    private boolean isSurplusOfOnes(Layout.Header fixed, int base, int words, int from) {
        int counted = base + leastDomainWords(fixed);
        return options.quirks()
                && knownItems(fixed).isPresent()
                && words > counted
                && octets.allOnes((from + counted * 4) * 8, (words - counted) * 32);
    }

    /** Baseline metadata; returns the offset behind it. */
    private int metadata(Layout.Header fixed, int from, boolean reservedWords, ReportJson out) {
        int at = from;
        for (int bit = 0; bit < MD_BITS; bit++) {
            if (Items.isSet(fixed.number("RepMdBits"), bit, MD_BITS)) {
                ITEMS.read(bit, octets, at, 0, out.metadata);
                at += (ITEMS.knows(bit) || !reservedWords ? ITEMS.words(bit) : 1) * 4;
            }
        }
        return at;
    }

    private void domain(Layout.Header fixed, int from, int to, ReportJson out) {
        List<Object> words = new ArrayList<>();
        for (int at = from; at < to; at += 4) {
            words.add(octets.hex(at, at + 4));
        }
        boolean shown = fixed.get("Domain_Specific_ID") != 0
                || fixed.get("DSMdBits") != 0
                || fixed.get("DSMdstatus") != 0
                || !words.isEmpty();
        if (!shown) {
            return;
        }
        Map<String, Object> domain = new LinkedHashMap<>();
        domain.put("id", fixed.get("Domain_Specific_ID"));
        domain.put("bits", fixed.get("DSMdBits"));
        domain.put("status", fixed.get("DSMdstatus"));
        if (!words.isEmpty()) {
            domain.put("words", words);
        }
        out.other.put("domain", domain);
    }

    private void tlvs(int from, int to, boolean tracked, ReportJson out) {
        List<Object> list = new ArrayList<>();
        boolean packetSeen = false;
        int at = from;
        while (at < to) {
            if (to - at < TLV_HEADER) {
                throw Rejected.report("TR20_TLV_TRUNCATED_HEADER");
            }
            tlvsSeen++;
            if (tlvsSeen > options.maxReports()) {
                throw Rejected.rest("TR20_TOO_MANY_REPORTS");
            }
            Layout.Header header = TLV.at(octets, at);
            int type = header.number("TLVType");
            int data = at + TLV_HEADER;
            int next = data + header.number("TLVLength") * 4;
            if (next > to) {
                throw Rejected.report("TR20_TLV_OVERRUN");
            }
            Map<String, Object> tlv = new LinkedHashMap<>();
            if (type == 0) {
                tlv.put("type", "ds-extension");
                if (header.get("Template") != 0) {
                    tlv.put("template", header.get("Template"));
                }
                tlv.put("data", octets.hex(data, next));
                list.add(tlv);
            } else if (type <= 3) {
                int inType = type + 2; // the codepoints differ: 1, 2, 3 here, 3, 4, 5 as InType
                tlv.put("type", INNER.get(inType));
                tlv.put("length", (long) (next - data));
                list.add(tlv);
                if (next == data) {
                    out.warnings.add("TR20_TLV_EMPTY_PACKET");
                } else if (!packetSeen) {
                    packetSeen = true;
                    out.packet(start(inType), octets.slice(data, next), tracked);
                }
            } else {
                out.warnings.add("TR20_TLV_RESERVED_TYPE");
                tlv.put("type", "reserved");
                tlv.put("code", (long) type);
                tlv.put("data", octets.hex(data, next));
                list.add(tlv);
            }
            at = next;
        }
        if (!list.isEmpty()) {
            out.other.put("tlvs", list);
        }
    }
}
