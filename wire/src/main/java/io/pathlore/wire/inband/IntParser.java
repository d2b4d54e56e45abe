package io.pathlore.wire.inband;

import io.pathlore.model.Fault;
import io.pathlore.model.Profile;
import io.pathlore.model.Quirk;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.Domains;
import io.pathlore.wire.Warnings;
import java.nio.ByteBuffer;

/**
 * Verifies that INT stands at a place and finds its hops. Hot path: no allocation; owned by one thread.
 *
 * <p>A {@link Fault} other than NONE means there is no INT to be had here. What was noticed on the way is in the warnings,
 * which the caller winds back when it tries another reading. The tests are in the order of their names in
 * docs/reference/faults.md, so that a packet with several defects always gets the same name.
 */
public final class IntParser {
    /** What announced the INT header. */
    public enum Mark {
        UDP_PORT,
        PROBE,
        DSCP,
        /** Nothing: the report says that telemetry may be there (F = 1), so the bytes alone must prove it. */
        NONE
    }

    /** Shim, header and the source's device id. */
    private static final int SHORTEST_WITH_DEVICE = IntShim.LENGTH + IntHeader.LENGTH_V2 + 8;

    private static final int RESERVED_MD = 0x007E;
    private static final int RESERVED_MX = 0x007F;
    private static final int TCP = 6;
    private static final int UDP = 17;
    private final boolean strict;
    private final Domains domains;

    private final Warnings warnings;
    private final IntStackParser stackParser;

    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private int declared;
    private int present;
    private int limit;
    private boolean transparentSecurityReport;
    private boolean quirks;

    // What the last successful parse said about what follows.
    private int npt;

    private int content;
    private int nextProtocol;

    public IntParser(DecodeOptions options, Warnings warnings) {
        this.strict = options.strict();
        this.domains = options.domains();
        this.warnings = warnings;
        this.stackParser = new IntStackParser(options, warnings);
    }

    /** Before the packet: {@code transparentSecurityReport} is true when the report itself was found to be of that profile. */
    public void begin(ByteBuffer buffer, Profile profile, boolean transparentSecurityReport) {
        this.buffer = buffer;
        quirks = !strict && profile != Profile.SPEC;
        stackParser.begin(buffer, profile);
        this.transparentSecurityReport = transparentSecurityReport;
    }

    /** Before each search: {@code declared} is where the enclosing IP packet says it ends, {@code present} the last byte. */
    public void bounds(int declared, int present) {
        this.declared = declared;
        this.present = present;
        this.limit = Math.min(declared, present);
    }

    /** Whether the last fault is due to bytes cut off rather than to bytes that are wrong. */
    public boolean missingByCut() {
        return present < declared;
    }

    /** NPT of the last header parsed, 0 for the old style. */
    public int npt() {
        return npt;
    }

    /** Original UDP destination port (NPT 1, INT 0.5 tail), or -1. */
    public int restoredPort() {
        return npt == IntShim.NPT_UDP_PORT ? content : stackParser.tailPort();
    }

    /** Protocol of the IP payload behind the stack (NPT 2), or -1. */
    public int restoredProtocol() {
        return npt == IntShim.NPT_IP_PROTOCOL ? content & 0xFF : -1;
    }

    /** Next protocol (VXLAN-GPE) or EtherType (GRE) of the shim parsed last. */
    public int nextProtocol() {
        return nextProtocol;
    }

    private void forget() {
        npt = IntShim.NPT_NONE;
        content = 0;
        stackParser.forget();
    }

    /** INT behind a TCP, UDP or ICMP header. {@code protocol} is that of the IP header. */
    public Fault overL4(int at, Mark mark, Encapsulation carrier, int protocol, IntHeaderView into) {
        forget();
        if (limit - at < IntShim.LENGTH) {
            return Fault.INT_SHIM_TRUNCATED;
        }
        int shim = buffer.getInt(at);
        into.buffer = buffer;
        into.encapsulation = carrier;
        into.shimAt = at;
        into.headerAt = at + IntShim.LENGTH;
        into.originalDscp = -1;
        into.tailAt = -1;
        int newType = IntShim.type(shim);
        if (newType >= IntShim.TYPE_MD && newType <= IntShim.TYPE_MX && carrier != Encapsulation.ICMP) {
            into.type = newType;
            return newOverL4(shim, mark, protocol, into);
        }
        int oldType = IntShim.oldType(shim);
        if (oldType == IntShim.TYPE_MD || oldType == IntShim.TYPE_DESTINATION) {
            into.type = oldType;
            return oldOverL4(shim, mark, protocol, into);
        }
        return Fault.INT_SHIM_RESERVED_TYPE;
    }

