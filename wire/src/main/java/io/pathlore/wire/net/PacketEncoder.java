package io.pathlore.wire.net;

import java.nio.ByteBuffer;

/**
 * Writes the headers of ordinary packets, outermost first. Lengths and checksums depend on what comes later: they are
 * written as zero and filled in by the {@code finish} methods and {@link L4Checksum}, innermost first, once the end of the
 * packet is known. Values are masked to their field, not checked. Every method returns the offset past what it wrote.
 *
 * <p>Hot path: no allocation, no state. Buffers are big endian and written by absolute index.
 */
public final class PacketEncoder {
    public static final int ETHERNET_LENGTH = 14;
    public static final int VLAN_LENGTH = 4;
    public static final int IPV4_LENGTH = 20;
    public static final int IPV6_LENGTH = 40;
    public static final int UDP_LENGTH = 8;
    public static final int TCP_LENGTH = 20;
    public static final int ICMP_LENGTH = 8;

    static final int IPV4_CHECKSUM = 10;

    private static final int IPV4_TOTAL_LENGTH = 2;
    private static final int DONT_FRAGMENT = 0x4000;
    private static final int IPV6_PAYLOAD_LENGTH = 4;
    private static final int UDP_LENGTH_FIELD = 4;
    private static final int TCP_MAX_OPTIONS = 40;
    private static final byte[] NO_OPTIONS = {};

    private PacketEncoder() {}

    /** Addresses are in the lower 48 bits. */
    public static int ethernet(ByteBuffer out, int offset, long destination, long source, int etherType) {
        out.putShort(offset, (short) (destination >>> 32))
                .putInt(offset + 2, (int) destination)
                .putShort(offset + 6, (short) (source >>> 32))
                .putInt(offset + 8, (int) source)
                .putShort(offset + 12, (short) etherType);
        return offset + ETHERNET_LENGTH;
    }

    /**
     * Tag control and the type of what is tagged [IEEE 802.1Q §9.6]. The EtherType that announces the tag itself belongs
     * to the header before it.
     */
    public static int vlan(ByteBuffer out, int offset, int priority, int vid, int etherType) {
        out.putInt(offset, (priority & 7) << 29 | (vid & 0xFFF) << 16 | etherType & 0xFFFF);
        return offset + VLAN_LENGTH;
    }

    /** Without options. {@code trafficClass} is DSCP and ECN: {@code dscp << 2}. See {@link #finishIpv4}. */
    public static int ipv4(
            ByteBuffer out,
            int offset,
            int trafficClass,
            int id,
            boolean dontFragment,
            int ttl,
            int protocol,
            int source,
            int destination) {
        out.putInt(offset, 0x45 << 24 | (trafficClass & 0xFF) << 16)
                .putInt(offset + 4, id << 16 | (dontFragment ? DONT_FRAGMENT : 0))
                .putInt(offset + 8, ttl << 24 | (protocol & 0xFF) << 16)
                .putInt(offset + 12, source)
                .putInt(offset + 16, destination);
        return offset + IPV4_LENGTH;
    }

    /** Total length, then the header checksum; both may have been written before. */
    public static void finishIpv4(ByteBuffer out, int ipv4, int end) {
        out.putShort(ipv4 + IPV4_TOTAL_LENGTH, (short) (end - ipv4)).putShort(ipv4 + IPV4_CHECKSUM, (short) 0);
        int headerEnd = ipv4 + (out.get(ipv4) & 0xF) * 4;
        out.putShort(
                ipv4 + IPV4_CHECKSUM, (short) InternetChecksum.finish(InternetChecksum.add(0, out, ipv4, headerEnd)));
    }

    /** See {@link #finishIpv6}. */
    public static int ipv6(
            ByteBuffer out,
            int offset,
            int trafficClass,
            int flowLabel,
            int nextHeader,
            int hopLimit,
            long sourceHigh,
            long sourceLow,
            long destinationHigh,
            long destinationLow) {
        out.putInt(offset, 6 << 28 | (trafficClass & 0xFF) << 20 | flowLabel & 0xF_FFFF)
                .putInt(offset + 4, (nextHeader & 0xFF) << 8 | hopLimit & 0xFF)
                .putLong(offset + 8, sourceHigh)
                .putLong(offset + 16, sourceLow)
                .putLong(offset + 24, destinationHigh)
                .putLong(offset + 32, destinationLow);
        return offset + IPV6_LENGTH;
    }

    /** Payload length, which counts extension headers. */
    public static void finishIpv6(ByteBuffer out, int ipv6, int end) {
        out.putShort(ipv6 + IPV6_PAYLOAD_LENGTH, (short) (end - ipv6 - IPV6_LENGTH));
    }

    /** A checksum of zero says that there is none. See {@link #finishUdp} and {@link L4Checksum#writeUdp}. */
    public static int udp(ByteBuffer out, int offset, int sourcePort, int destinationPort) {
        out.putInt(offset, sourcePort << 16 | destinationPort & 0xFFFF).putInt(offset + 4, 0);
        return offset + UDP_LENGTH;
    }

    /** Length only: the checksum covers it and comes after it. */
    public static void finishUdp(ByteBuffer out, int udp, int end) {
        out.putShort(udp + UDP_LENGTH_FIELD, (short) (end - udp));
    }

    /** Without options; see {@link L4Checksum#writeTcp}. The urgent pointer is zero. */
    public static int tcp(
            ByteBuffer out,
            int offset,
            int sourcePort,
            int destinationPort,
            long sequence,
            long acknowledgement,
            int flags,
            int window) {
        return tcp(out, offset, sourcePort, destinationPort, sequence, acknowledgement, flags, window, NO_OPTIONS);
    }

    /** {@code options}: whole words, at most ten. */
    public static int tcp(
            ByteBuffer out,
            int offset,
            int sourcePort,
            int destinationPort,
            long sequence,
            long acknowledgement,
            int flags,
            int window,
            byte[] options) {
        if (options.length % 4 != 0 || options.length > TCP_MAX_OPTIONS) {
            throw new IllegalArgumentException("TCP options of " + options.length + " octets");
        }
        int headerBytes = TCP_LENGTH + options.length;
        out.putInt(offset, sourcePort << 16 | destinationPort & 0xFFFF)
                .putInt(offset + 4, (int) sequence)
                .putInt(offset + 8, (int) acknowledgement)
                .putInt(offset + 12, headerBytes / 4 << 28 | (flags & 0xFF) << 16 | window & 0xFFFF)
                .putInt(offset + 16, 0)
                .put(offset + TCP_LENGTH, options);
        return offset + headerBytes;
    }

    /** {@code type}: 8 request, 0 reply. See {@link L4Checksum#writeIcmp}. */
    public static int icmpEcho(ByteBuffer out, int offset, int type, int id, int sequence) {
        out.putInt(offset, type << 24).putInt(offset + 4, id << 16 | sequence & 0xFFFF);
        return offset + ICMP_LENGTH;
    }
}
