package io.pathlore.testkit.reference;

import io.pathlore.testkit.reference.ReferenceOptions.DomainItem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Metadata headers and stacks of every version [INT June 2016 §5.3.3, INT 2.1 §5.8 and §5.9, spec-notes 5], tested in the
 * order of spec-notes 9.
 */
final class IntBody {
    private static final Layout JUNE_2016 = Layout.table("""
            Ver                  2   0
            Rep                  2   2
            C                    1   4
            E                    1   5
            R                    5   6
            Instruction_Count    5  11
            Max_Hop_Count        8  16
            Total_Hop_Count      8  24
            Instruction_Bitmap  16  32
            Reserved            16  48""");

    private static final Layout V05 = Layout.table("""
            Ver                  4   0
            Rep                  2   4
            C                    1   6
            E                    1   7
            R                    3   8
            Instruction_Count    5  11
            Max_Hop_Count        8  16
            Total_Hop_Count      8  24
            Instruction_Bitmap  16  32
            Reserved            16  48""");

    private static final Layout V10 = Layout.table("""
            Ver                    4   0
            Rep                    2   4
            C                      1   6
            E                      1   7
            M                      1   8
            Reserved              10   9
            Hop_ML                 5  19
            Remaining_Hop_Count    8  24
            Instruction_Bitmap    16  32
            Reserved2             16  48""");

    private static final Layout MD = Layout.table("""
            Ver                    4   0
            D                      1   4
            E                      1   5
            M                      1   6
            Reserved              12   7
            Hop_ML                 5  19
            Remaining_Hop_Count    8  24
            Instruction_Bitmap    16  32
            Domain_Specific_ID    16  48
            DS_Instruction        16  64
            DS_Flags              16  80""");

    private static final Layout MX = Layout.table("""
            Ver                    4   0
            D                      1   4
            Reserved              27   5
            Instruction_Bitmap    16  32
            Domain_Specific_ID    16  48
            DS_Instruction        16  64
            DS_Flags              16  80""");

    private static final Layout TAIL = Layout.table("""
            Proto              8   0
            Destination_Port  16   8
            DSCP               6  26""");

    static final int OLD_HEADER = 8;
    static final int NEW_HEADER = 12;
    static final int TAIL_BYTES = 4;
    private static final int DESTINATION = 2;

    private static final int RESERVED_2016_05 = 0x00FF;
    private static final int RESERVED_10 = 0x00FE;
    private static final int RESERVED_MD = 0x007E;
    private static final int RESERVED_MX = 0x007F;

    /** Timestamp and level 2 widths in words, in the order they are tried: A-41, then A-68. */
    private static final int[][] WIDTHS = {{2, 1}, {2, 2}, {1, 1}, {1, 2}};

    private final ReferenceOptions options;
    private final Domains domains;
    private final Octets octets;
    private final int present;

    IntBody(ReferenceOptions options, Octets octets, int present) {
        this.options = options;
        this.domains = new Domains(options.domains());
        this.octets = octets;
        this.present = present;
    }

    // ---------------------------------------------------------------- June 2016

    IntFound june2016(IntPlace place) {
        List<String> warnings = new ArrayList<>();
        Layout.Header header = JUNE_2016.at(octets, place.header());
        if (header.get("Ver") != 0) {
            throw new IntFault("INT_UNKNOWN_VERSION");
        }
        int stackWords = countedStack(place, header, header.number("Instruction_Count"), warnings);
        int from = place.header() + OLD_HEADER;
        boolean incomplete = place.end() > present;
        if (incomplete) {
            warnings.add("INT_STACK_TRUNCATED");
        } else if (stackWords > 0) {
            boolean last = bos(from + (stackWords - 1) * 4);
            if (!last && options.lenient() && octets.bits(place.header() * 8, 4) == 0) {
                return v05(place);
            }
            boolean other = false;
            for (int word = 0; word < stackWords - 1; word++) {
                other |= bos(from + word * 4);
            }
            if (!last || other) {
                throw new IntFault("INT_BOS_MISPLACED");
            }
        }
        Map<String, Object> json = countedJson("2016", place, header);
        int bitmap = header.number("Instruction_Bitmap");
        int hopWords = header.number("Instruction_Count");
        new IntStack(octets, from, stackWords, present, bitmap, IntItems.JUNE_2016, true, hopWords, 0, List.of(), 0)
                .read(json);
        json.put("truncated", incomplete);
        return IntFound.of(json, warnings, place.end(), incomplete);
    }