    private Fault newOverL4(int shim, Mark mark, int protocol, IntHeaderView into) {
        int at = into.shimAt;
        int header = into.headerAt;
        npt = IntShim.npt(shim);
        content = IntShim.content(shim);
        if (into.type == IntShim.TYPE_DESTINATION) {
            if (into.encapsulation == Encapsulation.TCP) {
                npt = IntShim.NPT_NONE; // the others speak of UDP
            }
            return destinationOverL4(mark, at + 4 + 4 * IntShim.length(shim), protocol, into);
        }
        if (npt == 3) {
            return Fault.INT_SHIM_RESERVED_NPT;
        }
        boolean fits = switch (mark) {
            case UDP_PORT -> npt != IntShim.NPT_NONE;
            case PROBE, DSCP -> npt == IntShim.NPT_NONE;
            case NONE -> npt == IntShim.NPT_NONE || into.encapsulation == Encapsulation.UDP;
        };
        if (!fits) {
            return Fault.INT_NPT_CONTEXT;
        }
        int length = IntShim.length(shim);
        if (length < 3) {
            return Fault.INT_SHIM_LENGTH_TOO_SMALL;
        }
        int end = header + 4 * length;
        int version = header < limit ? buffer.get(header) >> 4 & 0xF : -1;
        if (quirks
                && into.type == IntShim.TYPE_MD
                && npt == IntShim.NPT_IP_PROTOCOL
                && version == 2
                && limit - header >= IntHeader.LENGTH_V2
                && isTransparentSecurity(header)
                && countsTheShim(buffer, end, at, content & 0xFF, limit, transparentSecurityReport)) {
            end -= 4;
            warnings.add(Quirk.A_31, at + 1);
            if (end - header < IntHeader.LENGTH_V2) {
                return Fault.INT_SHIM_LENGTH_TOO_SMALL;
            }
        }
        if (end > declared) {
            return Fault.INT_SHIM_LENGTH_OVERRUN;
        }
        boolean draft = version == 1 && !strict && into.type == IntShim.TYPE_MD;
        int headerBytes = draft ? IntHeader.LENGTH_BEFORE_V2 : IntHeader.LENGTH_V2;
        if (limit - header < headerBytes) {
            return Fault.INT_HEADER_TRUNCATED;
        }
        if (version != 2 && !draft) {
            return Fault.INT_UNKNOWN_VERSION;
        }
        if (npt == IntShim.NPT_NONE) {
            into.originalDscp = content >> 2 & 0x3F;
        }
        into.version = draft ? IntVersion.V1_0 : IntVersion.V2;
        Fault fault = stackParser.parse(header + headerBytes, end, -1, protocol, present, into);
        if (fault != Fault.NONE || strict || mark == Mark.PROBE) {
            return fault;
        }
        if (!newShape(shim, mark, draft, into)) {
            return Fault.INT_FALSE_POSITIVE;
        }
        return Fault.NONE;
    }

