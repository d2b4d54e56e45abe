package io.pathlore.dataplane.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PacerTest {
    private static final long SECOND = 1_000_000_000L;

    /** Time passes when it is waited for, with a seeded oversleep as real threads have, and when something is sent. */
    private static final class FakeTicker implements Ticker {
        private final Random random = new Random(1);
        private long now = 12_345;
        private long parked;

        @Override
        public long nanoTime() {
            return now += 25;
        }

        @Override
        public void park(long nanos) {
            long slept = nanos + random.nextInt(60_000);
            parked += slept;
            now += slept;
        }

        @Override
        public void spin() {
            now += 40;
        }
    }

    private final FakeTicker ticker = new FakeTicker();
    private int flushes;

    private Pacer pacer(Pace pace, long nanosPerFlush) {
        return new Pacer(pace, ticker, () -> {
            flushes++;
            ticker.now += nanosPerFlush;
        });
    }

    @Test
    void holdsARateWithoutDrift() {
        Pacer pacer = pacer(new Pace.PerSecond(30_000), 4_000);
        long start = ticker.now;
        List<Long> errors = new ArrayList<>();
        for (int i = 0; i < 300_000; i++) {
            assertThat(pacer.await(Pacer.UNSTAMPED)).isTrue();
            errors.add(ticker.now - start - (long) (i * (1e9 / 30_000)));
        }
        pacer.finish();

        assertThat(pacer.rateHeld()).isBetween(29_999.0, 30_001.0);
        assertThat(pacer.rateAsked()).isEqualTo(30_000);
        assertThat(errors).allSatisfy(error -> assertThat(error).isBetween(0L, 6_000L));
        assertThat(pacer.worstLagNanos()).isLessThan(6_000);
    }

    @Test
    void sendsTogetherWhatIsDueTogether() {
        Pacer pacer = pacer(new Pace.PerSecond(1_000_000), 20_000);
        for (int i = 0; i < 100_000; i++) {
            pacer.await(Pacer.UNSTAMPED);
        }
        pacer.finish();

        assertThat(pacer.rateHeld()).isBetween(990_000.0, 1_010_000.0);
        assertThat(flushes).isBetween(4_000, 6_000); // one in about 20 µs
    }

    @Test
    void catchesUpWithWhatWasHeldUp() {
        Pacer pacer = pacer(new Pace.PerSecond(1000), 0);
        for (int i = 0; i < 10_000; i++) {
            pacer.await(Pacer.UNSTAMPED);
            if (i == 5000) {
                ticker.now += 2 * SECOND;
            }
        }
        pacer.finish();

        assertThat(pacer.rateHeld()).isBetween(999.0, 1001.0);
        assertThat(pacer.worstLagNanos()).isBetween(SECOND, 2 * SECOND);
    }

    @Test
    void tellsTheRateItCouldNotHold() {
        Pacer pacer = pacer(new Pace.PerSecond(1_000_000), 0);
        for (int i = 0; i < 1000; i++) {
            pacer.await(Pacer.UNSTAMPED);
            ticker.now += 10_000; // each takes ten microseconds to send
        }
        pacer.finish();

        assertThat(pacer.rateHeld()).isBetween(95_000.0, 101_000.0);
        assertThat(pacer.rateAsked()).isEqualTo(1_000_000);
    }

    @Test
    void keepsTheDistancesOfTimeStamps() {
        Pacer pacer = pacer(new Pace.Stamped(2), 0);
        long[] stamps = {50 * SECOND, 51 * SECOND, 51 * SECOND, Pacer.UNSTAMPED, 50 * SECOND, 54 * SECOND};
        long[] due = {0, SECOND / 2, SECOND / 2, SECOND / 2, SECOND / 2, 2 * SECOND};
        long start = ticker.now;
        for (int i = 0; i < stamps.length; i++) {
            pacer.await(stamps[i]);
            assertThat(ticker.now - start - due[i]).isBetween(0L, 1000L);
        }
        assertThat(ticker.parked).isGreaterThan(2 * SECOND - 1_000_000); // and does not burn the processor meanwhile
        assertThat(pacer.rateAsked()).isEqualTo(2.5);
    }

    @Test
    void repeatsGoOnAtTheSamePace() {
        Pacer pacer = pacer(new Pace.Stamped(1), 0);
        long start = ticker.now;
        for (int pass = 0; pass < 3; pass++) {
            for (int i = 0; i < 10; i++) {
                pacer.await(100 * SECOND + i * 1_000_000L);
                assertThat(ticker.now - start - (pass * 10 + i) * 1_000_000L).isBetween(0L, 1000L);
            }
            pacer.startAgain();
        }
    }

    @Test
    void neverWaitsWithoutBounds() {
        Pacer pacer = pacer(new Pace.Unbounded(), 0);
        for (int i = 0; i < 10; i++) {
            pacer.await(i * SECOND);
        }
        pacer.finish();

        assertThat(flushes).isZero();
        assertThat(ticker.parked).isZero();
        assertThat(pacer.rateAsked()).isNaN();
        assertThat(pacer.released()).isEqualTo(10);
    }

    @Test
    void releasesNothingOnceStopped() {
        Pacer pacer = pacer(new Pace.PerSecond(1), 0);
        assertThat(pacer.await(Pacer.UNSTAMPED)).isTrue();
        pacer.stop();
        assertThat(pacer.await(Pacer.UNSTAMPED)).isFalse();
        pacer.finish();
        assertThat(pacer.released()).isEqualTo(1);
        assertThat(pacer.rateHeld()).isNaN();
    }

    @Test
    void refusesPacesThatAreNone() {
        assertThatThrownBy(() -> new Pace.PerSecond(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Pace.Stamped(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Pace.Stamped(-1)).isInstanceOf(IllegalArgumentException.class);
    }
}
