package io.pathlore.testkit;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class PropertyTest {
    @Test
    void givesTheSameValuesEveryTimeAndDifferentOnesEachTime() {
        List<Long> first = new ArrayList<>();
        List<Long> second = new ArrayList<>();
        forAll(100, random -> random.nextLong(), first::add);
        forAll(100, random -> random.nextLong(), second::add);
        assertThat(first).isEqualTo(second);
        assertThat(new HashSet<>(first)).hasSameSizeAs(first);
    }

    @Test
    void saysHowToRepeatAFailure() {
        assertThatThrownBy(() -> forAll(100, random -> Property.random(random, 2), value -> {
                    assertThat(value.get(0)).isPositive();
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("-Dpathlore.seed=" + Property.seed())
                .hasMessageContaining("-Dpathlore.case=")
                .hasMessageContaining("value: ");
    }

    @Test
    void readsHexAsBigEndian() {
        ByteBuffer buffer = Hex.hex("2a60 0441\n8000 00ea");
        assertThat(buffer.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
        assertThat(buffer.getInt(0)).isEqualTo(0x2a600441);
        assertThat(buffer.remaining()).isEqualTo(8);
        assertThat(Hex.text(buffer)).isEqualTo("2a600441800000ea");
    }

    @Test
    void poisonsABufferThatIsKeptTooLong() {
        ByteBuffer kept;
        try (Poison poison = Poison.heap(new byte[] {1, 2, 3})) {
            kept = poison.buffer();
            assertThat(kept.get(poison.offset())).isEqualTo((byte) 1);
            assertThat(kept.get(poison.end() - 1)).isEqualTo((byte) 3);
            assertThat(kept.get(poison.offset() - 1)).isEqualTo(Poison.VALUE);
            assertThat(kept.get(poison.end())).isEqualTo(Poison.VALUE);
        }
        for (int i = 0; i < kept.capacity(); i++) {
            assertThat(kept.get(i)).isEqualTo(Poison.VALUE);
        }
    }

    @Test
    void noticesABorrowerThatWrites() {
        Poison poison = Poison.direct(new byte[4]);
        poison.buffer().put(poison.offset() + 1, (byte) 7);
        assertThatThrownBy(poison::close).isInstanceOf(AssertionError.class).hasMessageContaining("at 1");
    }
}
