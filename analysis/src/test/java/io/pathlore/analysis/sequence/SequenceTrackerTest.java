package io.pathlore.analysis.sequence;

import static io.pathlore.analysis.sequence.Stream.MILLI;
import static io.pathlore.analysis.sequence.Stream.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What numbers tell. S-nn are the cases every collector of sequence-numbered reports should be asked about. */
class SequenceTrackerTest {
    private static final long WRAP_22 = 1L << 22;
    private static final long WRAP_32 = 1L << 32;

    /** S-01. */
    @ParameterizedTest
    @ValueSource(ints = {16, 22, 32})
    void nothingIsLostWhereTheCounterWraps(int width) {
        long wrap = 1L << width;
        Stream stream = new Stream(width).range(wrap - 100, wrap + 100);
        assertThat(stream.count(Outcome.IN_ORDER)).isEqualTo(199);
        assertThat(stream.gone()).isZero();
        assertThat(stream.tracker.arrived()).isEqualTo(200);
    }

    /** S-01: the last number before the wrap, the first after it, and both. */
    @ParameterizedTest
    @ValueSource(ints = {22, 32})
    void lossAtTheEdgeOfTheWrapIsCounted(int width) {
        long wrap = 1L << width;
        for (long[] lost : new long[][] {{wrap - 1}, {wrap}, {wrap - 1, wrap}}) {
            Stream stream = new Stream(width);
            for (long number = wrap - 50; number < wrap + 50; number++) {
                if (number != lost[0] && number != lost[lost.length - 1]) {
                    stream.send(number);
                }
            }
            assertThat(stream.gone()).isEqualTo(lost.length);
            assertThat(stream.count(Outcome.GAP)).isEqualTo(1);
        }
    }

    /** The two worked examples of serial number arithmetic at 22 bits. */
    @Test
    void theDistanceIsThatOfTheShorterWay() {
        Stream stream = new Stream(22).range(4_194_200, 4_194_301);
        assertThat(stream.send(3)).isEqualTo(Outcome.GAP);
        assertThat(stream.tracker.gap()).isEqualTo(6);

        Stream other = new Stream(22).range(4_194_200, 4_194_300).range(WRAP_22, WRAP_22 + 4);
        assertThat(other.tracker.missing()).isEqualTo(4);
        assertThat(other.send(4_194_300)).isEqualTo(Outcome.REORDERED);
        assertThat(other.tracker.missing()).isEqualTo(3);
    }

    /** S-02: to zero from far away, and to a random number behind or ahead. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 77_777, 1_999_999, 2_500_000})
    void aRestartIsTwoDatagramsInOrderOutsideTheWindow(long from) {
        Stream stream = new Stream(22).range(1_000_000, 1_005_000);
        stream.now += 3 * SECOND;
        Outcome first = stream.send(from);
        assertThat(first).isIn(Outcome.LATE, Outcome.STRAY);
        assertThat(stream.send(from + 1)).isEqualTo(Outcome.RESTART);
        stream.range(from + 2, from + 5_000);
        assertThat(stream.count(Outcome.RESTART)).isEqualTo(1);
        assertThat(stream.gone()).isZero();
        assertThat(stream.tracker.arrived()).isEqualTo(10_000);
    }

    /** S-02: the stream is so young that its start is still in the window; only the bytes tell. */
    @Test
    void aRestartInsideTheWindowIsToldByTheBytes() {
        Stream stream = new Stream(22).range(0, 500);
        for (int number = 0; number < 500; number++) {
            stream.send(number, 1, 10_000 + number);
        }
        assertThat(stream.count(Outcome.RESTART)).isEqualTo(1);
        assertThat(stream.count(Outcome.DUPLICATE)).isZero();
        assertThat(stream.gone()).isZero();
    }

    /** S-02: loss right after the restart is loss. */
    @Test
    void whatIsMissingAfterARestartIsCounted() {
        Stream stream = new Stream(22).range(100_000, 102_000);
        stream.send(0);
        stream.send(3);
        assertThat(stream.send(4)).isEqualTo(Outcome.RESTART);
        assertThat(stream.gone()).isEqualTo(2);
        assertThat(stream.send(1)).isEqualTo(Outcome.REORDERED);
        assertThat(stream.gone()).isEqualTo(1);
    }

