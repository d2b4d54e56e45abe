package io.pathlore.wire.decode;

import io.pathlore.model.Fault;
import io.pathlore.model.Profile;
import io.pathlore.model.Quirk;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.Domains;
import io.pathlore.wire.Warnings;
import io.pathlore.wire.inband.HopLayout;
import io.pathlore.wire.inband.IntHeaderView;
import io.pathlore.wire.net.PacketView;
import io.pathlore.wire.net.PacketWalker;
import io.pathlore.wire.net.PacketWalker.Start;
import io.pathlore.wire.tr05.FixedHeader;
import io.pathlore.wire.tr10.ReportHeader;
import io.pathlore.wire.tr20.GroupHeader;
import io.pathlore.wire.tr20.IndividualReport;
import io.pathlore.wire.tr20.Tlv;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Decodes telemetry reports of every version and dialect, strictly or leniently. It never throws, whatever the bytes, and
 * allocates nothing. Hot path: owned by one thread; make one per thread.
 */
public final class ReportDecoder {
    private static final int RESERVED_MD_BITS = 0x807E;
    private static final int TRANSPARENT_SECURITY_HEADER = 24;
    private static final int TRANSPARENT_SECURITY_DROP = 48;

    private final boolean strict;
    private final boolean literal255;
    private final int maxReports;
    private final Domains domains;
    private final LayoutDetector detector;
    private final Warnings warnings = new Warnings();
    private final ReportView report = new ReportView(warnings);
    private final PacketWalker walker;
    private final FixedHeader header05 = new FixedHeader();
    private final ReportHeader header10 = new ReportHeader();
    private final Tlv tlv = new Tlv();

    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private int datagramEnd;
    private int tlvsLeft;
    private int tlvPacketEnd;
    private @Nullable Start tlvPacketStart;
    private Exporter exporter = new Exporter();

    public ReportDecoder(DecodeOptions options) {
        strict = options.strict();
        literal255 = options.length255Literal();
        maxReports = options.maxReports();
        domains = options.domains();
        detector = new LayoutDetector(options);
        walker = new PacketWalker(options, warnings);
    }

    /**
     * Decodes the datagram in {@code [from, end)} of a big-endian buffer and hands its reports to the sink.
     *
     * @return NONE, or the fault for which the whole datagram was rejected (also told to the sink)
     */
    public Fault decode(ByteBuffer buffer, int from, int end, Exporter exporter, ReportSink sink) {
        if (buffer.order() != ByteOrder.BIG_ENDIAN) {
            throw new IllegalArgumentException("telemetry is big endian, the buffer is not");
        }
        this.buffer = buffer;
        this.exporter = exporter;
        datagramEnd = end;
        warnings.clear();
        report.buffer = buffer;
        report.datagramStart = from;
        report.datagramEnd = end;
        Fault fault = end <= from ? Fault.TR_EMPTY : byLayout(from, sink);
        if (fault != Fault.NONE) {
            sink.onRejected(fault, from);
        }
        return fault;
    }

    /** A data packet rather than a report, with the same search for telemetry as a report with F = 1. */
    public void decodePacket(ByteBuffer buffer, int from, int end, Start start, Exporter exporter) {
        warnings.clear();
        report.buffer = buffer;
        report.datagramStart = from;
        report.datagramEnd = end;
        walker.walk(buffer, from, end, start, true, exporter.profile(), false, report.packet);
    }

    /** What {@link #decodePacket} found. */
    public PacketView packet() {
        return report.packet;
    }

    /** What was noticed in the report or packet at hand, also before it was rejected. */
    public Warnings warnings() {
        return warnings;
    }