    private boolean bos(int at) {
        return octets.bits(at * 8, 1) == 1;
    }

    // ---------------------------------------------------------------- INT 0.5

    IntFound v05(IntPlace place) {
        List<String> warnings = new ArrayList<>();
        Layout.Header header = V05.at(octets, place.header());
        int bitmap = header.number("Instruction_Bitmap");
        int total = header.number("Total_Hop_Count");
        int hopWords = header.number("Instruction_Count");
        Items items = IntItems.V05;
        int stackWords = stackWords(place, OLD_HEADER);
        if (isWide05(place, bitmap, total, stackWords, header)) {
            reservedCounted(place, bitmap, warnings);
            warnings.add("A-44");
            items = IntItems.v05(2);
            hopWords = stackWords / total;
        } else {
            countedStack(place, header, hopWords, warnings);
        }
        boolean incomplete = place.end() > present;
        int restoredPort = 0;
        Map<String, Object> json = countedJson("0.5", place, header);
        boolean tailVerified = false;
        if (incomplete) {
            if (place.blind()) {
                throw new IntFault("INT_STACK_TRUNCATED", true);
            }
            warnings.add("INT_STACK_TRUNCATED");
        } else if (place.tail()) {
            Layout.Header tail = TAIL.at(octets, place.end() - TAIL_BYTES);
            if (tail.get("Proto") != place.ipProtocol()) {
                throw new IntFault("INT_TAIL_MISMATCH");
            }
            tailVerified = true;
            restoredPort = place.encapsulation().equals("icmp") ? 0 : tail.number("Destination_Port");
            json.put("originalDscp", tail.get("DSCP"));
        }
        shape(
                place,
                octets.u8(place.shim() + 1) == 0
                        && octets.u8(place.shim() + 3) == 0
                        && (tailVerified || header.get("R") == 0)
                        && header.get("Reserved") == 0
                        && bitmap != 0);
        new IntStack(
                        octets,
                        place.header() + OLD_HEADER,
                        stackWords,
                        present,
                        bitmap,
                        items,
                        false,
                        hopWords,
                        0,
                        List.of(),
                        0)
                .read(json);
        json.put("truncated", incomplete);
        IntFound found = IntFound.of(json, warnings, place.end(), incomplete);
        return restoredPort == 0 ? found : found.withPort(restoredPort);
    }

    /** A-44: timestamps of two words in a stack that Total Hop Count divides. */
    private boolean isWide05(IntPlace place, int bitmap, int total, int stackWords, Layout.Header header) {
        return options.quirks()
                && !place.blind()
                && place.tail()
                && header.get("Instruction_Count") == Integer.bitCount(bitmap)
                && total <= header.get("Max_Hop_Count")
                && stackWords != header.get("Instruction_Count") * total
                && total > 0
                && stackWords % total == 0
                && stackWords / total == IntItems.words(IntItems.v05(2), bitmap);
    }

    /** The tests INT16 and 0.5 share; returns the words of the stack. */
    private int countedStack(IntPlace place, Layout.Header header, int count, List<String> warnings) {
        int bitmap = header.number("Instruction_Bitmap");
        reservedCounted(place, bitmap, warnings);
        if (count != Integer.bitCount(bitmap)) {
            throw new IntFault("INT_INSTR_COUNT_MISMATCH");
        }
        int total = header.number("Total_Hop_Count");
        if (total > header.get("Max_Hop_Count")) {
            throw new IntFault("INT_HOP_COUNT_EXCEEDS_MAX");
        }
        int stackWords = stackWords(place, OLD_HEADER);
        if (stackWords != count * total) {
            throw new IntFault("INT_STACK_LENGTH_MISMATCH");
        }
        return stackWords;
    }