    private Fault oldOverL4(int shim, Mark mark, int protocol, IntHeaderView into) {
        int at = into.shimAt;
        int header = into.headerAt;
        int length = IntShim.oldLength(shim);
        int end = at + 4 * length;
        if (into.type == IntShim.TYPE_DESTINATION) {
            return destinationOverL4(mark, end, protocol, into);
        }
        int version = header < limit ? buffer.get(header) >> 4 & 0xF : -1;
        boolean zeroVersion =
                version == 0 && into.encapsulation != Encapsulation.ICMP && isVersionZeroBody(header, length);
        boolean tail = version == 0 && !zeroVersion;
        boolean draft = version == 2 && !strict && into.encapsulation != Encapsulation.ICMP;
        if (length < (tail || draft ? 4 : 3)) {
            return Fault.INT_SHIM_LENGTH_TOO_SMALL;
        }
        if (end > declared) {
            return Fault.INT_SHIM_LENGTH_OVERRUN;
        }
        int headerBytes = draft ? IntHeader.LENGTH_V2 : IntHeader.LENGTH_BEFORE_V2;
        if (limit - header < headerBytes) {
            return Fault.INT_HEADER_TRUNCATED;
        }
        if (version > 1 && !draft || version != 0 && into.encapsulation == Encapsulation.ICMP) {
            return Fault.INT_UNKNOWN_VERSION;
        }
        into.version = tail ? IntVersion.V0_5 : draft ? IntVersion.V2 : IntVersion.V1_0;
        if (zeroVersion) {
            warnings.add(Quirk.A_48, header);
        }
        Fault fault = stackParser.parse(
                header + headerBytes, tail ? end - 4 : end, tail ? end - 4 : -1, protocol, present, into);
        into.end = end;
        if (fault != Fault.NONE) {
            return fault;
        }
        if (into.version == IntVersion.V1_0) {
            into.originalDscp = IntShim.lastByte(shim) >> 2;
        }
        if (strict || mark == Mark.PROBE) {
            return Fault.NONE;
        }
        return oldShape(shim, mark, draft, zeroVersion, into) ? Fault.NONE : Fault.INT_FALSE_POSITIVE;
    }

    /**
     * Nothing inside a destination header can be verified, so only a mark that no other packet has carries it; but one of
     * INT 0.5 that reads as a metadata header proves itself.
     */
    private Fault destinationOverL4(Mark mark, int end, int protocol, IntHeaderView into) {
        if (mark == Mark.DSCP || mark == Mark.NONE) {
            return Fault.INT_FALSE_POSITIVE;
        }
        int shim = buffer.getInt(into.shimAt);
        boolean old = IntShim.type(shim) == 0;
        if (old && readsAs05(shim, mark, end, protocol, into)) {
            return Fault.NONE;
        }
        if (mark == Mark.UDP_PORT && !strict) {
            return Fault.INT_FALSE_POSITIVE;
        }
        into.version = old ? IntVersion.V1_0 : IntVersion.V2;
        return destination(end, into);
    }

    private boolean readsAs05(int shim, Mark mark, int end, int protocol, IntHeaderView into) {
        int header = into.headerAt;
        int stackAt = header + IntHeader.LENGTH_BEFORE_V2;
        if (end > limit || end - 4 < stackAt || buffer.get(header) >> 4 != 0) {
            return false;
        }
        int noticed = warnings.count();
        into.version = IntVersion.V0_5;
        boolean reads = stackParser.parse(stackAt, end - 4, end - 4, protocol, present, into) == Fault.NONE
                && (strict || mark == Mark.PROBE || oldShape(shim, mark, false, false, into));
        if (!reads) {
            warnings.rewind(noticed);
            stackParser.forget();
        }
        return reads;
    }

    /** Opaque in every version; it must only say where it ends [INT 2.1 §5.1]. */
    private Fault destination(int end, IntHeaderView into) {
        into.opaque = true;
        into.end = Math.max(end, into.headerAt);
        into.stackAt = into.headerAt;
        into.hops = 0;
        into.rawWords = 0;
        into.insertedWords = 0;
        into.sourceOnlyWords = 0;
        into.truncated = into.end > limit;
        return Fault.NONE;
    }

