package io.pathlore.wire.net;

import java.nio.ByteBuffer;

/**
 * Checksums of TCP, UDP and ICMP, which cover the pseudo header of the IPv4 or IPv6 packet around them, and how INT nodes
 * keep them right: by updating them, or by a checksum complement inside the stack [INT 2.1 §5.8].
 *
 * <p>Hot path: no allocation, no state.
 */
public final class L4Checksum {
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int TCP_CHECKSUM = 16;
    private static final int UDP_CHECKSUM = 6;
    private static final int ICMP_CHECKSUM = 2;

    /** In UDP a zero checksum is none, so a sum that comes to zero is sent as its other form [RFC 768]. */
    private static final int UDP_ZERO = 0xFFFF;

    private L4Checksum() {}

    /** TCP segment up to {@code end} in the IP packet at {@code ip}. */
    public static void writeTcp(ByteBuffer out, int ip, int tcp, int end) {
        out.putShort(tcp + TCP_CHECKSUM, (short) 0);
        long sum = sum(out, ip, TCP, tcp, end);
        out.putShort(tcp + TCP_CHECKSUM, (short) InternetChecksum.finish(sum));
    }

    /** UDP datagram up to {@code end}, whose length field is written already. */
    public static void writeUdp(ByteBuffer out, int ip, int udp, int end) {
        out.putShort(udp + UDP_CHECKSUM, (short) 0);
        int checksum = InternetChecksum.finish(sum(out, ip, UDP, udp, end));
        out.putShort(udp + UDP_CHECKSUM, (short) (checksum == 0 ? UDP_ZERO : checksum));
    }

    /** ICMP of IPv4, which has no pseudo header. */
    public static void writeIcmp(ByteBuffer out, int icmp, int end) {
        out.putShort(icmp + ICMP_CHECKSUM, (short) 0);
        long sum = InternetChecksum.add(0, out, icmp, end);
        out.putShort(icmp + ICMP_CHECKSUM, (short) InternetChecksum.finish(sum));
    }

    /**
     * The checksum after some of the bytes it covers were replaced [RFC 1624 §3]. Both sums are made by {@link
     * InternetChecksum#add} over an even number of bytes at an even distance from the L4 header; where bytes were
     * inserted, the L4 length of the pseudo header (and of UDP) has changed too.
     */
    public static int updated(int checksum, long removed, long added) {
        return InternetChecksum.finish((~checksum & 0xFFFF) + InternetChecksum.finish(removed) + added);
    }

    /** As {@link #updated}; a datagram without a checksum stays without [INT 2.1 §5.8]. */
    public static int updatedUdp(int checksum, long removed, long added) {
        if (checksum == 0) {
            return 0;
        }
        int updated = updated(checksum, removed, added);
        return updated == 0 ? UDP_ZERO : updated;
    }

    /**
     * The checksum complement that makes the L4 checksum right as it stands: the packet is complete but for the
     * complement, which is zero. Which half of the word carries it is left open; ours is the lower.
     */
    public static int complement(ByteBuffer packet, int ip, int protocol, int l4, int end) {
        return InternetChecksum.finish(sum(packet, ip, protocol, l4, end));
    }

    /** Sum over pseudo header and L4 bytes, not folded; of a packet with a right checksum it finishes to 0. */
    public static long sum(ByteBuffer packet, int ip, int protocol, int l4, int end) {
        boolean v6 = (packet.get(ip) >> 4 & 0xF) == 6;
        // The addresses are the last field of either header: two of 16 octets at 8, or two of 4 at 12.
        long sum = v6
                ? InternetChecksum.add(0, packet, ip + 8, ip + PacketEncoder.IPV6_LENGTH)
                : InternetChecksum.add(0, packet, ip + 12, ip + PacketEncoder.IPV4_LENGTH);
        return InternetChecksum.add(sum + protocol + (end - l4), packet, l4, end);
    }
}