    /** A destination header is not warned of: with such a bit it does not verify [spec-notes 5.5]. */
    private void reservedCounted(IntPlace place, int bitmap, List<String> warnings) {
        if (place.type() == DESTINATION && (bitmap & RESERVED_2016_05) != 0) {
            throw new IntFault("INT_RESERVED_INSTRUCTION");
        }
        reserved(bitmap, RESERVED_2016_05, warnings);
    }

    private static Map<String, Object> countedJson(String version, IntPlace place, Layout.Header header) {
        Map<String, Object> json = json(version, place.type() == DESTINATION ? "destination" : "md", place);
        json.put("instructions", header.get("Instruction_Bitmap"));
        json.put("maxHops", header.get("Max_Hop_Count"));
        json.put("totalHops", header.get("Total_Hop_Count"));
        json.put("replica", header.flag("C"));
        json.put("hopLimitExceeded", header.flag("E"));
        return json;
    }

    // ---------------------------------------------------------------- INT 1.0

    /** {@code verZero}: the body of ON basic, which writes version 0 (A-48). */
    IntFound v10(IntPlace place, boolean verZero) {
        List<String> warnings = new ArrayList<>();
        if (verZero) {
            warnings.add("A-48");
        }
        Layout.Header header = V10.at(octets, place.header());
        int bitmap = header.number("Instruction_Bitmap");
        reserved(bitmap, RESERVED_10, warnings);
        int stackWords = stackWords(place, OLD_HEADER);
        int hopMl = header.number("Hop_ML");
        if (hopMl == 0 && stackWords > 0) {
            throw new IntFault("INT_HOP_ML_ZERO");
        }
        Items items = widths(place, IntItems.V10, false, bitmap, hopMl, warnings);
        if (hopMl > 0 && stackWords % hopMl != 0) {
            throw new IntFault("INT_STACK_NOT_MULTIPLE");
        }
        boolean incomplete = place.end() > present;
        if (incomplete) {
            warnings.add("INT_STACK_TRUNCATED");
        }
        boolean shimShape = place.newStyle() ? newShimShape(place.shim()) : oldShimShape(place.shim());
        shape(place, shimShape && header.get("Reserved") == 0 && bitmap != 0);
        if (options.quirks() && !verZero && header.get("Reserved2") != 0) {
            warnings.add("A-42");
        }
        Map<String, Object> json = json("1.0", "md", place);
        json.put("instructions", (long) bitmap);
        json.put("hopMl", (long) hopMl);
        json.put("remainingHops", header.get("Remaining_Hop_Count"));
        json.put("replica", header.flag("C"));
        json.put("hopLimitExceeded", header.flag("E"));
        json.put("mtuExceeded", header.flag("M"));
        if (place.transport() && !place.newStyle()) {
            json.put("originalDscp", octets.bits(place.shim() * 8 + 24, 6));
        }
        new IntStack(
                        octets,
                        place.header() + OLD_HEADER,
                        stackWords,
                        present,
                        bitmap,
                        items,
                        false,
                        hopMl,
                        0,
                        List.of(),
                        0)
                .read(json);
        json.put("truncated", incomplete);
        return IntFound.of(json, warnings, place.end(), incomplete);
    }

    /** The widths whose sum is Hop ML: those of the specification, else those of A-41 and A-68. */
    private Items widths(IntPlace place, Items spec, boolean buffer, int bitmap, int hopMl, List<String> warnings) {
        boolean guess = options.quirks() && !place.blind();
        Items geant = IntItems.later(2, 1, buffer);
        if (guess
                && "geant".equals(options.profile())
                && IntItems.words(geant, bitmap) == hopMl
                && differs(geant, spec, bitmap)) {
            warnings.add("A-41");
            return geant;
        }
        if (IntItems.words(spec, bitmap) == hopMl) {
            return spec;
        }
        if (guess) {
            for (int[] width : WIDTHS) {
                Items items = IntItems.later(width[0], width[1], buffer);
                if (IntItems.words(items, bitmap) == hopMl) {
                    warnings.add(width[0] == 2 && width[1] == 1 ? "A-41" : "A-68");
                    return items;
                }
            }
        }
        throw new IntFault("INT_HOP_ML_MISMATCH");
    }