    /**
     * INT behind VXLAN-GPE or GRE. {@code newStyle}: the shim of 2.x. {@code june2016}: the codepoint is configured to
     * mean June 2016, whose version field cannot be told from later ones [INT June 2016 §5.3.3].
     */
    public Fault behindShim(int at, boolean newStyle, boolean june2016, Encapsulation carrier, IntHeaderView into) {
        forget();
        if (limit - at < IntShim.LENGTH) {
            return Fault.INT_SHIM_TRUNCATED;
        }
        int shim = buffer.getInt(at);
        int type = newStyle ? IntShim.type(shim) : IntShim.oldType(shim);
        nextProtocol = carrier == Encapsulation.GRE ? IntShim.content(shim) : IntShim.lastByte(shim);
        into.buffer = buffer;
        into.encapsulation = carrier;
        into.shimAt = at;
        into.headerAt = at + IntShim.LENGTH;
        into.originalDscp = -1;
        into.tailAt = -1;
        into.type = type;
        if (type < IntShim.TYPE_MD || type > (newStyle ? IntShim.TYPE_MX : IntShim.TYPE_DESTINATION)) {
            return Fault.INT_SHIM_RESERVED_TYPE;
        }
        int length = newStyle ? IntShim.length(shim) : IntShim.oldLength(shim);
        int end = newStyle ? at + 4 + 4 * length : at + 4 * length;
        if (type == IntShim.TYPE_DESTINATION) {
            return june2016 || !newStyle ? destinationBefore2(end, june2016, into) : destinationOfVersion2(end, into);
        }
        int header = into.headerAt;
        int version = header < limit && !june2016 && !strict ? buffer.get(header) >> 4 & 0xF : -1;
        if (length < (!newStyle && version == 2 ? 4 : 3)) {
            return Fault.INT_SHIM_LENGTH_TOO_SMALL;
        }
        if (end > declared) {
            return Fault.INT_SHIM_LENGTH_OVERRUN;
        }
        boolean draft = newStyle && version == 1 && type == IntShim.TYPE_MD;
        boolean zeroVersion = !newStyle && version == 0 && isVersionZeroBody(header, length);
        if (draft || zeroVersion) {
            return versionOne(end, zeroVersion, into);
        }
        return header(end, newStyle ? 2 : june2016 ? -1 : 1, into);
    }

    /** The 8 bytes of INT 1.0 where the shim of 2.x, or version 0, stands before them. */
    private Fault versionOne(int end, boolean zeroVersion, IntHeaderView into) {
        int header = into.headerAt;
        if (limit - header < IntHeader.LENGTH_BEFORE_V2) {
            return Fault.INT_HEADER_TRUNCATED;
        }
        into.version = IntVersion.V1_0;
        if (zeroVersion) {
            warnings.add(Quirk.A_48, header);
        }
        return stackParser.parse(header + IntHeader.LENGTH_BEFORE_V2, end, -1, -1, present, into);
    }

    /**
     * An INT 1.0 header with version 0: no Instruction Count where INT 0.5 has one. Small little endian integers look like
     * one too, so a switch id must be asked for and a stack must follow.
     */
    private boolean isVersionZeroBody(int header, int length) {
        return quirks
                && limit - header >= IntHeader.LENGTH_BEFORE_V2
                && buffer.get(header + 1) == 0
                && buffer.getShort(header + 4) < 0
                && length > 3;
    }

    /** INT in a Geneve option: no shim, the option's Length bounds it. {@code only2} when the class means INT 2.x. */
    public Fault inGeneveOption(int headerAt, int end, int type, boolean only2, boolean june2016, IntHeaderView into) {
        forget();
        into.buffer = buffer;
        into.encapsulation = Encapsulation.GENEVE;
        into.shimAt = -1;
        into.headerAt = headerAt;
        into.originalDscp = -1;
        into.tailAt = -1;
        into.type = type;
        if (type == IntShim.TYPE_DESTINATION) {
            return only2 ? destinationOfVersion2(end, into) : destinationBefore2(end, june2016, into);
        }
        return header(end, only2 ? 2 : june2016 ? -1 : 0, into);
    }

    private Fault destinationOfVersion2(int end, IntHeaderView into) {
        into.version = IntVersion.V2;
        return destination(end, into);
    }

