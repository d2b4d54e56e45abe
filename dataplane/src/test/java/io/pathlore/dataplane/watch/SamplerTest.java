package io.pathlore.dataplane.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.dataplane.watch.Sampling.Method;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SamplerTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 100, 1_000})
    void countsTakeTheFirstAndThenEachNth(int oneIn) {
        Sampler sampler = new Sampler(new Sampling(Method.COUNT, oneIn));
        for (int i = 0; i < 5_000; i++) {
            assertThat(sampler.takes(0)).isEqualTo(i % oneIn == 0);
        }
    }

    @Test
    void aCountdownTakesOneMoreThanItsRate() {
        assertThat(Sampling.countdown(99)).isEqualTo(new Sampling(Method.COUNT, 100));
        assertThat(Sampling.countdown(0)).isEqualTo(Sampling.EVERY_PACKET);
    }

    /** Numbers spread evenly over all there are, so the share is exact. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 64, 1_024})
    void identitiesAreTakenInTheirShare(int oneIn) {
        Sampler sampler = new Sampler(new Sampling(Method.IDENTITY, oneIn));
        int taken = 0;
        for (long i = 0; i < 65_536; i++) {
            taken += sampler.takes(i << 48) ? 1 : 0;
        }
        assertThat(taken).isEqualTo(65_536 / oneIn);
    }

    @Test
    void aSmallerShareIsPartOfALargerOne() {
        Sampler hundredth = new Sampler(new Sampling(Method.IDENTITY, 100));
        Sampler thousandth = new Sampler(new Sampling(Method.IDENTITY, 1_000));
        for (long i = 0; i < 100_000; i++) {
            long identity = FlowHash.finish(i);
            assertThat(thousandth.takes(identity) && !hundredth.takes(identity)).isFalse();
        }
    }

    @Test
    void refusesOneInNone() {
        assertThatThrownBy(() -> new Sampling(Method.COUNT, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
