package io.pathlore.wire.net;

import static io.pathlore.testkit.Hex.bytes;
import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.wire.net.OuterHeaders.Kind;
import io.pathlore.wire.pcap.LinkType;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class DatagramFrameTest {
    private static final long SOURCE = 0x0A00_0003L;
    private final OuterHeaders headers = new OuterHeaders();

    /** The worked example of [RFC 1071 §3]. */
    @Test
    void sumsTheExampleOfTheStandard() {
        ByteBuffer words = ByteBuffer.wrap(bytes("0001 f203 f4f5 f6f7"));
        assertThat(InternetChecksum.finish(InternetChecksum.add(0, words, 0, 8)))
                .isEqualTo(~0xDDF2 & 0xFFFF);
    }

    /** Header of a frame that a BMv2 switch sent, its checksum left out: 5aed is what the switch wrote. */
    @Test
    void sumsAHeaderAsASwitchDid() {
        ByteBuffer header = ByteBuffer.wrap(bytes("4500 0102 0000 0000 4011 0000 0afe0405 0afe04fe"));
        assertThat(InternetChecksum.finish(InternetChecksum.add(0, header, 0, 20)))
                .isEqualTo(0x5AED);
    }

    @Test
    void padsAnOddOctetWithZero() {
        for (int length = 0; length < 20; length++) {
            byte[] odd = new byte[length];
            new SplittableRandom(length).nextBytes(odd);
            int expected = 0;
            for (int i = 0; i < length; i++) {
                expected += Byte.toUnsignedInt(odd[i]) << (i % 2 == 0 ? 8 : 0);
            }
            expected = (expected & 0xFFFF) + (expected >>> 16);
            assertThat(InternetChecksum.finish(InternetChecksum.add(0, ByteBuffer.wrap(odd), 0, length)))
                    .isEqualTo(~expected & 0xFFFF);
        }
    }

    /** Both checksums were worked out apart from this code. */
    @Test
    void encodesTheGoldenIpv4Frame() {
        ByteBuffer out = ByteBuffer.allocate(44).put(42, (byte) 0xCA).put(43, (byte) 0xFE);
        DatagramFrame.encodeHeaders(out, 0, 44, false, 0, 0x0A00_0003L, 7, 0, 0xC000_0209L, 8555);
        assertThat(out.array())
                .isEqualTo(bytes("0200c0000209 02000a000003 0800 4500001e00004000 4011 6ec3 0a000003 c0000209"
                        + "0007 216b 000a 475d cafe"));
    }

    @Test
    void decodesWhatItEncodes() {
        forAll(2_000, RandomGenerator::nextLong, seed -> {
            var random = new SplittableRandom(seed);
            boolean v6 = random.nextBoolean();
            byte[] payload = new byte[random.nextInt(1_500)];
            random.nextBytes(payload);
            long sourceHi = v6 ? random.nextLong() : 0;
            long sourceLo = v6 ? random.nextLong() : random.nextLong(1L << 32);
            long destinationHi = v6 ? random.nextLong() : 0;
            long destinationLo = v6 ? random.nextLong() : random.nextLong(1L << 32);
            int sourcePort = random.nextInt(65_536);
            int destinationPort = random.nextInt(65_536);
            int start = random.nextInt(10);
            int end = start + DatagramFrame.headersLength(v6) + payload.length;
            byte[] bytes = new byte[end + 5];
            random.nextBytes(bytes); // whatever was there before must not show
            ByteBuffer out = ByteBuffer.wrap(bytes).put(end - payload.length, payload);
            DatagramFrame.encodeHeaders(
                    out, start, end, v6, sourceHi, sourceLo, sourcePort, destinationHi, destinationLo, destinationPort);

            assertThat(headers.wrap(LinkType.ETHERNET, out, start, end)).isEqualTo(Kind.UDP);
            assertThat(headers.clamped()).isFalse();
            assertThat(headers.v6()).isEqualTo(v6);
            assertThat(headers.sourceHi()).isEqualTo(sourceHi);
            assertThat(headers.sourceLo()).isEqualTo(sourceLo);
            assertThat(headers.sourcePort()).isEqualTo(sourcePort);
            assertThat(headers.destinationHi()).isEqualTo(destinationHi);
            assertThat(headers.destinationLo()).isEqualTo(destinationLo);
            assertThat(headers.destinationPort()).isEqualTo(destinationPort);
            assertThat(Arrays.copyOfRange(bytes, headers.payloadOffset(), headers.payloadEnd()))
                    .isEqualTo(payload);
            assertChecksumsHold(out, start, end, v6);
        });
    }

    /** A receiver sums everything, checksum and pseudo header included, and must get all ones. */
    private static void assertChecksumsHold(ByteBuffer frame, int start, int end, boolean v6) {
        int ip = start + 14;
        int udp = ip + (v6 ? 40 : 20);
        if (!v6) {
            assertThat(InternetChecksum.finish(InternetChecksum.add(0, frame, ip, udp)))
                    .isZero();
        }
        long pseudo = InternetChecksum.add(17 + (end - udp), frame, ip + (v6 ? 8 : 12), udp);
        assertThat(InternetChecksum.finish(InternetChecksum.add(pseudo, frame, udp, end)))
                .isZero();
        assertThat(frame.getShort(udp + 6)).isNotZero();
    }

    /** 0 says that there is no checksum, so a sum of 0 goes as its other form [RFC 768]. */
    @Test
    void neverSendsAChecksumOfZero() {
        ByteBuffer out = ByteBuffer.allocate(44);
        for (int word = 0; word < 65_536; word++) {
            out.putShort(42, (short) word);
            DatagramFrame.encodeHeaders(out, 0, 44, false, 0, SOURCE, 7, 0, SOURCE, 8555);
            assertThat(out.getShort(40)).isNotZero();
        }
    }

    @Test
    void refusesWhatNoDatagramHolds() {
        ByteBuffer out = ByteBuffer.allocate(70_000);
        int most = DatagramFrame.IPV4_HEADERS + DatagramFrame.MAX_PAYLOAD;
        DatagramFrame.encodeHeaders(out, 0, most, false, 0, SOURCE, 7, 0, SOURCE, 8555);
        assertThat(headers.wrap(LinkType.ETHERNET, out, 0, most)).isEqualTo(Kind.UDP);
        assertThat(headers.clamped()).isFalse();
        assertThatThrownBy(() -> DatagramFrame.encodeHeaders(out, 0, most + 1, false, 0, SOURCE, 7, 0, SOURCE, 8555))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
