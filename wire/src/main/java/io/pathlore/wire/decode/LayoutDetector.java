package io.pathlore.wire.decode;

import io.pathlore.model.Fault;
import io.pathlore.model.Profile;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.Domains;
import io.pathlore.wire.inband.HopLayout;
import io.pathlore.wire.net.PacketWalker;
import io.pathlore.wire.net.PacketWalker.Start;
import io.pathlore.wire.tr05.FixedHeader;
import io.pathlore.wire.tr10.ReportHeader;
import io.pathlore.wire.tr20.GroupHeader;
import io.pathlore.wire.tr20.IndividualReport;
import io.pathlore.wire.tr20.Tlv;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Tells which layout a datagram follows. The version nibble alone does not: a candidate is believed when its lengths agree
 * with each other and what it calls a packet starts like one. Hot path.
 */
final class LayoutDetector {
    private static final int INDIVIDUAL = GroupHeader.LENGTH;
    private static final int CONTENTS = INDIVIDUAL + IndividualReport.LENGTH;

    private final boolean literal255;
    private final Tlv tlv = new Tlv();
    private final FixedHeader header05 = new FixedHeader();
    private final ReportHeader header10 = new ReportHeader();

    LayoutDetector(DecodeOptions options) {
        literal255 = options.length255Literal();
    }

    /** The lenient choice for a datagram whose first nibble is 0, 1 or 2. */
    Layout detect(ByteBuffer buffer, int from, int end, int nibble, Exporter exporter) {
        Profile profile = exporter.profile();
        if (nibble == 0) {
            return Layout.REPORT_0_5;
        }
        if (profile == Profile.SPEC) {
            return nibble == 1 ? Layout.REPORT_1_0 : Layout.REPORT_2_0;
        }
        if (nibble == 2 && isTransparentSecurity(buffer, from, end)) {
            return Layout.TRANSPARENT_SECURITY;
        }
        Layout remembered = exporter.remembered;
        if (exporter.rememberedNibble == nibble && verifies(remembered, buffer, from, end, nibble)) {
            return remembered;
        }
        Layout found = nibble == 1
                ? detect1(buffer, from, end, profile)
                : detect2(buffer, from, end, nibble, profile, Layout.REPORT_2_0);
        exporter.remembered = found;
        exporter.rememberedNibble = nibble;
        return found;
    }

    private Layout detect1(ByteBuffer buffer, int from, int end, Profile profile) {
        if (profile == Profile.P4_INT) {
            Layout found = detect2(buffer, from, end, 1, profile, Layout.NONE);
            if (found != Layout.NONE) {
                return found;
            }
        }
        if (verifies(Layout.REPORT_1_0, buffer, from, end, 1)) {
            return Layout.REPORT_1_0;
        }
        if (verifies(Layout.REPORT_1_0_LENGTH, buffer, from, end, 1)) {
            return Layout.REPORT_1_0_LENGTH;
        }
        Layout found = detect2(buffer, from, end, 1, profile, Layout.NONE);
        if (found != Layout.NONE) {
            return found;
        }
        return verifies(Layout.REPORT_0_5_AS_1, buffer, from, end, 1) ? Layout.REPORT_0_5_AS_1 : Layout.REPORT_1_0;
    }

    private Layout detect2(ByteBuffer buffer, int from, int end, int nibble, Profile profile, Layout otherwise) {
        if (profile != Profile.P4_INT && verifies(Layout.REPORT_2_0, buffer, from, end, nibble)) {
            return Layout.REPORT_2_0;
        }
        if (verifies(Layout.REPORT_2_0_ZERO_LENGTH, buffer, from, end, nibble)) {
            return Layout.REPORT_2_0_ZERO_LENGTH;
        }
        if (verifies(Layout.GROUP_ONLY, buffer, from, end, nibble)) {
            return Layout.GROUP_ONLY;
        }
        if (profile == Profile.P4_INT && verifies(Layout.REPORT_2_0, buffer, from, end, nibble)) {
            return Layout.REPORT_2_0;
        }
        return otherwise;
    }

    private boolean verifies(Layout layout, ByteBuffer buffer, int from, int end, int nibble) {
        return switch (layout) {
            case REPORT_2_0 -> isReport20(buffer, from, end, nibble);
            case REPORT_1_0 -> isReport10(buffer, from, end, false);
            case REPORT_1_0_LENGTH -> isReport10(buffer, from, end, true);
            case REPORT_2_0_ZERO_LENGTH -> zeroLengthStart(buffer, from, end) != null;
            case GROUP_ONLY -> PacketWalker.isPlausible(buffer, from + INDIVIDUAL, end, Start.ETHERNET);
            case REPORT_0_5_AS_1 -> isReport05(buffer, from, end);
            case NONE, REPORT_0_5, TRANSPARENT_SECURITY -> false;
        };
    }

    /** RepType 0 has no MD Length; with one, and this domain where only RepType 1 has a domain, it is the profile. */
    private static boolean isTransparentSecurity(ByteBuffer buffer, int from, int end) {
        if (end - from < 16) {
            return false;
        }
        int first = buffer.getInt(from + INDIVIDUAL);
        return IndividualReport.repType(first) == IndividualReport.TYPE_INNER_ONLY
                && IndividualReport.mdLength(first) != 0
                && (buffer.getShort(from + 14) & 0xFFFF) == Domains.TRANSPARENT_SECURITY;
    }

