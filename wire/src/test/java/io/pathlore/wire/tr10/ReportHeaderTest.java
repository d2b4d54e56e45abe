package io.pathlore.wire.tr10;

import static io.pathlore.testkit.Hex.hex;
import static io.pathlore.testkit.Property.forAll;
import static io.pathlore.testkit.Property.random;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.model.Fault;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ReportHeaderTest {
    private final ReportHeader header = new ReportHeader();

    /** Hand-made from the figure in [TR 1.0 §3.2]; every field has its top bit set. */
    @Test
    void decodesTheGoldenHeader() {
        // 1001 1010 101 100001 100001 1 0 1 101001 | switch id | sequence | ingress timestamp
        ByteBuffer golden = hex("9ab0 c369 8000 0001 9000 0002 a000 0003");
        assertThat(header.wrap(golden, 0, 16)).isEqualTo(Fault.NONE);
        assertThat(header.version()).isEqualTo(0b1001);
        assertThat(header.lengthWords()).isEqualTo(0b1010);
        assertThat(header.nProt()).isEqualTo(0b101);
        assertThat(header.repMdBits()).isEqualTo(0b100001);
        assertThat(header.reserved()).isEqualTo(0b100001);
        assertThat(header.dropped()).isTrue();
        assertThat(header.congested()).isFalse();
        assertThat(header.tracked()).isTrue();
        assertThat(header.hwId()).isEqualTo(0b101001);
        assertThat(header.switchId()).isEqualTo(0x8000_0001L);
        assertThat(header.sequence()).isEqualTo(0x9000_0002L);
        assertThat(header.ingressTimestamp()).isEqualTo(0xA000_0003L);
    }

    @Test
    void decodesWhatItEncodes() {
        record Fields(
                int nProt,
                int bits,
                boolean d,
                boolean q,
                boolean f,
                int hwId,
                long switchId,
                long sequence,
                long timestamp) {}
        forAll(
                r -> new Fields(
                        r.nextInt(8),
                        r.nextInt(64),
                        r.nextBoolean(),
                        r.nextBoolean(),
                        r.nextBoolean(),
                        r.nextInt(64),
                        r.nextLong(1L << 32),
                        r.nextLong(1L << 32),
                        r.nextLong(1L << 32)),
                fields -> {
                    ByteBuffer buffer = ByteBuffer.allocate(20);
                    int end = ReportHeader.encode(
                            buffer,
                            3,
                            fields.nProt,
                            fields.bits,
                            fields.d,
                            fields.q,
                            fields.f,
                            fields.hwId,
                            fields.switchId,
                            fields.sequence,
                            fields.timestamp);
                    assertThat(header.wrap(buffer, 3, end)).isEqualTo(Fault.NONE);
                    assertThat(header.version()).isEqualTo(1);
                    assertThat(header.reserved()).isZero();
                    assertThat(header.lengthWords()).isEqualTo(4 + Integer.bitCount(fields.bits));
                    assertThat(new Fields(
                                    header.nProt(),
                                    header.repMdBits(),
                                    header.dropped(),
                                    header.congested(),
                                    header.tracked(),
                                    header.hwId(),
                                    header.switchId(),
                                    header.sequence(),
                                    header.ingressTimestamp()))
                            .isEqualTo(fields);
                });
    }

    @Test
    void rejectsAHeaderCutShort() {
        ByteBuffer golden = hex("1400 0040 0000 0002 0000 0000 00ab cdef");
        for (int length = 0; length < ReportHeader.LENGTH; length++) {
            assertThat(header.wrap(golden, 0, length)).isEqualTo(Fault.TR_TRUNCATED_HEADER);
        }
    }

    @Test
    void neverThrowsWhateverTheBytes() {
        forAll(r -> random(r, r.nextInt(20)), raw -> {
            Fault fault = header.wrap(raw, 0, raw.capacity());
            assertThat(fault == Fault.TR_TRUNCATED_HEADER).isEqualTo(raw.capacity() < ReportHeader.LENGTH);
        });
    }
}
