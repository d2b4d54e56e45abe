package io.pathlore.dataplane.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DiceTest {
    /** SplitMix64 with seed 1234567 starts 6457827717110365317, 3203168211198807973 [prng.di.unimi.it/splitmix64.c]. */
    @Test
    void isSplitMix64() {
        Dice dice = new Dice(0);
        dice.restart(1_234_567);
        assertThat(dice.nextLong()).isEqualTo(6457827717110365317L);
        assertThat(dice.nextLong()).isEqualTo(3203168211198807973L);
    }

    @Test
    void drawsBelowABoundAndAllOfIt() {
        Dice dice = new Dice(1);
        int[] counts = new int[6];
        for (int i = 0; i < 60_000; i++) {
            counts[dice.below(6)]++;
            assertThat(dice.below(1L << 40)).isBetween(0L, (1L << 40) - 1);
        }
        for (int count : counts) {
            assertThat(count).isBetween(9_600, 10_400);
        }
    }

    @Test
    void waitsTheMeanOnAverage() {
        Dice dice = new Dice(2);
        long sum = 0;
        for (int i = 0; i < 100_000; i++) {
            sum += dice.exponentialNanos(1_000_000);
        }
        assertThat(sum / 100_000).isBetween(990_000L, 1_010_000L);
    }

    /** Quantile q of the bounded Pareto is low / (1 - q (1 - (low/high)^a))^(1/a). */
    @Test
    void drawsHeavyTails() {
        Dice dice = new Dice(3);
        long[] sizes = new long[100_000];
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = dice.pareto(1_000, 10_000_000, 1_200);
        }
        Arrays.sort(sizes);
        assertThat(sizes[0]).isEqualTo(1_000);
        assertThat(sizes[50_000]).isBetween(1_750L, 1_815L); // 1782
        assertThat(sizes[90_000]).isBetween(6_600L, 7_010L); // 6812
        assertThat(sizes[99_000]).isBetween(43_000L, 50_000L); // 46384
        assertThat(sizes[99_999]).isBetween(3_000_000L, 10_000_000L);
        long total = Arrays.stream(sizes).sum();
        long top = Arrays.stream(sizes).skip(99_000).sum();
        assertThat(top * 100 / total)
                .as("percent of octets in the largest percent")
                .isBetween(25L, 60L);
    }

    @Test
    void givesStreamsOfOtherNamesOtherNumbers() {
        assertThat(TrafficSource.seed(1, "a")).isNotEqualTo(TrafficSource.seed(1, "b"));
        assertThat(TrafficSource.seed(1, "a")).isNotEqualTo(TrafficSource.seed(2, "a"));
        assertThat(TrafficSource.seed(1, "a")).isEqualTo(TrafficSource.seed(1, "a"));
        assertThat(Dice.of(1, 0).nextLong()).isNotEqualTo(Dice.of(1, 1).nextLong());
    }
}
