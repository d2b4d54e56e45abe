package io.pathlore.model;

/**
 * What can be wrong with received bytes. The constant's name is the only name of the fault: in code, JSON, metrics and logs.
 */
public enum Fault {
    NONE(Level.REPORT, Action.PART, false, "", ""),
    TR_EMPTY(Level.REPORT, Action.DROP, false, "TR 2.0 §3.1", "the datagram has no bytes"),
    TR_UNKNOWN_VERSION(Level.REPORT, Action.DROP, false, "TR 2.0 §3.2", "the version is not 0, 1 or 2"),
    TR_TRUNCATED_HEADER(
            Level.REPORT,
            Action.DROP,
            false,
            "TR 2.0 §3.2",
            "shorter than the fixed header of its version (12, 16 or 8 bytes)"),
    TR_NO_ASSOCIATION(Level.REPORT, Action.DROP, true, "TR 0.5 §3.2", "none of D, Q and F is set"),
    TR05_RESERVED_NPROTO(Level.REPORT, Action.DROP, false, "TR 0.5 §3.2", "NProto is reserved (3 to 15)"),
    TR05_RESERVED_NONZERO(Level.REPORT, Action.DROP, true, "TR 0.5 §3.2", "reserved bits are set"),
    TR05_TRUNCATED_SUBHEADER(Level.REPORT, Action.DROP, false, "TR 0.5 §3.2", "the drop or switch-local header is cut"),
    TR10_LENGTH_TOO_SMALL(Level.REPORT, Action.DROP, false, "TR 1.0 §3.2", "Length is under 4 words"),
    TR10_LENGTH_OVERRUN(Level.REPORT, Action.DROP, false, "TR 1.0 §3.2", "Length reaches beyond the datagram"),
    TR10_LENGTH_BITMAP_MISMATCH(
            Level.REPORT, Action.DROP, false, "TR 1.0 §3.2", "Length is not 4 words and one per RepMdBit"),
    TR10_RESERVED_NPROT(Level.REPORT, Action.DROP, false, "TR 1.0 §3.2", "NProt is reserved (3 to 7)"),
    TR20_NO_REPORTS(Level.REPORT, Action.DROP, false, "TR 2.0 §3.3", "no individual report follows the group header"),
    TR20_TRAILING_BYTES(Level.REPORT, Action.PART, false, "TR 2.0 §3.3", "1 to 3 bytes follow the last report"),
    TR20_REPORT_LENGTH_OVERRUN(
            Level.REPORT, Action.REST, false, "TR 2.0 §3.3", "Report Length reaches beyond the datagram"),
    TR20_FF_TOO_SHORT(
            Level.REPORT, Action.REST, false, "TR 2.0 §3.3", "Report Length is 255, but fewer than 1020 bytes follow"),
    TR20_TOO_MANY_REPORTS(
            Level.REPORT,
            Action.REST,
            false,
            "TR 2.0 §3.3",
            "more individual reports or TLVs than allowed in one datagram"),
    TR20_RESERVED_REPTYPE(Level.REPORT, Action.REPORT, false, "TR 2.0 §3.3", "RepType is reserved (3 to 15)"),
    TR20_UNSUPPORTED_IOAM_REPORT(
            Level.REPORT, Action.REPORT, false, "TR 2.0 §3.3", "RepType is IOAM, whose contents are not defined"),
    TR20_RESERVED_INTYPE(Level.REPORT, Action.REPORT, false, "TR 2.0 §3.3", "InType is reserved (6 to 15)"),
    TR20_EMPTY_REPORT(
            Level.REPORT, Action.REPORT, false, "TR 2.0 §3.3", "neither main nor inner contents (RepType 0, InType 0)"),
    TR20_MAIN_CONTENTS_TRUNCATED(
            Level.REPORT, Action.REPORT, false, "TR 2.0 §3.3.1", "Report Length has no room for the main contents"),
    TR20_MD_OVERRUNS_REPORT(Level.REPORT, Action.REPORT, false, "TR 2.0 §3.3.1", "MD Length reaches beyond the report"),
    TR20_MD_LENGTH_MISMATCH(
            Level.REPORT, Action.REPORT, false, "TR 2.0 §3.3.1", "MD Length is not what the bitmaps ask for"),
    TR20_RESERVED_MDBIT(Level.REPORT, Action.REPORT, true, "TR 2.0 §3.3.1", "reserved RepMdBits are set"),
    TR20_DS_ON_DEFAULT_DOMAIN(
            Level.REPORT, Action.REPORT, true, "TR 2.0 §3.3.1", "DSMdBits are set in the default domain"),
    TR20_INNER_NOT_EXPECTED(
            Level.REPORT, Action.REPORT, false, "TR 2.0 §3.3", "InType is none, but inner contents follow"),
    TR20_INNER_MISSING(
            Level.REPORT, Action.PART, false, "TR 2.0 §3.3", "InType announces inner contents, but there are none"),
    TR20_TLV_TRUNCATED_HEADER(
            Level.REPORT, Action.REPORT, false, "TR 2.0 §3.3.2", "fewer than 4 bytes are left for a TLV"),
    TR20_TLV_OVERRUN(
            Level.REPORT, Action.REPORT, false, "TR 2.0 §3.3.2", "TLVLength reaches beyond the inner contents"),
    TR20_TLV_RESERVED_TYPE(Level.REPORT, Action.PART, true, "TR 2.0 §3.3.2", "TLVType is reserved (4 to 15)"),
    TR20_TLV_EMPTY_PACKET(
            Level.REPORT, Action.PART, false, "TR 2.0 §3.3.2", "a TLV announces a packet, but has no bytes"),
    TS_DROP_TOO_SHORT(
            Level.REPORT,
            Action.DROP,
            false,
            "Transparent Security drop report",
            "a Transparent Security drop report is under 48 bytes"),
    TS_BAD_FLAGS(
            Level.INT,
            Action.PART,
            false,
            "Transparent Security INT header",
            "more than one of the DS flags device, gateway and outside switch is set"),
    INT_FALSE_POSITIVE(
            Level.INT,
            Action.INT,
            false,
            "INT 2.1 §5.7.2",
            "marked like INT, but what follows does not verify: an ordinary packet"),
    INT_SHIM_TRUNCATED(Level.INT, Action.INT, false, "INT 2.1 §5.7.2", "fewer than 4 bytes are present for the shim"),
    INT_SHIM_RESERVED_TYPE(
            Level.INT, Action.INT, false, "INT 2.1 §5.7.2", "the shim type is not 1 to 3 (before 2.0: 1 or 2)"),
    INT_SHIM_RESERVED_NPT(Level.INT, Action.INT, false, "INT 2.1 §5.7.2", "NPT is reserved (3)"),
    INT_NPT_CONTEXT(
            Level.INT,
            Action.INT,
            false,
            "INT 2.1 §5.7.2",
            "NPT does not fit the mark: 0 belongs to DSCP and probe marker, 1 and 2 to a UDP port"),
    INT_SHIM_LENGTH_TOO_SMALL(
            Level.INT, Action.INT, false, "INT 2.1 §5.7.2", "the shim Length has no room for the metadata header"),
    INT_SHIM_LENGTH_OVERRUN(
            Level.INT, Action.INT, false, "INT 2.1 §5.7.2", "the shim Length reaches beyond the packet"),
    INT_TAIL_MISMATCH(
            Level.INT,
            Action.INT,
            false,
            "INT 0.5 TCP/UDP tail header",
            "the protocol in the tail is not that of the IP header"),
    INT_GENEVE_OPTION_OVERRUN(
            Level.INT, Action.INT, false, "INT 2.1 §5.7.4", "the option reaches beyond the Geneve options"),
    INT_HEADER_TRUNCATED(
            Level.INT,
            Action.INT,
            false,
            "INT 2.1 §5.8",
            "the metadata header is cut, or longer than its Geneve option"),
    INT_UNKNOWN_VERSION(Level.INT, Action.INT, false, "INT 2.1 §5.8", "the version is not known behind this shim"),
    INT_INSTR_COUNT_MISMATCH(
            Level.INT, Action.INT, false, "INT June 2016 §5.3.3", "Instruction Count is not the number of bits set"),
    INT_HOP_COUNT_EXCEEDS_MAX(
            Level.INT, Action.INT, false, "INT June 2016 §5.3.3", "Total Hop Count is above Max Hop Count"),
    INT_STACK_LENGTH_MISMATCH(
            Level.INT,
            Action.INT,
            false,
            "INT June 2016 §5.3.3",
            "the stack is not Instruction Count times Total Hop Count words"),
    INT_BOS_MISPLACED(
            Level.INT,
            Action.INT,
            false,
            "INT June 2016 §5.3.3",
            "the bottom-of-stack bit is not on the last word alone"),
    INT_HOP_ML_ZERO(Level.INT, Action.INT, false, "INT 2.1 §5.8", "Hop ML is 0, but a stack follows"),
    INT_HOP_ML_MISMATCH(
            Level.INT, Action.INT, false, "INT 2.1 §5.8", "Hop ML is not what the instructions and the domain ask for"),
    INT_STACK_NOT_MULTIPLE(Level.INT, Action.INT, false, "INT 2.1 §5.8", "the stack is not a multiple of Hop ML"),
    INT_SOURCE_ONLY_OVERRUN(
            Level.INT, Action.INT, false, "INT 2.1 §5.8", "the stack is shorter than the source-only metadata"),
    INT_RESERVED_INSTRUCTION(Level.INT, Action.INT, true, "INT 2.1 §5.8", "reserved instruction bits are set"),
    INT_DS_ON_DEFAULT_DOMAIN(
            Level.INT, Action.INT, true, "INT 2.1 §5.8", "DS Instruction is set in the default domain"),
    INT_MX_LENGTH_MISMATCH(
            Level.INT,
            Action.INT,
            false,
            "INT 2.1 §5.9",
            "the words behind an INT-MX header are not what its domain defines"),
    INT_STACK_TRUNCATED(Level.INT, Action.PART, false, "INT 2.1 §5.8", "the stack is cut: the oldest hops are missing"),
    INT_TYPE_ORDER(
            Level.INT,
            Action.PART,
            false,
            "INT 2.1 §5.1",
            "a destination header stands before the hop-by-hop, MD or MX header"),
    INT_CHAIN_TOO_LONG(Level.INT, Action.INT, false, "INT 2.1 §5.1", "more than 4 INT headers"),
    IOAM_OPTION_TRUNCATED(Level.IOAM, Action.PART, false, "RFC 9486 §3", "the option is shorter than its fixed part"),
    IOAM_UNKNOWN_TYPE(Level.IOAM, Action.PART, false, "RFC 9486 §3", "the IOAM option type is not 0 to 4"),
    IOAM_NODELEN_ZERO(Level.IOAM, Action.PART, false, "RFC 9197 §4.4.1", "NodeLen is 0"),
    IOAM_NODELEN_MISMATCH(
            Level.IOAM, Action.PART, false, "RFC 9197 §4.4.1", "NodeLen is not what the trace type asks for"),
    IOAM_REMLEN_OVERRUN(
            Level.IOAM, Action.PART, false, "RFC 9197 §4.4.1", "RemainingLen is larger than the data space"),
    IOAM_SPACE_NOT_MULTIPLE(
            Level.IOAM, Action.PART, false, "RFC 9197 §4.4.1", "the used space is not a multiple of NodeLen"),
    IOAM_E2E_TYPE_CONFLICT(
            Level.IOAM,
            Action.PART,
            false,
            "RFC 9197 §4.6",
            "both a 64-bit and a 32-bit sequence number are announced"),
    IOAM_OSS_OVERRUN(
            Level.IOAM,
            Action.PART,
            false,
            "RFC 9197 §4.4.2",
            "an opaque state snapshot reaches beyond the data space"),
    PKT_TRUNCATED_L2(Level.PACKET, Action.PART, false, "TR 2.0 §2.6", "an Ethernet, VLAN, MPLS or PPPoE header is cut"),
    PKT_TRUNCATED_L3(Level.PACKET, Action.PART, false, "TR 2.0 §2.6", "the IP header is cut"),
    PKT_TRUNCATED_L4(
            Level.PACKET, Action.PART, false, "TR 2.0 §2.6", "fewer than 4 bytes of the L4 header are present"),
    PKT_IP_VERSION_MISMATCH(
            Level.PACKET, Action.PART, false, "TR 2.0 §3.3", "the IP version contradicts what announced the header"),
    PKT_BAD_IHL(Level.PACKET, Action.PART, false, "RFC 791 §3.1", "the IPv4 header length is under 5 words"),
    PKT_BAD_TCP_OFFSET(Level.PACKET, Action.PART, false, "RFC 9293 §3.1", "the TCP data offset is under 5 words"),
    PKT_GRE_VERSION(Level.PACKET, Action.PART, false, "RFC 2784 §2.3.1", "the GRE version is not 0"),
    PKT_GENEVE_VERSION(Level.PACKET, Action.PART, false, "RFC 8926 §3.4", "the Geneve version is not 0"),
    PKT_GENEVE_OPTLEN_OVERRUN(
            Level.PACKET, Action.PART, false, "RFC 8926 §3.4", "the Geneve options reach beyond the packet"),
    PKT_GPE_P_BIT_CLEAR(
            Level.PACKET, Action.PART, true, "INT 2.1 §5.7.3", "VXLAN-GPE announces INT with the P flag clear"),
    PKT_IPV6_EXT_OVERRUN(
            Level.PACKET, Action.PART, false, "RFC 8200 §4", "an IPv6 extension header reaches beyond the packet"),
    PKT_IPV6_OPTION_OVERRUN(
            Level.PACKET, Action.PART, false, "RFC 8200 §4.2", "an IPv6 option reaches beyond its header"),
    PKT_MPLS_NO_BOS(Level.PACKET, Action.PART, false, "RFC 3032 §2.1", "16 MPLS labels without a bottom of stack"),
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