    private Fault byLayout(int from, ReportSink sink) {
        int nibble = buffer.get(from) >> 4 & 0xF;
        if (nibble > 2) {
            return Fault.TR_UNKNOWN_VERSION;
        }
        Layout layout = strict ? ofNibble(nibble) : detector.detect(buffer, from, datagramEnd, nibble, exporter);
        return switch (layout) {
            case REPORT_2_0 -> reports20(from, nibble, sink);
            case TRANSPARENT_SECURITY -> transparentSecurity(from, sink);
            case REPORT_1_0 -> report10(from, false, sink);
            case REPORT_1_0_LENGTH -> report10(from, true, sink);
            case REPORT_0_5 -> report05(from, sink);
            case REPORT_0_5_AS_1 -> {
                warnings.add(Quirk.A_61, from);
                yield report05(from, sink);
            }
            case REPORT_2_0_ZERO_LENGTH -> zeroLength(from, nibble, sink);
            case GROUP_ONLY -> groupOnly(from, nibble, sink);
            case NONE -> Fault.TR_UNKNOWN_VERSION;
        };
    }

    private static Layout ofNibble(int nibble) {
        return switch (nibble) {
            case 0 -> Layout.REPORT_0_5;
            case 1 -> Layout.REPORT_1_0;
            default -> Layout.REPORT_2_0;
        };
    }

    private void begin(ReportVersion version, int start, int end) {
        report.version = version;
        report.start = start;
        report.end = end;
        report.index = 0;
        report.type = -1;
        report.flagsKnown = true;
        report.intermediate = false;
        report.hasDomain = false;
        report.domainWords = 0;
        report.dropAt = -1;
        report.hasMetadata = true;
    }

    private void emit(ReportSink sink) {
        report.dialect = warnings.count() == 0 ? Profile.SPEC : dialect();
        sink.onReport(report);
    }

    private Profile dialect() {
        if (warnings.has(Quirk.A_28) || warnings.has(Quirk.A_33)) {
            return Profile.TRANSPARENT_SECURITY;
        }
        if (warnings.has(Quirk.A_57)
                || warnings.has(Quirk.A_58)
                || warnings.has(Quirk.A_59)
                || warnings.has(Quirk.A_62)) {
            return Profile.P4_INT;
        }
        if (warnings.has(Quirk.A_47) || warnings.has(Quirk.A_48)) {
            return Profile.ONOS_BASIC;
        }
        if (warnings.has(Quirk.A_41)
                || warnings.has(Quirk.A_42)
                || warnings.has(Quirk.A_44)
                || warnings.has(Quirk.A_60)
                || warnings.has(Quirk.A_68)) {
            return Profile.GEANT;
        }
        return warnings.has(Quirk.A_49) ? Profile.ONOS_FABRIC : Profile.SPEC;
    }

    private void fragment(int from, int end, Start start, InnerKind kind) {
        report.inner = kind;
        report.innerAt = from;
        report.innerEnd = end;
        if (from == end) {
            report.packet.clear();
        } else {
            walk(from, end, start, report.tracked);
        }
    }

    private void walk(int from, int end, Start start, boolean mayEmbed) {
        walker.walk(buffer, from, end, start, mayEmbed, exporter.profile(), false, report.packet);
    }

    // ---- version 0.5

    private Fault report05(int from, ReportSink sink) {
        Fault fault = header05.wrap(buffer, from, datagramEnd);
        if (fault != Fault.NONE) {
            return fault;
        }
        int nProto = header05.nProto();
        if (nProto > FixedHeader.NPROTO_LOCAL) {
            return Fault.TR05_RESERVED_NPROTO;
        }
        int fragment = from + header05.fragmentOffset();
        fault = header05.reserved() != 0
                ? Fault.TR05_RESERVED_NONZERO
                : header05.dropped() || header05.congested() || header05.tracked()
                        ? Fault.NONE
                        : Fault.TR_NO_ASSOCIATION;
        if (fault != Fault.NONE) {
            // Other protocols start with zeros too: without a frame behind it this is not a report.
            if (strict || !PacketWalker.isPlausible(buffer, fragment, datagramEnd, Start.ETHERNET)) {
                return fault;
            }
            noteFaults05(from);
        }
        if (fragment > datagramEnd) {
            return Fault.TR05_TRUNCATED_SUBHEADER;
        }
        begin(ReportVersion.V0_5, from, datagramEnd);
        report.hwId = header05.hwId();
        report.sequence = header05.sequence();
        report.dropped = header05.dropped();
        report.congested = header05.congested();
        report.tracked = header05.tracked();
        report.nodeId = ReportView.ABSENT;
        HopLayout layout = report.metadataLayout;
        if (nProto == FixedHeader.NPROTO_ETHERNET) {
            layout.report05Plain();
        } else {
            int switchId = buffer.getInt(from + FixedHeader.LENGTH);
            report.nodeId = switchId == -1 ? ReportView.ABSENT : Integer.toUnsignedLong(switchId);
            if (nProto == FixedHeader.NPROTO_DROP) {
                layout.report05Drop();
            } else {
                layout.report05Local();
            }
        }
        report.metadata.wrap(buffer, from, layout);
        fragment(fragment, datagramEnd, Start.ETHERNET, InnerKind.ETHERNET);
        emit(sink);
        return Fault.NONE;
    }

