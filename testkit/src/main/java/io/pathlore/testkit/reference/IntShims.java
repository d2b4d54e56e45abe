package io.pathlore.testkit.reference;

import io.pathlore.testkit.reference.IntPlace.Mark;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What stands between a carrier and the INT metadata header [INT June 2016 §5.3, INT 2.1 §5.7, spec-notes 8]: which style it
 * is, how far INT reaches, and what follows it.
 */
final class IntShims {
    private static final int SHIM = 4;
    private static final int SHORTEST = 3;
    private static final int DESTINATION = 2;
    private static final int MX = 3;
    private static final int CLASS_2X = 0x0103;
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int UDP_HEADER = 8;
    private static final int MAC_WORDS = 2;

    /** Protocols believed behind NPT 2 when nothing marked the packet [spec-notes 5.4]. */
    private static final Set<Integer> COMMON_PROTOCOLS = Set.of(1, 4, 6, 17, 41, 47, 50, 58, 132);

    private final ReferenceOptions options;
    private final Octets octets;
    private final int present;
    private final int declared;
    private final IntBody body;

    IntShims(ReferenceOptions options, Octets octets, int present, int declared) {
        this.options = options;
        this.octets = octets;
        this.present = present;
        this.declared = declared;
        this.body = new IntBody(options, octets, present);
    }

    /**
     * The L4 header INT stands behind.
     *
     * @param name encapsulation
     * @param protocol IP protocol number
     * @param udpLength length field of the UDP header, -1 without one
     * @param transparentSecurity the report was found by the Transparent Security rule
     */
    record Carrier(String name, int protocol, int udpLength, boolean transparentSecurity) {
        boolean icmp() {
            return name.equals("icmp");
        }
    }

    // ---------------------------------------------------------------- TCP, UDP, ICMP

    IntFound transport(Carrier carrier, Mark mark, int shim) {
        needShim(shim);
        int first = octets.u8(shim);
        boolean old = first == 1 || first == DESTINATION;
        boolean newer = first >= 0x10 && first <= 0x3F;
        if (!old && !newer) {
            throw new IntFault("INT_SHIM_RESERVED_TYPE");
        }
        int type = newer ? first >> 4 : first;
        if (type == DESTINATION) {
            return transportDestination(carrier, mark, shim, newer);
        }
        return newer ? newTransport(carrier, mark, shim, type) : oldTransport(carrier, mark, shim);
    }

    private void needShim(int shim) {
        if (present - shim < SHIM) {
            throw new IntFault("INT_SHIM_TRUNCATED", shim + SHIM <= declared);
        }
    }

    private IntFound newTransport(Carrier carrier, Mark mark, int shim, int type) {
        if (carrier.icmp()) {
            throw new IntFault(IntFault.UNVERIFIED); // INT 0.5 only [spec-notes 5.2]
        }
        int npt = (int) octets.bits(shim * 8 + 4, 2);
        if (npt == 3) {
            throw new IntFault("INT_SHIM_RESERVED_NPT");
        }
        boolean byPort = mark == Mark.UDP_PORT;
        boolean byDscpOrMarker = mark == Mark.DSCP || mark == Mark.PROBE_MARKER;
        boolean unmarkedTcp = mark == Mark.NONE && carrier.protocol == TCP;
        if ((byPort && npt == 0) || ((byDscpOrMarker || unmarkedTcp) && npt != 0)) {
            throw new IntFault("INT_NPT_CONTEXT");
        }
        int length = octets.u8(shim + 1);
        if (length < SHORTEST) {
            throw new IntFault("INT_SHIM_LENGTH_TOO_SMALL");
        }
        int header = shim + SHIM;
        boolean shimCounted = type == 1 && countsShim(carrier, shim, npt, length);
        if (shimCounted) {
            length--;
            if (length < SHORTEST) {
                throw new IntFault("INT_SHIM_LENGTH_TOO_SMALL");
            }
        }
        int end = header + length * 4;
        overrun(end);
        IntPlace place = new IntPlace(mark, carrier.name, type, shim, true, header, end, false, carrier.protocol);
        IntFound found = newHeader(place);
        if (shimCounted) {
            found.warnings().add("A-31");
        }
        int content = octets.u16(shim + 2);
        return switch (npt) {
            case 1 -> found.withPort(content);
            case 2 -> {
                int protocol = content & 0xFF;
                if (mark == Mark.NONE) {
                    believable(protocol, end);
                }
                yield found.withProtocol(protocol);
            }
            default -> {
                found.json().put("originalDscp", octets.bits(shim * 8 + 24, 6));
                yield found;
            }
        };
    }

