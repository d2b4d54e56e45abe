package io.pathlore.wire.inband;

import io.pathlore.model.Fault;
import io.pathlore.model.Profile;
import io.pathlore.model.Quirk;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.Domains;
import io.pathlore.wire.Warnings;
import java.nio.ByteBuffer;

/**
 * The arithmetic of INT stacks: whether bitmap, per-hop size, hop counts and the space between header and end agree, and
 * where each hop therefore lies [INT 2.1 §5.8]. Hot path.
 */
final class IntStackParser {
    private static final int RESERVED_0_5 = 0x00FF;
    private static final int RESERVED_1_0 = 0x00FE;
    private static final int RESERVED_MD = 0x007E;
    private static final int RESERVED_MX = 0x007F;
    private static final int CHECKSUM_COMPLEMENT = 0x0001;

    private final boolean strict;
    private final Domains domains;
    private final Warnings warnings;

    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private Profile profile = Profile.AUTO;
    /** Departures known from the field are repaired: lenient, and the exporter is not pinned to the specification. */
    private boolean quirks;

    private int present;
    private int tailPort;
    private boolean guessedWidths;

    IntStackParser(DecodeOptions options, Warnings warnings) {
        this.strict = options.strict();
        this.domains = options.domains();
        this.warnings = warnings;
    }

    /** Before each header: what the one before it said about the packet is forgotten. */
    void forget() {
        tailPort = -1;
        guessedWidths = false;
    }

    void begin(ByteBuffer buffer, Profile profile) {
        this.buffer = buffer;
        this.profile = profile;
        quirks = !strict && profile != Profile.SPEC;
    }

    /** Original destination port in the tail of the stack parsed last (INT 0.5), or -1. */
    int tailPort() {
        return tailPort;
    }

    /** Whether the item widths of the stack parsed last are not those of its specification. */
    boolean guessedWidths() {
        return guessedWidths;
    }

    /** The tests that depend on the version; {@code stackEnd} is where the stack ends by the length fields. */
    Fault parse(int stackAt, int stackEnd, int tailAt, int protocol, int present, IntHeaderView into) {
        this.present = present;
        forget();
        into.opaque = false;
        into.stackAt = stackAt;
        into.end = stackEnd;
        into.tailAt = tailAt;
        into.rawWords = 0;
        into.sourceOnlyWords = 0;
        into.sourceHopDiffers = false;
        into.wordsBeforeDevice = -1;
        into.insertedWords = 0;
        into.ignoreFlags = false;
        into.twoBitVersion = false;
        into.withoutHopMl = false;
        int stackWords = (stackEnd - stackAt) >> 2;
        return switch (into.version) {
            case V2 -> into.type == IntShim.TYPE_MX ? mx(stackWords, into) : md(stackWords, into);
            case V1_0 -> hopByHop10(stackWords, into);
            case V0_5, JUNE_2016 -> hopByHopCounted(stackWords, protocol, into);
        };
    }