    private void noteFaults05(int from) {
        if (header05.reserved() != 0) {
            warnings.add(Fault.TR05_RESERVED_NONZERO, from + 1);
        }
        if (!header05.dropped() && !header05.congested() && !header05.tracked()) {
            warnings.add(Fault.TR_NO_ASSOCIATION, from + 1);
        }
    }

    // ---- version 1.0

    private Fault report10(int from, boolean wrongLength, ReportSink sink) {
        Fault fault = header10.wrap(buffer, from, datagramEnd);
        if (fault != Fault.NONE) {
            return fault;
        }
        int words = ReportHeader.LENGTH_WORDS + Integer.bitCount(header10.repMdBits());
        if (wrongLength) {
            warnings.add(Quirk.A_60, from);
        } else {
            if (header10.lengthWords() < ReportHeader.LENGTH_WORDS) {
                return Fault.TR10_LENGTH_TOO_SMALL;
            }
            if (header10.nProt() > ReportHeader.NPROT_IPV6) {
                return Fault.TR10_RESERVED_NPROT;
            }
            if (header10.lengthWords() != words) {
                return Fault.TR10_LENGTH_BITMAP_MISMATCH;
            }
        }
        int fragment = from + 4 * words;
        if (fragment > datagramEnd) {
            return Fault.TR10_LENGTH_OVERRUN;
        }
        begin(ReportVersion.V1_0, from, datagramEnd);
        report.hwId = header10.hwId();
        report.nodeId = header10.switchId();
        report.sequence = header10.sequence();
        report.dropped = header10.dropped();
        report.congested = header10.congested();
        report.tracked = header10.tracked();
        if (!strict && !report.dropped && !report.congested && !report.tracked) {
            movedFlags(from);
        }
        report.metadataLayout.report10(header10.repMdBits());
        report.metadata.wrap(buffer, from, report.metadataLayout);
        InnerKind kind = InnerKind.ofInType(IndividualReport.IN_ETHERNET + header10.nProt());
        fragment(fragment, datagramEnd, LayoutDetector.startOfNProt(header10.nProt()), kind);
        if (report.nodeId == 0 && !strict) {
            zeroSwitchId(from);
        }
        emit(sink);
        return Fault.NONE;
    }

    /** D, Q, F stand in the upper half of the reserved bits. */
    private void movedFlags(int from) {
        int reserved = header10.reserved();
        if (exporter.profile() != Profile.SPEC && (reserved & 0x08) != 0) {
            report.dropped = (reserved & 0x20) != 0;
            report.congested = (reserved & 0x10) != 0;
            report.tracked = true;
            warnings.add(Quirk.A_47, from + 2);
        }
    }

    /** a sink that finds the hop limit reached does not fill in its id; that is nobody, not node 0. */
    private void zeroSwitchId(int from) {
        PacketView packet = report.packet;
        if (packet.ints() > 0) {
            IntHeaderView first = packet.intHeader(0);
            if (!first.opaque() && first.hopLimitExceeded()) {
                report.nodeId = ReportView.ABSENT;
                warnings.add(Quirk.A_67, from + 4);
            }
        }
    }

    // ---- version 2.0

