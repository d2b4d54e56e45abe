package io.pathlore.dataplane.traffic;

import io.pathlore.dataplane.packet.Packet;
import io.pathlore.wire.net.InternetChecksum;
import io.pathlore.wire.net.PacketEncoder;
import java.nio.ByteBuffer;

/**
 * Writes complete packets, Ethernet first. Payload is a fixed pattern whose checksum is known for every length, so that no
 * packet is summed octet by octet. Its first eight octets are zero: UDP and ICMP put a stamp there that makes every packet of
 * a flow another one, as sequence numbers do in real protocols.
 *
 * <p>Hot path: no allocation.
 */
final class PacketWriter {
    static final int TTL = 64;
    static final int IPV4 = 0x0800;
    static final int IPV6 = 0x86DD;
    static final int ICMP = 1;
    static final int TCP = 6;
    static final int UDP = 17;
    static final int ICMPV6 = 58;

    static final int FIN = 1;
    static final int SYN = 2;
    static final int RST = 4;
    static final int PSH = 8;
    static final int ACK = 16;

    /** An IP datagram holds no more, fragmented or not. */
    static final int MAX_PAYLOAD = 65_535 - PacketEncoder.IPV4_LENGTH - PacketEncoder.UDP_LENGTH;

    static final int FRAGMENT_LENGTH = 8;

    private static final int STAMP_LENGTH = 8;
    private static final int MORE_FRAGMENTS = 0x2000;
    private static final int FRAGMENT_HEADER = 44;
    private static final int MSS = 1460;
    private static final int MSS_OPTION = 2 << 24 | 4 << 16;
    private static final int MSS_LENGTH = 4;

    private static final byte[] PATTERN = pattern();
    /** Folded sums of the first octets of the pattern. */
    private static final int[] SUMS = sums();

    private final Tunnel tunnel;

    PacketWriter(Tunnel tunnel) {
        this.tunnel = tunnel;
    }

    private static byte[] pattern() {
        byte[] pattern = new byte[MAX_PAYLOAD + 1];
        for (int i = STAMP_LENGTH; i < pattern.length; i++) {
            pattern[i] = (byte) ('a' + (i - STAMP_LENGTH) % 23); // as ping of some systems sends
        }
        return pattern;
    }

    private static int[] sums() {
        int[] sums = new int[PATTERN.length];
        int even = 0;
        for (int length = 1; length < sums.length; length++) {
            int octet = PATTERN[length - 1] & 0xFF;
            if ((length & 1) != 0) {
                sums[length] = fold(even + (octet << 8));
            } else {
                even = fold(even + ((PATTERN[length - 2] & 0xFF) << 8) + octet);
                sums[length] = even;
            }
        }
        return sums;
    }

    private static int fold(int sum) {
        return (sum & 0xFFFF) + (sum >>> 16);
    }

    /** Octets before the IP header, counted from the start of the packet. */
    int ipOffset() {
        return tunnel.overhead() + PacketEncoder.ETHERNET_LENGTH;
    }

    /** Octets before the TCP, UDP or ICMP header. */
    int l4Offset(boolean v6) {
        return ipOffset() + ipLength(v6);
    }

    static int ipLength(boolean v6) {
        return v6 ? PacketEncoder.IPV6_LENGTH : PacketEncoder.IPV4_LENGTH;
    }

    /** A payload shorter than the stamp goes without it. */
    void udp(Packet packet, Endpoints endpoints, int payloadBytes, long stamp) {
        ByteBuffer out = packet.buffer();
        int ip = packet.start() + ipOffset();
        int l4 = headers(packet, endpoints, UDP);
        int payload = PacketEncoder.udp(out, l4, endpoints.sourcePort, endpoints.destinationPort);
        int end = payload + payloadBytes;
        PacketEncoder.finishUdp(out, l4, end);
        long sum = stamped(out, payload, payloadBytes, stamp);
        sum += headerSum(out, endpoints, ip, UDP, end - l4, l4, payload);
        out.putShort(l4 + 6, (short) nonZero(InternetChecksum.finish(sum)));
        finish(packet, endpoints, ip, end);
    }

    /** A SYN carries its maximum segment size, as every real one does. */
    void tcp(Packet packet, Endpoints endpoints, int sequence, int acknowledgement, int flags, int payloadBytes) {
        ByteBuffer out = packet.buffer();
        int ip = packet.start() + ipOffset();
        int l4 = headers(packet, endpoints, TCP);
        int payload = PacketEncoder.tcp(
                out, l4, endpoints.sourcePort, endpoints.destinationPort, sequence, acknowledgement, flags, 0xFFFF);
        if ((flags & SYN) != 0) {
            out.putInt(payload, MSS_OPTION | MSS);
            payload += MSS_LENGTH;
            out.put(l4 + 12, (byte) (PacketEncoder.TCP_LENGTH + MSS_LENGTH << 2));
        }
        int end = payload + payloadBytes;
        out.put(payload, PATTERN, 0, payloadBytes);
        long sum = SUMS[payloadBytes] + headerSum(out, endpoints, ip, TCP, end - l4, l4, payload);
        out.putShort(l4 + 16, (short) InternetChecksum.finish(sum));
        finish(packet, endpoints, ip, end);
    }

