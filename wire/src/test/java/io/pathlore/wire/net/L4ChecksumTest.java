package io.pathlore.wire.net;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.Hex;
import io.pathlore.testkit.Property;
import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class L4ChecksumTest {
    private static final int TCP = 6;
    private static final int UDP = 17;

    /** A whole packet with a right checksum: IP header at 0, transport header at {@code l4}. */
    private record Packet(ByteBuffer bytes, int protocol, int l4, int end) {
        int checksumAt() {
            return l4 + (protocol == TCP ? 16 : 6);
        }

        int checksum() {
            return bytes.getShort(checksumAt()) & 0xFFFF;
        }

        @Override
        public String toString() {
            return Hex.text(bytes);
        }
    }

    private static Packet packet(RandomGenerator random) {
        ByteBuffer out = ByteBuffer.allocate(400);
        boolean v6 = random.nextBoolean();
        int protocol = random.nextBoolean() ? TCP : UDP;
        int l4 = v6
                ? PacketEncoder.ipv6(
                        out,
                        0,
                        0,
                        0,
                        protocol,
                        64,
                        random.nextLong(),
                        random.nextLong(),
                        random.nextLong(),
                        random.nextLong())
                : PacketEncoder.ipv4(out, 0, 0, 1, true, 64, protocol, random.nextInt(), random.nextInt());
        int ports = random.nextInt();
        int payload = protocol == TCP
                ? PacketEncoder.tcp(out, l4, ports >>> 16, ports, random.nextLong(), random.nextLong(), 0x18, 99)
                : PacketEncoder.udp(out, l4, ports >>> 16, ports);
        byte[] data = new byte[random.nextInt(100)];
        random.nextBytes(data);
        out.put(payload, data);
        int end = payload + data.length;
        write(out, v6, protocol, l4, end);
        return new Packet(out, protocol, l4, end);
    }

    private static void write(ByteBuffer out, boolean v6, int protocol, int l4, int end) {
        if (v6) {
            PacketEncoder.finishIpv6(out, 0, end);
        } else {
            PacketEncoder.finishIpv4(out, 0, end);
        }
        if (protocol == TCP) {
            L4Checksum.writeTcp(out, 0, l4, end);
        } else {
            PacketEncoder.finishUdp(out, l4, end);
            L4Checksum.writeUdp(out, 0, l4, end);
        }
    }

    private static boolean isV6(Packet packet) {
        return packet.bytes.get(0) >> 4 == 6;
    }

    /** The definition: all words of pseudo header and segment, its checksum included, sum to all ones. */
    @Test
    void writesAChecksumThatSumsToAllOnes() {
        forAll(L4ChecksumTest::packet, packet -> {
            long sum = isV6(packet)
                    ? slowSum(packet.bytes, 8, 40) + packet.protocol + packet.end - packet.l4
                    : slowSum(packet.bytes, 12, 20) + packet.protocol + packet.end - packet.l4;
            sum += slowSum(packet.bytes, packet.l4, packet.end);
            while (sum > 0xFFFF) {
                sum = (sum & 0xFFFF) + (sum >> 16);
            }
            assertThat(sum).isEqualTo(0xFFFF);
            assertThat(InternetChecksum.finish(L4Checksum.sum(packet.bytes, 0, packet.protocol, packet.l4, packet.end)))
                    .isZero();
        });
    }

    private static long slowSum(ByteBuffer bytes, int from, int to) {
        long sum = 0;
        for (int at = from; at < to; at++) {
            sum += (bytes.get(at) & 0xFF) << ((at - from) % 2 == 0 ? 8 : 0);
        }
        return sum;
    }

    /** A node that inserts INT behind the L4 header may update instead of adding everything up again. */
    @Test
    void updatesToWhatAFullSumGives() {
        record Insertion(Packet packet, ByteBuffer bytes) {}
        forAll(r -> new Insertion(packet(r), Property.random(r, 4 * r.nextInt(20))), insertion -> {
            Packet packet = insertion.packet;
            ByteBuffer out = packet.bytes;
            boolean tcp = packet.protocol == TCP;
            int at = packet.l4 + (tcp ? PacketEncoder.TCP_LENGTH : PacketEncoder.UDP_LENGTH);
            byte[] rest = new byte[packet.end - at];
            out.get(at, rest);
            int inserted = insertion.bytes.capacity();
            out.put(at, insertion.bytes, 0, inserted).put(at + inserted, rest);
            int before = packet.end - packet.l4;
            int after = before + inserted;
            // UDP carries its length once more, in its header.
            int times = tcp ? 1 : 2;
            long added = InternetChecksum.add((long) times * after, out, at, at + inserted);
            int updated = tcp
                    ? L4Checksum.updated(packet.checksum(), before, added)
                    : L4Checksum.updatedUdp(packet.checksum(), (long) times * before, added);
            write(out, isV6(packet), packet.protocol, packet.l4, packet.l4 + after);
            assertThat(updated).isEqualTo(packet.checksum());
        });
    }

    /** The example of [RFC 1624 §4]: 0x5555 becomes 0x3285 in a header whose checksum was 0xDD2F. */
    @Test
    void updatesTheExampleOfTheRfc() {
        assertThat(L4Checksum.updated(0xDD2F, 0x5555, 0x3285)).isEqualTo(0x0000);
        assertThat(L4Checksum.updatedUdp(0xDD2F, 0x5555, 0x3285)).isEqualTo(0xFFFF);
    }

    @Test
    void leavesADatagramWithoutAChecksumAlone() {
        assertThat(L4Checksum.updatedUdp(0, 0x5555, 0x3285)).isZero();
    }

    /** In UDP zero means none [RFC 768]: 0.0.0.0 to 0.0.0.0, protocol 17, two lengths of 8, ports that fill the sum. */
    @Test
    void writesAZeroSumOfUdpAsAllOnes() {
        ByteBuffer out = ByteBuffer.allocate(28);
        int udp = PacketEncoder.ipv4(out, 0, 0, 0, true, 64, UDP, 0, 0);
        PacketEncoder.udp(out, udp, 0xFFFF - 17 - 8 - 8, 0);
        PacketEncoder.finishUdp(out, udp, 28);
        L4Checksum.writeUdp(out, 0, udp, 28);
        assertThat(out.getShort(udp + 6)).isEqualTo((short) 0xFFFF);
    }

    /** The complement makes the checksum right that the packet has, whatever it is [INT 2.1 §5.8]. */
    @Test
    void complementsWhateverChecksumThePacketHas() {
        record Stale(Packet packet, int checksum) {}
        forAll(r -> new Stale(packet(r), 1 + r.nextInt(0xFFFF)), stale -> {
            Packet packet = stale.packet;
            ByteBuffer out = packet.bytes;
            // The complement stands in front of the rest of the payload, at a multiple of four.
            int at = packet.l4 + (packet.protocol == TCP ? PacketEncoder.TCP_LENGTH : PacketEncoder.UDP_LENGTH);
            int end = Math.max(packet.end, at + 4);
            out.putInt(at, 0).putShort(packet.checksumAt(), (short) stale.checksum);
            int complement = L4Checksum.complement(out, 0, packet.protocol, packet.l4, end);
            assertThat(complement).isBetween(0, 0xFFFF);
            out.putInt(at, complement);
            assertThat(InternetChecksum.finish(L4Checksum.sum(out, 0, packet.protocol, packet.l4, end)))
                    .isZero();
        });
    }

    @Test
    void writesTheChecksumOfAPing() {
        ByteBuffer out = ByteBuffer.allocate(12);
        int end = PacketEncoder.icmpEcho(out, 0, 8, 0x1234, 1);
        L4Checksum.writeIcmp(out, 0, end);
        assertThat(out.getShort(2)).isEqualTo((short) 0xE5CA);
    }
}
