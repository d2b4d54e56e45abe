package io.pathlore.testkit;

import static io.pathlore.testkit.FrameBytes.join;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A pcapng file, block by block; sections may change the byte order. Written from the format's description and apart
 * from the code under test, so that a shared mistake does not cancel out.
 */
public final class PcapngBytes {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private ByteOrder order = ByteOrder.LITTLE_ENDIAN;

    public PcapngBytes section(ByteOrder order) {
        return section(order, 1);
    }

    public PcapngBytes section(ByteOrder order, int majorVersion) {
        this.order = order;
        return block(0x0A0D_0D0A, join(u32(0x1A2B_3C4D), u16(majorVersion), u16(0), u64(-1)));
    }

    /** An interface that says nothing of its clock, so counts microseconds. */
    public PcapngBytes describe(int linkType, int snapLength) {
        return describe(linkType, snapLength, new byte[0]);
    }

    /** An interface whose clock has this if_tsresol and if_tsoffset. */
    public PcapngBytes describe(int linkType, int snapLength, int resolution, long offsetSeconds) {
        byte[] name = option(2, new byte[] {'e', 't', 'h', '0', 'x'});
        byte[] resolutionOption = option(9, new byte[] {(byte) resolution});
        byte[] end = option(0, new byte[0]);
        return describe(linkType, snapLength, join(name, resolutionOption, option(14, u64(offsetSeconds)), end));
    }

    /** Options are as made by {@link #option}, one after the other. */
    public PcapngBytes describe(int linkType, int snapLength, byte[] options) {
        return block(1, join(u16(linkType), u16(0), u32(snapLength), options));
    }

    public byte[] option(int code, byte[] value) {
        return join(u16(code), u16(value.length), padded(value));
    }

    public PcapngBytes enhanced(int interfaceId, long ticks, byte[] data) {
        return enhanced(interfaceId, ticks, data, data.length, data.length);
    }

    /** With lengths that need not be true. */
    public PcapngBytes enhanced(int interfaceId, long ticks, byte[] data, int captured, int original) {
        return block(6, join(u32(interfaceId), ticks(ticks), u32(captured), u32(original), data));
    }

    public PcapngBytes simple(byte[] data, int original) {
        return block(3, join(u32(original), data));
    }

    public PcapngBytes obsolete(int interfaceId, int drops, long ticks, byte[] data) {
        byte[] lengths = join(u32(data.length), u32(data.length));
        return block(2, join(u16(interfaceId), u16(drops), ticks(ticks), lengths, data));
    }

    /** Any block; the body is padded to whole words. */
    public PcapngBytes block(int type, byte[] body) {
        int length = 12 + padded(body).length;
        return rawBlock(type, length, body, length);
    }

    /** With lengths that need not be true. */
    public PcapngBytes rawBlock(int type, int length, byte[] body, int trailer) {
        out.writeBytes(join(u32(type), u32(length), padded(body), u32(trailer)));
        return this;
    }

    public int size() {
        return out.size();
    }

    public byte[] bytes() {
        return out.toByteArray();
    }

    private byte[] ticks(long ticks) {
        return join(u32((int) (ticks >>> 32)), u32((int) ticks));
    }

    private byte[] u16(int value) {
        return ByteBuffer.allocate(2).order(order).putShort((short) value).array();
    }

    private byte[] u32(int value) {
        return ByteBuffer.allocate(4).order(order).putInt(value).array();
    }

    private byte[] u64(long value) {
        return ByteBuffer.allocate(8).order(order).putLong(value).array();
    }

    private static byte[] padded(byte[] data) {
        return Arrays.copyOf(data, data.length + 3 & ~3);
    }
}