    private void believable(int protocol, int at) {
        boolean badOffset = protocol == TCP && at + 13 <= present && octets.u8(at + 12) >> 4 < 5;
        if (!COMMON_PROTOCOLS.contains(protocol) || badOffset) {
            throw new IntFault(IntFault.UNVERIFIED);
        }
    }

    /**
     * Transparent Security emits a Length that counts the shim; which reading is right shows behind the stack. It is a
     * question with NPT 2 only [spec-notes 5.11].
     */
    private boolean countsShim(Carrier carrier, int shim, int npt, int length) {
        int header = shim + SHIM;
        boolean question = options.quirks()
                && npt == 2
                && header + IntBody.NEW_HEADER <= present
                && octets.bits(header * 8, 4) == 2
                && octets.u16(header + 6) == ReferenceOptions.TRANSPARENT_SECURITY_DOMAIN;
        if (!question) {
            return false;
        }
        boolean conformant = passes(carrier, shim, length);
        boolean counting = passes(carrier, shim, length - 1);
        if (conformant == counting) {
            return carrier.transparentSecurity;
        }
        return counting;
    }

    /** Rule 4 of spec-notes 7: the padding of the MAC, and a plausible header behind it. */
    private boolean passes(Carrier carrier, int shim, int length) {
        int end = shim + SHIM + length * 4;
        if (length < SHORTEST + MAC_WORDS || end > present || octets.u16(end - 2) != 0) {
            return false;
        }
        return switch (octets.u8(shim + 3)) {
            case TCP -> end + 13 <= present && octets.u8(end + 12) >> 4 >= 5;
            case UDP -> end + 6 <= present && octets.u16(end + 4) == carrier.udpLength - UDP_HEADER - (end - shim);
            default -> true;
        };
    }

    private IntFound oldTransport(Carrier carrier, Mark mark, int shim) {
        int header = shim + SHIM;
        int length = octets.u8(shim + 2);
        boolean versionPresent = header < present;
        int version = versionPresent ? (int) octets.bits(header * 8, 4) : -1;
        boolean verZero = isVersionZeroBody(carrier, mark, header, version);
        boolean tail = version == 0 && !verZero;
        boolean draft = version == 2 && isDraft(mark, carrier);
        if (length < (tail || draft ? SHORTEST + 1 : SHORTEST)) {
            throw new IntFault("INT_SHIM_LENGTH_TOO_SMALL");
        }
        int end = shim + length * 4;
        overrun(end);
        needHeader(header, draft ? IntBody.NEW_HEADER : IntBody.OLD_HEADER, present);
        IntPlace place = new IntPlace(mark, carrier.name, 1, shim, false, header, end, tail, carrier.protocol);
        if (verZero) {
            return body.v10(place, true);
        }
        if (carrier.icmp() && version != 0) {
            throw new IntFault(IntFault.UNVERIFIED);
        }
        return oldHeader(place, version, draft);
    }

    /** version 0 on the body of INT 1.0, which has nothing in the byte of the Instruction Count. */
    private boolean isVersionZeroBody(Carrier carrier, Mark mark, int header, int version) {
        return options.quirks()
                && mark != Mark.NONE
                && !carrier.icmp()
                && version == 0
                && header + IntBody.OLD_HEADER <= present
                && isBodyOfOnosBasic(header, octets.u8(header - 2));
    }

    /**
     * Byte 5 is 0 and the bitmap is not [spec-notes 8]. That alone reads 5 of a million ordinary packets as INT
     * (payloads of small little endian integers), so the switch id bit and a stack are demanded [spec-notes 5.7].
     */
    private boolean isBodyOfOnosBasic(int header, int length) {
        return octets.u8(header + 1) == 0 && octets.u8(header + 4) >= 0x80 && length > SHORTEST;
    }

    private boolean isDraft(Mark mark, Carrier carrier) {
        return options.lenient() && mark != Mark.NONE && !carrier.icmp();
    }