    private Fault group(int from) {
        if (datagramEnd - from < GroupHeader.LENGTH) {
            return Fault.TR_TRUNCATED_HEADER;
        }
        long words = buffer.getLong(from);
        report.hwId = (int) (words >>> 54) & 0x3F;
        report.sequence = words >>> 32 & 0x3F_FFFF;
        report.nodeId = words & 0xFFFF_FFFFL;
        return Fault.NONE;
    }

    private Fault reports20(int from, int nibble, ReportSink sink) {
        Fault fault = group(from);
        if (fault != Fault.NONE) {
            return fault;
        }
        int end = datagramEnd;
        int at = from + GroupHeader.LENGTH;
        if (end - at < IndividualReport.LENGTH) {
            return Fault.TR20_NO_REPORTS;
        }
        tlvsLeft = maxReports;
        int index = 0;
        boolean lastRejected = false;
        while (end - at >= IndividualReport.LENGTH) {
            warnings.clear();
            if (index == maxReports) {
                sink.onRejected(Fault.TR20_TOO_MANY_REPORTS, at);
                return Fault.NONE;
            }
            int first = buffer.getInt(at);
            int contents = at + IndividualReport.LENGTH;
            int words = IndividualReport.reportLength(first);
            int reportEnd = contents + 4 * words;
            if (words == IndividualReport.LENGTH_TO_END && !literal255) {
                if (end - contents < IndividualReport.SHORTEST_TO_END_BYTES) {
                    sink.onRejected(Fault.TR20_FF_TOO_SHORT, at);
                    return Fault.NONE;
                }
                reportEnd = end;
            } else if (reportEnd > end) {
                sink.onRejected(Fault.TR20_REPORT_LENGTH_OVERRUN, at);
                return Fault.NONE;
            }
            if (nibble != 2) {
                warnings.add(Quirk.A_57, from);
            }
            fault = individual(first, at, reportEnd);
            int left = end - reportEnd;
            lastRejected = fault != Fault.NONE;
            if (lastRejected) {
                sink.onRejected(fault, at);
                if (fault.action() == Fault.Action.REST) {
                    return Fault.NONE;
                }
            } else {
                if (left > 0 && left < IndividualReport.LENGTH) {
                    warnings.add(Fault.TR20_TRAILING_BYTES, reportEnd);
                }
                report.index = index;
                emit(sink);
            }
            index++;
            at = reportEnd;
        }
        if (at < end && lastRejected) {
            warnings.clear();
            sink.onRejected(Fault.TR20_TRAILING_BYTES, at);
        }
        return Fault.NONE;
    }

    /** One report in {@code [at, end)}, whose extent is already known to fit. */
    private Fault individual(int first, int at, int end) {
        int repType = IndividualReport.repType(first);
        int inType = IndividualReport.inType(first);
        if (repType > IndividualReport.TYPE_INT) {
            if (repType > IndividualReport.TYPE_IOAM) {
                return Fault.TR20_RESERVED_REPTYPE;
            }
            if (strict) {
                return Fault.TR20_UNSUPPORTED_IOAM_REPORT;
            }
            opaque(first, at, end, inType);
            return Fault.NONE;
        }
        if (inType > IndividualReport.IN_IPV6) {
            return Fault.TR20_RESERVED_INTYPE;
        }
        if (repType + inType == 0) {
            return Fault.TR20_EMPTY_REPORT;
        }
        begin20(first, at, end, repType);
        int inner = at + IndividualReport.LENGTH;
        if (repType == IndividualReport.TYPE_INT) {
            Fault fault = mainContents(first, inner, end, inType);
            if (fault != Fault.NONE) {
                return fault;
            }
            inner = report.innerAt;
        } else {
            report.hasMetadata = false;
            report.metadataLayout.report20(0, 0);
            report.metadata.wrap(buffer, inner, report.metadataLayout);
            report.innerAt = inner;
        }
        report.innerEnd = end;
        report.inner = InnerKind.ofInType(inType);
        return innerContents(inType, inner, end);
    }