    /** The examples of June 2016 and 0.5 reuse the metadata header here; shown so when it verifies, else kept opaque. */
    private Fault destinationBefore2(int end, boolean june2016, IntHeaderView into) {
        int header = into.headerAt;
        into.version = june2016 ? IntVersion.JUNE_2016 : IntVersion.V0_5;
        if (end <= limit && end - header >= IntHeader.LENGTH_BEFORE_V2) {
            int noticed = warnings.count();
            boolean zeroVersion = (buffer.get(header) >> (june2016 ? 6 : 4) & (june2016 ? 3 : 0xF)) == 0;
            if (zeroVersion
                    && stackParser.parse(header + IntHeader.LENGTH_BEFORE_V2, end, -1, -1, present, into)
                            == Fault.NONE) {
                return Fault.NONE;
            }
            warnings.rewind(noticed);
        }
        into.version = june2016 ? IntVersion.JUNE_2016 : opaqueVersion(end, into);
        return destination(end, into);
    }

    /** Behind an old shim it can be told no better; a Geneve option's first nibble is all there is to go by. */
    private IntVersion opaqueVersion(int end, IntHeaderView into) {
        if (into.shimAt >= 0) {
            return IntVersion.V1_0;
        }
        if (into.headerAt >= Math.min(end, limit)) {
            return IntVersion.V2;
        }
        return switch (buffer.get(into.headerAt) >> 4 & 0xF) {
            case 0 -> IntVersion.V0_5;
            case 1 -> IntVersion.V1_0;
            default -> IntVersion.V2;
        };
    }

    /** {@code style}: 2 = version 2 only, 1 = old shim (0 or 1), 0 = by the version nibble, -1 = June 2016. */
    private Fault header(int end, int style, IntHeaderView into) {
        int header = into.headerAt;
        int first = header < limit ? buffer.get(header) & 0xFF : 0;
        int version = first >> 4;
        boolean two = style == 2 || style == 0 && version == 2 || style == 1 && version == 2 && !strict;
        int headerBytes = two ? IntHeader.LENGTH_V2 : IntHeader.LENGTH_BEFORE_V2;
        if (Math.min(limit, end) - header < headerBytes) {
            return Fault.INT_HEADER_TRUNCATED;
        }
        if (style == -1) {
            if (first >> 6 != 0) {
                return Fault.INT_UNKNOWN_VERSION;
            }
            into.version = IntVersion.JUNE_2016;
        } else if (two) {
            if (version != 2) {
                return Fault.INT_UNKNOWN_VERSION;
            }
            into.version = IntVersion.V2;
        } else {
            if (version > 1 || into.type == IntShim.TYPE_MX) {
                return Fault.INT_UNKNOWN_VERSION;
            }
            into.version = version == 1 ? IntVersion.V1_0 : IntVersion.V0_5;
        }
        return stackParser.parse(header + headerBytes, end, -1, -1, present, into);
    }

    private boolean isTransparentSecurity(int header) {
        return (buffer.getShort(header + 6) & 0xFFFF) == Domains.TRANSPARENT_SECURITY;
    }

    /**
     * Transparent Security's code counts the shim in its Length, its text does not. The reading is right behind whose
     * stack the two padding bytes of the MAC address are zero and a plausible L4 header starts.
     *
     * @param end where the stack ends by the conformant reading; {@code protocol} is what should follow it
     */
    public static boolean countsTheShim(
            ByteBuffer buffer, int end, int shimAt, int protocol, int limit, boolean transparentSecurityReport) {
        // Where both pass, or none, who sent the report decides; so the reading it suggests is tested first.
        if (transparentSecurityReport) {
            return readingPasses(buffer, end - 4, shimAt, protocol, limit)
                    || !readingPasses(buffer, end, shimAt, protocol, limit);
        }
        return !readingPasses(buffer, end, shimAt, protocol, limit)
                && readingPasses(buffer, end - 4, shimAt, protocol, limit);
    }

    /** Reads eight octets even for two, there are always as many before: reads of one width share their bounds checks. */
    private static boolean readingPasses(ByteBuffer buffer, int stackEnd, int shimAt, int protocol, int limit) {
        if (stackEnd > limit
                || stackEnd - shimAt < SHORTEST_WITH_DEVICE
                || (buffer.getLong(stackEnd - 8) & 0xFFFF) != 0) {
            return false;
        }
        if (protocol == TCP) {
            return limit - stackEnd > 12 && (buffer.get(stackEnd + 12) >> 4 & 0xF) >= 5;
        }
        if (protocol == UDP) {
            int outerLength = (int) (buffer.getLong(shimAt - 8) >>> 16) & 0xFFFF;
            return limit - stackEnd >= 6
                    && (buffer.getLong(stackEnd - 2) & 0xFFFF) == outerLength - 8 - (stackEnd - shimAt);
        }
        return true;
    }

