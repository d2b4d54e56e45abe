package io.pathlore.analysis.ddos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CountersTest {
    private static final int META = Counters.meta(1, false, -1);
    private static final int DISTINCT = 10_000_000;
    private static final int TICKS = 40;
    private static final int TOP = 100;

    /**
     * Ten million keys that are seen once, and as many packets of keys of which the n-th has an n-th of what the first has: those
     * that count most are the ones that do.
     */
    @Test
    void knowsTheHundredLargestOfTenMillion() {
        Counters counters = new Counters(32_768, 3);
        SplittableRandom random = new SplittableRandom(11);
        int[] exact = new int[1 << 20];
        for (int i = 0; i < DISTINCT; i++) {
            long tick = (long) i * TICKS / DISTINCT;
            add(counters, (1L << 40) + i, tick);
            int rank = (int) Math.exp(random.nextDouble() * Math.log(DISTINCT));
            add(counters, rank, tick);
            if (rank < exact.length && tick > TICKS - 1 - Counters.TICKS) {
                exact[rank]++;
            }
        }
        Set<Integer> truth = IntStream.range(0, exact.length)
                .boxed()
                .sorted((a, b) -> exact[b] - exact[a])
                .limit(TOP)
                .collect(Collectors.toSet());
        Set<Integer> found = IntStream.range(0, counters.touchedCount())
                .map(counters::touched)
                .boxed()
                .sorted((a, b) ->
                        Long.compare(counters.firstOfSecond(b, TICKS - 1), counters.firstOfSecond(a, TICKS - 1)))
                .limit(TOP)
                .map(slot -> (int) counters.low(slot))
                .collect(Collectors.toSet());
        Set<Integer> both = new HashSet<>(truth);
        both.retainAll(found);
        assertThat(both).hasSizeGreaterThanOrEqualTo(TOP * 99 / 100);
        assertThat(counters.size()).isLessThanOrEqualTo(32_768);
        assertThat(counters.evicted()).isGreaterThan(9_000_000);
    }

    private static void add(Counters counters, long key, long tick) {
        int slot = counters.at(META, 0, key, tick, 0);
        counters.add(slot, tick, 1, 0, 0);
    }

    @Test
    void forgetsWhatIsMoreThanASecondAgo() {
        Counters counters = new Counters(64, 3);
        add(counters, 5, 100);
        add(counters, 5, 104);
        int slot = counters.find(META, 0, 5);
        assertThat(counters.firstOfSecond(slot, 104)).isEqualTo(2);
        assertThat(counters.firstOfSecond(slot, 109)).isEqualTo(2);
        assertThat(counters.firstOfSecond(slot, 110)).isEqualTo(1);
        add(counters, 5, 112);
        assertThat(counters.firstOfSecond(slot, 112)).isEqualTo(2);
        assertThat(counters.first(slot, 102)).isZero();
    }

    @Test
    void whoIsLookedAtCloselyStays() {
        Counters counters = new Counters(8, 3);
        for (int key = 0; key < 8; key++) {
            add(counters, key, 1);
            counters.suspect(counters.find(META, 0, key), key);
        }
        assertThat(counters.at(META, 0, 99, 1, 0)).isEqualTo(Counters.NOBODY);
        assertThat(counters.refused()).isEqualTo(1);
        assertThat(counters.find(META, 0, 3)).isNotEqualTo(Counters.NOBODY);
    }

    @Test
    void aLateOneIsAddedWhereItBelongs() {
        Counters counters = new Counters(64, 3);
        add(counters, 5, 20);
        add(counters, 5, 15);
        add(counters, 5, 9); // too late
        int slot = counters.find(META, 0, 5);
        assertThat(counters.first(slot, 15)).isEqualTo(1);
        assertThat(counters.firstOfSecond(slot, 20)).isEqualTo(2);
    }
}