    private void begin20(int first, int at, int end, int repType) {
        begin(ReportVersion.V2_0, at, end);
        report.type = repType;
        report.dropped = IndividualReport.dropped(first);
        report.congested = IndividualReport.congested(first);
        report.tracked = IndividualReport.tracked(first);
        report.intermediate = IndividualReport.intermediate(first);
    }

    /** nobody defined what an IOAM report holds. */
    private void opaque(int first, int at, int end, int inType) {
        begin20(first, at, end, IndividualReport.TYPE_IOAM);
        warnings.add(Quirk.A_12, at);
        report.hasMetadata = false;
        report.metadataLayout.report20(0, 0);
        report.metadata.wrap(buffer, at, report.metadataLayout);
        report.inner = inType > IndividualReport.IN_IPV6 ? InnerKind.NONE : InnerKind.ofInType(inType);
        report.innerAt = end;
        report.innerEnd = end;
        report.packet.clear();
    }

    private Fault innerContents(int inType, int inner, int end) {
        PacketView packet = report.packet;
        if (inType == IndividualReport.IN_NONE) {
            packet.clear();
            return inner == end ? Fault.NONE : Fault.TR20_INNER_NOT_EXPECTED;
        }
        if (inner == end) {
            packet.clear();
            warnings.add(Fault.TR20_INNER_MISSING, inner);
            return Fault.NONE;
        }
        Start start = report.inner.start();
        if (start != null) {
            walk(inner, end, start, report.tracked);
            return Fault.NONE;
        }
        packet.clear();
        return inType == IndividualReport.IN_TLV ? tlvs(inner, end) : Fault.NONE;
    }

    /** RepType 1: sizes the metadata by both bitmaps and finds where the inner contents start. */
    private Fault mainContents(int first, int contents, int end, int inType) {
        if (end - contents < IndividualReport.MAIN_LENGTH) {
            return Fault.TR20_MAIN_CONTENTS_TRUNCATED;
        }
        int mdWords = IndividualReport.mdLength(first);
        int metadata = contents + IndividualReport.MAIN_LENGTH;
        if (metadata + 4 * mdWords > end) {
            return Fault.TR20_MD_OVERRUNS_REPORT;
        }
        long main = buffer.getLong(contents);
        int bits = (int) (main >>> 48);
        int domain = (int) (main >>> 32) & 0xFFFF;
        int dsBits = (int) (main >>> 16) & 0xFFFF;
        int reservedWords = 0;
        if ((bits & RESERVED_MD_BITS) != 0) {
            if (strict) {
                return Fault.TR20_RESERVED_MDBIT;
            }
            warnings.add(Fault.TR20_RESERVED_MDBIT, contents);
        }
        if (dsBits != 0 && domain == 0) {
            if (strict) {
                return Fault.TR20_DS_ON_DEFAULT_DOMAIN;
            }
            warnings.add(Fault.TR20_DS_ON_DEFAULT_DOMAIN, contents + 4);
        }
        int base = HopLayout.reportWords(bits);
        int dsWords = mdWords - base;
        if (dsBits == 0 ? dsWords != 0 : !dsFits(domain, dsBits, dsWords)) {
            int reserved = Integer.bitCount(bits & RESERVED_MD_BITS);
            if (strict) {
                return Fault.TR20_MD_LENGTH_MISMATCH;
            }
            if (reserved > 0 && dsFits(domain, dsBits, dsWords - reserved)) {
                reservedWords = 1;
                dsWords -= reserved;
            } else {
                int repaired = repairedDsWords(contents, dsWords, end, inType, base, domain, dsBits);
                if (repaired < 0) {
                    return Fault.TR20_MD_LENGTH_MISMATCH;
                }
                // A-05 finds words MD Length left out, A-08 surplus words it counts.
                mdWords = Math.max(mdWords, base + repaired);
                dsWords = repaired;
            }
        }
        report.metadataLayout.report20(bits, reservedWords);
        report.metadata.wrap(buffer, metadata, report.metadataLayout);
        if ((main & 0xFFFF_FFFF_FFFFL) != 0 || dsWords != 0) {
            report.hasDomain = true;
            report.domainId = domain;
            report.domainBits = dsBits;
            report.domainStatus = (int) main & 0xFFFF;
            report.domainAt = metadata + report.metadataLayout.length();
            report.domainWords = dsWords;
        }
        report.innerAt = metadata + 4 * mdWords;
        return Fault.NONE;
    }

