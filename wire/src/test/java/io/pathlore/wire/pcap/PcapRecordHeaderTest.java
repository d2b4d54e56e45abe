package io.pathlore.wire.pcap;

import static io.pathlore.testkit.Hex.bytes;
import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.testkit.PcapBytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class PcapRecordHeaderTest {
    private static PcapRecordHeader recordOf(ByteOrder order, boolean nanos) {
        var file = new PcapFileHeader();
        byte[] bytes = new PcapBytes(order, nanos, LinkType.ETHERNET).bytes();
        assertThat(file.wrap(ByteBuffer.wrap(bytes), 0, bytes.length)).isTrue();
        return new PcapRecordHeader(file);
    }

    /** Hand-made from the figure in [pcap §5]; every field has its top bit set, where sign bugs live. */
    @Test
    void decodesTheGoldenRecord() {
        PcapRecordHeader record = recordOf(ByteOrder.BIG_ENDIAN, true);
        assertThat(record.wrap(ByteBuffer.wrap(bytes("ffffffff 3b9ac9ff 80000001 fffffffe")), 0, 16))
                .isTrue();
        assertThat(record.timeNanos()).isEqualTo(4_294_967_295_999_999_999L);
        assertThat(record.capturedLength()).isEqualTo(0x8000_0001L);
        assertThat(record.originalLength()).isEqualTo(0xFFFF_FFFEL);
    }

    /** First record of a capture that Scapy wrote. */
    @Test
    void decodesARecordOfALittleEndianMicrosecondFile() {
        PcapRecordHeader record = recordOf(ByteOrder.LITTLE_ENDIAN, false);
        assertThat(record.wrap(ByteBuffer.wrap(bytes("20fcf96a 06910000 a1000000 a1000000")), 0, 16))
                .isTrue();
        assertThat(record.timeNanos()).isEqualTo(1_794_767_904_037_126_000L);
        assertThat(record.capturedLength()).isEqualTo(161);
        assertThat(record.originalLength()).isEqualTo(161);
    }

    @Test
    void decodesWhatItEncodes() {
        PcapRecordHeader record = recordOf(ByteOrder.LITTLE_ENDIAN, true);
        forAll(1_000, RandomGenerator::nextLong, seed -> {
            var random = new SplittableRandom(seed);
            long time = random.nextLong(4_294_967_296_000_000_000L);
            int captured = random.nextInt(1 << 18);
            int original = random.nextInt(Integer.MAX_VALUE);
            ByteBuffer out = ByteBuffer.allocate(20);
            assertThat(PcapRecordHeader.encode(out, 3, time, captured, original))
                    .isEqualTo(19);
            assertThat(record.wrap(out, 3, 19)).isTrue();
            assertThat(record.timeNanos()).isEqualTo(time);
            assertThat(record.capturedLength()).isEqualTo(captured);
            assertThat(record.originalLength()).isEqualTo(original);
        });
    }

    @Test
    void refusesATimeThatTheFormatCannotSay() {
        ByteBuffer out = ByteBuffer.allocate(16);
        assertThatThrownBy(() -> PcapRecordHeader.encode(out, 0, -1, 0, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1 ns");
        assertThatThrownBy(() -> PcapRecordHeader.encode(out, 0, 4_294_967_296_000_000_000L, 0, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void rejectsARecordCutShort() {
        PcapRecordHeader record = recordOf(ByteOrder.BIG_ENDIAN, true);
        for (int end = 0; end < PcapRecordHeader.LENGTH; end++) {
            assertThat(record.wrap(ByteBuffer.allocate(end), 0, end)).isFalse();
        }
    }
}