    private static boolean differs(Items one, Items other, int bitmap) {
        for (int bit = 0; bit < IntItems.BITS; bit++) {
            if (Items.isSet(bitmap, bit, IntItems.BITS) && one.words(bit) != other.words(bit)) {
                return true;
            }
        }
        return false;
    }

    // ---------------------------------------------------------------- INT 2.x MD

    IntFound md(IntPlace place) {
        return md(place, new ArrayList<>());
    }

    private IntFound md(IntPlace place, List<String> warnings) {
        Layout.Header header = MD.at(octets, place.header());
        int bitmap = header.number("Instruction_Bitmap");
        reserved(bitmap, RESERVED_MD, warnings);
        int stackWords = stackWords(place, NEW_HEADER);
        int hopMl = header.number("Hop_ML");
        int domain = header.number("Domain_Specific_ID");
        int dsInstruction = header.number("DS_Instruction");
        dsOnDefaultDomain(domain, dsInstruction, warnings);
        badFlags(domain, header, warnings);
        boolean mtuExceeded = header.flag("M") && !januaryFlags(domain);

        boolean domainWords = domain != 0 && dsInstruction != 0;
        Optional<List<DomainItem>> known = domains.items(domain, dsInstruction);
        List<DomainItem> domainItems = domainWords ? known.orElse(List.of()) : List.of();
        boolean unknownDomain = domainWords && known.isEmpty();
        int sourceOnly = Domains.words(domainItems, true);
        boolean sourceDidNotPush = stackWords == 0 || (mtuExceeded && stackWords < sourceOnly);
        int pushedSourceOnly = sourceDidNotPush ? 0 : sourceOnly;

        if (hopMl == 0 && stackWords > pushedSourceOnly) {
            throw new IntFault("INT_HOP_ML_ZERO");
        }
        Items items = IntItems.V2;
        int base = IntItems.words(items, bitmap);
        if (!domainWords) {
            items = widths(place, IntItems.V2, true, bitmap, hopMl, warnings);
        } else if (unknownDomain ? hopMl < base : hopMl != base + Domains.words(domainItems, false)) {
            throw new IntFault("INT_HOP_ML_MISMATCH");
        }
        if (!mtuExceeded && stackWords > 0 && stackWords < sourceOnly) {
            throw new IntFault("INT_SOURCE_ONLY_OVERRUN");
        }
        if (hopMl > 0 && !unknownDomain && (stackWords - pushedSourceOnly) % hopMl != 0) {
            throw new IntFault("INT_STACK_NOT_MULTIPLE");
        }
        boolean incomplete = place.end() > present;
        if (incomplete) {
            warnings.add("INT_STACK_TRUNCATED");
        }
        newShape(place, domain, dsInstruction, bitmap, header.get("Reserved") == 0, RESERVED_MD);
        blindDomain(place, domain, dsInstruction);

        Map<String, Object> json = json("2.x", "md", place);
        json.put("instructions", (long) bitmap);
        json.put("hopMl", (long) hopMl);
        json.put("remainingHops", header.get("Remaining_Hop_Count"));
        json.put("discard", header.flag("D") && !januaryFlags(domain));
        json.put("hopLimitExceeded", header.flag("E") && !januaryFlags(domain));
        json.put("mtuExceeded", mtuExceeded);
        domainJson(header, json);
        new IntStack(
                        octets,
                        place.header() + NEW_HEADER,
                        stackWords,
                        present,
                        bitmap,
                        items,
                        false,
                        hopMl,
                        pushedSourceOnly,
                        domainItems,
                        unknownDomain ? hopMl - base : 0)
                .read(json);
        json.put("truncated", incomplete);
        return IntFound.of(json, warnings, place.end(), incomplete);
    }

