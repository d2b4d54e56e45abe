package io.pathlore.testkit.generate;

import static io.pathlore.testkit.generate.ByteWriter.join;

import java.util.Arrays;

/** Reports as emitters send them that depart from the specification [docs/reference/faults.md, quirks; spec-notes 7]. */
final class Dialects {
    private static final int UDP = 17;
    private static final int TCP = 6;

    private final Dice dice;

    Dialects(Dice dice) {
        this.dice = dice;
    }

    byte[] report() {
        return switch (dice.below(9)) {
            case 0, 1 -> transparentSecurity();
            case 2 -> transparentSecurityDrop();
            case 3 -> geant();
            case 4 -> geantWithTail();
            case 5 -> onosBasic();
            case 6 -> onosFabric();
            case 7 -> p4Int();
            default -> disguised05();
        };
    }

    // ---------------------------------------------------------------- packets

    private byte[] macs() {
        return dice.bytes(12);
    }

    /** IPv4 or IPv6 behind Ethernet, with a DSCP. Lengths are those of the whole packet. */
    private byte[] frame(boolean six, int dscp, int protocol, byte[] payload) {
        ByteWriter out = new ByteWriter().bytes(macs());
        if (six) {
            return out.u16(0x86DD)
                    .bits(6, 4)
                    .bits(dscp, 6)
                    .bits(0, 22)
                    .u16(payload.length)
                    .u8(protocol)
                    .u8(64)
                    .bytes(dice.bytes(32), payload)
                    .toBytes();
        }
        return out.u16(0x0800)
                .u8(0x45)
                .bits(dscp, 6)
                .bits(0, 2)
                .u16(20 + payload.length)
                .u32(dice.u16())
                .u8(63)
                .u8(protocol)
                .u16(0)
                .bytes(dice.bytes(8), payload)
                .toBytes();
    }

    private byte[] udp(int port, int length) {
        return new ByteWriter()
                .u16(dice.u16())
                .u16(port)
                .u16(length)
                .u16(dice.u16())
                .toBytes();
    }

    /** The fixed TCP header; its options may stand elsewhere. */
    private byte[] tcp(int optionWords) {
        return new ByteWriter()
                .u16(dice.u16())
                .u16(dice.pick(80, 443, 6001))
                .u64(dice.u64())
                .bits(5 + optionWords, 4)
                .bits(0x018, 12)
                .u16(dice.u16())
                .u32(dice.u16())
                .toBytes();
    }

    /** INT behind UDP, or behind the fixed TCP header and so before its options, and nothing behind the stack. */
    private byte[] overL4(int dscp, byte[] shimAndStack, boolean tcpAllowed, int cutShort) {
        boolean overTcp = tcpAllowed && dice.chance(50);
        if (!overTcp) {
            byte[] header = udp(dice.pick(5001, 6001, 53), 8 + shimAndStack.length + dice.below(30));
            return frame(dice.chance(20), dscp, UDP, join(header, shimAndStack));
        }
        int optionWords = dice.pick(0, 3, 5, 8);
        byte[] options = dice.chance(50) ? dice.bytes(optionWords * 4) : new byte[0];
        byte[] whole = frame(dice.chance(20), dscp, TCP, join(tcp(optionWords), shimAndStack, options));
        return Arrays.copyOf(whole, Math.max(0, whole.length - (options.length > 0 ? 0 : cutShort)));
    }

    private static byte[] oldShim(IntBytes header, int dscp, byte[] tail) {
        return new ByteWriter()
                .u8(1)
                .u8(0)
                .u8(1 + header.words() + tail.length / 4)
                .bits(dscp, 6)
                .bits(0, 2)
                .bytes(header.bytes(), tail)
                .toBytes();
    }

    // ---------------------------------------------------------------- Transparent Security