    private Fault md(int stackWords, IntHeaderView into) {
        int header = into.headerAt;
        int first = buffer.getInt(header);
        long rest = buffer.getLong(header + 4);
        int instructions = (int) (rest >>> 48);
        int domain = (int) (rest >>> 32) & 0xFFFF;
        int dsInstructions = (int) (rest >>> 16) & 0xFFFF;
        int hopMl = first >>> 8 & 0x1F;
        if ((instructions & RESERVED_MD) != 0) {
            if (strict) {
                return Fault.INT_RESERVED_INSTRUCTION;
            }
            warnings.add(Fault.INT_RESERVED_INSTRUCTION, header + 4);
        }
        int timestampWords = 2;
        int level2Words = 2;
        int base = HopLayout.words(instructions, timestampWords, level2Words);
        int perHop = 0;
        int sourceOnly = 0;
        boolean open = false;
        if (dsInstructions != 0 && domain == 0) {
            if (strict) {
                return Fault.INT_DS_ON_DEFAULT_DOMAIN;
            }
            warnings.add(Fault.INT_DS_ON_DEFAULT_DOMAIN, header + 8);
        } else if (domain != 0) {
            if (domain == Domains.TRANSPARENT_SECURITY) {
                transparentSecurityFlags((int) rest, into);
            }
            if (dsInstructions != 0) {
                if (domains.knows(domain, dsInstructions)) {
                    sourceOnly = domains.sourceOnlyWords(domain, dsInstructions);
                    perHop = domains.words(domain, dsInstructions) - sourceOnly;
                } else {
                    open = true;
                    perHop = hopMl - base;
                }
            }
        }
        boolean mtuExceeded = (first & 1 << 25) != 0 && !into.ignoreFlags;
        if (stackWords == 0 || mtuExceeded && stackWords < sourceOnly) {
            sourceOnly = 0;
        }
        if (hopMl == 0 && stackWords > sourceOnly) {
            return Fault.INT_HOP_ML_ZERO;
        }
        if (perHop < 0 || hopMl != base + perHop) {
            if (!quirks || perHop != 0 || open || domain != 0 && dsInstructions != 0) {
                return Fault.INT_HOP_ML_MISMATCH;
            }
            int widths = solveWidths(instructions, hopMl);
            if (widths == 0) {
                return Fault.INT_HOP_ML_MISMATCH;
            }
            timestampWords = widths >> 4;
            level2Words = widths & 0xF;
            noteWidths(widths, header);
        }
        if (stackWords < sourceOnly) {
            return Fault.INT_SOURCE_ONLY_OVERRUN;
        }
        int hops = 0;
        if (hopMl != 0) {
            int own = stackWords - sourceOnly;
            hops = own == hopMl ? 1 : own / hopMl;
            int remainder = own - hops * hopMl;
            if (remainder != 0) {
                if (!open) {
                    return Fault.INT_STACK_NOT_MULTIPLE;
                }
                // Only the domain's definition could say where the source's extra words stand: keep that hop raw.
                if (hops > 0) {
                    hops--;
                    into.rawWords = hopMl + remainder + sourceOnly;
                } else {
                    into.rawWords = remainder + sourceOnly;
                }
                sourceOnly = 0;
            }
        }
        into.layout.int2(instructions, timestampWords, level2Words, perHop);
        if (sourceOnly > 0) {
            into.sourceOnlyWords = sourceOnly;
            into.wordsBeforeDevice = domains.wordsBeforeDevice(domain, dsInstructions, hops == 0);
            into.domainAt = 4 * (base - (instructions & 1));
            // A device id alone, with nothing behind it, changes nothing about the other items.
            into.sourceHopDiffers = (instructions & 1) != 0
                    || perHop > 0
                    || into.wordsBeforeDevice != 0
                    || sourceOnly != Domains.DEVICE_WORDS;
            if (into.sourceHopDiffers) {
                into.sourceLayout.int2(instructions, timestampWords, level2Words, perHop + sourceOnly);
            }
        }
        Fault fault = hopsPresent(hops, hopMl, into);
        boolean behindSourceOnly = perHop > 0 || (instructions & CHECKSUM_COMPLEMENT) != 0;
        if (into.truncated && sourceOnly > 0 && behindSourceOnly && hops > 0 && into.hops == hops) {
            // What stands behind the source's own words is not where Hop ML would have it, and not all there.
            into.hops--;
        }
        return fault;
    }

    /** Of its DS Flags one may be set; D, E and M it has elsewhere. */
    private void transparentSecurityFlags(int dsFlags, IntHeaderView into) {
        if (Integer.bitCount(dsFlags & 0xE000) > 1) {
            warnings.add(Fault.TS_BAD_FLAGS, into.headerAt + 10);
        }
        into.ignoreFlags = !strict;
    }