    private IntFound transportDestination(Carrier carrier, Mark mark, int shim, boolean newer) {
        if (mark != Mark.UDP_PORT && mark != Mark.PROBE_MARKER) {
            throw new IntFault(IntFault.UNVERIFIED);
        }
        int header = shim + SHIM;
        int end = newer ? header + octets.u8(shim + 1) * 4 : shim + octets.u8(shim + 2) * 4;
        if (!newer && header + IntBody.OLD_HEADER + IntBody.TAIL_BYTES <= end && end <= Math.min(declared, present)) {
            if (octets.bits(header * 8, 4) == 0) {
                IntPlace place =
                        new IntPlace(mark, carrier.name, DESTINATION, shim, false, header, end, true, carrier.protocol);
                try {
                    return body.v05(place);
                } catch (IntFault notAMetadataHeader) {
                    // opaque then
                }
            }
        }
        if (options.lenient() && mark == Mark.UDP_PORT) {
            throw new IntFault(IntFault.SHAPE); // nothing inside it could prove that it is one
        }
        IntFound found = opaque(newer ? "2.x" : "1.0", carrier.name, shim, end);
        if (!newer || carrier.protocol == TCP) {
            return found; // NPT speaks of UDP [spec-notes 5]
        }
        return switch ((int) octets.bits(shim * 8 + 4, 2)) {
            case 1 -> found.withPort(octets.u16(shim + 2));
            case 2 -> found.withProtocol(octets.u8(shim + 3));
            default -> found;
        };
    }

    /** A destination header: only its length counts, and it covers the shim. One that no packet has ends the walk. */
    private IntFound opaque(String version, String encapsulation, int shim, int declaredEnd) {
        int end = Math.max(declaredEnd, shim + SHIM);
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("version", version);
        json.put("type", "destination");
        json.put("encapsulation", encapsulation);
        boolean incredible = end > declared;
        return IntFound.of(json, new ArrayList<>(), incredible ? IntFound.NOWHERE : end, !incredible && end > present);
    }

    // ---------------------------------------------------------------- VXLAN-GPE

    IntFound gpe(int shim, boolean newer, boolean june2016) {
        needShim(shim);
        int first = octets.u8(shim);
        int type = newer ? first >> 4 : first;
        if (type < 1 || type > (newer ? MX : DESTINATION)) {
            throw new IntFault("INT_SHIM_RESERVED_TYPE");
        }
        int length = octets.u8(newer ? shim + 1 : shim + 2);
        return tunnel("vxlan-gpe", shim, newer, june2016, type, length).withNextProtocol(octets.u8(shim + 3));
    }

    // ---------------------------------------------------------------- GRE

    IntFound gre(int shim) {
        needShim(shim);
        int type = (int) octets.bits(shim * 8, 4);
        if (type < 1 || type > MX) {
            throw new IntFault("INT_SHIM_RESERVED_TYPE");
        }
        return tunnel("gre", shim, true, false, type, octets.u8(shim + 1)).withNextProtocol(octets.u16(shim + 2));
    }

    private IntFound tunnel(String name, int shim, boolean newer, boolean june2016, int type, int length) {
        int header = shim + SHIM;
        int end = newer ? header + length * 4 : shim + length * 4;
        if (type == DESTINATION) {
            return tunnelDestination(name, shim, newer, june2016, end);
        }
        boolean draft = !newer && !june2016 && options.lenient() && header < present && octets.bits(header * 8, 4) == 2;
        if (length < (draft ? SHORTEST + 1 : SHORTEST)) {
            throw new IntFault("INT_SHIM_LENGTH_TOO_SMALL");
        }
        overrun(end);
        IntPlace place = new IntPlace(Mark.TUNNEL, name, type, shim, newer, header, end, false, -1);
        if (newer) {
            return newHeader(place);
        }
        needHeader(header, draft ? IntBody.NEW_HEADER : IntBody.OLD_HEADER, present);
        if (june2016) {
            return body.june2016(place);
        }
        int version = (int) octets.bits(header * 8, 4);
        boolean verZero = options.quirks() && version == 0 && isBodyOfOnosBasic(header, length);
        return verZero ? body.v10(place, true) : oldHeader(place, version, draft);
    }