    private byte[] transparentSecurity() {
        boolean six = dice.chance(50);
        int protocol = dice.pick(TCP, UDP);
        byte[] payload = dice.bytes(dice.below(120));
        byte[] original = protocol == TCP ? join(tcp(0), payload) : join(udp(dice.u16(), 8 + payload.length), payload);
        int hops = dice.between(1, 3);
        IntBytes header = IntBytes.transparentSecurity(dice, hops, 11 - hops);
        boolean countsShim = dice.chance(80);
        int length = header.words() + (countsShim ? 1 : 0);
        byte[] shim = new ByteWriter()
                .u8(0x18)
                .u8(length)
                .u16(protocol)
                .bytes(header.bytes())
                .toBytes();
        byte[] inserted = udp(Marks.TRANSPARENT_SECURITY_PORT, 8 + shim.length + original.length);
        boolean restored = dice.chance(40);
        byte[] packet = frame(six, dice.below(64), restored ? protocol : UDP, join(inserted, shim, original));
        if (dice.chance(60)) {
            packet = Arrays.copyOf(packet, Math.min(packet.length, dice.pick(200, 160, 100, 90)));
        }
        return new ByteWriter()
                .bits(2, 4)
                .bits(0, 6)
                .bits(dice.pick(1, 1, 1089), 16)
                .bits(0, 6)
                .u32(dice.below(1000))
                .bits(0, 4)
                .bits(six ? 5 : 4, 4)
                .u8((six ? 15 : 10) + (dice.chance(30) ? length : 0))
                .u8(length)
                .u8(dice.pick(0, 0, 0x50))
                .u16(dice.pick(0, 0, 0x55AA))
                .u16(IntBytes.TRANSPARENT_SECURITY)
                .u32(dice.pick(0, 0, 0x55AA))
                .u32(0)
                .bytes(packet)
                .toBytes();
    }

    private byte[] transparentSecurityDrop() {
        return new ByteWriter()
                .u32(0x2000_0000L)
                .u32(dice.below(1000))
                .u8(0x02)
                .u8(9)
                .u8(7)
                .u8(0)
                .u16(1)
                .u16(IntBytes.TRANSPARENT_SECURITY)
                .u32(0)
                .u32(0x000F_0000L)
                .u32(1_700_000_000L + dice.below(1000))
                .u32(dice.u32())
                .u64(0)
                .u64(dice.u64())
                .bytes(dice.bytes(dice.pick(23, 15, 0)))
                .toBytes();
    }

    // ---------------------------------------------------------------- GEANT and ONOS

    private ByteWriter v10(int length, int flagsWord, long switchId) {
        return new ByteWriter()
                .bits(1, 4)
                .bits(length, 4)
                .bits(0, 9)
                .bits(flagsWord, 9)
                .bits(dice.below(4), 6)
                .u32(switchId)
                .u32(dice.below(1000))
                .u32(dice.u32());
    }

    /** */
    private byte[] geant() {
        int[] widths = dice.chance(60) ? new int[] {2, 1} : new int[] {dice.between(1, 2), dice.between(1, 2)};
        IntBytes header = IntBytes.v10(dice, 100, 1, widths[0], widths[1]);
        byte[] packet = overL4(Marks.GEANT_DSCP, oldShim(header, dice.below(64), new byte[0]), true, 0);
        return v10(dice.pick(4, 4, 1), 1, dice.chance(15) ? 0 : dice.below(2000))
                .bytes(packet)
                .toBytes();
    }

    /** two words per timestamp in a header of INT 0.5 with its tail. */
    private byte[] geantWithTail() {
        int bitmap = dice.pick(0xCC00, 0xFC00, 0xFF00, 0x8800, 0xC000);
        int hops = dice.between(1, 6);
        int hopWords = IntBytes.width(bitmap, 2, 1);
        ByteWriter header = new ByteWriter()
                .u8(0)
                .u8(Integer.bitCount(bitmap))
                .u8(16)
                .u8(hops)
                .u16(bitmap)
                .u16(0)
                .bytes(dice.bytes(hops * hopWords * 4));
        byte[] tail = new ByteWriter()
                .u8(UDP)
                .u16(dice.pick(0, 5001))
                .u8(dice.below(64))
                .toBytes();
        byte[] shim = oldShim(new IntBytes(header.toBytes(), hops), 0, tail);
        return v10(4, 1, dice.below(2000))
                .bytes(overL4(Marks.GEANT_DSCP, shim, false, 0))
                .toBytes();
    }

