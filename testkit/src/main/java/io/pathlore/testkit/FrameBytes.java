package io.pathlore.testkit;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** Frames put together from the inside out: {@code ethernet(0x0800, ipv4(17, udp(1, 8555, payload)))}. */
public final class FrameBytes {
    /** Source and destination of every IPv4 header here: 10.0.0.3 and 192.0.2.9. */
    public static final long SOURCE_V4 = 0x0A00_0003L;

    public static final long DESTINATION_V4 = 0xC000_0209L;
    /** Source and destination of every IPv6 header here: 2001:db8::3 and fe80::9. */
    public static final long SOURCE_V6_HI = 0x2001_0DB8_0000_0000L;

    public static final long SOURCE_V6_LO = 3;
    public static final long DESTINATION_V6_HI = 0xFE80_0000_0000_0000L;
    public static final long DESTINATION_V6_LO = 9;

    private FrameBytes() {}

    public static byte[] join(byte[]... parts) {
        var out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    public static byte[] ethernet(int etherType, byte[] payload) {
        return join(Hex.bytes("020000000009 020000000003"), u16(etherType), payload);
    }

    /** A tag and what it tags; goes into {@link #ethernet} or another tag under 0x8100 or 0x88A8. */
    public static byte[] vlan(int id, int etherType, byte[] payload) {
        return join(u16(id), u16(etherType), payload);
    }

    public static byte[] mplsLabel(int label, boolean bottom, byte[] payload) {
        byte[] entry = ByteBuffer.allocate(4)
                .putInt(label << 12 | (bottom ? 0x100 : 0) | 64)
                .array();
        return join(entry, payload);
    }

    public static byte[] ipv4(int protocol, byte[] payload) {
        return ipv4(0, 0, protocol, payload);
    }

    /** Flags and offset are as on the wire: 0x2000 says that more fragments follow, below it the offset in units of 8. */
    public static byte[] ipv4(int id, int flagsAndOffset, int protocol, byte[] payload) {
        ByteBuffer header = ByteBuffer.allocate(20).put((byte) 0x45).put((byte) 0);
        header.putShort((short) (20 + payload.length)).putShort((short) id).putShort((short) flagsAndOffset);
        header.put((byte) 64).put((byte) protocol).putShort((short) 0);
        return join(header.putInt((int) SOURCE_V4).putInt((int) DESTINATION_V4).array(), payload);
    }

    public static byte[] ipv6(int nextHeader, byte[] payload) {
        ByteBuffer header = ByteBuffer.allocate(40).putInt(0x6000_0000);
        header.putShort((short) payload.length).put((byte) nextHeader).put((byte) 64);
        header.putLong(SOURCE_V6_HI)
                .putLong(SOURCE_V6_LO)
                .putLong(DESTINATION_V6_HI)
                .putLong(DESTINATION_V6_LO);
        return join(header.array(), payload);
    }

    /** Hop-by-hop, destination options or routing header of 8 octets, all padding. */
    public static byte[] extension(int nextHeader, byte[] payload) {
        return join(new byte[] {(byte) nextHeader, 0, 1, 4, 0, 0, 0, 0}, payload);
    }

    public static byte[] ipv6Fragment(int nextHeader, int offset, boolean more, int id, byte[] payload) {
        ByteBuffer header = ByteBuffer.allocate(8).put((byte) nextHeader).put((byte) 0);
        header.putShort((short) (offset | (more ? 1 : 0))).putInt(id);
        return join(header.array(), payload);
    }

    public static byte[] udp(int sourcePort, int destinationPort, byte[] payload) {
        return udp(sourcePort, destinationPort, 8 + payload.length, payload);
    }

    /** With a length that need not be true. */
    public static byte[] udp(int sourcePort, int destinationPort, int length, byte[] payload) {
        return join(u16(sourcePort), u16(destinationPort), u16(length), u16(0), payload);
    }

    public static byte[] u16(int value) {
        return new byte[] {(byte) (value >>> 8), (byte) value};
    }
}