    /** A-35: Transparent Security has its flags elsewhere and never sets them. */
    private boolean januaryFlags(int domain) {
        return options.quirks() && domain == ReferenceOptions.TRANSPARENT_SECURITY_DOMAIN;
    }

    // ---------------------------------------------------------------- INT 2.x MX

    IntFound mx(IntPlace place) {
        List<String> warnings = new ArrayList<>();
        Layout.Header header = MX.at(octets, place.header());
        int bitmap = header.number("Instruction_Bitmap");
        int domain = header.number("Domain_Specific_ID");
        int dsInstruction = header.number("DS_Instruction");
        int words = stackWords(place, NEW_HEADER);
        if (options.quirks() && !place.blind() && words > 0 && (domain == 0 || dsInstruction == 0)) {
            int base = IntItems.words(IntItems.V2, bitmap);
            if (base > 0 && words % base == 0) {
                return stackInMx(place, base, words);
            }
        }
        reserved(bitmap, RESERVED_MX, warnings);
        dsOnDefaultDomain(domain, dsInstruction, warnings);
        Optional<List<DomainItem>> known = domains.items(domain, dsInstruction);
        boolean fits;
        if (dsInstruction == 0) {
            fits = words == 0;
        } else if (domain == 0 || known.isEmpty()) {
            fits = true;
        } else {
            fits = words == Domains.words(known.get(), true);
        }
        if (!fits) {
            throw new IntFault("INT_MX_LENGTH_MISMATCH");
        }
        boolean incomplete = place.end() > present;
        if (incomplete) {
            warnings.add("INT_STACK_TRUNCATED");
        }
        newShape(place, domain, dsInstruction, bitmap, header.get("Reserved") == 0, RESERVED_MX);
        blindDomain(place, domain, dsInstruction);
        Map<String, Object> json = json("2.x", "mx", place);
        json.put("instructions", (long) bitmap);
        json.put("discard", header.flag("D"));
        domainJson(header, json);
        List<Object> hex = new ArrayList<>();
        for (int at = place.header() + NEW_HEADER; at < place.end() && at + 4 <= present; at += 4) {
            hex.add(octets.hex(at, at + 4));
        }
        if (!hex.isEmpty()) {
            json.put("domain", hex);
        }
        json.put("truncated", incomplete);
        return IntFound.of(json, warnings, place.end(), incomplete);
    }

    /** A-62: a stack of hops behind a header that calls itself MX. */
    private IntFound stackInMx(IntPlace place, int base, int words) {
        List<String> warnings = new ArrayList<>(List.of("A-62"));
        Layout.Header header = MD.at(octets, place.header());
        int bitmap = header.number("Instruction_Bitmap");
        int domain = header.number("Domain_Specific_ID");
        int dsInstruction = header.number("DS_Instruction");
        reserved(bitmap, RESERVED_MD, warnings);
        dsOnDefaultDomain(domain, dsInstruction, warnings);
        badFlags(domain, header, warnings);
        boolean incomplete = place.end() > present;
        if (incomplete) {
            warnings.add("INT_STACK_TRUNCATED");
        }
        boolean reservedZero = header.get("Hop_ML") == base
                ? header.get("Reserved") == 0
                : MX.at(octets, place.header()).get("Reserved") == 0;
        newShape(place, domain, dsInstruction, bitmap, reservedZero, RESERVED_MD);
        Map<String, Object> json = json("2.x", "md", place);
        json.put("instructions", (long) bitmap);
        if (header.get("Hop_ML") == base) {
            json.put("hopMl", header.get("Hop_ML"));
            json.put("remainingHops", header.get("Remaining_Hop_Count"));
        }
        json.put("discard", header.flag("D") && !januaryFlags(domain));
        json.put("hopLimitExceeded", header.flag("E") && !januaryFlags(domain));
        json.put("mtuExceeded", header.flag("M") && !januaryFlags(domain));
        domainJson(header, json);
        new IntStack(
                        octets,
                        place.header() + NEW_HEADER,
                        words,
                        present,
                        bitmap,
                        IntItems.V2,
                        false,
                        base,
                        0,
                        List.of(),
                        0)
                .read(json);
        json.put("truncated", incomplete);
        return IntFound.of(json, warnings, place.end(), incomplete);
    }