    /** */
    private byte[] onosBasic() {
        IntBytes header = IntBytes.v10(dice, 100, 0, 1, 2);
        byte[] packet = overL4(Marks.DSCP, oldShim(header, 0, new byte[0]), true, 12);
        return v10(4, 0x40, dice.below(500)).bytes(packet).toBytes();
    }

    /** the layout of June 2016, the bitmap and the tail of INT 0.5. */
    private byte[] onosFabric() {
        IntBytes header = IntBytes.v05(dice, 100);
        byte[] bytes = header.bytes();
        bytes[0] = (byte) dice.pick(0, 0x04, 0x08); // E and C of the two-bit layout
        bytes[1] |= (byte) dice.pick(0, 0, 0x20, 0x80);
        byte[] tail = new ByteWriter()
                .u8(UDP)
                .u16(dice.pick(0, 5001))
                .u8(dice.below(64))
                .toBytes();
        byte[] packet = overL4(Marks.DSCP, oldShim(new IntBytes(bytes, header.hops()), 0, tail), false, 0);
        return new ByteWriter()
                .u8(0)
                .bits(1, 3)
                .bits(0, 15)
                .bits(dice.below(64), 6)
                .u32(0)
                .u32(dice.u32())
                .bytes(packet)
                .toBytes();
    }

    // ---------------------------------------------------------------- p4-int and generators

    /** */
    private byte[] p4Int() {
        boolean mx = dice.chance(50);
        IntBytes header = IntBytes.md(dice, 100);
        while (header.bytes()[6] != 0 || header.bytes()[7] != 0) {
            header = IntBytes.md(dice, 100); // the default domain only
        }
        if (mx) {
            header.bytes()[0] &= (byte) 0xF8;
            if (dice.chance(70)) {
                header.bytes()[2] = 0;
                header.bytes()[3] = 0;
            }
        }
        byte[] shim = new ByteWriter()
                .u8(mx ? 0x30 : 0x10)
                .u8(header.words())
                .u16(0)
                .bytes(header.bytes())
                .toBytes();
        byte[] packet = overL4(Marks.DSCP, shim, true, 12);
        ByteWriter out = new ByteWriter()
                .bits(dice.pick(1, 2), 4)
                .bits(1, 6)
                .bits(dice.below(1000), 22)
                .u32(dice.below(100));
        if (dice.chance(30)) {
            return out.bytes(packet).toBytes(); // no individual header at all
        }
        int bitmap = dice.chance(70) ? 0 : dice.below(1 << 16) & 0x7F81;
        out.bits(1, 4)
                .bits(dice.pick(3, 4), 4)
                .u16(0)
                .u8(dice.pick(0x20, 0x30))
                .u16(bitmap)
                .u16(0)
                .u32(0);
        for (int i = 0; i < IntBytes.width(bitmap, 2, 2); i++) {
            out.u32(dice.u32());
        }
        return out.bytes(packet).toBytes();
    }

    /** the header of version 0.5 behind the nibble 1. */
    private byte[] disguised05() {
        IntBytes header = IntBytes.v05(dice, 100);
        byte[] tail = new ByteWriter().u8(UDP).u16(dice.pick(0, 5001)).u8(0).toBytes();
        byte[] packet = overL4(Marks.DSCP, oldShim(header, 0, tail), false, 0);
        return new ByteWriter()
                .bits(1, 4)
                .bits(0, 4)
                .bits(dice.between(1, 7), 3)
                .bits(0, 15)
                .bits(dice.below(64), 6)
                .u32(dice.u32())
                .u32(dice.u32())
                .bytes(packet)
                .toBytes();
    }
}
