package io.pathlore.wire.tr20;

import static io.pathlore.testkit.Hex.hex;
import static io.pathlore.testkit.Property.forAll;
import static io.pathlore.testkit.Property.random;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.model.Fault;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class GroupHeaderTest {
    private final GroupHeader header = new GroupHeader();

    /** Hand-made from the figure in [TR 2.0 §3.2]; every field has its top bit set, where sign bugs live. */
    @Test
    void decodesTheGoldenHeader() {
        ByteBuffer golden = hex("2a60 0441 8000 00ea"); // 0010 101001 1000000000010001000001 | node 0x800000ea
        assertThat(header.wrap(golden, 0, 8)).isEqualTo(Fault.NONE);
        assertThat(header.version()).isEqualTo(2);
        assertThat(header.hwId()).isEqualTo(0b101001);
        assertThat(header.sequence()).isEqualTo(0x200441);
        assertThat(header.nodeId()).isEqualTo(0x800000eaL);
    }

    @Test
    void decodesWhatItEncodes() {
        record Fields(int hwId, int sequence, long nodeId) {}
        forAll(r -> new Fields(r.nextInt(64), r.nextInt(1 << 22), r.nextLong(1L << 32)), fields -> {
            ByteBuffer buffer = ByteBuffer.allocate(16);
            int end = GroupHeader.encode(buffer, 3, fields.hwId, fields.sequence, fields.nodeId);
            assertThat(end).isEqualTo(3 + GroupHeader.LENGTH);
            assertThat(header.wrap(buffer, 3, end)).isEqualTo(Fault.NONE);
            assertThat(new Fields(header.hwId(), header.sequence(), header.nodeId()))
                    .isEqualTo(fields);
        });
    }

    @Test
    void wrapsTheSequenceNumber() {
        ByteBuffer buffer = ByteBuffer.allocate(8);
        GroupHeader.encode(buffer, 0, 0, 0x40_0000, 3);
        assertThat(header.wrap(buffer, 0, 8)).isEqualTo(Fault.NONE);
        assertThat(header.sequence()).isZero();
        assertThat(header.hwId()).isZero();
    }

    @Test
    void rejectsEveryOtherVersion() {
        for (int version = 0; version < 16; version++) {
            ByteBuffer buffer = hex("0000 0001 0000 0003").put(0, (byte) (version << 4));
            assertThat(header.wrap(buffer, 0, 8)).isEqualTo(version == 2 ? Fault.NONE : Fault.TR_UNKNOWN_VERSION);
        }
    }

    @Test
    void rejectsAHeaderCutShort() {
        ByteBuffer golden = hex("2a60 0441 8000 00ea");
        for (int length = 0; length < GroupHeader.LENGTH; length++) {
            assertThat(header.wrap(golden, 0, length)).isEqualTo(Fault.TR_TRUNCATED_HEADER);
        }
    }

    @Test
    void neverThrowsWhateverTheBytes() {
        forAll(r -> random(r, r.nextInt(12)), raw -> {
            Fault fault = header.wrap(raw, 0, raw.capacity());
            assertThat(fault == Fault.TR_TRUNCATED_HEADER).isEqualTo(raw.capacity() < GroupHeader.LENGTH);
        });
    }
}
