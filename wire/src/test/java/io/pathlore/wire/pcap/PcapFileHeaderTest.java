package io.pathlore.wire.pcap;

import static io.pathlore.testkit.Hex.bytes;
import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.PcapBytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class PcapFileHeaderTest {
    private final PcapFileHeader header = new PcapFileHeader();

    /** Hand-made from the figure in [pcap §4]; the upper half of the last word tells of a frame check sequence. */
    @Test
    void decodesTheGoldenHeader() {
        ByteBuffer golden = ByteBuffer.wrap(bytes("a1b2c3d4 0002 0004 00000000 00000000 80040000 f4000114"));
        assertThat(header.wrap(golden, 0, 24)).isTrue();
        assertThat(header.littleEndian()).isFalse();
        assertThat(header.nanos()).isFalse();
        assertThat(header.versionMajor()).isEqualTo(2);
        assertThat(header.versionMinor()).isEqualTo(4);
        assertThat(header.snapLength()).isEqualTo(0x8004_0000L);
        assertThat(header.linkType()).isEqualTo(LinkType.LINUX_SLL2);
    }

    @Test
    void decodesTheGoldenHeaderReadBackwards() {
        ByteBuffer golden = ByteBuffer.wrap(bytes("ff 4d3cb2a1 0200 0400 00000000 00000000 00000480 71000000"));
        assertThat(header.wrap(golden, 1, 25)).isTrue();
        assertThat(header.littleEndian()).isTrue();
        assertThat(header.nanos()).isTrue();
        assertThat(header.versionMajor()).isEqualTo(2);
        assertThat(header.versionMinor()).isEqualTo(4);
        assertThat(header.snapLength()).isEqualTo(0x8004_0000L);
        assertThat(header.linkType()).isEqualTo(LinkType.LINUX_SLL);
    }

    @Test
    void tellsTheFourMagicNumbersApart() {
        for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            for (boolean nanos : new boolean[] {false, true}) {
                byte[] file = new PcapBytes(order, nanos, LinkType.ETHERNET).bytes();
                assertThat(header.wrap(ByteBuffer.wrap(file), 0, file.length)).isTrue();
                assertThat(header.littleEndian()).isEqualTo(order == ByteOrder.LITTLE_ENDIAN);
                assertThat(header.nanos()).isEqualTo(nanos);
                assertThat(header.linkType()).isEqualTo(LinkType.ETHERNET);
                assertThat(header.snapLength()).isEqualTo(262_144);
            }
        }
    }

    @Test
    void encodesTheLittleEndianNanosecondHeader() {
        ByteBuffer out = ByteBuffer.allocate(26);
        assertThat(PcapFileHeader.encode(out, 2, 262_144, LinkType.ETHERNET)).isEqualTo(26);
        assertThat(out.array()).isEqualTo(bytes("0000 4d3cb2a1 0200 0400 00000000 00000000 00000400 01000000"));
    }

    @Test
    void rejectsAHeaderCutShort() {
        byte[] file = new PcapBytes(ByteOrder.BIG_ENDIAN, true, LinkType.ETHERNET).bytes();
        for (int end = 0; end < PcapFileHeader.LENGTH; end++) {
            assertThat(header.wrap(ByteBuffer.wrap(file, 0, end).slice(), 0, end))
                    .isFalse();
        }
    }

    @Test
    void rejectsWhateverHasNoMagic() {
        forAll(10_000, RandomGenerator::nextLong, seed -> {
            byte[] raw = new byte[30];
            new SplittableRandom(seed).nextBytes(raw);
            ByteBuffer buffer = ByteBuffer.wrap(raw);
            assertThat(header.wrap(buffer, 0, 30)).isEqualTo(PcapFileHeader.isMagic(buffer.getInt(0)));
        });
    }
}
