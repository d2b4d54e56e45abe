package io.pathlore.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LosslessTest {
    private final Lossless lossless = new Lossless(new Lossless.Plan(5, 4, 2, 1.02));

    /** A receiver that takes so much and loses the rest. */
    private static Lossless.Road taking(double perSecond) {
        return (rate, seconds) -> {
            long sent = (long) (rate * seconds);
            return new Lossless.Ran(rate, sent, Math.max(0, sent - (long) (perSecond * seconds)));
        };
    }

    @Test
    void findsTheRateFromAboveAndFromBelow() throws IOException, InterruptedException {
        for (double guess : new double[] {50_000, 600_000, 640_000, 9_000_000}) {
            Lossless.Rate rate = lossless.find(taking(640_000), guess);
            assertThat(rate.perSecond())
                    .isCloseTo(640_000, within(640_000 * 0.02))
                    .isLessThanOrEqualTo(640_100);
            assertThat(rate.atLeast()).isFalse();
        }
    }

    @Test
    void oneInTenThousandMayBeLost() throws IOException, InterruptedException {
        Lossless.Road leaking = (rate, seconds) -> new Lossless.Ran(rate, 1_000_000, rate > 300_000 ? 101 : 100);
        assertThat(lossless.find(leaking, 100_000).perSecond()).isCloseTo(300_000, within(6_000.0));
    }

    @Test
    void aStumbleIsForgivenAndASecondIsNot() throws IOException, InterruptedException {
        for (int every : new int[] {5, 2}) {
            List<Double> asked = new ArrayList<>();
            Lossless.Road unsteady = (rate, seconds) -> {
                asked.add(seconds);
                boolean stumbles = rate > 200_000 && asked.size() % every == 0;
                return new Lossless.Ran(rate, 1_000_000, rate > 400_000 || stumbles ? 1_000 : 0);
            };
            double held = every == 5 ? 400_000 : 200_000;
            assertThat(lossless.find(unsteady, 200_000).perSecond()).isCloseTo(held, within(held * 0.02));
            assertThat(asked).containsOnly(2.0);
        }
    }

    @Test
    void saysSoWhereTheSenderIsTheLimit() throws IOException, InterruptedException {
        Lossless.Road fast = (rate, seconds) -> new Lossless.Ran(Math.min(rate, 700_000), 1_000_000, 0);
        assertThat(lossless.find(fast, 500_000)).isEqualTo(new Lossless.Rate(700_000, true));
    }
}
