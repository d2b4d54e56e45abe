package io.pathlore.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The examples of [TR 2.0 §3.2] with its 22 bits. */
class SequenceStreamTest {
    private final SequenceStream stream = new SequenceStream(22);

    private void on(long... numbers) {
        for (long number : numbers) {
            stream.on(number);
        }
    }

    @Test
    void countsAGapAlsoOverTheWrap() {
        on(4_194_300, 3);
        assertThat(stream.lost()).isEqualTo(6);
        assertThat(stream.restarts()).isZero();
    }

    @Test
    void takesBackWhatOnlyCameLate() {
        on(3, 6, 4, 5, 7);
        assertThat(stream.lost()).isZero();
        assertThat(stream.late()).isEqualTo(2);
    }

    @Test
    void aNumberFarBehindIsARestart() {
        on(100_000, 100_001, 1, 2, 3);
        assertThat(stream.restarts()).isEqualTo(1);
        assertThat(stream.lost()).isZero();
    }

    @Test
    void aCounterThatNeverMovesIsConstant() {
        on(64, 64);
        assertThat(stream.isConstant()).isFalse();
        on(64);
        assertThat(stream.isConstant()).isTrue();
        on(65);
        assertThat(stream.isConstant()).isFalse();
        assertThat(stream.repeated()).isEqualTo(2);
    }
}
