package io.pathlore.wire.decode;

import io.pathlore.model.Fault;
import io.pathlore.model.Profile;
import io.pathlore.model.Quirk;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.Domains;
import io.pathlore.wire.Warnings;
import io.pathlore.wire.inband.HopLayout;
import io.pathlore.wire.net.PacketView;
import io.pathlore.wire.net.PacketWalker;
import io.pathlore.wire.net.PacketWalker.Start;
import io.pathlore.wire.tr20.IndividualReport;
import io.pathlore.wire.tr20.Tlv;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Decodes the individual reports of a v2.0 datagram [TR 2.0 §3.3]. Hot path. */
final class IndividualDecoder {
    private static final int RESERVED_MD_BITS = 0x807E;

    private final boolean strict;
    private final int maxTlvs;
    private final Domains domains;
    private final LayoutDetector detector;
    private final Warnings warnings;
    private final ReportView report;
    private final PacketWalker walker;
    private final Tlv tlv = new Tlv();

    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private Profile profile = Profile.AUTO;
    private int tlvsLeft;
    private int tlvPacketEnd;
    private @Nullable Start tlvPacketStart;

    IndividualDecoder(DecodeOptions options, LayoutDetector detector, PacketWalker walker, ReportView report) {
        strict = options.strict();
        maxTlvs = options.maxReports();
        domains = options.domains();
        this.detector = detector;
        this.warnings = report.warnings;
        this.report = report;
        this.walker = walker;
    }

    void beginDatagram(ByteBuffer buffer, Profile profile) {
        this.buffer = buffer;
        this.profile = profile;
        tlvsLeft = maxTlvs;
    }

    private void walk(int from, int end, Start start) {
        walker.walk(buffer, from, end, start, report.tracked(), profile, false, report.packet);
    }

    /** One report in {@code [at, end)}, whose extent is already known to fit. */
    Fault decode(int first, int at, int end) {
        int repType = IndividualReport.repType(first);
        int inType = IndividualReport.inType(first);
        if (repType > IndividualReport.TYPE_INT) {
            if (repType > IndividualReport.TYPE_IOAM) {
                return Fault.TR20_RESERVED_REPTYPE;
            }
            if (strict) {
                return Fault.TR20_UNSUPPORTED_IOAM_REPORT;
            }
        }
        if (inType > IndividualReport.IN_IPV6) {
            return Fault.TR20_RESERVED_INTYPE;
        }
        if (repType == IndividualReport.TYPE_IOAM) {
            opaque(first, at, end, inType);
            return Fault.NONE;
        }
        if (repType + inType == 0) {
            return Fault.TR20_EMPTY_REPORT;
        }
        report.begin20(first, at, end, repType);
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

    /** nobody defined what an IOAM report holds. */
    private void opaque(int first, int at, int end, int inType) {
        report.begin20(first, at, end, IndividualReport.TYPE_IOAM);
        warnings.add(Quirk.A_12, at);
        report.hasMetadata = false;
        report.metadataLayout.report20(0, 0);
        report.metadata.wrap(buffer, at, report.metadataLayout);
        report.inner = InnerKind.ofInType(inType);
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
            walk(inner, end, start);
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

    /** Lenient: bits that should not be set, in main contents whose lengths are not to be relied on. */
    void noteBits(int contents) {
        long main = buffer.getLong(contents);
        if ((main >>> 48 & RESERVED_MD_BITS) != 0) {
            warnings.add(Fault.TR20_RESERVED_MDBIT, contents);
        }
        if ((main >>> 16 & 0xFFFF) != 0 && (main >>> 32 & 0xFFFF) == 0) {
            warnings.add(Fault.TR20_DS_ON_DEFAULT_DOMAIN, contents + 4);
        }
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
        if (profile == Profile.SPEC) {
            return -1;
        }
        boolean known = dsBits == 0 || domains.knows(domain, dsBits);
        int expected = known ? domains.words(domain, dsBits) : Integer.bitCount(dsBits);
        int metadata = contents + IndividualReport.MAIN_LENGTH;
        if (dsBits != 0 && dsWords < expected && inType == IndividualReport.IN_TLV && domain != 0) {
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
            walk(packetAt, tlvPacketEnd, start);
        }
        return Fault.NONE;
    }
}
