package io.pathlore.testkit.generate;

/**
 * Random INT metadata headers with stacks, conformant to their version [INT June 2016 §5.3.3, INT 2.1 §5.8].
 *
 * @param bytes metadata header and stack, without shim and tail
 * @param hops number of hops in the stack
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record IntBytes(byte[] bytes, int hops) {
    static final int TRANSPARENT_SECURITY = 0x5453;
    private static final int MOST_HOPS = 20;

    int words() {
        return bytes.length / 4;
    }

    private static int hops(Dice dice, int room, int hopWords) {
        int most = hopWords == 0 ? 0 : Math.min(MOST_HOPS, room / hopWords);
        return dice.chance(10) ? 0 : dice.between(0, Math.max(0, most));
    }

    private static byte[] words(Dice dice, int count) {
        ByteWriter out = new ByteWriter();
        for (int i = 0; i < count; i++) {
            out.u32(dice.u32());
        }
        return out.toBytes();
    }

    private static int bitmap(Dice dice, int mask) {
        int bitmap = dice.chance(40) ? dice.pick(0x8000, 0x9000, 0xC000, 0xDC00, 0xFF00) : dice.below(1 << 16);
        return (bitmap & mask) == 0 ? 0x8000 : bitmap & mask;
    }

    /** June 2016: {@code mostWords} bounds header and stack together. */
    static IntBytes june2016(Dice dice, int mostWords) {
        int bitmap = bitmap(dice, 0xFF00);
        int count = Integer.bitCount(bitmap);
        int hops = hops(dice, mostWords - 2, count);
        ByteWriter out = new ByteWriter()
                .bits(0, 2)
                .bits(dice.below(4), 2)
                .bits(dice.below(2), 1)
                .bits(dice.below(2), 1)
                .bits(0, 5)
                .bits(count, 5)
                .u8(dice.between(hops, 255))
                .u8(hops)
                .u16(bitmap)
                .u16(0);
        for (int word = 0; word < hops * count; word++) {
            boolean last = word == hops * count - 1;
            out.bits(last ? 1 : 0, 1).bits(dice.chance(5) ? 0x7FFF_FFFF : dice.u32(), 31);
        }
        return new IntBytes(out.toBytes(), hops);
    }

    static IntBytes v05(Dice dice, int mostWords) {
        int bitmap = bitmap(dice, 0xFF00);
        int count = Integer.bitCount(bitmap);
        int hops = hops(dice, mostWords - 2, count);
        ByteWriter out = new ByteWriter()
                .bits(0, 4)
                .bits(dice.below(4), 2)
                .bits(dice.below(2), 1)
                .bits(dice.below(2), 1)
                .bits(0, 3)
                .bits(count, 5)
                .u8(dice.between(hops, 255))
                .u8(hops)
                .u16(bitmap)
                .u16(0);
        return new IntBytes(out.bytes(words(dice, hops * count)).toBytes(), hops);
    }

    /** {@code version} 1; 0 is what ON basic writes. The widths are those of the emitter. */
    static IntBytes v10(Dice dice, int mostWords, int version, int timestampWords, int levelTwoWords) {
        boolean zero = version == 0; // whoever writes it asks for the switch id and pushes at least its own
        int bitmap = bitmap(dice, 0xFF01) | (zero ? 0x8000 : 0);
        int hopWords = width(bitmap, timestampWords, levelTwoWords);
        int hops = Math.max(zero ? 1 : 0, hops(dice, mostWords - 2, hopWords));
        ByteWriter out = new ByteWriter()
                .bits(version, 4)
                .bits(zero ? 0 : dice.below(4), 2)
                .bits(zero ? 0 : dice.below(2), 1)
                .bits(dice.chance(10) ? 1 : 0, 1)
                .bits(!zero && dice.chance(10) ? 1 : 0, 1)
                .bits(0, 10)
                .bits(hopWords, 5)
                .u8(dice.u8())
                .u16(bitmap)
                .u16(timestampWords == 2 ? dice.u16() : 0);
        return new IntBytes(out.bytes(words(dice, hops * hopWords)).toBytes(), hops);
    }

    /** INT 2.x MD of the default domain, of Transparent Security, or of a domain nobody knows. */
    static IntBytes md(Dice dice, int mostWords) {
        return switch (dice.below(4)) {
            case 0 -> transparentSecurity(dice, mostWords);
            case 1 -> foreignDomain(dice, mostWords);
            default -> md(dice, mostWords, bitmap(dice, 0xFF81), 0, 0, 0, 0);
        };
    }

    private static IntBytes foreignDomain(Dice dice, int mostWords) {
        int bitmap = bitmap(dice, 0xFF81);
        int domain = dice.chance(50) ? 0xABCD : dice.between(1, 0x5000);
        return md(dice, mostWords, bitmap, domain, 1 << dice.below(16), dice.u16(), dice.between(0, 3));
    }

    private static IntBytes md(
            Dice dice, int mostWords, int bitmap, int domain, int dsInstruction, int dsFlags, int domainWords) {
        int hopWords = width(bitmap, 2, 2) + domainWords;
        int hops = hops(dice, mostWords - 3, hopWords);
        ByteWriter out = header(dice, hopWords, bitmap, domain, dsInstruction, dsFlags);
        return new IntBytes(out.bytes(words(dice, hops * hopWords)).toBytes(), hops);
    }

    /** Switch id only, and the source device behind the oldest hop. */
    static IntBytes transparentSecurity(Dice dice, int mostWords) {
        int hops = Math.max(1, hops(dice, mostWords - 5, 1));
        return transparentSecurity(dice, hops, dice.u8());
    }

    static IntBytes transparentSecurity(Dice dice, int hops, int remaining) {
        ByteWriter out = new ByteWriter()
                .bits(2, 4)
                .bits(0, 15)
                .bits(1, 5)
                .u8(remaining)
                .u16(0x8000)
                .u16(TRANSPARENT_SECURITY)
                .u16(0x8000)
                .u16(dice.pick(0, 0x8000, 0x4000, 0x2000));
        out.bytes(words(dice, hops), dice.bytes(6), new byte[2]);
        return new IntBytes(out.toBytes(), hops);
    }

    private static ByteWriter header(Dice dice, int hopWords, int bitmap, int domain, int dsInstruction, int dsFlags) {
        return new ByteWriter()
                .bits(2, 4)
                .bits(dice.chance(10) ? 1 : 0, 1)
                .bits(dice.chance(10) ? 1 : 0, 1)
                .bits(dice.chance(10) ? 1 : 0, 1)
                .bits(0, 12)
                .bits(hopWords, 5)
                .u8(dice.u8())
                .u16(bitmap)
                .u16(domain)
                .u16(dsInstruction)
                .u16(dsFlags);
    }

    /** INT 2.1 MX, with source-inserted words where a domain is given. */
    static IntBytes mx(Dice dice, int mostWords) {
        int domain = dice.pick(0, TRANSPARENT_SECURITY, 0xABCD, 0x0001);
        int dsInstruction = switch (domain) {
            case 0 -> 0;
            case TRANSPARENT_SECURITY -> 0x8000;
            default -> 1 << dice.below(16);
        };
        int words = switch (domain) {
            case 0 -> 0;
            case TRANSPARENT_SECURITY -> 2;
            default -> dice.between(0, Math.min(6, mostWords - 3));
        };
        ByteWriter out = new ByteWriter()
                .bits(2, 4)
                .bits(dice.below(2), 1)
                .bits(0, 27)
                .u16(bitmap(dice, 0xFF80))
                .u16(domain)
                .u16(dsInstruction)
                .u16(domain == TRANSPARENT_SECURITY ? dice.pick(0, 0x4000) : dice.u16());
        return new IntBytes(out.bytes(words(dice, words)).toBytes(), 0);
    }

    static int width(int bitmap, int timestampWords, int levelTwoWords) {
        int words = 0;
        for (int bit = 0; bit < 16; bit++) {
            if ((bitmap >> (15 - bit) & 1) == 1) {
                words += switch (bit) {
                    case 4, 5 -> timestampWords;
                    case 6 -> levelTwoWords;
                    default -> 1;
                };
            }
        }
        return words;
    }
}