    private boolean isReport20(ByteBuffer buffer, int from, int end, int nibble) {
        if (end - from < CONTENTS) {
            return false;
        }
        int first = buffer.getInt(from + INDIVIDUAL);
        int repType = IndividualReport.repType(first);
        int inType = IndividualReport.inType(first);
        // Contents of RepType IOAM are undefined, so nothing could verify them.
        if (repType > IndividualReport.TYPE_INT || inType > IndividualReport.IN_IPV6 || repType + inType == 0) {
            return false;
        }
        int contents = from + CONTENTS;
        int words = IndividualReport.reportLength(first);
        int reportEnd = contents + 4 * words;
        if (words == IndividualReport.LENGTH_TO_END && !literal255) {
            if (end - contents < IndividualReport.SHORTEST_TO_END_BYTES) {
                return false;
            }
            reportEnd = end;
        } else if (reportEnd > end) {
            return false;
        }
        int inner = contents;
        if (repType == IndividualReport.TYPE_INT) {
            inner += IndividualReport.MAIN_LENGTH + 4 * IndividualReport.mdLength(first);
            if (inner > reportEnd) {
                return false;
            }
        }
        if (inner == reportEnd) {
            return nibble == 2;
        }
        Start start = InnerKind.ofInType(inType).start();
        if (start == null) {
            return nibble == 2 && (inType != IndividualReport.IN_TLV || tlvsEndExactly(buffer, inner, reportEnd));
        }
        return nibble == 2 && isTooShort(inner, reportEnd, start)
                || PacketWalker.isPlausible(buffer, inner, reportEnd, start);
    }

    /** Too few bytes to tell a frame from anything else: where all lengths agree, they are believed. */
    private static boolean isTooShort(int from, int end, Start start) {
        return start == Start.ETHERNET && end - from < 14;
    }

    boolean tlvsEndExactly(ByteBuffer buffer, int from, int end) {
        int at = from;
        while (at < end) {
            if (tlv.wrap(buffer, at, end) != Fault.NONE) {
                return false;
            }
            at = tlv.end();
        }
        return at == end && from < end;
    }

    /** How the fragment of a report without lengths starts, or null when that is not what the datagram is. */
    @Nullable
    Start zeroLengthStart(ByteBuffer buffer, int from, int end) {
        int contents = from + CONTENTS;
        if (end - contents < IndividualReport.MAIN_LENGTH) {
            return null;
        }
        int first = buffer.getInt(from + INDIVIDUAL);
        int inType = IndividualReport.inType(first);
        if (IndividualReport.repType(first) != IndividualReport.TYPE_INT
                || inType < IndividualReport.IN_ETHERNET
                || inType > IndividualReport.IN_IPV6
                || IndividualReport.reportLength(first) != 0
                || IndividualReport.mdLength(first) != 0) {
            return null;
        }
        int fragment = zeroLengthFragment(buffer, from);
        Start announced = InnerKind.ofInType(inType).start();
        if (announced != null && PacketWalker.isPlausible(buffer, fragment, end, announced)) {
            return announced;
        }
        return PacketWalker.isPlausible(buffer, fragment, end, Start.ETHERNET) ? Start.ETHERNET : null;
    }

    static int zeroLengthFragment(ByteBuffer buffer, int from) {
        int bits = buffer.getShort(from + CONTENTS) & 0xFFFF;
        return from + CONTENTS + IndividualReport.MAIN_LENGTH + 4 * HopLayout.reportWords(bits);
    }

    private boolean isReport10(ByteBuffer buffer, int from, int end, boolean wrongLength) {
        if (header10.wrap(buffer, from, end) != Fault.NONE || header10.nProt() > ReportHeader.NPROT_IPV6) {
            return false;
        }
        int words = ReportHeader.LENGTH_WORDS + Integer.bitCount(header10.repMdBits());
        int fragment = from + 4 * words;
        if ((header10.lengthWords() == words) == wrongLength || fragment > end) {
            return false;
        }
        if (fragment == end) {
            return !wrongLength;
        }
        Start start = startOfNProt(header10.nProt());
        return !wrongLength && isTooShort(fragment, end, start)
                || PacketWalker.isPlausible(buffer, fragment, end, start);
    }

    static Start startOfNProt(int nProt) {
        return switch (nProt) {
            case ReportHeader.NPROT_IPV4 -> Start.IPV4;
            case ReportHeader.NPROT_IPV6 -> Start.IPV6;
            default -> Start.ETHERNET;
        };
    }

    private boolean isReport05(ByteBuffer buffer, int from, int end) {
        return header05.wrap(buffer, from, end) == Fault.NONE
                && header05.nProto() <= FixedHeader.NPROTO_LOCAL
                && header05.reserved() == 0
                && (header05.dropped() || header05.congested() || header05.tracked())
                && PacketWalker.isPlausible(buffer, from + header05.fragmentOffset(), end, Start.ETHERNET);
    }
}
