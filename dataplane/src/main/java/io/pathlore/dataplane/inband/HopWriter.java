package io.pathlore.dataplane.inband;

import io.pathlore.wire.Domains;
import io.pathlore.wire.inband.HopEncoder;
import io.pathlore.wire.inband.HopLayout;
import io.pathlore.wire.inband.HopValues;
import io.pathlore.wire.inband.IntVersion;
import java.nio.ByteBuffer;

/** Writes the metadata of one hop as an INT header asks for it. Hot path. */
final class HopWriter {
    private static final int COMPLEMENT = 0x0001;
    private static final int UNKNOWN = -1;

    private final Domains domains;
    private final HopLayout layout = new HopLayout();

    HopWriter(Domains domains) {
        this.domains = domains;
    }

    /** Words of one hop without domain specific ones. */
    static int baseWords(IntVersion version, int bitmap) {
        return switch (version) {
            case JUNE_2016, V0_5 -> Integer.bitCount(bitmap);
            case V1_0 -> HopLayout.words(bitmap, 1, 2);
            case V2 -> HopLayout.words(bitmap, 2, 2);
        };
    }

    static boolean hasComplement(IntVersion version, int bitmap) {
        return (version == IntVersion.V1_0 || version == IntVersion.V2) && (bitmap & COMPLEMENT) != 0;
    }

    /** Bits nobody has defined in this version, of a header that carries metadata. */
    static int reserved(IntVersion version) {
        return switch (version) {
            case JUNE_2016, V0_5 -> 0x00FF;
            case V1_0 -> 0x00FE;
            case V2 -> 0x007E;
        };
    }

    /** Returns the offset past the hop. A checksum complement is all ones. */
    int hop(
            ByteBuffer out,
            int at,
            IntVersion version,
            int bitmap,
            int domainWords,
            boolean domainKnown,
            HopValues own) {
        int end = encode(out, at, version, bitmap, domainWords, own);
        if (domainWords > 0 && !domainKnown) {
            int domainEnd = domainEnd(end, version, bitmap);
            for (int word = domainEnd - 4 * domainWords; word < domainEnd; word += 4) {
                out.putInt(word, UNKNOWN);
            }
        }
        return end;
    }

    /** The source's hop also holds what only the source writes, among its other domain items by DS bit. */
    int sourceHop(
            ByteBuffer out,
            int at,
            IntVersion version,
            int bitmap,
            int domain,
            int dsInstructions,
            HopValues own,
            int[] sourceWords,
            int sourceWordCount) {
        int domainWords = domains.words(domain, dsInstructions);
        int end = encode(out, at, version, bitmap, domainWords, own);
        int word = domainEnd(end, version, bitmap) - 4 * domainWords;
        int mine = 0;
        int sources = 0;
        for (int rest = dsInstructions; rest != 0; ) {
            int bit = Integer.highestOneBit(rest);
            rest ^= bit;
            boolean sourceOnly = domains.sourceOnlyWords(domain, bit) > 0;
            for (int i = domains.words(domain, bit); i > 0; i--, word += 4) {
                if (sourceOnly) {
                    out.putInt(word, sources < sourceWordCount ? sourceWords[sources] : UNKNOWN);
                    sources++;
                } else {
                    out.putInt(word, mine < own.domainWords ? own.domain[mine] : UNKNOWN);
                    mine++;
                }
            }
        }
        return end;
    }

    private int encode(ByteBuffer out, int at, IntVersion version, int bitmap, int domainWords, HopValues own) {
        switch (version) {
            case JUNE_2016 -> layout.june2016(bitmap);
            case V0_5 -> layout.int05(bitmap, 1);
            case V1_0 -> layout.int10(bitmap, 1, 2);
            case V2 -> layout.int2(bitmap, 2, 2, domainWords);
        }
        int end = HopEncoder.encode(out, at, layout, own);
        if (hasComplement(version, bitmap)) {
            out.putInt(end - 4, UNKNOWN);
        }
        return end;
    }

    private static int domainEnd(int hopEnd, IntVersion version, int bitmap) {
        return hasComplement(version, bitmap) ? hopEnd - 4 : hopEnd;
    }
}
