package io.pathlore.dataplane.node;

import io.pathlore.dataplane.packet.Packet;
import io.pathlore.wire.net.L4Checksum;
import io.pathlore.wire.net.PacketEncoder;
import io.pathlore.wire.net.TunnelEncoder;
import java.nio.ByteBuffer;

/** Ordinary packets with right lengths and checksums. */
final class TestPackets {
    private static final int TRANSPARENT_ETHERNET = 0x6558;
    static final long SOURCE_MAC = 0xA61A_F6B1_647DL;

    private TestPackets() {}

    static Packet tcp(boolean v6, int payload) {
        Packet packet = new Packet(9000);
        ByteBuffer out = packet.buffer();
        int ip = ethernet(out, packet.start(), v6);
        int l4 = ip(out, ip, v6, 6);
        int end = PacketEncoder.tcp(out, l4, 45678, 80, 1000, 2000, 0x18, 0x2000);
        end = fill(out, end, payload);
        finishIp(out, ip, v6, end);
        L4Checksum.writeTcp(out, ip, l4, end);
        packet.setEnd(end);
        return packet;
    }

    static Packet udp(boolean v6, int payload) {
        Packet packet = new Packet(9000);
        ByteBuffer out = packet.buffer();
        int ip = ethernet(out, packet.start(), v6);
        int l4 = ip(out, ip, v6, 17);
        int end = fill(out, PacketEncoder.udp(out, l4, 5000, 6000), payload);
        PacketEncoder.finishUdp(out, l4, end);
        finishIp(out, ip, v6, end);
        L4Checksum.writeUdp(out, ip, l4, end);
        packet.setEnd(end);
        return packet;
    }

    static Packet vxlan() {
        return tunnel(4789);
    }

    static Packet geneve() {
        return tunnel(6081);
    }

    private static Packet tunnel(int port) {
        Packet inner = tcp(false, 32);
        Packet packet = new Packet(9000);
        ByteBuffer out = packet.buffer();
        int ip = ethernet(out, packet.start(), false);
        int l4 = PacketEncoder.ipv4(out, ip, 0, 7, true, 64, 17, 0xC0A8_0101, 0xC0A8_0202);
        int at = PacketEncoder.udp(out, l4, 56789, port);
        at = port == 4789
                ? TunnelEncoder.vxlan(out, at, 0x123)
                : TunnelEncoder.geneve(out, at, 0, TRANSPARENT_ETHERNET, 0x123);
        out.put(at, inner.toByteArray());
        int end = at + inner.length();
        PacketEncoder.finishUdp(out, l4, end);
        PacketEncoder.finishIpv4(out, ip, end);
        packet.setEnd(end);
        return packet;
    }

    private static int ethernet(ByteBuffer out, int at, boolean v6) {
        return PacketEncoder.ethernet(out, at, 0x0202L, SOURCE_MAC, v6 ? 0x86DD : 0x0800);
    }

    private static int ip(ByteBuffer out, int at, boolean v6, int protocol) {
        return v6
                ? PacketEncoder.ipv6(out, at, 0, 0, protocol, 64, 0x2001_0DB8L << 32, 1, 0x2001_0DB8L << 32, 2)
                : PacketEncoder.ipv4(out, at, 0, 1, true, 64, protocol, 0x0A00_0101, 0x0A00_0202);
    }

    private static int fill(ByteBuffer out, int at, int length) {
        for (int i = 0; i < length; i++) {
            out.put(at + i, (byte) (i * 7));
        }
        return at + length;
    }

    private static void finishIp(ByteBuffer out, int ip, boolean v6, int end) {
        if (v6) {
            PacketEncoder.finishIpv6(out, ip, end);
        } else {
            PacketEncoder.finishIpv4(out, ip, end);
        }
    }
}
