package io.pathlore.dataplane.inband;

import io.pathlore.dataplane.packet.Packet;
import io.pathlore.wire.net.L4Checksum;
import io.pathlore.wire.net.PacketEncoder;
import io.pathlore.wire.net.TunnelEncoder;
import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;

/** Kinds of packets that meet an INT source. */
enum Shape {
    TCP,
    TCP_OPTIONS,
    UDP,
    UDP_WITHOUT_CHECKSUM,
    ICMP,
    VXLAN,
    VXLAN_GPE,
    GENEVE,
    GENEVE_OPTIONS,
    GRE,
    GRE_CHECKSUM;

    private static final long DESTINATION_MAC = 0x0000_0000_0202L;
    private static final long SOURCE_MAC = 0xA61A_F6B1_647DL;

    boolean isUdp() {
        return switch (this) {
            case UDP, UDP_WITHOUT_CHECKSUM, VXLAN, VXLAN_GPE, GENEVE, GENEVE_OPTIONS -> true;
            case TCP, TCP_OPTIONS, ICMP, GRE, GRE_CHECKSUM -> false;
        };
    }

    boolean takes(Carrier carrier) {
        return switch (carrier) {
            case DSCP, PROBE_MARKER -> isUdp() || this == TCP || this == TCP_OPTIONS;
            case UDP_PORT -> isUdp();
            case NEW_UDP, GRE -> true;
            case VXLAN_GPE -> this == VXLAN || this == VXLAN_GPE;
            case GENEVE -> this == GENEVE || this == GENEVE_OPTIONS;
        };
    }

    /** A packet of this kind with random payload, VLAN tags and traffic class, sometimes padded behind its IP packet. */
    void build(Packet packet, boolean v6, RandomGenerator random) {
        packet.clear();
        ByteBuffer out = packet.buffer();
        int start = packet.start();
        int type = v6 ? 0x86DD : 0x0800;
        int tags = random.nextInt(3);
        int ip = PacketEncoder.ethernet(out, start, DESTINATION_MAC, SOURCE_MAC, tags == 0 ? type : 0x8100);
        for (int i = 0; i < tags; i++) {
            ip = PacketEncoder.vlan(out, ip, 1, random.nextInt(4096), i == tags - 1 ? type : 0x8100);
        }
        int l4 = ip(out, ip, v6, protocol(v6), random);
        int end = payload(out, ip, l4, v6, random);
        int padding = random.nextInt(4) == 0 ? random.nextInt(9) : 0;
        for (int i = 0; i < padding; i++) {
            out.put(end + i, (byte) 0);
        }
        packet.setEnd(end + padding);
    }

    private int protocol(boolean v6) {
        return switch (this) {
            case TCP, TCP_OPTIONS -> 6;
            case ICMP -> v6 ? 58 : 1;
            case GRE, GRE_CHECKSUM -> 47;
            case UDP, UDP_WITHOUT_CHECKSUM, VXLAN, VXLAN_GPE, GENEVE, GENEVE_OPTIONS -> 17;
        };
    }

    private int payload(ByteBuffer out, int ip, int l4, boolean v6, RandomGenerator random) {
        int end = switch (this) {
            case TCP -> noise(out, PacketEncoder.tcp(out, l4, 40_000, 443, 7, 8, 0x18, 512), random);
            case TCP_OPTIONS ->
                noise(out, PacketEncoder.tcp(out, l4, 40_000, 443, 7, 8, 0x18, 512, new byte[12]), random);
            case UDP, UDP_WITHOUT_CHECKSUM -> noise(out, PacketEncoder.udp(out, l4, 40_001, 5_001), random);
            case ICMP -> noise(out, PacketEncoder.icmpEcho(out, l4, v6 ? 128 : 8, 9, 1), random);
            case VXLAN ->
                frame(out, TunnelEncoder.vxlan(out, PacketEncoder.udp(out, l4, 50_000, 4_789), 0x123), random);
            case VXLAN_GPE ->
                frame(out, TunnelEncoder.vxlanGpe(out, PacketEncoder.udp(out, l4, 50_000, 4_790), 3, 0x123), random);
            case GENEVE ->
                frame(out, TunnelEncoder.geneve(out, PacketEncoder.udp(out, l4, 50_000, 6_081), 0, 0x6558, 1), random);
            case GENEVE_OPTIONS -> {
                int at = TunnelEncoder.geneve(out, PacketEncoder.udp(out, l4, 50_000, 6_081), 4, 0x6558, 1);
                at = TunnelEncoder.geneveOption(out, at, 0x0104, 1, 3);
                out.putLong(at, random.nextLong()).putInt(at + 8, random.nextInt());
                yield frame(out, at + 12, random);
            }
            case GRE -> {
                int at = TunnelEncoder.gre(out, l4, 0x0800, false, TunnelEncoder.NONE, TunnelEncoder.NONE);
                yield inner(out, at, random);
            }
            case GRE_CHECKSUM -> frame(out, TunnelEncoder.gre(out, l4, 0x6558, true, 77, TunnelEncoder.NONE), random);
        };
        finishIp(out, ip, v6, end);
        switch (protocol(v6)) {
            case 6 -> L4Checksum.writeTcp(out, ip, l4, end);
            case 17 -> {
                PacketEncoder.finishUdp(out, l4, end);
                if (this != UDP_WITHOUT_CHECKSUM && (this == UDP || random.nextBoolean())) {
                    L4Checksum.writeUdp(out, ip, l4, end);
                }
            }
            case 1 -> L4Checksum.writeIcmp(out, l4, end);
            case 58 -> {
                out.putShort(l4 + 2, (short) 0);
                out.putShort(l4 + 2, (short) L4Checksum.complement(out, ip, 58, l4, end));
            }
            default -> TunnelEncoder.finishGre(out, l4, end);
        }
        return end;
    }

    private static int ip(ByteBuffer out, int at, boolean v6, int protocol, RandomGenerator random) {
        // The DSCP that marks INT is used for nothing else in its domain.
        int trafficClass = random.nextInt(0x17 << 2);
        return v6
                ? PacketEncoder.ipv6(out, at, trafficClass, 5, protocol, 64, 0x20010DB8L << 32, 1, 0x20010DB8L << 32, 2)
                : PacketEncoder.ipv4(
                        out, at, trafficClass, random.nextInt(65536), true, 64, protocol, 0x0A000101, 0x0A000202);
    }

    private static void finishIp(ByteBuffer out, int ip, boolean v6, int end) {
        if (v6) {
            PacketEncoder.finishIpv6(out, ip, end);
        } else {
            PacketEncoder.finishIpv4(out, ip, end);
        }
    }

    private static int frame(ByteBuffer out, int at, RandomGenerator random) {
        return inner(out, PacketEncoder.ethernet(out, at, DESTINATION_MAC, SOURCE_MAC, 0x0800), random);
    }

    private static int inner(ByteBuffer out, int ip, RandomGenerator random) {
        int l4 = ip(out, ip, false, 6, random);
        int end = noise(out, PacketEncoder.tcp(out, l4, 40_000, 443, 7, 8, 0x10, 512), random);
        PacketEncoder.finishIpv4(out, ip, end);
        L4Checksum.writeTcp(out, ip, l4, end);
        return end;
    }

    private static int noise(ByteBuffer out, int at, RandomGenerator random) {
        int length = random.nextInt(64);
        for (int i = 0; i < length; i++) {
            out.put(at + i, (byte) random.nextInt());
        }
        return at + length;
    }
}
