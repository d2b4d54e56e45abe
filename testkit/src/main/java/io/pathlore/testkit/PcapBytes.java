package io.pathlore.testkit;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A pcap file, field by field, in any byte order and resolution. Written from the format's description and apart from
 * the code under test, so that a shared mistake does not cancel out.
 */
public final class PcapBytes {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteOrder order;

    public PcapBytes(ByteOrder order, boolean nanos, int linkType) {
        this(order, nanos, linkType, 262_144);
    }

    public PcapBytes(ByteOrder order, boolean nanos, int linkType, int snapLength) {
        this.order = order;
        ByteBuffer header = ByteBuffer.allocate(24).order(order);
        header.putInt(nanos ? 0xA1B2_3C4D : 0xA1B2_C3D4).putShort((short) 2).putShort((short) 4);
        out.writeBytes(header.putInt(16, snapLength).putInt(20, linkType).array());
    }

    public PcapBytes frame(long seconds, long fraction, byte[] data) {
        return frame(seconds, fraction, data, data.length, data.length);
    }

    /** With lengths that need not be true. */
    public PcapBytes frame(long seconds, long fraction, byte[] data, int captured, int original) {
        ByteBuffer header = ByteBuffer.allocate(16).order(order);
        out.writeBytes(header.putInt((int) seconds)
                .putInt((int) fraction)
                .putInt(captured)
                .putInt(original)
                .array());
        out.writeBytes(data);
        return this;
    }

    public int size() {
        return out.size();
    }

    public byte[] bytes() {
        return out.toByteArray();
    }
}