    private Fault mx(int words, IntHeaderView into) {
        int header = into.headerAt;
        int instructions = buffer.getShort(header + 4) & 0xFFFF;
        int domain = buffer.getShort(header + 6) & 0xFFFF;
        int dsInstructions = buffer.getShort(header + 8) & 0xFFFF;
        int base = HopLayout.words(instructions, 2, 2);
        // The header announces instructions only, yet a stack of hops follows.
        boolean isStack = quirks && words > 0 && (domain == 0 || dsInstructions == 0) && base > 0 && words % base == 0;
        if ((instructions & (isStack ? RESERVED_MD : RESERVED_MX)) != 0) {
            if (strict) {
                return Fault.INT_RESERVED_INSTRUCTION;
            }
            warnings.add(Fault.INT_RESERVED_INSTRUCTION, header + 4);
        }
        if (dsInstructions != 0 && domain == 0) {
            if (strict) {
                return Fault.INT_DS_ON_DEFAULT_DOMAIN;
            }
            warnings.add(Fault.INT_DS_ON_DEFAULT_DOMAIN, header + 8);
        }
        into.hops = 0;
        into.hopBytes = 0;
        if (isStack) {
            warnings.add(Quirk.A_62, into.shimAt < 0 ? header : into.shimAt);
            guessedWidths = true;
            into.type = IntShim.TYPE_MD;
            if (domain == Domains.TRANSPARENT_SECURITY) {
                transparentSecurityFlags(buffer.getShort(header + 10), into);
            }
            into.withoutHopMl = (buffer.get(header + 2) & 0x1F) != base;
            into.layout.int2(instructions, 2, 2, 0);
            return hopsPresent(words / base, base, into);
        }
        boolean known = dsInstructions != 0 && domains.knows(domain, dsInstructions);
        if (words > 0 && dsInstructions == 0 || known && words != domains.sourceOnlyWords(domain, dsInstructions)) {
            return Fault.INT_MX_LENGTH_MISMATCH;
        }
        into.truncated = into.end > present;
        into.insertedWords = into.truncated ? Math.max(0, (present - into.stackAt) >> 2) : words;
        if (into.truncated) {
            warnings.add(Fault.INT_STACK_TRUNCATED, present);
        }
        return Fault.NONE;
    }

    private Fault hopByHop10(int stackWords, IntHeaderView into) {
        int header = into.headerAt;
        int instructions = buffer.getShort(header + 4) & 0xFFFF;
        int hopMl = buffer.get(header + 2) & 0x1F;
        if ((instructions & RESERVED_1_0) != 0) {
            if (strict) {
                return Fault.INT_RESERVED_INSTRUCTION;
            }
            warnings.add(Fault.INT_RESERVED_INSTRUCTION, header + 4);
        }
        if (hopMl == 0 && stackWords > 0) {
            return Fault.INT_HOP_ML_ZERO;
        }
        int timestampWords = 1;
        int level2Words = 2;
        boolean geant = profile == Profile.GEANT && !strict && HopLayout.words(instructions, 2, 1) == hopMl;
        if (geant || hopMl != HopLayout.words(instructions, 1, 2)) {
            int widths = !quirks ? 0 : geant ? 0x21 : solveWidths(instructions, hopMl);
            if (widths == 0) {
                return Fault.INT_HOP_ML_MISMATCH;
            }
            timestampWords = widths >> 4;
            level2Words = widths & 0xF;
            if (hopMl != HopLayout.words(instructions, 1, 2)) {
                noteWidths(widths, header);
            }
        }
        int hops = hopMl == 0 ? 0 : stackWords / hopMl;
        if (stackWords != hops * hopMl) {
            return Fault.INT_STACK_NOT_MULTIPLE;
        }
        boolean versionOne = buffer.get(header) >> 4 == 1;
        if (quirks && versionOne && buffer.getShort(header + 6) != 0) {
            warnings.add(Quirk.A_42, header + 6);
        }
        into.layout.int10(instructions, timestampWords, level2Words);
        return hopsPresent(hops, hopMl, into);
    }

    /** Emitters widen timestamps or narrow level 2 interfaces; Hop ML tells which. Returns timestamp and L2 words, or 0. */
    private static int solveWidths(int instructions, int hopMl) {
        if (HopLayout.words(instructions, 2, 1) == hopMl) {
            return 0x21;
        }
        if (HopLayout.words(instructions, 2, 2) == hopMl) {
            return 0x22;
        }
        if (HopLayout.words(instructions, 1, 1) == hopMl) {
            return 0x11;
        }
        return HopLayout.words(instructions, 1, 2) == hopMl ? 0x12 : 0;
    }

