package io.pathlore.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class TableMemoryTest {
    @Test
    void isZeroFromEndToEndWhateverItsSize() {
        for (int bytes : new int[] {64, 2 << 20, (5 << 20) + 64}) {
            ByteBuffer memory = TableMemory.allocate(bytes);
            assertThat(memory.capacity()).isEqualTo(bytes);
            assertThat(memory.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
            assertThat(memory.mismatch(ByteBuffer.allocate(bytes))).isEqualTo(-1);
            memory.putLong(0, 1).putLong(bytes - Long.BYTES, 2);
            assertThat(memory.getLong(0) + memory.getLong(bytes - Long.BYTES)).isEqualTo(3);
        }
    }
}
