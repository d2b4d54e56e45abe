package io.pathlore.model;

/**
 * What can be wrong with received bytes. The constant's name is the only name of the fault: in code, JSON, metrics and logs.
 */
public enum Fault {
    NONE(Level.REPORT, Action.PART, false, "", ""),
    TR_EMPTY(Level.REPORT, Action.DROP, false, "TR 2.0 §3.1", "zero bytes"),
    TR_UNKNOWN_VERSION(Level.REPORT, Action.DROP, false, "TR 2.0 §3.2", "Ver 3-15"),
    TR_TRUNCATED_HEADER(
            Level.REPORT,
            Action.DROP,
            false,
            "TR 2.0 §3.2",
            "shorter than the fixed header of its version (12, 16, 8 bytes)"),
    TR_NO_ASSOCIATION(Level.REPORT, Action.DROP, true, "TR 0.5 §3.2", "v0.5 with D=Q=F=0"),
    TR05_RESERVED_NPROTO(Level.REPORT, Action.DROP, false, "TR 0.5 §3.2", "NProto 3-15"),
    TR05_RESERVED_NONZERO(Level.REPORT, Action.DROP, true, "TR 0.5 §3.2", "Reserved != 0"),
    TR05_TRUNCATED_SUBHEADER(Level.REPORT, Action.DROP, false, "TR 0.5 §3.2", "drop/local header cut"),
    TR10_LENGTH_TOO_SMALL(Level.REPORT, Action.DROP, false, "TR 1.0 §3.2", "Length < 4"),
    TR10_LENGTH_OVERRUN(Level.REPORT, Action.DROP, false, "TR 1.0 §3.2", "Length x 4 > payload"),
    TR10_LENGTH_BITMAP_MISMATCH(Level.REPORT, Action.DROP, false, "TR 1.0 §3.2", "Length != 4 + popcount(RepMdBits)"),
    TR10_RESERVED_NPROT(Level.REPORT, Action.DROP, false, "TR 1.0 §3.2", "NProt 3-7"),
    TR20_NO_REPORTS(Level.REPORT, Action.DROP, false, "TR 2.0 §3.3", "fewer than 4 bytes after the group header"),
    TR20_TRAILING_BYTES(Level.REPORT, Action.PART, false, "TR 2.0 §3.3", "1-3 bytes after the last report"),
    TR20_REPORT_LENGTH_OVERRUN(
            Level.REPORT, Action.REST, false, "TR 2.0 §3.3", "Report Length (not the special 255) beyond payload"),
    TR20_FF_TOO_SHORT(
            Level.REPORT,
            Action.REST,
            false,
            "TR 2.0 §3.3",
            "Report Length 255 with < 1020 bytes after the first word"),
    TR20_TOO_MANY_REPORTS(
            Level.REPORT, Action.REST, false, "TR 2.0 §3.3", "more individual reports or TLVs than the configured cap"),
    TR20_RESERVED_REPTYPE(Level.REPORT, Action.REPORT, false, "TR 2.0 §3.3", "RepType 3-15"),
    TR20_UNSUPPORTED_IOAM_REPORT(Level.REPORT, Action.REPORT, false, "TR 2.0 §3.3", "RepType 2"),
    TR20_RESERVED_INTYPE(Level.REPORT, Action.REPORT, false, "TR 2.0 §3.3", "InType 6-15"),
    TR20_EMPTY_REPORT(
            Level.REPORT, Action.REPORT, false, "TR 2.0 §3.3", "RepType 0 with InType 0, whatever the length"),
    TR20_MAIN_CONTENTS_TRUNCATED(
            Level.REPORT, Action.REPORT, false, "TR 2.0 §3.3.1", "RepType 1 with Report Length < 2"),
    TR20_MD_OVERRUNS_REPORT(Level.REPORT, Action.REPORT, false, "TR 2.0 §3.3.1", "2 + MD Length > Report Length"),
    TR20_MD_LENGTH_MISMATCH(Level.REPORT, Action.REPORT, false, "TR 2.0 §3.3.1", "MD Length does not fit the bitmaps"),
    TR20_RESERVED_MDBIT(Level.REPORT, Action.REPORT, true, "TR 2.0 §3.3.1", "RepMdBits & 0x807E"),
    TR20_DS_ON_DEFAULT_DOMAIN(Level.REPORT, Action.REPORT, true, "TR 2.0 §3.3.1", "DSMdBits != 0 with Domain ID 0"),
    TR20_INNER_NOT_EXPECTED(Level.REPORT, Action.REPORT, false, "TR 2.0 §3.3", "InType 0 with inner words"),
    TR20_INNER_MISSING(Level.REPORT, Action.PART, false, "TR 2.0 §3.3", "InType 1-5 with no inner bytes"),
    TR20_TLV_TRUNCATED_HEADER(
            Level.REPORT,
            Action.REPORT,
            false,
            "TR 2.0 §3.3.2",
            "< 4 bytes left for a TLV (only possible with Report Length 255)"),
    TR20_TLV_OVERRUN(Level.REPORT, Action.REPORT, false, "TR 2.0 §3.3.2", "TLVLength beyond inner contents"),
    TR20_TLV_RESERVED_TYPE(Level.REPORT, Action.PART, true, "TR 2.0 §3.3.2", "TLVType 4-15"),
    TR20_TLV_EMPTY_PACKET(Level.REPORT, Action.PART, false, "TR 2.0 §3.3.2", "TLVType 1-3 with length 0"),
    TS_DROP_TOO_SHORT(
            Level.REPORT, Action.DROP, false, "Transparent Security drop report", "TS drop report under 48 bytes"),
    TS_BAD_FLAGS(
            Level.INT, Action.PART, false, "Transparent Security INT header", "more than one of DS Flags bits 0-2"),
    INT_FALSE_POSITIVE(
            Level.INT,
            Action.INT,
            false,
            "INT 2.1 §5.7.2",
            "lenient, weak mark: replaces any I error with action `int`, unless bytes are missing by a cut"),
    INT_SHIM_TRUNCATED(Level.INT, Action.INT, false, "INT 2.1 §5.7.2", "< 4 bytes present for the shim"),
    INT_SHIM_RESERVED_TYPE(Level.INT, Action.INT, false, "INT 2.1 §5.7.2", "type not 1-3 (old style: not 1-2)"),
    INT_SHIM_RESERVED_NPT(Level.INT, Action.INT, false, "INT 2.1 §5.7.2", "NPT 3"),
    INT_NPT_CONTEXT(
            Level.INT,
            Action.INT,
            false,
            "INT 2.1 §5.7.2",
            "NPT 0 on the INT port, or NPT 1/2 marked by DSCP or probe marker"),
    INT_SHIM_LENGTH_TOO_SMALL(
            Level.INT,
            Action.INT,
            false,
            "INT 2.1 §5.7.2",
            "shim Length < 3 words (both styles; 4 with an INT0.5 tail)"),
    INT_SHIM_LENGTH_OVERRUN(Level.INT, Action.INT, false, "INT 2.1 §5.7.2", "INT extent beyond the declared end"),
    INT_TAIL_MISMATCH(
            Level.INT, Action.INT, false, "INT 0.5 TCP/UDP tail header", "INT0.5 tail Proto differs from IP protocol"),
    INT_GENEVE_OPTION_OVERRUN(Level.INT, Action.INT, false, "INT 2.1 §5.7.4", "option longer than OptLen"),
    INT_HEADER_TRUNCATED(
            Level.INT,
            Action.INT,
            false,
            "INT 2.1 §5.8",
            "bytes present end inside the metadata header, or Geneve option shorter than it"),
    INT_UNKNOWN_VERSION(Level.INT, Action.INT, false, "INT 2.1 §5.8", "version not known for this shim"),
    INT_INSTR_COUNT_MISMATCH(
            Level.INT, Action.INT, false, "INT June 2016 §5.3.3", "Instruction Count != popcount(bitmap)"),
    INT_HOP_COUNT_EXCEEDS_MAX(Level.INT, Action.INT, false, "INT June 2016 §5.3.3", "Total > Max Hop Count"),
    INT_STACK_LENGTH_MISMATCH(
            Level.INT, Action.INT, false, "INT June 2016 §5.3.3", "stack != Count x Total (INT16/0.5)"),
    INT_BOS_MISPLACED(Level.INT, Action.INT, false, "INT June 2016 §5.3.3", "BOS not on the last word only (INT16)"),
    INT_HOP_ML_ZERO(Level.INT, Action.INT, false, "INT 2.1 §5.8", "Hop ML 0 with a stack beyond source-only words"),
    INT_HOP_ML_MISMATCH(
            Level.INT,
            Action.INT,
            false,
            "INT 2.1 §5.8",
            "Hop ML < base; > base with Ver 1, domain 0 or DS Instruction 0; != base + per-hop DS words of a known domain"),
    INT_STACK_NOT_MULTIPLE(
            Level.INT,
            Action.INT,
            false,
            "INT 2.1 §5.8",
            "(stack - source-only) not a multiple of Hop ML; domain 0 or known"),
    INT_SOURCE_ONLY_OVERRUN(
            Level.INT,
            Action.INT,
            false,
            "INT 2.1 §5.8",
            "M = 0 and a non-empty stack shorter than source-only metadata"),
    INT_RESERVED_INSTRUCTION(Level.INT, Action.INT, true, "INT 2.1 §5.8", "reserved bitmap bit set"),
    INT_DS_ON_DEFAULT_DOMAIN(Level.INT, Action.INT, true, "INT 2.1 §5.8", "DS Instruction != 0 with domain 0"),
    INT_MX_LENGTH_MISMATCH(
            Level.INT,
            Action.INT,
            false,
            "INT 2.1 §5.9",
            "MX: source-inserted words with DS Instruction 0, or not the size a known domain gives"),
    INT_STACK_TRUNCATED(Level.INT, Action.PART, false, "INT 2.1 §5.8", "bytes present end inside the stack (or tail)"),
    INT_TYPE_ORDER(Level.INT, Action.PART, false, "INT 2.1 §5.1", "destination header before hop-by-hop/MD/MX"),
    INT_CHAIN_TOO_LONG(Level.INT, Action.INT, false, "INT 2.1 §5.1", "more than 4 chained INT headers"),
    IOAM_OPTION_TRUNCATED(Level.IOAM, Action.PART, false, "RFC 9486 §3", "option shorter than its fixed part"),
    IOAM_UNKNOWN_TYPE(Level.IOAM, Action.PART, false, "RFC 9486 §3", "option type > 4"),
    IOAM_NODELEN_ZERO(Level.IOAM, Action.PART, false, "RFC 9197 §4.4.1", "NodeLen 0 (unless only bit 22 is set)"),
    IOAM_NODELEN_MISMATCH(Level.IOAM, Action.PART, false, "RFC 9197 §4.4.1", "NodeLen != widths of trace type"),
    IOAM_REMLEN_OVERRUN(Level.IOAM, Action.PART, false, "RFC 9197 §4.4.1", "RemainingLen beyond the data space"),
    IOAM_SPACE_NOT_MULTIPLE(
            Level.IOAM, Action.PART, false, "RFC 9197 §4.4.1", "used space not a multiple of NodeLen (no bit 22)"),
    IOAM_E2E_TYPE_CONFLICT(Level.IOAM, Action.PART, false, "RFC 9197 §4.6", "E2E type bits 0 and 1 both set"),
    IOAM_OSS_OVERRUN(Level.IOAM, Action.PART, false, "RFC 9197 §4.4.2", "snapshot longer than the data space"),
    PKT_TRUNCATED_L2(Level.PACKET, Action.PART, false, "TR 2.0 §2.6", "< 14 bytes"),
    PKT_TRUNCATED_L3(Level.PACKET, Action.PART, false, "TR 2.0 §2.6", "IP header cut"),
    PKT_TRUNCATED_L4(
            Level.PACKET, Action.PART, false, "TR 2.0 §2.6", "< 4 bytes of L4 (4 or more: ports kept, `cutAt`)"),
    PKT_IP_VERSION_MISMATCH(
            Level.PACKET, Action.PART, false, "TR 2.0 §3.3", "version nibble contradicts InType/EtherType"),
    PKT_BAD_IHL(Level.PACKET, Action.PART, false, "RFC 791 §3.1", "IHL < 5"),
    PKT_BAD_TCP_OFFSET(Level.PACKET, Action.PART, false, "RFC 9293 §3.1", "data offset < 5"),
    PKT_GRE_VERSION(Level.PACKET, Action.PART, false, "RFC 2784 §2.3.1", "GRE version != 0"),
    PKT_GENEVE_VERSION(Level.PACKET, Action.PART, false, "RFC 8926 §3.4", "Geneve Ver != 0"),
    PKT_GENEVE_OPTLEN_OVERRUN(Level.PACKET, Action.PART, false, "RFC 8926 §3.4", "options beyond the declared end"),
    PKT_GPE_P_BIT_CLEAR(Level.PACKET, Action.PART, true, "INT 2.1 §5.7.3", "INT next protocol with P = 0"),
    PKT_IPV6_EXT_OVERRUN(Level.PACKET, Action.PART, false, "RFC 8200 §4", "extension header beyond the declared end"),
    PKT_IPV6_OPTION_OVERRUN(Level.PACKET, Action.PART, false, "RFC 8200 §4.2", "option beyond its header"),
    PKT_MPLS_NO_BOS(Level.PACKET, Action.PART, false, "RFC 3032 §2.1", "16 labels without S"),
    PKT_TOO_MANY_TAGS(Level.PACKET, Action.PART, false, "IEEE 802.1Q §9", "more than 4 VLAN tags"),
    PKT_DEPTH_EXCEEDED(
            Level.PACKET, Action.PART, false, "limit of this decoder", "more nested headers than a real packet has");