    /** S-02: one datagram from nowhere changes nothing. */
    @Test
    void aStrayDatagramIsNoRestart() {
        Stream stream = new Stream(22).range(0, 3_000);
        assertThat(stream.send(2_000_000)).isEqualTo(Outcome.STRAY);
        stream.range(3_000, 6_000);
        assertThat(stream.count(Outcome.RESTART)).isZero();
        assertThat(stream.gone()).isZero();
    }

    /** S-02: 1,000 a second for two seconds may have been 2,000 and some, not a million. */
    @Test
    void aJumpIsLossOnlyAsFarAsTheRateCouldHaveMadeIt() {
        Stream lossy = new Stream(22).range(0, 5_000);
        lossy.now += 2 * SECOND;
        assertThat(lossy.send(7_000)).isEqualTo(Outcome.GAP);
        assertThat(lossy.gone()).isEqualTo(2_000);

        Stream restarted = new Stream(22).range(0, 5_000);
        restarted.now += 2 * SECOND;
        assertThat(restarted.send(1_005_000)).isEqualTo(Outcome.STRAY);
        assertThat(restarted.send(1_005_001)).isEqualTo(Outcome.RESTART);
        assertThat(restarted.gone()).isZero();
    }

    /** A receive buffer that overflows in a burst: the rate of the burst counts, not that of the quiet before. */
    @Test
    void aBurstMayLoseMoreThanTheAverageRateExplains() {
        Stream stream = new Stream(22);
        stream.step = SECOND / 10;
        stream.range(0, 100);
        stream.step = 10_000;
        stream.range(100, 300);
        stream.now += 200 * MILLI;
        assertThat(stream.send(20_300)).isEqualTo(Outcome.GAP);
        assertThat(stream.gone()).isEqualTo(20_000);
    }

    /** S-03: 1 % and 100 %, next to each other and far apart. */
    @Test
    void aNumberAndBytesSeenBeforeAreADuplicate() {
        for (int every : new int[] {100, 1}) {
            for (int behind : new int[] {0, 1, 31, 33, 1_000}) {
                Stream stream = new Stream(22).range(0, 2_000);
                for (int number = 2_000; number < 4_000; number++) {
                    stream.send(number);
                    if (number % every == 0) {
                        assertThat(stream.send(number - behind)).isEqualTo(Outcome.DUPLICATE);
                    }
                }
                assertThat(stream.count(Outcome.DUPLICATE)).isEqualTo(2_000 / every);
                assertThat(stream.gone()).isZero();
                assertThat(stream.tracker.arrived()).isEqualTo(4_000);
            }
        }
    }

    @Test
    void theSameNumberWithOtherBytesIsNoDuplicate() {
        Stream stream = new Stream(22).range(0, 100);
        assertThat(stream.send(99, 1, 12345)).isEqualTo(Outcome.REPEATED);
        assertThat(stream.send(50, 1, 12345)).isEqualTo(Outcome.REPEATED);
    }

    /** Without a page only the newest are remembered; what cannot be shown to be the same is not thrown away. */
    @Test
    void bytesThatAreNotRememberedMakeNoDuplicate() {
        SequenceTracker tracker = new SequenceTracker(SequenceTracker.Rules.DEFAULT);
        tracker.wrap(Stream.memory(SequenceTracker.STATE_LENGTH), 0).begin(22, Counting.AUTO);
        for (int number = 0; number < 200; number++) {
            tracker.on(number, number * MILLI, 1, number);
        }
        assertThat(tracker.on(199 - 31, SECOND, 1, 199 - 31)).isEqualTo(Outcome.DUPLICATE);
        assertThat(tracker.on(199 - 32, SECOND, 1, 199 - 32)).isEqualTo(Outcome.REPEATED);
    }