    /** ICMP or, over IPv6, ICMPv6, whose checksum has a pseudo header. */
    void echo(Packet packet, Endpoints endpoints, boolean request, int id, int sequence, int payloadBytes, long stamp) {
        ByteBuffer out = packet.buffer();
        int ip = packet.start() + ipOffset();
        int protocol = endpoints.v6 ? ICMPV6 : ICMP;
        int l4 = headers(packet, endpoints, protocol);
        int type = endpoints.v6 ? (request ? 128 : 129) : (request ? 8 : 0);
        int payload = PacketEncoder.icmpEcho(out, l4, type, id, sequence);
        int end = payload + payloadBytes;
        long sum = stamped(out, payload, payloadBytes, stamp);
        sum += endpoints.v6
                ? headerSum(out, endpoints, ip, protocol, end - l4, l4, payload)
                : InternetChecksum.add(0, out, l4, payload);
        out.putShort(l4 + 2, (short) InternetChecksum.finish(sum));
        finish(packet, endpoints, ip, end);
    }

    /**
     * One fragment of a UDP datagram [RFC 791 §3.2, RFC 8200 §4.5].
     *
     * @param datagramBytes of the UDP datagram with its header
     * @param offset of the fragment in it, a multiple of eight
     * @param bytes of the datagram in this fragment
     * @param id of the datagram: its fragments share it
     */
    void udpFragment(Packet packet, Endpoints endpoints, int datagramBytes, int offset, int bytes, int id, long stamp) {
        ByteBuffer out = packet.buffer();
        int ip = packet.start() + ipOffset();
        int more = offset + bytes < datagramBytes ? 1 : 0;
        int l4;
        if (endpoints.v6) {
            int extension = headers(packet, endpoints, FRAGMENT_HEADER);
            out.putInt(extension, UDP << 24 | offset | more).putInt(extension + 4, id);
            l4 = extension + FRAGMENT_LENGTH;
        } else {
            l4 = headers(packet, endpoints, UDP);
            out.putInt(ip + 4, id << 16 | (more != 0 ? MORE_FRAGMENTS : 0) | offset >> 3);
        }
        int end = l4 + bytes;
        if (offset == 0) {
            int payload = PacketEncoder.udp(out, l4, endpoints.sourcePort, endpoints.destinationPort);
            PacketEncoder.finishUdp(out, l4, l4 + datagramBytes);
            out.put(payload, PATTERN, 0, end - payload).putLong(payload, stamp);
            long sum = SUMS[datagramBytes - PacketEncoder.UDP_LENGTH]
                    + (stamp >>> 32)
                    + (stamp & 0xFFFF_FFFFL)
                    + headerSum(out, endpoints, ip, UDP, datagramBytes, l4, payload);
            out.putShort(l4 + 6, (short) nonZero(InternetChecksum.finish(sum)));
        } else {
            out.put(l4, PATTERN, offset - PacketEncoder.UDP_LENGTH, bytes);
        }
        finish(packet, endpoints, ip, end);
    }

    private static int nonZero(int checksum) {
        return checksum == 0 ? 0xFFFF : checksum;
    }

    /** Ethernet and IP; returns where what they carry starts. */
    private int headers(Packet packet, Endpoints to, int protocol) {
        ByteBuffer out = packet.buffer();
        int ethernet = packet.start() + tunnel.overhead();
        int ip = PacketEncoder.ethernet(out, ethernet, to.destinationMac, to.sourceMac, to.v6 ? IPV6 : IPV4);
        if (to.v6) {
            return PacketEncoder.ipv6(
                    out,
                    ip,
                    to.trafficClass,
                    to.flowLabel,
                    protocol,
                    TTL,
                    to.sourceHigh,
                    to.sourceLow,
                    to.destinationHigh,
                    to.destinationLow);
        }
        return PacketEncoder.ipv4(
                out, ip, to.trafficClass, to.nextId, true, TTL, protocol, (int) to.sourceLow, (int) to.destinationLow);
    }

    private static long stamped(ByteBuffer out, int payload, int payloadBytes, long stamp) {
        out.put(payload, PATTERN, 0, payloadBytes);
        if (payloadBytes < STAMP_LENGTH) {
            return SUMS[payloadBytes];
        }
        out.putLong(payload, stamp);
        return SUMS[payloadBytes] + (stamp >>> 32) + (stamp & 0xFFFF_FFFFL);
    }

    /** Pseudo header, and the L4 header whose checksum is zero so far. */
    private static long headerSum(
            ByteBuffer out, Endpoints endpoints, int ip, int protocol, int l4Bytes, int l4, int payload) {
        int addresses = endpoints.v6 ? ip + 8 : ip + 12;
        long pseudo = InternetChecksum.add(protocol + (long) l4Bytes, out, addresses, ip + ipLength(endpoints.v6));
        return InternetChecksum.add(pseudo, out, l4, payload);
    }

    private void finish(Packet packet, Endpoints endpoints, int ip, int end) {
        ByteBuffer out = packet.buffer();
        if (endpoints.v6) {
            PacketEncoder.finishIpv6(out, ip, end);
        } else {
            PacketEncoder.finishIpv4(out, ip, end);
        }
        tunnel.write(out, packet.start(), end, endpoints, endpoints.nextId);
        endpoints.nextId++;
        packet.setEnd(end);
    }
}
