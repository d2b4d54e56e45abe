package io.pathlore.dataplane.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.dataplane.packet.Packet;
import io.pathlore.wire.net.PacketEncoder;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class FrameTest {
    private static final long HIGH = 0xFD00_0000_0000_0001L;
    private final Packet packet = new Packet(200);
    private final ByteBuffer out = packet.buffer();
    private final Frame frame = new Frame();

    private void read(int end) {
        packet.setEnd(end);
        frame.packet = packet;
        frame.readFields();
    }

    private int ipv6(int trafficClass, int nextHeader, int hopLimit) {
        int ip = PacketEncoder.ethernet(out, packet.start(), 2, 0x0200_0000_0007L, 0x86DD);
        return PacketEncoder.ipv6(out, ip, trafficClass, 0, nextHeader, hopLimit, HIGH, -1, HIGH + 1, -2);
    }

    @Test
    void readsIpv6() {
        read(PacketEncoder.udp(out, ipv6(46 << 2, 17, 64), 50_000, 443));
        assertThat(frame.hasAddresses()).isTrue();
        assertThat(frame.v6()).isTrue();
        assertThat(frame.sourceMac()).isEqualTo(0x0200_0000_0007L);
        assertThat(frame.sourceHigh()).isEqualTo(HIGH);
        assertThat(frame.sourceLow()).isEqualTo(-1);
        assertThat(frame.destinationHigh()).isEqualTo(HIGH + 1);
        assertThat(frame.destinationLow()).isEqualTo(-2);
        assertThat(frame.protocol()).isEqualTo(17);
        assertThat(frame.sourcePort()).isEqualTo(50_000);
        assertThat(frame.destinationPort()).isEqualTo(443);
        assertThat(frame.dscp()).isEqualTo(46);
    }

    @Test
    void readsBehindVlanTags() {
        int tag = PacketEncoder.ethernet(out, packet.start(), 2, 7, 0x88A8);
        int ip = PacketEncoder.vlan(out, PacketEncoder.vlan(out, tag, 0, 5, 0x8100), 0, 6, 0x0800);
        int l4 = PacketEncoder.ipv4(out, ip, 10 << 2, 0, false, 9, 6, 0xFFFF_FFFE, 0x0A00_0001);
        read(PacketEncoder.tcp(out, l4, 1, 65_535, 0, 0, 0, 0));
        assertThat(frame.v6()).isFalse();
        assertThat(frame.sourceLow()).isEqualTo(0xFFFF_FFFEL);
        assertThat(frame.sourcePort()).isEqualTo(1);
        assertThat(frame.destinationPort()).isEqualTo(65_535);
        assertThat(frame.dscp()).isEqualTo(10);
        assertThat(Frame.age(packet)).isTrue();
        assertThat(out.get(ip + 8)).isEqualTo((byte) 8);
    }

    @Test
    void fragmentsHaveNoPorts() {
        int ip = PacketEncoder.ethernet(out, packet.start(), 2, 7, 0x0800);
        int l4 = PacketEncoder.ipv4(out, ip, 0, 0, false, 9, 17, 1, 2);
        out.putShort(ip + 6, (short) 0x2000);
        int end = PacketEncoder.udp(out, l4, 1, 2);
        read(end);
        assertThat(frame.destinationPort()).isEqualTo(Frame.ABSENT);
        long first = frame.hash();
        // The next fragment takes the same way.
        out.putShort(ip + 6, (short) 185).putInt(l4, 0x1234_5678);
        read(end);
        assertThat(frame.hash()).isEqualTo(first);
    }

    @Test
    void everyPartOfTheTupleChangesTheHash() {
        read(PacketEncoder.udp(out, ipv6(0, 17, 64), 50_000, 443));
        long hash = frame.hash();
        int end = packet.end();
        int ip = packet.start() + 14;
        for (int at : new int[] {ip + 15, ip + 23, ip + 31, ip + 39, ip + 41, ip + 43}) {
            byte before = out.get(at);
            out.put(at, (byte) (before ^ 1));
            read(end);
            assertThat(frame.hash()).isNotEqualTo(hash);
            out.put(at, before);
        }
        // The hop limit is no part of it.
        Frame.age(packet);
        read(end);
        assertThat(frame.hash()).isEqualTo(hash);
    }

    @Test
    void hopLimitsRunOut() {
        read(ipv6(0, 59, 2));
        assertThat(Frame.age(packet)).isTrue();
        assertThat(Frame.age(packet)).isFalse();
        assertThat(Frame.age(packet)).isFalse();
        assertThat(out.get(packet.start() + 14 + 7)).isEqualTo((byte) 0);
    }

    @Test
    void whatIsNoIpLivesForEver() {
        read(PacketEncoder.ethernet(out, packet.start(), 2, 7, 0x0806) + 28);
        assertThat(frame.hasAddresses()).isFalse();
        assertThat(frame.protocol()).isEqualTo(Frame.ABSENT);
        assertThat(Frame.age(packet)).isTrue();
    }
}
