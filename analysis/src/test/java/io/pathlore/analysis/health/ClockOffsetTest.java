package io.pathlore.analysis.health;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.model.ReportRow;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class ClockOffsetTest {
    private static final long SECOND = 1_000_000_000L;
    /** 2026-11-15T18:00:00Z, when a minute begins. */
    private static final long START = 1_794_765_600_000_000_000L;

    private final ClockOffset clock = new ClockOffset();

    @Test
    void nothingIsKnownOfAClockThatWasNotTold() {
        assertThat(clock.aheadNanos()).isEqualTo(ClockOffset.UNKNOWN);
    }

    /** The one that was on its way for 20 us says most. */
    @Test
    void theReportThatWasDelayedLeastSaysIt() {
        long ahead = 3_600 * SECOND;
        for (long delay : new long[] {5_000_000, 20_000, 900_000}) {
            clock.add(START + delay, START + ahead);
        }
        assertThat(clock.aheadNanos()).isEqualTo(ahead - 20_000);
    }

    @Test
    void aMinuteThatIsOverIsBelievedUntilTheNextOne() {
        clock.add(START, START - 100);
        clock.add(START + 60 * SECOND, START + 60 * SECOND - 5_000);
        assertThat(clock.aheadNanos()).as("the new minute has not seen much").isEqualTo(-100);
        clock.add(START + 120 * SECOND, START + 120 * SECOND - 7_000);
        assertThat(clock.aheadNanos()).isEqualTo(-5_000);
    }

    @Test
    void afterASilenceTheOldIsForgotten() {
        clock.add(START, START + 100);
        clock.add(START + 600 * SECOND, START + 600 * SECOND - 7_000);
        assertThat(clock.aheadNanos()).isEqualTo(-7_000);
    }

    @Test
    void timeSinceAStartIsNoTimeOfDay() {
        clock.add(START, 17 * SECOND);
        assertThat(clock.aheadNanos()).isEqualTo(ClockOffset.UNKNOWN);
        clock.add(START + 1, START);
        assertThat(clock.aheadNanos())
                .as("of one that tells both, nobody knows")
                .isEqualTo(ClockOffset.UNKNOWN);
    }

    @Test
    void allOnesAndTheLikeAreNoTimes() {
        clock.add(START, -1);
        clock.add(START, Long.MIN_VALUE);
        clock.add(START, Long.MAX_VALUE);
        assertThat(clock.aheadNanos()).isEqualTo(ClockOffset.UNKNOWN);
    }

    /** However reports are delayed, it is never said to be further ahead than it is, and at most by the least delay less. */
    @Test
    void delaysOnlyEverMakeItLess() {
        forAll(RandomGenerator::nextLong, seed -> {
            var random = new SplittableRandom(seed);
            long ahead = random.nextLong(-3_600 * SECOND, 3_600 * SECOND);
            ClockOffset of = new ClockOffset();
            long least = Long.MAX_VALUE;
            for (int i = 0; i < 50; i++) {
                long sent = START + random.nextLong(59 * SECOND);
                long delay = random.nextLong(SECOND);
                least = Math.min(least, delay);
                of.add(sent + delay, sent + ahead);
            }
            assertThat(of.aheadNanos()).isEqualTo(ahead - least);
        });
    }

    /** In a stack the sink speaks for itself last; what the others say is by their clocks. */
    @Test
    void aReportTellsTheTimeOfItsReporterAlone() {
        ByteBuffer row = ByteBuffer.allocate(ReportRow.LENGTH + 2 * ReportRow.HOP_LENGTH);
        long reporter = 7;
        ReportRow.begin(row, 0, 0, 20, START, 0, 1, reporter);
        ReportRow.hop(row, 0, 0, 3, 1, 2, -1, -1, -1, START - 20, START - 10, -1, 64);
        ReportRow.hop(row, 0, 1, reporter, 1, 2, -1, -1, -1, START - 5, START - 4, -1, 64);
        ReportRow.way(row, 0, 0, 0, 2);
        assertThat(ReportRow.ownTime(row, 0)).isEqualTo(START - 4);
        ReportRow.hop(row, 0, 1, reporter, 1, 2, -1, -1, -1, START - 5, ReportRow.ABSENT, -1, 64);
        assertThat(ReportRow.ownTime(row, 0)).isEqualTo(START - 5);
        ReportRow.hop(row, 0, 1, reporter, 1, 2, -1, -1, -1, 5, 6, -1, 32);
        assertThat(ReportRow.ownTime(row, 0)).as("it wraps every four seconds").isEqualTo(ReportRow.ABSENT);
        ReportRow.hop(row, 0, 1, 8, 1, 2, -1, -1, -1, START - 5, START - 4, -1, 64);
        assertThat(ReportRow.ownTime(row, 0)).isEqualTo(ReportRow.ABSENT);
    }
}
