package io.pathlore.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OverloadTest {
    private static final long STEP = 50_000_000;

    private final Overload overload = new Overload();
    private long ticks;

    private void observe(int percent, int times) {
        for (int i = 0; i < times; i++) {
            overload.observe(percent, ticks += STEP);
        }
    }

    private double share(boolean dropped) {
        int shed = 0;
        for (int i = 0; i < 8_000; i++) {
            shed += overload.sheds((i * 0x9E37_79B9_7F4A_7C15L), dropped) ? 1 : 0;
        }
        return shed / 8_000.0;
    }

    @Test
    void shedsNothingWhileThereIsRoom() {
        observe(49, 100);
        assertThat(share(false)).isZero();
    }

    @Test
    void shedsAnEighthMoreWithEachStep() {
        observe(60, 1);
        assertThat(share(false)).isBetween(0.12, 0.13);
        observe(60, 3);
        assertThat(share(false)).isBetween(0.49, 0.51);
        observe(60, 50);
        assertThat(share(false)).isEqualTo(1);
    }

    @Test
    void keepsReportsOfDropsWhateverTheLevel() {
        observe(100, 50);
        assertThat(share(true)).isZero();
    }

    @Test
    void isBackWithinHalfASecondOfRoom() {
        observe(100, 50);
        long before = ticks;
        observe(0, 8);
        assertThat(overload.level()).isZero();
        assertThat(ticks - before).isLessThanOrEqualTo(500_000_000);
    }

    @Test
    void staysBetweenTheMarks() {
        observe(60, 3);
        observe(30, 100);
        assertThat(overload.level()).isEqualTo(3);
    }

    @Test
    void stepsNoFasterThanItCanSeeTheEffect() {
        for (int i = 0; i < 1_000; i++) {
            overload.observe(90, ticks += 10_000);
        }
        assertThat(overload.level()).isEqualTo(1);
    }
}