    /** S-03: Transparent Security always sends 64, ONOS 0, and a flood of equal packets gives equal reports. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 64})
    void aConstantNumberLosesNothingFromTheFirstReportOn(long constant) {
        for (int width : new int[] {22, 32}) {
            Stream stream = new Stream(width);
            assertThat(stream.send(constant)).isEqualTo(Outcome.FIRST);
            for (int i = 0; i < 5_000; i++) {
                assertThat(stream.send(constant)).isEqualTo(Outcome.CONSTANT);
            }
            assertThat(stream.gone()).isZero();
            assertThat(stream.tracker.counts()).isFalse();
            assertThat(stream.tracker.totals().completeness()).isNaN();
        }
    }

    /** S-03: Transparent Security numbers flow reports 64 (16-bit: 1) and drop reports 0, from the same node. */
    @Test
    void twoConstantNumbersAreNoCounterEither() {
        for (long[] numbers : new long[][] {{0, 64}, {64, 0}, {0, 1}, {1, 0}, {5, 3_000_000}, {3_000_000, 5}}) {
            Stream stream = new Stream(22);
            for (int i = 0; i < 5_000; i++) {
                assertThat(stream.send(numbers[i * 7 % 11 % 2])).isNotEqualTo(Outcome.DUPLICATE);
            }
            assertThat(stream.gone()).as("%d and %d", numbers[0], numbers[1]).isZero();
            assertThat(stream.count(Outcome.RESTART)).isZero();
            assertThat(stream.count(Outcome.LATE)).isZero();
            assertThat(stream.count(Outcome.RESEEDED)).isZero();
        }
    }

    @Test
    void aCounterThatStopsIsDisabledAfter64EqualNumbersAndEnabledWhenItMoves() {
        Stream stream = new Stream(22).range(0, 1_000);
        for (int i = 0; i < 62; i++) {
            assertThat(stream.send(999, 1, 5_000 + i)).isEqualTo(Outcome.REPEATED);
        }
        assertThat(stream.tracker.counts()).isTrue();
        for (int i = 0; i < 1_000; i++) {
            assertThat(stream.send(999)).isEqualTo(Outcome.CONSTANT);
        }
        assertThat(stream.tracker.counts()).isFalse();
        stream.range(1_000, 1_010);
        assertThat(stream.tracker.counts()).isTrue();
        stream.range(1_011, 1_100);
        assertThat(stream.gone()).isEqualTo(1);
        assertThat(stream.send(1_050)).isEqualTo(Outcome.DUPLICATE);
    }

    /** S-04: what comes before it leaves the window is not lost; what comes after that is late. */
    @Test
    void reorderingInsideTheWindowLosesNothing() {
        for (int depth : new int[] {1, 2, 64, 512, 1_023}) {
            Stream stream = new Stream(22).range(0, 2_000);
            for (int from = 2_000; from < 2_000 + 20 * (depth + 1); from += depth + 1) {
                stream.range(from + 1, from + depth + 1);
                assertThat(stream.send(from)).as("depth %d", depth).isEqualTo(Outcome.REORDERED);
            }
            assertThat(stream.gone()).isZero();
            assertThat(stream.tracker.lost()).isZero();
            assertThat(stream.count(Outcome.REORDERED)).isEqualTo(20);
        }
    }

    /** S-04. */
    @ParameterizedTest
    @ValueSource(ints = {1_024, 5_000})
    void reorderingBeyondTheWindowIsLateAndStaysLost(int depth) {
        Stream stream = new Stream(22).range(0, 2_000);
        stream.range(2_001, 2_001 + depth);
        assertThat(stream.tracker.lost()).isEqualTo(1);
        assertThat(stream.send(2_000)).isEqualTo(Outcome.LATE);
        assertThat(stream.tracker.lost()).isEqualTo(1);
        assertThat(stream.tracker.missing()).isZero();
    }

    /** S-04, at the very start: the first to come is not the first that was sent. */
    @Test
    void theFirstToComeNeedNotBeTheFirstThatWasSent() {
        Stream stream = new Stream(22);
        stream.send(1_023);
        for (int number = 0; number < 1_023; number++) {
            if (number != 7) {
                stream.send(number);
            }
        }
        stream.range(1_024, 1_030);
        assertThat(stream.gone()).isEqualTo(1);
    }