    private void noteWidths(int widths, int header) {
        guessedWidths = true;
        warnings.add(widths == 0x21 ? Quirk.A_41 : Quirk.A_68, header + 2);
    }

    private Fault hopByHopCounted(int stackWords, int protocol, IntHeaderView into) {
        int header = into.headerAt;
        int count = buffer.get(header + 1) & 0x1F;
        int max = buffer.get(header + 2) & 0xFF;
        int total = buffer.get(header + 3) & 0xFF;
        int instructions = buffer.getShort(header + 4) & 0xFFFF;
        if ((instructions & RESERVED_0_5) != 0) {
            // Of a destination header nothing is ever wrong: it is one with a metadata header inside, or it is opaque.
            if (strict || into.type == IntShim.TYPE_DESTINATION) {
                return Fault.INT_RESERVED_INSTRUCTION;
            }
            warnings.add(Fault.INT_RESERVED_INSTRUCTION, header + 4);
        }
        if (count != Integer.bitCount(instructions)) {
            return Fault.INT_INSTR_COUNT_MISMATCH;
        }
        if (total > max) {
            return Fault.INT_HOP_COUNT_EXCEEDS_MAX;
        }
        int timestampWords = 1;
        int hopWords = count;
        if (stackWords != count * total) {
            hopWords = HopLayout.words(instructions, 2, 1);
            if (!quirks || into.tailAt < 0 || total == 0 || stackWords != hopWords * total) {
                return Fault.INT_STACK_LENGTH_MISMATCH;
            }
            timestampWords = 2;
            guessedWidths = true;
            warnings.add(Quirk.A_44, header);
        }
        boolean june = into.version == IntVersion.JUNE_2016;
        int tailAt = into.tailAt;
        int needed = tailAt < 0 ? into.end : tailAt + 4;
        if (june && needed <= present && stackWords > 0) {
            Fault fault = bottomOfStack(stackWords, into);
            if (fault != Fault.NONE) {
                return fault;
            }
            june = into.version == IntVersion.JUNE_2016;
        }
        if (june) {
            into.layout.june2016(instructions);
        } else {
            into.layout.int05(instructions, timestampWords);
        }
        if (tailAt >= 0 && needed <= present) {
            int tail = buffer.getInt(tailAt);
            if (tail >>> 24 != protocol) {
                return Fault.INT_TAIL_MISMATCH;
            }
            tailPort = tail >>> 8 & 0xFFFF;
            into.originalDscp = tail & 0x3F;
        }
        if (profile == Profile.ONOS_FABRIC && tailAt >= 0 && !strict) {
            into.twoBitVersion = true;
            warnings.add(Quirk.A_49, header);
        }
        into.end = needed;
        return hopsPresent(total, hopWords, into);
    }

    /** The very last word of a June 2016 stack, and no other, has its top bit set [INT June 2016 §5.3.3]. */
    private Fault bottomOfStack(int stackWords, IntHeaderView into) {
        int last = into.stackAt + 4 * (stackWords - 1);
        if (buffer.get(last) >= 0) {
            boolean couldBe05 = buffer.get(into.headerAt) >> 4 == 0;
            if (strict || !couldBe05) {
                return Fault.INT_BOS_MISPLACED;
            }
            into.version = IntVersion.V0_5;
            return Fault.NONE;
        }
        for (int at = into.stackAt; at < last; at += 4) {
            if (buffer.get(at) < 0) {
                return Fault.INT_BOS_MISPLACED;
            }
        }
        return Fault.NONE;
    }

    /** The newest hops are in front, so a cut costs the oldest ones. Hops of no octets, by an empty bitmap, say nothing. */
    private Fault hopsPresent(int hops, int hopWords, IntHeaderView into) {
        into.hopBytes = 4 * hopWords;
        into.hops = hopWords == 0 ? 0 : hops;
        into.truncated = false;
        if (into.end > present) {
            into.truncated = true;
            into.rawWords = 0;
            into.hops = hopWords == 0 ? 0 : Math.min(hops, Math.max(0, present - into.stackAt) / into.hopBytes);
            warnings.add(Fault.INT_STACK_TRUNCATED, present);
        }
        return Fault.NONE;
    }
}
