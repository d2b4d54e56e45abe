package io.pathlore.cli.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.analysis.Operator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MinuteEndsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MINUTE = 60 * SECOND;

    private final List<Long> over = new ArrayList<>();
    private final MinuteEnds ends = new MinuteEnds(11 * SECOND, over::add);

    /** As a host does. */
    private void until(long nanos) {
        while (ends.wakeAtNanos() <= nanos) {
            long now = ends.wakeAtNanos();
            ends.at(now);
            ends.onWake(now);
        }
        ends.at(nanos);
    }

    @Test
    void aMinuteIsOverWhenNothingIsToldOfItAnyMore() {
        assertThat(ends.wakeAtNanos()).isEqualTo(Operator.NEVER);
        until(5 * SECOND);
        until(MINUTE + 11 * SECOND - 1);
        assertThat(over).isEmpty();
        until(MINUTE + 11 * SECOND);
        assertThat(over).containsExactly(MINUTE);
        until(3 * MINUTE + 5 * SECOND);
        assertThat(over).containsExactly(MINUTE, 2 * MINUTE);
    }

    @Test
    void atTheEndAllIsToldUpToTheMinuteThatIsOpen() {
        ends.end();
        assertThat(over).as("no time has come").isEmpty();
        until(2 * MINUTE + 5 * SECOND);
        ends.at(Operator.NEVER);
        ends.end();
        assertThat(over).containsExactly(2 * MINUTE);
    }

    @Test
    void whoWasAwayLongSaysItOnce() {
        until(5 * SECOND);
        ends.at(10 * MINUTE);
        ends.onWake(10 * MINUTE);
        assertThat(over).containsExactly(9 * MINUTE);
        assertThat(ends.wakeAtNanos()).isEqualTo(10 * MINUTE + 11 * SECOND);
    }
}