    @Test
    void whatIsMissingIsLostWhenItIsOldAndNeverFallsAgain() {
        Stream stream = new Stream(22).range(0, 100).range(101, 200);
        assertThat(stream.tracker.missing()).isEqualTo(1);
        assertThat(stream.tracker.lost()).isZero();
        stream.tracker.settle(stream.now + 4 * SECOND);
        assertThat(stream.gone()).isEqualTo(1);
        stream.tracker.settle(stream.now + 10 * SECOND);
        assertThat(stream.tracker.missing()).isZero();
        assertThat(stream.tracker.lost()).isEqualTo(1);
        stream.now += 10 * SECOND;
        assertThat(stream.send(100)).isEqualTo(Outcome.LATE);
        assertThat(stream.send(200)).isEqualTo(Outcome.IN_ORDER);
        assertThat(stream.tracker.lost()).isEqualTo(1);
    }

    /** However often it is asked in between. */
    @Test
    void settlingDoesNotDependOnWhoAsks() {
        Stream asked = new Stream(22);
        Stream left = new Stream(22);
        for (int number = 0; number < 30_000; number++) {
            if (number % 97 != 3) {
                asked.send(number);
                left.send(number);
                asked.tracker.settle(asked.now + number % 3);
            }
            assertThat(asked.tracker.lost()).isGreaterThanOrEqualTo(left.tracker.lost());
        }
        asked.tracker.settle(asked.now);
        left.tracker.settle(left.now);
        assertThat(asked.tracker.totals()).isEqualTo(left.tracker.totals());
    }

    /** S-05: at 100,000 a second 22 bits last 42 s. Less than half of that is a number, more is unknown. */
    @Test
    void aSilenceLongerThanHalfAWrapIsUnknownNeverANumber() {
        for (double wraps : new double[] {0.1, 0.4, 0.6, 1, 1.4, 3}) {
            Stream stream = new Stream(22);
            stream.step = 10_000;
            stream.range(0, 300_000);
            long missed = Math.round(wraps * WRAP_22);
            stream.now += missed * stream.step;
            Outcome outcome = stream.send(300_000 + missed);
            stream.range(300_001 + missed, 310_000 + missed);
            if (wraps < 0.5) {
                assertThat(outcome).isEqualTo(Outcome.GAP);
                assertThat(stream.gone()).isEqualTo(missed);
                assertThat(stream.count(Outcome.RESEEDED)).isZero();
            } else {
                assertThat(outcome).as("%f wraps", wraps).isEqualTo(Outcome.RESEEDED);
                assertThat(stream.gone()).isZero();
                assertThat(stream.tracker.totals().completeness()).isNaN();
            }
            assertThat(stream.count(Outcome.RESTART)).isZero();
        }
    }

    /** S-05 at 32 bits: 42 s of silence are nothing. */
    @Test
    void aWideCounterOutlastsTheSilence() {
        Stream stream = new Stream(32);
        stream.step = 10_000;
        stream.range(WRAP_32 - 100_000, WRAP_32);
        stream.now += WRAP_22 * stream.step;
        assertThat(stream.send(WRAP_32 + WRAP_22)).isEqualTo(Outcome.GAP);
        assertThat(stream.gone()).isEqualTo(WRAP_22);
    }

    /** S-07: numbers of reports, that of the first in the datagram or that of the last; loss is then a number of reports. */
    @Test
    void autoTellsReportsFromDatagrams() {
        for (String numbered : new String[] {"datagram", "first", "last"}) {
            for (int lossEvery : new int[] {1_000_000, 10, 3}) {
                Stream stream = new Stream(22);
                long number = 1_000;
                long gone = 0;
                long pending = 0;
                long arrived = 0;
                int datagrams = 0;
                for (int i = 0; i < 3_000; i++) {
                    int reports = 1 + i * 7 % 5;
                    long unit = numbered.equals("datagram") ? 1 : reports;
                    long label = numbered.equals("last") ? number + reports - 1 : number;
                    if (i % lossEvery == lossEvery - 1) {
                        pending += unit;
                    } else {
                        stream.send(label, reports, label);
                        gone += pending;
                        pending = 0;
                        arrived += unit;
                        if (++datagrams == 1_000) {
                            assertThat(stream.tracker.counting()).isNotEqualTo(Counting.AUTO);
                        }
                    }
                    number += unit;
                }
                assertThat(stream.tracker.counting())
                        .isEqualTo(numbered.equals("datagram") ? Counting.DATAGRAM : Counting.REPORT);
                assertThat(stream.gone())
                        .as("%s, 1 of %d lost", numbered, lossEvery)
                        .isEqualTo(gone);
                assertThat(stream.tracker.arrived()).isEqualTo(arrived);
            }
        }
    }

