package io.pathlore.wire.net;

import java.nio.ByteBuffer;

/**
 * Writes a UDP datagram as the Ethernet frame that would have carried it, with all checksums right, for captures of
 * datagrams that came without their headers. The MAC addresses are made up from the IP addresses: stable, locally
 * administered, and the same for all frames of a host.
 */
public final class DatagramFrame {
    public static final int IPV4_HEADERS = 14 + 20 + 8;
    public static final int IPV6_HEADERS = 14 + 40 + 8;
    /** Most that the 16-bit lengths of IPv4 leave for a payload; IPv6 would take 20 more. */
    public static final int MAX_PAYLOAD = 0xFFFF - 20 - 8;

    private static final int ETHERNET_LENGTH = 14;
    private static final int IPV4_LENGTH = 20;
    private static final int IPV6_LENGTH = 40;
    private static final int UDP_LENGTH = 8;
    private static final int UDP_CHECKSUM = 6;
    private static final int UDP = 17;
    private static final int HOP_LIMIT = 64;
    private static final short LOCAL_MAC = 0x0200;

    private DatagramFrame() {}

    /** Octets before the payload. */
    public static int headersLength(boolean v6) {
        return v6 ? IPV6_HEADERS : IPV4_HEADERS;
    }

    /**
     * Writes the headers at {@code offset} in front of a payload that is already there, {@link #headersLength} further
     * on, and ends at {@code end}. Addresses as in {@link OuterHeaders}: IPv4 in the lower halves.
     *
     * @throws IllegalArgumentException if the payload is longer than {@link #MAX_PAYLOAD}
     */
    public static void encodeHeaders(
            ByteBuffer out,
            int offset,
            int end,
            boolean v6,
            long sourceHi,
            long sourceLo,
            int sourcePort,
            long destinationHi,
            long destinationLo,
            int destinationPort) {
        int payloadLength = end - offset - headersLength(v6);
        if (payloadLength < 0 || payloadLength > MAX_PAYLOAD) {
            throw new IllegalArgumentException("a datagram cannot hold " + payloadLength + " bytes");
        }
        out.putShort(offset, LOCAL_MAC).putInt(offset + 2, (int) destinationLo);
        out.putShort(offset + 6, LOCAL_MAC).putInt(offset + 8, (int) sourceLo);
        out.putShort(offset + 12, (short) (v6 ? 0x86DD : 0x0800));
        int ip = offset + ETHERNET_LENGTH;
        int udpLength = UDP_LENGTH + payloadLength;
        int udp;
        int addresses;
        if (v6) {
            out.putInt(ip, 6 << 28).putShort(ip + 4, (short) udpLength);
            out.put(ip + 6, (byte) UDP).put(ip + 7, (byte) HOP_LIMIT);
            addresses = ip + 8;
            out.putLong(addresses, sourceHi).putLong(addresses + 8, sourceLo);
            out.putLong(addresses + 16, destinationHi).putLong(addresses + 24, destinationLo);
            udp = ip + IPV6_LENGTH;
        } else {
            // Not to be fragmented, so the identification has no job and stays 0 [RFC 6864].
            out.putShort(ip, (short) 0x4500).putShort(ip + 2, (short) (IPV4_LENGTH + udpLength));
            out.putInt(ip + 4, 0x4000);
            out.put(ip + 8, (byte) HOP_LIMIT).put(ip + 9, (byte) UDP).putShort(ip + 10, (short) 0);
            addresses = ip + 12;
            out.putInt(addresses, (int) sourceLo).putInt(addresses + 4, (int) destinationLo);
            udp = ip + IPV4_LENGTH;
            out.putShort(ip + 10, (short) InternetChecksum.finish(InternetChecksum.add(0, out, ip, udp)));
        }
        out.putShort(udp, (short) sourcePort).putShort(udp + 2, (short) destinationPort);
        out.putShort(udp + 4, (short) udpLength).putShort(udp + UDP_CHECKSUM, (short) 0);
        // The pseudo header: addresses, protocol and length.
        long sum = InternetChecksum.add(UDP + udpLength, out, addresses, udp);
        int checksum = InternetChecksum.finish(InternetChecksum.add(sum, out, udp, end));
        // 0 would say that there is none [RFC 768].
        out.putShort(udp + UDP_CHECKSUM, (short) (checksum == 0 ? 0xFFFF : checksum));
    }
}
