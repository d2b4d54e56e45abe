package io.pathlore.analysis;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LongMapTest {
    private static final int ROOM = 1_000;

    /** Few low bits, so that keys stand in each other's way, also across the end of the table. */
    private static long key(Random random) {
        return random.nextInt(40) * 64L + 60 + random.nextInt(6);
    }

    @Test
    void holdsWhatAHashMapHolds() {
        forAll(200, random -> random.nextLong(), seed -> {
            Random random = new Random(seed);
            LongMap<String> map = new LongMap<>(ROOM);
            Map<Long, String> expected = new HashMap<>();
            for (int step = 0; step < 500; step++) {
                long key = key(random);
                if (random.nextInt(3) == 0) {
                    map.remove(key);
                    expected.remove(key);
                } else {
                    String fresh = key + " " + step;
                    String there = map.get(key, () -> fresh, left -> {});
                    assertThat(there).isEqualTo(expected.computeIfAbsent(key, unused -> fresh));
                }
                assertThat(map.size()).isEqualTo(expected.size());
            }
            for (long key = 0; key < 41 * 64; key++) {
                assertThat(map.get(key)).isEqualTo(expected.get(key));
            }
            List<String> all = new ArrayList<>();
            map.forEach(all::add);
            assertThat(all).containsExactlyInAnyOrderElementsOf(expected.values());
            assertThat(map.sorted(Comparator.naturalOrder()))
                    .isEqualTo(expected.values().stream().sorted().toList());
            assertThat(map.evicted()).isZero();
        });
    }

    @Test
    void neverHoldsMoreThanItMayAndTellsWhoLeaves() {
        forAll(200, random -> random.nextLong(), seed -> {
            Random random = new Random(seed);
            int capacity = 1 + random.nextInt(100);
            LongMap<Long> map = new LongMap<>(capacity);
            Map<Long, Long> expected = new HashMap<>();
            List<Long> gone = new ArrayList<>();
            for (int step = 0; step < 500; step++) {
                long key = key(random);
                map.get(key, () -> key, left -> {
                    gone.add(left);
                    assertThat(expected.remove(left)).isEqualTo(left);
                });
                expected.put(key, key);
                assertThat(map.size()).isEqualTo(expected.size()).isLessThanOrEqualTo(capacity);
                assertThat(map.evicted()).isEqualTo(gone.size());
            }
            expected.forEach((key, value) -> assertThat(map.get(key)).isEqualTo(value));
        });
    }

    @Test
    void keepsWhatIsAskedFor() {
        LongMap<String> map = new LongMap<>(10);
        map.get(7, () -> "asked for", left -> {});
        for (long key = 100; key < 200; key++) {
            assertThat(map.get(7)).isEqualTo("asked for");
            map.get(key, () -> "never again", left -> {});
        }
        assertThat(map.get(7)).isEqualTo("asked for");
        assertThat(map.evicted()).isEqualTo(91);
    }

    @Test
    void refusesASizeThatIsNone() {
        assertThatThrownBy(() -> new LongMap<String>(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