    private boolean dsFits(int domain, int dsBits, int dsWords) {
        if (dsBits == 0) {
            return dsWords == 0;
        }
        if (domain == 0) {
            return dsWords >= 0;
        }
        return domains.knows(domain, dsBits)
                ? dsWords == domains.words(domain, dsBits)
                : dsWords >= Integer.bitCount(dsBits);
    }

    /** Lenient: how many DS words there really are, or -1. */
    private int repairedDsWords(int contents, int dsWords, int end, int inType, int base, int domain, int dsBits) {
        if (exporter.profile() == Profile.SPEC) {
            return -1;
        }
        boolean known = dsBits == 0 || domains.knows(domain, dsBits);
        int expected = known ? domains.words(domain, dsBits) : Integer.bitCount(dsBits);
        int metadata = contents + IndividualReport.MAIN_LENGTH;
        if (dsWords < expected && inType == IndividualReport.IN_TLV && domain != 0) {
            int tlvs = metadata + 4 * (base + expected);
            if (tlvs < end && detector.tlvsEndExactly(buffer, tlvs, end)) {
                warnings.add(Quirk.A_05, contents - 2);
                return expected;
            }
        }
        if (known && dsWords > expected && allOnes(metadata + 4 * (base + expected), dsWords - expected)) {
            warnings.add(Quirk.A_08, contents - 2);
            return expected;
        }
        return -1;
    }

    private boolean allOnes(int from, int words) {
        for (int i = 0; i < words; i++) {
            if (buffer.getInt(from + 4 * i) != -1) {
                return false;
            }
        }
        return true;
    }

    private Fault tlvs(int from, int end) {
        int at = from;
        int packetAt = -1;
        while (at < end) {
            if (end - at < Tlv.LENGTH) {
                return Fault.TR20_TLV_TRUNCATED_HEADER;
            }
            if (tlvsLeft-- == 0) {
                return Fault.TR20_TOO_MANY_REPORTS;
            }
            Fault fault = tlv.wrap(buffer, at, end);
            if (fault != Fault.NONE) {
                return fault;
            }
            if (tlv.type() > Tlv.IPV6) {
                warnings.add(Fault.TR20_TLV_RESERVED_TYPE, at);
            } else if (tlv.type() != Tlv.DS_EXTENSION) {
                if (tlv.dataBytes() == 0) {
                    warnings.add(Fault.TR20_TLV_EMPTY_PACKET, at);
                } else if (packetAt < 0) {
                    packetAt = tlv.dataOffset();
                    tlvPacketEnd = tlv.end();
                    // TLV types 1, 2, 3 are InTypes 3, 4, 5.
                    tlvPacketStart = InnerKind.ofInType(tlv.type() + 2).start();
                }
            }
            at = tlv.end();
        }
        Start start = tlvPacketStart;
        if (packetAt >= 0 && start != null) {
            walk(packetAt, tlvPacketEnd, start, report.tracked);
        }
        return Fault.NONE;
    }

    // ---- dialects of version 2.0

    /** fixed offsets, the fragment runs to the end. */
    private Fault zeroLength(int from, int nibble, ReportSink sink) {
        Fault fault = group(from);
        Start start = detector.zeroLengthStart(buffer, from, datagramEnd);
        if (fault != Fault.NONE || start == null) {
            return Fault.TR_TRUNCATED_HEADER;
        }
        int at = from + GroupHeader.LENGTH;
        int first = buffer.getInt(at);
        if (nibble != 2) {
            warnings.add(Quirk.A_57, from);
        }
        warnings.add(Quirk.A_59, at + 1);
        begin20(first, at, datagramEnd, IndividualReport.TYPE_INT);
        int contents = at + IndividualReport.LENGTH;
        long main = buffer.getLong(contents);
        report.metadataLayout.report20((int) (main >>> 48), 0);
        report.metadata.wrap(buffer, contents + IndividualReport.MAIN_LENGTH, report.metadataLayout);
        if ((main & 0xFFFF_FFFF_FFFFL) != 0) {
            report.hasDomain = true;
            report.domainId = (int) (main >>> 32) & 0xFFFF;
            report.domainBits = (int) (main >>> 16) & 0xFFFF;
            report.domainStatus = (int) main & 0xFFFF;
        }
        InnerKind kind = InnerKind.ofInType(IndividualReport.inType(first));
        if (kind.start() != start) {
            kind = InnerKind.ETHERNET;
            warnings.add(Quirk.A_29, at);
        }
        fragment(LayoutDetector.zeroLengthFragment(buffer, from), datagramEnd, start, kind);
        emit(sink);
        return Fault.NONE;
    }