    /** S-07: every datagram holds five reports, so first and last look alike until the thousandth. */
    @Test
    void nothingIsSaidToBeLostBeforeItIsClearWhatIsNumbered() {
        Stream stream = new Stream(22);
        for (int i = 0; i < 1_100; i++) {
            stream.send(5L * i, 5, i);
            assertThat(stream.gone()).isZero();
        }
        assertThat(stream.tracker.counting()).isEqualTo(Counting.REPORT);
        stream.send(5 * 1_102, 5, 1_102);
        assertThat(stream.gone()).isEqualTo(10);
        assertThat(stream.send(5 * 1_101, 5, 1_101)).isEqualTo(Outcome.REORDERED);
        assertThat(stream.gone()).isEqualTo(5);
        assertThat(stream.send(5 * 1_101, 5, 1_101)).isEqualTo(Outcome.DUPLICATE);
    }

    /** What was missing when reports turned out to be numbered may still come. */
    @Test
    void aReorderedDatagramMayComeAfterTheDecision() {
        Stream stream = new Stream(22);
        long number = 0;
        long skipped = -1;
        for (int i = 0; i < 200; i++) {
            int reports = 2 + i % 3;
            if (i == 12) {
                skipped = number;
            } else {
                stream.send(number, reports, number);
            }
            if (stream.tracker.counting() == Counting.REPORT && skipped >= 0) {
                assertThat(stream.tracker.missing()).isEqualTo(2);
                assertThat(stream.send(skipped, 2, skipped)).isEqualTo(Outcome.REORDERED);
                skipped = -1;
            }
            number += reports;
        }
        assertThat(stream.gone()).isZero();
    }

    @Test
    void aPinnedCountingIsBelieved() {
        Stream datagrams = new Stream(22, Counting.DATAGRAM);
        Stream reports = new Stream(22, Counting.REPORT);
        Stream none = new Stream(22, Counting.NONE);
        for (int i = 0; i < 2_000; i++) {
            int n = 2 + i % 2;
            long number = i / 2 * 5L + i % 2 * 2L;
            datagrams.send(number, n, i);
            reports.send(number, n, i);
            none.send(number, n, i);
        }
        assertThat(datagrams.gone()).isEqualTo(999 * 5 + 2 + 1 - 2_000);
        assertThat(reports.gone()).isZero();
        assertThat(none.gone()).isZero();
        assertThat(none.count(Outcome.CONSTANT)).isEqualTo(1_999);
    }

    /** Transparent Security: a 16-bit number above six zero bits, if it counts at all. */
    @Test
    void aCounterThatStepsBy64LosesOneByOne() {
        Stream stream = new Stream(22);
        for (long number = 65_000; number < 67_000; number++) {
            if (number % 100 != 50) {
                stream.send(number << 6);
            }
        }
        assertThat(stream.tracker.step()).isEqualTo(64);
        assertThat(stream.gone()).isEqualTo(20);
        assertThat(stream.send(66_990L << 6)).isEqualTo(Outcome.DUPLICATE);
        assertThat(stream.count(Outcome.RESTART)).isZero();
    }

    /** Most counters start at 0, which could be the first of steps of 64. */
    @Test
    void aCounterThatStartsAtAMultipleOf64StepsByOne() {
        Stream stream = new Stream(22);
        stream.send(0);
        stream.send(64);
        stream.send(65);
        assertThat(stream.tracker.step()).isEqualTo(1);
        assertThat(stream.gone()).isEqualTo(63);
        for (int number = 1; number < 64; number++) {
            assertThat(stream.send(number)).isEqualTo(Outcome.REORDERED);
        }
        assertThat(stream.gone()).isZero();
        assertThat(new Stream(32).range(0, 200).tracker.step()).isEqualTo(1);
    }