    /** What the fault was found in. */
    public enum Level {
        REPORT,
        INT,
        IOAM,
        PACKET
    }

    /** How much is lost by the fault. */
    public enum Action {
        /** The datagram. */
        DROP,
        /** This individual report and all bytes behind it; reports before it stand. */
        REST,
        /** One individual report; decoding goes on behind its length. */
        REPORT,
        /** This INT header; the fragment ends here and the flow comes from the layers before it. */
        INT,
        /** Only what could not be read; what was decoded before stands. */
        PART
    }

    private final Level level;
    private final Action action;
    private final boolean strictOnly;
    private final String clause;
    private final String meaning;

    Fault(Level level, Action action, boolean strictOnly, String clause, String meaning) {
        this.level = level;
        this.action = action;
        this.strictOnly = strictOnly;
        this.clause = clause;
        this.meaning = meaning;
    }

    public Level level() {
        return level;
    }

    public Action action() {
        return action;
    }

    /** Lenient decoding only warns. */
    public boolean strictOnly() {
        return strictOnly;
    }

    /** The clause of the specification that the bytes break. */
    public String clause() {
        return clause;
    }

    /** One line for people: the condition that raises it. */
    public String meaning() {
        return meaning;
    }

    /** Nothing wrong was sent: bytes were cut off, which a sender is free to do, or a mark stood on an ordinary packet. */
    public boolean isHarmless() {
        return this == PKT_TRUNCATED_L2
                || this == PKT_TRUNCATED_L3
                || this == PKT_TRUNCATED_L4
                || this == INT_SHIM_TRUNCATED
                || this == INT_HEADER_TRUNCATED
                || this == INT_STACK_TRUNCATED
                || this == INT_FALSE_POSITIVE;
    }
}
