package io.pathlore.wire.tr20;

import static io.pathlore.testkit.Hex.hex;
import static io.pathlore.testkit.Property.forAll;
import static io.pathlore.testkit.Property.random;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.model.Fault;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class TlvTest {
    private final Tlv tlv = new Tlv();

    /** Hand-made from the figure in [TR 2.0 §3.3.2]; every field has its top bit set. */
    @Test
    void decodesTheGoldenTlv() {
        ByteBuffer golden = hex("a081 8001" + "00".repeat(4 * 129)); // 1010 0000 10000001 1000000000000001
        assertThat(tlv.wrap(golden, 0, golden.capacity())).isEqualTo(Fault.NONE);
        assertThat(tlv.type()).isEqualTo(0b1010);
        assertThat(tlv.template()).isEqualTo(0x8001);
        assertThat(tlv.dataOffset()).isEqualTo(4);
        assertThat(tlv.dataBytes()).isEqualTo(4 * 129);
        assertThat(tlv.end()).isEqualTo(golden.capacity());
    }

    @Test
    void decodesWhatItEncodes() {
        record Fields(int type, int words, int template) {}
        forAll(r -> new Fields(r.nextInt(16), r.nextInt(256), r.nextInt(1 << 16)), fields -> {
            ByteBuffer buffer = ByteBuffer.allocate(7 + 1024);
            int data = Tlv.encode(buffer, 7, fields.type, fields.words, fields.template);
            assertThat(tlv.wrap(buffer, 7, data + 4 * fields.words)).isEqualTo(Fault.NONE);
            assertThat(new Fields(tlv.type(), tlv.dataBytes() / 4, tlv.template()))
                    .isEqualTo(fields);
            assertThat(tlv.dataOffset()).isEqualTo(data);
            assertThat(tlv.end()).isEqualTo(data + 4 * fields.words);
        });
    }

    @Test
    void rejectsEveryPrefix() {
        ByteBuffer golden = hex("0002 0001 0011 2233 4455 6677");
        for (int length = 0; length < golden.capacity(); length++) {
            assertThat(tlv.wrap(golden, 0, length))
                    .isEqualTo(length < 4 ? Fault.TR20_TLV_TRUNCATED_HEADER : Fault.TR20_TLV_OVERRUN);
        }
    }

    @Test
    void neverThrowsWhateverTheBytes() {
        forAll(r -> random(r, r.nextInt(300)), raw -> {
            Fault fault = tlv.wrap(raw, 0, raw.capacity());
            assertThat(fault == Fault.TR20_TLV_TRUNCATED_HEADER).isEqualTo(raw.capacity() < Tlv.LENGTH);
            if (fault == Fault.NONE) {
                assertThat(tlv.end()).isBetween(Tlv.LENGTH, raw.capacity());
            }
        });
    }
}
