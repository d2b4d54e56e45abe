package io.pathlore.ingest;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KernelDropsTest {
    private final KernelDrops drops = new KernelDrops();

    /** The kernel tells a total, not what is new: reading it twice must not count it twice. */
    @Test
    void readsATotalAsATotal() {
        drops.observe(50);
        drops.observe(50);
        drops.observe(300);
        assertThat(drops.total()).isEqualTo(300);
    }

    @Test
    void goesOnWhereTheCounterWraps() {
        drops.observe(0x7FFF_FFFF);
        drops.observe(-1);
        assertThat(drops.total()).isEqualTo(0xFFFF_FFFFL);
        drops.observe(5);
        assertThat(drops.total()).isEqualTo(0x1_0000_0005L);
    }

    @Test
    void keepsWhatAnEarlierSocketLost() {
        drops.observe(7);
        drops.reopened();
        drops.observe(0);
        assertThat(drops.total()).isEqualTo(7);
        drops.observe(3);
        drops.reopened();
        drops.observe(2);
        assertThat(drops.total()).isEqualTo(12);
    }

    @Test
    void isTheSumOfWhatWasDroppedWhateverTheCounterDoes() {
        forAll(random -> random.longs(200, 0, 1L << 32).toArray(), steps -> {
            var counted = new KernelDrops();
            long sum = 0;
            long kernel = 0;
            for (long step : steps) {
                if (step % 7 == 0) {
                    counted.reopened();
                    kernel = 0;
                }
                kernel += step;
                sum += step;
                counted.observe((int) kernel);
                assertThat(counted.total()).isEqualTo(sum);
            }
        });
    }
}
