package io.pathlore.dataplane.traffic;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.dataplane.packet.Packet;
import io.pathlore.dataplane.topology.Topology.Host;
import io.pathlore.wire.net.InternetChecksum;
import io.pathlore.wire.net.L4Checksum;
import io.pathlore.wire.net.Layer;
import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class PacketWriterTest {
    private record Case(Tunnel tunnel, boolean v6, int payload, long stamp, int flags, boolean request, long seed) {
        static Case random(RandomGenerator random) {
            Tunnel.Kind[] kinds = Tunnel.Kind.values();
            return new Case(
                    new Tunnel(kinds[random.nextInt(kinds.length)], random.nextInt(1 << 24)),
                    random.nextBoolean(),
                    random.nextInt(1_400),
                    random.nextLong(),
                    random.nextInt(32),
                    random.nextBoolean(),
                    random.nextLong());
        }

        Endpoints endpoints() {
            Host from = FakeStage.topologyOfTwoEach().hosts().get(2);
            Host to = FakeStage.topologyOfTwoEach().hosts().get(5);
            return new Endpoints().between(from, to, v6, 40_000, 8_080, 46 << 2).numbered(new Dice(seed));
        }
    }

    private static Captured captured(Packet packet) {
        return new Captured(packet.toByteArray()).check();
    }

    @Test
    void writesUdpOfAnyLengthInAnyTunnel() {
        forAll(Case::random, given -> {
            Packet packet = new Packet(1_600);
            new PacketWriter(given.tunnel).udp(packet, given.endpoints(), given.payload, given.stamp);
            Captured captured = captured(packet);
            assertThat(captured.layers.getLast()).isEqualTo(Layer.UDP);
            assertThat(captured.view.flow().sourcePort()).isEqualTo(40_000);
            assertThat(captured.view.flow().destinationPort()).isEqualTo(8_080);
            assertThat(captured.view.flow().v6()).isEqualTo(given.v6);
            assertThat(packet.end() - packet.start() - captured.offset(Layer.UDP) - 8)
                    .isEqualTo(given.payload);
        });
    }

    @Test
    void writesTcpWithAnyFlags() {
        forAll(Case::random, given -> {
            Packet packet = new Packet(1_600);
            int sequence = (int) given.stamp;
            int acknowledgement = (int) (given.stamp >>> 32);
            new PacketWriter(given.tunnel)
                    .tcp(packet, given.endpoints(), sequence, acknowledgement, given.flags, given.payload);
            Captured captured = captured(packet);
            int tcp = captured.offset(Layer.TCP);
            assertThat(captured.tcpFlags()).isEqualTo(given.flags);
            assertThat(captured.buffer.getInt(tcp + 4)).isEqualTo(sequence);
            assertThat(captured.buffer.getInt(tcp + 8)).isEqualTo(acknowledgement);
        });
    }

    @Test
    void writesEchoOfBothVersions() {
        forAll(Case::random, given -> {
            Packet packet = new Packet(1_600);
            new PacketWriter(given.tunnel)
                    .echo(packet, given.endpoints(), given.request, 7, 9, given.payload, given.stamp);
            Captured captured = captured(packet);
            int type = given.v6 ? (given.request ? 128 : 129) : (given.request ? 8 : 0);
            assertThat(captured.view.flow().icmpType()).isEqualTo(type);
        });
    }

    /** The checksum of a fragmented datagram is in its first fragment and covers what the others carry. */
    @Test
    void writesFragmentsThatMakeADatagram() {
        for (boolean v6 : new boolean[] {false, true}) {
            Host from = FakeStage.topologyOfTwoEach().hosts().get(0);
            Host to = FakeStage.topologyOfTwoEach().hosts().get(1);
            Endpoints endpoints = new Endpoints().between(from, to, v6, 4_000, 5_000, 0);
            PacketWriter writer = new PacketWriter(Tunnel.NONE);
            int headers = 14 + (v6 ? 48 : 20);
            ByteBuffer whole = ByteBuffer.allocate(4_003 + headers);
            for (int offset = 0; offset < 4_003; offset += 1_376) {
                Packet packet = new Packet(1_600);
                int bytes = Math.min(1_376, 4_003 - offset);
                writer.udpFragment(packet, endpoints, 4_003, offset, bytes, 77, 0x0123_4567_89AB_CDEFL);
                Captured captured = captured(packet);
                byte[] raw = packet.toByteArray();
                if (offset == 0) {
                    whole.put(0, raw, 0, headers);
                    assertThat(captured.view.flow().destinationPort()).isEqualTo(5_000);
                }
                whole.put(headers + offset, raw, headers, bytes);
                int field = v6
                        ? captured.buffer.getShort(54 + 2) & 0xFFFF
                        : (captured.buffer.getShort(14 + 6) & 0x1FFF) << 3 | captured.buffer.getShort(14 + 6) >> 13 & 1;
                assertThat(field).isEqualTo(offset | (offset + bytes < 4_003 ? 1 : 0));
            }
            long sum = L4Checksum.sum(whole, 14, 17, headers, whole.capacity());
            assertThat(InternetChecksum.finish(sum)).isZero();
        }
    }

    @Test
    void countsTheIdentificationOfAFlow() {
        Case given = new Case(Tunnel.NONE, false, 100, 0, 0, true, 5);
        Endpoints endpoints = given.endpoints();
        PacketWriter writer = new PacketWriter(Tunnel.NONE);
        int first = endpoints.nextId & 0xFFFF;
        for (int i = 0; i < 3; i++) {
            Packet packet = new Packet(1_600);
            writer.udp(packet, endpoints, 100, i);
            assertThat(packet.buffer().getShort(packet.start() + 18) & 0xFFFF).isEqualTo(first + i & 0xFFFF);
        }
    }
}
