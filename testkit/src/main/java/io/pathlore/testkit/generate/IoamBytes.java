package io.pathlore.testkit.generate;

import java.util.Arrays;

/** Random IOAM option bodies of every type [RFC 9197 §4, RFC 9326 §3]. */
final class IoamBytes {
    private IoamBytes() {}

    /** The body of an option of this type, at most about {@code most} bytes. */
    static byte[] body(Dice dice, int type, int most) {
        return switch (type) {
            case 0 -> trace(dice, true, most);
            case 1 -> trace(dice, false, most);
            case 2 ->
                new ByteWriter()
                        .u16(dice.u16())
                        .u8(0)
                        .u8(dice.u8())
                        .bytes(dice.bytes(16))
                        .toBytes();
            case 3 -> e2e(dice);
            default -> dex(dice);
        };
    }

    private static byte[] trace(Dice dice, boolean preallocated, int most) {
        boolean snapshots = dice.chance(25);
        int type = dice.chance(40) ? dice.pick(0xF00000, 0xC00000, 0xA80000, 0xFFF000) : dice.below(1 << 24);
        type &= dice.chance(70) ? 0xFFF000 : 0xFFFFFC; // bits 12 to 21 now and then
        int nodeWords = 0;
        for (int bit = 0; bit < 22; bit++) {
            if ((type >> (23 - bit) & 1) == 1) {
                nodeWords += bit >= 8 && bit <= 10 ? 2 : 1;
            }
        }
        if (nodeWords == 0 && !snapshots) {
            type = 0x800000;
            nodeWords = 1;
        }
        ByteWriter nodes = new ByteWriter();
        int wanted = dice.between(0, 6);
        for (int node = 0; node < wanted; node++) {
            int snapshot = dice.between(0, 3);
            int size = nodeWords + (snapshots ? 1 + snapshot : 0);
            if (8 + nodes.size() + size * 4 > most) {
                break;
            }
            for (int word = 0; word < nodeWords; word++) {
                nodes.u32(dice.u32());
            }
            if (snapshots) {
                nodes.u8(snapshot)
                        .bits(dice.chance(30) ? 0xFFFFFF : dice.below(1 << 24), 24)
                        .bytes(dice.bytes(snapshot * 4));
            }
        }
        int room = Math.max(0, (most - 8 - nodes.size()) / 4);
        int free = preallocated ? Math.min(room, dice.between(0, 5)) : 0;
        return new ByteWriter()
                .u16(dice.u16())
                .bits(nodeWords, 5)
                .bits(dice.chance(20) ? 1 : 0, 1)
                .bits(dice.chance(10) ? 1 : 0, 1)
                .bits(dice.chance(10) ? 1 : 0, 1)
                .bits(0, 1)
                .bits(preallocated ? free : dice.below(128), 7)
                .bits(type | (snapshots ? 2 : 0), 24)
                .u8(0)
                .bytes(new byte[free * 4], nodes.toBytes())
                .toBytes();
    }

    private static byte[] e2e(Dice dice) {
        boolean wide = dice.chance(30);
        boolean narrow = !wide && dice.chance(60);
        boolean seconds = dice.chance(50);
        boolean fraction = dice.chance(50);
        ByteWriter out = new ByteWriter()
                .u16(dice.u16())
                .bits(wide ? 1 : 0, 1)
                .bits(narrow ? 1 : 0, 1)
                .bits(seconds ? 1 : 0, 1)
                .bits(fraction ? 1 : 0, 1)
                .bits(0, 12);
        if (wide) {
            out.u64(dice.u64());
        }
        for (boolean item : new boolean[] {narrow, seconds, fraction}) {
            if (item) {
                out.u32(dice.u32());
            }
        }
        return out.toBytes();
    }

    private static byte[] dex(Dice dice) {
        int extensions = dice.pick(0, 0x80, 0x40, 0xC0, 0xE0, 0x01);
        ByteWriter out = new ByteWriter()
                .u16(dice.u16())
                .u8(dice.u8())
                .u8(extensions)
                .bits(dice.below(1 << 24), 24)
                .u8(0);
        for (int i = 0; i < Integer.bitCount(extensions); i++) {
            out.u32(dice.u32());
        }
        return out.toBytes();
    }

    /** An IPv6 option around a body: 0x31 or 0x11. */
    static byte[] ipv6Option(Dice dice) {
        int type = dice.pick(0, 0, 0, 1, 2, 3, 4);
        byte[] body = body(dice, type, 200);
        return new ByteWriter()
                .u8(dice.pick(0x31, 0x11))
                .u8(body.length + 2)
                .u8(0)
                .u8(type)
                .bytes(body)
                .toBytes();
    }

    /** The header of RFC 9452 around a body, its length padded to words. */
    static byte[] nshHeader(Dice dice, int nextProtocol) {
        int type = dice.pick(0, 1, 2, 3, 4);
        byte[] body = body(dice, type, 200);
        byte[] words = Arrays.copyOf(body, (body.length + 3) / 4 * 4);
        return new ByteWriter()
                .u8(type)
                .u8(1 + words.length / 4)
                .u8(0)
                .u8(nextProtocol)
                .bytes(words)
                .toBytes();
    }
}