    /**
     * Lenient marks stand on ordinary packets too. Fields that every known emitter leaves zero make the difference between
     * "could be INT" and "is INT".
     */
    private boolean newShape(int shim, Mark mark, boolean draft, IntHeaderView into) {
        int header = into.headerAt;
        if (!cleanShim(shim)) {
            return false;
        }
        int instructions = buffer.getShort(header + 4) & 0xFFFF;
        if (draft) {
            return mark != Mark.NONE && instructions != 0 && (buffer.getInt(header) & 0x007F_E000) == 0;
        }
        return cleanHeader(instructions, into) && (mark != Mark.NONE || newProof(into));
    }

    /** The header of 12 bytes, behind either shim. */
    private boolean cleanHeader(int instructions, IntHeaderView into) {
        int header = into.headerAt;
        int domain = buffer.getShort(header + 6) & 0xFFFF;
        int dsInstructions = buffer.getShort(header + 8) & 0xFFFF;
        if (instructions == 0 && dsInstructions == 0) {
            return false;
        }
        if (knownDomain(domain, dsInstructions)) {
            return true;
        }
        int reserved = into.type == IntShim.TYPE_MX || into.withoutHopMl ? 0x07FF_FFFF : 0x01FF_E000;
        if ((buffer.getInt(header) & reserved) != 0) {
            return false;
        }
        int reservedInstructions = into.type == IntShim.TYPE_MX ? RESERVED_MX : RESERVED_MD;
        return domain == 0 || dsInstructions == 0 || (instructions & reservedInstructions) == 0;
    }

    private boolean knownDomain(int domain, int dsInstructions) {
        return domain != 0 && domains.knows(domain, dsInstructions);
    }

    private boolean cleanShim(int shim) {
        return IntShim.reserved(shim) == 0
                && (npt != IntShim.NPT_NONE || (content & 0xFF03) == 0)
                && (npt != IntShim.NPT_IP_PROTOCOL || (content & 0xFF00) == 0);
    }

    /** Without any mark the bytes must leave no doubt. */
    private boolean newProof(IntHeaderView into) {
        int domain = buffer.getShort(into.headerAt + 6) & 0xFFFF;
        int dsInstructions = buffer.getShort(into.headerAt + 8) & 0xFFFF;
        if (!knownDomain(domain, dsInstructions) && (domain != 0 || dsInstructions != 0)
                || stackParser.guessedWidths()) {
            return false;
        }
        return npt != IntShim.NPT_IP_PROTOCOL || l4Follows(content & 0xFF, into.end);
    }

    private boolean l4Follows(int protocol, int at) {
        return switch (protocol) {
            case TCP -> limit - at <= 12 || (buffer.get(at + 12) >> 4 & 0xF) >= 5;
            case 1, 4, UDP, 41, 47, 50, 58, 132 -> true;
            default -> false;
        };
    }

    private boolean oldShape(int shim, Mark mark, boolean draft, boolean zeroVersion, IntHeaderView into) {
        int header = into.headerAt;
        int instructions = buffer.getShort(header + 4) & 0xFFFF;
        if (IntShim.oldReserved(shim) != 0 || instructions == 0 && !draft) {
            return false;
        }
        if (draft) {
            return mark != Mark.NONE && cleanHeader(instructions, into);
        }
        if (into.version == IntVersion.V0_5) {
            boolean clean = IntShim.lastByte(shim) == 0
                    && ((buffer.get(header + 1) & 0xE0) == 0 || !into.truncated)
                    && buffer.getShort(header + 6) == 0;
            return clean && (mark != Mark.NONE || !into.truncated && !stackParser.guessedWidths());
        }
        boolean clean = (IntShim.lastByte(shim) & 3) == 0 && (buffer.getInt(header) & 0x007F_E000) == 0;
        return clean && (mark != Mark.NONE || !zeroVersion && !stackParser.guessedWidths());
    }
}