    // ---------------------------------------------------------------- shared

    private static int stackWords(IntPlace place, int header) {
        return (place.end() - (place.tail() ? TAIL_BYTES : 0) - place.header() - header) / 4;
    }

    private void reserved(int bitmap, int mask, List<String> warnings) {
        if ((bitmap & mask) != 0) {
            strict("INT_RESERVED_INSTRUCTION", warnings);
        }
    }

    private void dsOnDefaultDomain(int domain, int dsInstruction, List<String> warnings) {
        if (domain == 0 && dsInstruction != 0) {
            strict("INT_DS_ON_DEFAULT_DOMAIN", warnings);
        }
    }

    /** A row marked (strict): a fault there, a warning in lenient mode. */
    private void strict(String name, List<String> warnings) {
        if (!options.lenient()) {
            throw new IntFault(name);
        }
        warnings.add(name);
    }

    private static void badFlags(int domain, Layout.Header header, List<String> warnings) {
        if (domain == ReferenceOptions.TRANSPARENT_SECURITY_DOMAIN
                && Integer.bitCount(header.number("DS_Flags") >> 13) > 1) {
            warnings.add("TS_BAD_FLAGS");
        }
    }

    private void shape(IntPlace place, boolean good) {
        if (options.lenient() && place.mark().shaped() && !good) {
            throw new IntFault(IntFault.SHAPE);
        }
    }

    /** The reserved fields of a shim of INT 2.x behind TCP or UDP. */
    boolean newShimShape(int shim) {
        int npt = (int) octets.bits(shim * 8 + 4, 2);
        int content = octets.u16(shim + 2);
        boolean contentZero = switch (npt) {
            case 0 -> (content & 0xFF03) == 0;
            case 2 -> (content & 0xFF00) == 0;
            default -> true;
        };
        return octets.bits(shim * 8 + 6, 2) == 0 && contentZero;
    }

    /** The reserved fields of the shim of INT 1.0. */
    boolean oldShimShape(int shim) {
        return octets.u8(shim + 1) == 0 && octets.bits(shim * 8 + 30, 2) == 0;
    }

    private void newShape(
            IntPlace place, int domain, int dsInstruction, int bitmap, boolean reservedZero, int reservedMask) {
        if (!options.lenient() || !place.mark().shaped()) {
            return;
        }
        boolean shim = place.newStyle() ? newShimShape(place.shim()) : octets.u8(place.shim() + 1) == 0;
        boolean unknown = domain != 0
                && dsInstruction != 0
                && domains.items(domain, dsInstruction).isEmpty();
        shape(
                place,
                shim
                        && (reservedZero || domains.knows(domain, dsInstruction))
                        && !(unknown && (bitmap & reservedMask) != 0)
                        && (bitmap != 0 || dsInstruction != 0));
    }

    /** Without a mark only domains whose size can be checked are believed [spec-notes 5.4]. */
    private void blindDomain(IntPlace place, int domain, int dsInstruction) {
        if (!place.blind()) {
            return;
        }
        boolean plain = domain == 0 && dsInstruction == 0;
        boolean known = domains.knows(domain, dsInstruction);
        if (!plain && !known) {
            throw new IntFault(IntFault.UNVERIFIED);
        }
    }

    private static void domainJson(Layout.Header header, Map<String, Object> json) {
        json.put("domainId", header.get("Domain_Specific_ID"));
        json.put("dsInstructions", header.get("DS_Instruction"));
        json.put("dsFlags", header.get("DS_Flags"));
    }

    private static Map<String, Object> json(String version, String type, IntPlace place) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("version", version);
        json.put("type", type);
        json.put("encapsulation", place.encapsulation());
        return json;
    }
}
