package io.pathlore.wire.tr05;

import static io.pathlore.testkit.Hex.hex;
import static io.pathlore.testkit.Property.forAll;
import static io.pathlore.testkit.Property.random;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.model.Fault;
import io.pathlore.testkit.Hex;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class FixedHeaderTest {
    private final FixedHeader header = new FixedHeader();

    /** Hand-made from the figure in [TR 0.5 §3.2]; every field has its top bit set. */
    @Test
    void decodesTheGoldenHeader() {
        // 1010 1111 1 0 1 100000000000000 101001 | sequence | ingress timestamp
        ByteBuffer golden = hex("afb0 0029 8000 0001 9000 0002");
        assertThat(header.wrap(golden, 0, 12)).isEqualTo(Fault.NONE);
        assertThat(header.version()).isEqualTo(0b1010);
        assertThat(header.nProto()).isEqualTo(0b1111);
        assertThat(header.dropped()).isTrue();
        assertThat(header.congested()).isFalse();
        assertThat(header.tracked()).isTrue();
        assertThat(header.reserved()).isEqualTo(0x4000);
        assertThat(header.hwId()).isEqualTo(0b101001);
        assertThat(header.sequence()).isEqualTo(0x8000_0001L);
        assertThat(header.ingressTimestamp()).isEqualTo(0x9000_0002L);
    }

    @Test
    void decodesWhatItEncodes() {
        record Fields(int nProto, boolean d, boolean q, boolean f, int hwId, long sequence, long timestamp) {}
        forAll(
                r -> new Fields(
                        r.nextInt(16),
                        r.nextBoolean(),
                        r.nextBoolean(),
                        r.nextBoolean(),
                        r.nextInt(64),
                        r.nextLong(1L << 32),
                        r.nextLong(1L << 32)),
                fields -> {
                    ByteBuffer buffer = ByteBuffer.allocate(16);
                    int end = FixedHeader.encode(
                            buffer,
                            3,
                            fields.nProto,
                            fields.d,
                            fields.q,
                            fields.f,
                            fields.hwId,
                            fields.sequence,
                            fields.timestamp);
                    assertThat(header.wrap(buffer, 3, end)).isEqualTo(Fault.NONE);
                    assertThat(header.version()).isZero();
                    assertThat(header.reserved()).isZero();
                    assertThat(new Fields(
                                    header.nProto(),
                                    header.dropped(),
                                    header.congested(),
                                    header.tracked(),
                                    header.hwId(),
                                    header.sequence(),
                                    header.ingressTimestamp()))
                            .isEqualTo(fields);
                });
    }

    @Test
    void saysWhereTheFragmentStarts() {
        int[] expected = {12, 24, 28};
        for (int nProto = 0; nProto < expected.length; nProto++) {
            ByteBuffer buffer = ByteBuffer.allocate(12);
            FixedHeader.encode(buffer, 0, nProto, true, false, false, 0, 0, 0);
            assertThat(header.wrap(buffer, 0, 12)).isEqualTo(Fault.NONE);
            assertThat(header.fragmentOffset()).isEqualTo(expected[nProto]);
        }
    }

    @Test
    void writesSubHeadersWithTopBits() {
        ByteBuffer buffer = ByteBuffer.allocate(12);
        assertThat(FixedHeader.encodeDrop(buffer, 0, 0x8000_0001L, 0x8002, 0x8003, 0x84, 0x85))
                .isEqualTo(12);
        assertThat(Hex.text(buffer)).isEqualTo("80000001" + "80028003" + "84850000");
        buffer = ByteBuffer.allocate(16);
        assertThat(FixedHeader.encodeLocal(buffer, 0, 0x8000_0001L, 0x8002, 0x8003, 0x84, 0x80_0005, 0x8000_0006L))
                .isEqualTo(16);
        assertThat(Hex.text(buffer)).isEqualTo("80000001" + "80028003" + "84800005" + "80000006");
    }

    @Test
    void rejectsAHeaderCutShort() {
        ByteBuffer golden = hex("0220 0001 0000 0007 1234 5678");
        for (int length = 0; length < FixedHeader.LENGTH; length++) {
            assertThat(header.wrap(golden, 0, length)).isEqualTo(Fault.TR_TRUNCATED_HEADER);
        }
    }

    @Test
    void neverThrowsWhateverTheBytes() {
        forAll(r -> random(r, r.nextInt(16)), raw -> {
            Fault fault = header.wrap(raw, 0, raw.capacity());
            assertThat(fault == Fault.TR_TRUNCATED_HEADER).isEqualTo(raw.capacity() < FixedHeader.LENGTH);
        });
    }
}
