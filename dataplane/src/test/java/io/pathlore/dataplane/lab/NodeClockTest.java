package io.pathlore.dataplane.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NodeClockTest {
    private static final long DAY = 86_400_000_000_000L;

    @Test
    void gainsAndLosesByItsDrift() {
        assertThat(new NodeClock(0, 0).deviceNanos(123)).isEqualTo(123);
        assertThat(new NodeClock(-500, 0).deviceNanos(123)).isEqualTo(-377);
        // 100 ppm fast: 8.64 s in a day.
        assertThat(new NodeClock(7, 100_000).deviceNanos(DAY)).isEqualTo(DAY + 7 + 8_640_000_000L);
        assertThat(new NodeClock(0, -100_000).deviceNanos(DAY)).isEqualTo(DAY - 8_640_000_000L);
        assertThat(new NodeClock(0, -1).deviceNanos(1)).isEqualTo(0);
    }

    @Test
    void isExactForYears() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 10_000; i++) {
            long time = random.nextLong(4_000 * DAY);
            long drift = random.nextLong(-1_000_000, 1_000_001);
            long gained = BigInteger.valueOf(time)
                    .multiply(BigInteger.valueOf(drift))
                    .subtract(BigInteger.valueOf(time)
                            .multiply(BigInteger.valueOf(drift))
                            .mod(BigInteger.valueOf(1_000_000_000)))
                    .divide(BigInteger.valueOf(1_000_000_000))
                    .longValueExact();
            assertThat(new NodeClock(0, drift).deviceNanos(time)).isEqualTo(time + gained);
        }
    }
}