    /** S-11: a second sender, in turn with the first, at random, or in bursts; the loss of the first stays what it is. */
    @Test
    void twoSendersInOneStreamAreSuspected() {
        for (int burst : new int[] {1, 2, 7, 50}) {
            Stream stream = new Stream(22).range(0, 2_000);
            long start = stream.now;
            long real = 2_000;
            long other = 3_000_000;
            for (int i = 0; !stream.tracker.suspected(stream.now); i++) {
                for (int k = 0; k < burst; k++) {
                    stream.send(i % 2 == 0 ? other++ : real++);
                }
            }
            assertThat(stream.now - start).as("bursts of %d", burst).isLessThan(10 * SECOND);
            assertThat(stream.tracker.suspicions()).isEqualTo(1);
            assertThat(stream.gone()).isZero();
        }
    }

    /** S-11. */
    @Test
    void aSecondSenderDoesNotHarmTheLossOfTheFirst() {
        Stream stream = new Stream(22).range(0, 2_000);
        for (int i = 0; i < 5_000; i++) {
            if (i % 10 != 3) {
                stream.send(2_000 + i);
            }
            stream.send(3_000_000 + i);
        }
        assertThat(stream.gone()).isEqualTo(500);
        assertThat(stream.count(Outcome.RESTART)).isLessThanOrEqualTo(1);
        assertThat(stream.tracker.suspicions()).isEqualTo(1);
    }

    /** S-11: numbers of both lie in one window; their bytes differ. */
    @Test
    void aSecondSenderCloseByIsSuspectedToo() {
        Stream stream = new Stream(22).range(0, 2_000);
        for (int i = 0; i < 100; i++) {
            stream.send(2_000 + i);
            stream.send(1_500 + i, 1, 777_777 + i);
        }
        assertThat(stream.tracker.suspected(stream.now)).isTrue();
        assertThat(stream.gone()).isZero();
        assertThat(stream.count(Outcome.DUPLICATE)).isZero();
    }

    /** When the first falls silent, the second is the stream. */
    @Test
    void afterASuspicionTheOneThatGoesOnIsFollowed() {
        Stream stream = new Stream(22).range(0, 2_000);
        for (int i = 0; i < 100; i++) {
            stream.send(2_000 + i);
            stream.send(3_000_000 + i);
        }
        stream.range(3_000_100, 3_001_000);
        assertThat(stream.count(Outcome.RESTART)).isEqualTo(1);
        stream.range(3_001_001, 3_002_000);
        assertThat(stream.gone()).isEqualTo(1);
    }

    @Test
    void aRestartAloneIsNotSuspicious() {
        Stream stream = new Stream(22).range(500_000, 502_000);
        for (int i = 0; i < 20; i++) {
            stream.range(0, 2_000);
        }
        assertThat(stream.count(Outcome.RESTART)).isEqualTo(20);
        assertThat(stream.tracker.suspicions()).isZero();
    }

    @Test
    void closingSettlesEverything() {
        Stream stream = new Stream(22).range(0, 100).range(105, 110);
        stream.tracker.close();
        assertThat(stream.tracker.lost()).isEqualTo(5);
        assertThat(stream.tracker.missing()).isZero();
        assertThat(stream.tracker.totals().completeness()).isEqualTo(105 / 110.0);
    }

    @Test
    void completenessOfAnIntervalIsTheDifferenceOfTwoReadings() {
        Stream stream = new Stream(22).range(0, 1_000).range(1_500, 2_000);
        SequenceTotals before = stream.tracker.totals();
        stream.range(2_000, 2_090).range(2_100, 2_110);
        assertThat(stream.tracker.totals().since(before).completeness()).isEqualTo(100 / 110.0);
    }

    @Test
    void aStreamFitsIntoHalfAKilobyte() {
        assertThat(SequenceTable.BYTES_PER_STREAM).isLessThanOrEqualTo(500);
    }
}