    /** an Ethernet frame right behind the group header. */
    private Fault groupOnly(int from, int nibble, ReportSink sink) {
        group(from);
        if (nibble != 2) {
            warnings.add(Quirk.A_57, from);
        }
        int at = from + GroupHeader.LENGTH;
        warnings.add(Quirk.A_58, at);
        begin(ReportVersion.V2_0, at, datagramEnd);
        report.type = IndividualReport.TYPE_INNER_ONLY;
        report.flagsKnown = false;
        report.dropped = false;
        report.congested = false;
        // No flag says whether telemetry is inside; these emitters report for nothing else.
        report.tracked = true;
        report.hasMetadata = false;
        report.metadataLayout.report20(0, 0);
        report.metadata.wrap(buffer, at, report.metadataLayout);
        fragment(at, datagramEnd, Start.ETHERNET, InnerKind.ETHERNET);
        report.tracked = false;
        emit(sink);
        return Fault.NONE;
    }

    private Fault transparentSecurity(int from, ReportSink sink) {
        group(from);
        int at = from + GroupHeader.LENGTH;
        int first = buffer.getInt(at);
        boolean drop = IndividualReport.inType(first) == IndividualReport.IN_DS_EXTENSION;
        int size = datagramEnd - from;
        if (drop && size < TRANSPARENT_SECURITY_DROP) {
            return Fault.TS_DROP_TOO_SHORT;
        }
        if (size < TRANSPARENT_SECURITY_HEADER) {
            return Fault.TR_TRUNCATED_HEADER;
        }
        begin20(first, at, datagramEnd, IndividualReport.TYPE_INT);
        report.sequence >>>= 6;
        report.hasDomain = true;
        report.domainId = Domains.TRANSPARENT_SECURITY;
        report.domainBits = buffer.getShort(from + 16) & 0xFFFF;
        report.domainStatus = buffer.getShort(from + 18) & 0xFFFF;
        if (drop) {
            warnings.add(Quirk.A_33, at);
            report.metadataLayout.transparentSecurityDrop();
            report.metadata.wrap(buffer, from + 20, report.metadataLayout);
            report.dropAt = from + 24;
            report.end = from + TRANSPARENT_SECURITY_DROP;
            report.inner = InnerKind.DS_EXTENSION;
            report.innerAt = from + 24;
            report.innerEnd = from + TRANSPARENT_SECURITY_DROP;
            report.packet.clear();
        } else {
            warnings.add(Quirk.A_28, at);
            warnings.add(Quirk.A_29, at);
            warnings.add(Quirk.A_32, from);
            report.hasMetadata = false;
            report.metadataLayout.report20(0, 0);
            report.metadata.wrap(buffer, from, report.metadataLayout);
            report.inner = InnerKind.ETHERNET;
            report.innerAt = from + TRANSPARENT_SECURITY_HEADER;
            report.innerEnd = datagramEnd;
            if (report.innerAt == datagramEnd) {
                report.packet.clear();
            } else {
                walker.walk(
                        buffer,
                        report.innerAt,
                        datagramEnd,
                        Start.ETHERNET,
                        report.tracked,
                        exporter.profile(),
                        true,
                        report.packet);
            }
        }
        emit(sink);
        return Fault.NONE;
    }
}
