package io.pathlore.wire.inband;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.Hex;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class IntShimTest {
    private final ByteBuffer buffer = ByteBuffer.allocate(8);

    private int word(int end) {
        assertThat(end).isEqualTo(3 + IntShim.LENGTH);
        return buffer.getInt(3);
    }

    /** From the figure in [INT 2.1 §5.7.2]; every field has its top bit set. */
    @Test
    void readsTheGoldenShimOfVersion2() {
        int shim = 0b1010_10_11_10000001 << 16 | 0x8234;
        assertThat(IntShim.type(shim)).isEqualTo(0b1010);
        assertThat(IntShim.npt(shim)).isEqualTo(0b10);
        assertThat(IntShim.reserved(shim)).isEqualTo(0b11);
        assertThat(IntShim.length(shim)).isEqualTo(0b10000001);
        assertThat(IntShim.content(shim)).isEqualTo(0x8234);
    }

    @Test
    void readsTheGoldenShimOfEarlierVersions() {
        int shim = 0x8192_A3B4;
        assertThat(IntShim.oldType(shim)).isEqualTo(0x81);
        assertThat(IntShim.oldReserved(shim)).isEqualTo(0x92);
        assertThat(IntShim.oldLength(shim)).isEqualTo(0xA3);
        assertThat(IntShim.lastByte(shim)).isEqualTo(0xB4);
    }

    @Test
    void decodesWhatItEncodes() {
        record Fields(int type, int npt, int length, int content) {}
        forAll(r -> new Fields(r.nextInt(16), r.nextInt(4), r.nextInt(256), r.nextInt(1 << 16)), fields -> {
            int shim = word(IntShim.encode(buffer, 3, fields.type, fields.npt, fields.length, fields.content));
            assertThat(new Fields(IntShim.type(shim), IntShim.npt(shim), IntShim.length(shim), IntShim.content(shim)))
                    .isEqualTo(fields);
            assertThat(IntShim.reserved(shim)).isZero();
        });
    }

    @Test
    void decodesTheOldFormItEncodes() {
        record Fields(int type, int length, int last) {}
        forAll(r -> new Fields(r.nextInt(256), r.nextInt(256), r.nextInt(256)), fields -> {
            int shim = word(IntShim.encodeOld(buffer, 3, fields.type, fields.length, fields.last));
            assertThat(new Fields(IntShim.oldType(shim), IntShim.oldLength(shim), IntShim.lastByte(shim)))
                    .isEqualTo(fields);
            assertThat(IntShim.oldReserved(shim)).isZero();
        });
    }

    /** Type, 4 reserved, Length, G, 7 reserved, Next Protocol [INT 2.1 §5.7.3]. */
    @Test
    void writesTheShimOfVxlanGpe() {
        assertThat(word(IntShim.encodeGpe(buffer, 3, 3, 0x81, true, 0x82))).isEqualTo(0x3081_8082);
        assertThat(word(IntShim.encodeGpe(buffer, 3, 1, 0x81, false, 0x03))).isEqualTo(0x1081_0003);
    }

    /** Type, G, 3 reserved, Length, Next Protocol [INT 2.1 §5.7.1]. */
    @Test
    void writesTheShimOfGre() {
        assertThat(word(IntShim.encodeGre(buffer, 3, 3, true, 0x81, 0x86DD))).isEqualTo(0x3881_86DD);
        assertThat(word(IntShim.encodeGre(buffer, 3, 1, false, 0x81, 0x0800))).isEqualTo(0x1081_0800);
    }

    /** Protocol, port, DSCP in the lower six bits. */
    @Test
    void writesTheTailOfVersion05() {
        assertThat(word(IntShim.encodeTail(buffer, 3, 0x84, 0x8123, 0x2A))).isEqualTo(0x8481_232A);
        assertThat(word(IntShim.encodeTail(buffer, 3, 6, 22, 0xFF))).isEqualTo(0x0600_163F);
    }

    @Test
    void touchesNothingAround() {
        buffer.putLong(0, 0xD1D1_D1D1_D1D1_D1D1L);
        IntShim.encode(buffer, 3, 1, 2, 7, 6);
        assertThat(Hex.text(buffer)).isEqualTo("d1d1d1" + "18070006" + "d1");
    }
}