    private IntFound tunnelDestination(String name, int shim, boolean newer, boolean june2016, int end) {
        int header = shim + SHIM;
        String version = june2016 ? "2016" : newer ? "2.x" : "1.0";
        if (!newer) {
            IntPlace place = new IntPlace(Mark.TUNNEL, name, DESTINATION, shim, false, header, end, false, -1);
            IntFound found = verified(place, june2016);
            if (found != null) {
                return found;
            }
        }
        return opaque(version, name, shim, end);
    }

    /** A destination header of INT16 or 0.5 that reads as a metadata header [spec-notes 5.5]. */
    private @Nullable IntFound verified(IntPlace place, boolean june2016) {
        if (place.header() + IntBody.OLD_HEADER > place.end() || place.end() > Math.min(present, declared)) {
            return null;
        }
        try {
            if (june2016) {
                return body.june2016(place);
            }
            return octets.bits(place.header() * 8, 4) == 0 ? body.v05(place) : null;
        } catch (IntFault notAMetadataHeader) {
            return null;
        }
    }

    // ---------------------------------------------------------------- Geneve

    /** An option of an INT class, type 1 to 3; its data reach from {@code header} to {@code end}. */
    IntFound geneve(int optionClass, int type, int header, int end) {
        boolean june2016 = options.june2016() && optionClass != CLASS_2X;
        int option = header - SHIM;
        if (type == DESTINATION) {
            if (optionClass != CLASS_2X) {
                IntPlace place =
                        new IntPlace(Mark.TUNNEL, "geneve", DESTINATION, option, false, header, end, false, -1);
                IntFound found = verified(place, june2016);
                if (found != null) {
                    return found;
                }
            }
            return opaque(geneveVersion(optionClass, june2016, header, end), "geneve", option, end);
        }
        boolean newer = optionClass == CLASS_2X
                || (!june2016 && header < Math.min(end, present) && octets.bits(header * 8, 4) == 2);
        int size = newer ? IntBody.NEW_HEADER : IntBody.OLD_HEADER;
        if (header + size > end) {
            throw new IntFault("INT_HEADER_TRUNCATED");
        }
        needHeader(header, size, present);
        IntPlace place = new IntPlace(Mark.TUNNEL, "geneve", type, option, newer, header, end, false, -1);
        if (june2016) {
            return body.june2016(place);
        }
        int version = (int) octets.bits(header * 8, 4);
        if (newer && version == 2) {
            return type == MX ? body.mx(place) : body.md(place);
        }
        if (newer || type == MX) {
            throw new IntFault("INT_UNKNOWN_VERSION");
        }
        return oldHeader(place, version, false);
    }

    private String geneveVersion(int optionClass, boolean june2016, int header, int end) {
        if (june2016) {
            return "2016";
        }
        if (optionClass == CLASS_2X || header >= Math.min(end, present)) {
            return "2.x";
        }
        return switch ((int) octets.bits(header * 8, 4)) {
            case 0 -> "0.5";
            case 1 -> "1.0";
            default -> "2.x";
        };
    }

    // ---------------------------------------------------------------- shared

    private void overrun(int end) {
        if (end > declared) {
            throw new IntFault("INT_SHIM_LENGTH_OVERRUN");
        }
    }

    private static void needHeader(int header, int size, int present) {
        if (header + size > present) {
            throw new IntFault("INT_HEADER_TRUNCATED", true);
        }
    }

    private IntFound newHeader(IntPlace place) {
        int header = place.header();
        boolean versionPresent = header < present;
        int version = versionPresent ? (int) octets.bits(header * 8, 4) : -1;
        boolean draft = version == 1 && options.lenient() && !place.blind() && place.type() == 1;
        needHeader(header, draft ? IntBody.OLD_HEADER : IntBody.NEW_HEADER, present);
        if (draft) {
            return body.v10(place, false);
        }
        if (version != 2) {
            throw new IntFault("INT_UNKNOWN_VERSION");
        }
        return place.type() == MX ? body.mx(place) : body.md(place);
    }

    private IntFound oldHeader(IntPlace place, int version, boolean draft) {
        if (draft) {
            return body.md(place);
        }
        return switch (version) {
            case 0 -> body.v05(place);
            case 1 -> body.v10(place, false);
            default -> throw new IntFault("INT_UNKNOWN_VERSION");
        };
    }
}
