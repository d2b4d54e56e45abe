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
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Decodes one datagram from scratch: picks its layout, then walks its reports. Hot path: allocates nothing, never throws,
 * owned by one thread.
 */
final class DatagramDecoder {
    private static final int TRANSPARENT_SECURITY_HEADER = 24;
    private static final int TRANSPARENT_SECURITY_DROP = 48;
    /** The profile counts in the upper 16 of 22 bits. */
    static final int TRANSPARENT_SECURITY_SEQUENCE_SHIFT = 6;

    private final boolean strict;
    private final boolean literal255;
    private final int maxReports;
    private final LayoutDetector detector;
    private final Warnings warnings = new Warnings();
    private final ReportView report = new ReportView(warnings);
    private final PacketWalker walker;
    private final IndividualDecoder individual;
    private final FixedHeader header05 = new FixedHeader();
    private final ReportHeader header10 = new ReportHeader();
    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private int datagramEnd;
    private Exporter exporter = new Exporter();
    private int emitted;

    DatagramDecoder(DecodeOptions options) {
        strict = options.strict();
        literal255 = options.length255Literal();
        maxReports = options.maxReports();
        detector = new LayoutDetector(options);
        walker = new PacketWalker(options, warnings);
        individual = new IndividualDecoder(options, detector, walker, report);
    }

    Fault decode(ByteBuffer buffer, int from, int end, Exporter exporter, ReportSink sink) {
        this.buffer = buffer;
        this.exporter = exporter;
        datagramEnd = end;
        emitted = 0;
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

    void decodePacket(ByteBuffer buffer, int from, int end, Start start, Exporter exporter) {
        warnings.clear();
        report.buffer = buffer;
        report.datagramStart = from;
        report.datagramEnd = end;
        walker.walk(buffer, from, end, start, true, exporter.profile(), false, report.packet);
    }

    ReportView report() {
        return report;
    }

    /** The report decoded last, or null unless it was the only thing in its datagram. */
    @Nullable
    ReportView onlyReport() {
        return emitted == 1 && report.index == 0 && report.end == datagramEnd ? report : null;
    }

    /** What {@link #decodePacket} found. */
    PacketView packet() {
        return report.packet;
    }

    /** What was noticed in the report or packet at hand, also before it was rejected. */
    Warnings warnings() {
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

    private void emit(ReportSink sink) {
        report.dialect = warnings.count() == 0 ? Profile.SPEC : dialect();
        emitted++;
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
            walk(from, end, start, report.tracked());
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
        report.begin(ReportVersion.V0_5, from, datagramEnd);
        report.hwId = header05.hwId();
        report.sequence = header05.sequence();
        report.flags(header05.dropped(), header05.congested(), header05.tracked());
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
        report.begin(ReportVersion.V1_0, from, datagramEnd);
        report.hwId = header10.hwId();
        report.nodeId = header10.switchId();
        report.sequence = header10.sequence();
        report.flags(header10.dropped(), header10.congested(), header10.tracked());
        if (!strict && !report.dropped() && !report.congested() && !report.tracked()) {
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
            report.flags((reserved & 0x20) != 0, (reserved & 0x10) != 0, true);
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
        report.group(buffer.getLong(from));
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
        individual.beginDatagram(buffer, exporter.profile());
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
            fault = individual.decode(first, at, reportEnd);
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
        individual.beginDatagram(buffer, exporter.profile());
        individual.noteBits(at + IndividualReport.LENGTH);
        report.begin20(first, at, datagramEnd, IndividualReport.TYPE_INT);
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
        report.begin(ReportVersion.V2_0, at, datagramEnd);
        report.type = IndividualReport.TYPE_INNER_ONLY;
        report.flagsKnown = false;
        // No flag says whether telemetry is inside; these emitters report for nothing else.
        report.flags(false, false, true);
        report.hasMetadata = false;
        report.metadataLayout.report20(0, 0);
        report.metadata.wrap(buffer, at, report.metadataLayout);
        fragment(at, datagramEnd, Start.ETHERNET, InnerKind.ETHERNET);
        report.flags(false, false, false);
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
        report.begin20(first, at, datagramEnd, IndividualReport.TYPE_INT);
        report.sequence >>>= TRANSPARENT_SECURITY_SEQUENCE_SHIFT;
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
                warnings.add(Fault.TR20_INNER_MISSING, datagramEnd);
                report.packet.clear();
            } else {
                walker.walk(
                        buffer,
                        report.innerAt,
                        datagramEnd,
                        Start.ETHERNET,
                        report.tracked(),
                        exporter.profile(),
                        true,
                        report.packet);
            }
        }
        emit(sink);
        return Fault.NONE;
    }
}
