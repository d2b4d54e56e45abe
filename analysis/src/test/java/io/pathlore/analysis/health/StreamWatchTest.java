package io.pathlore.analysis.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Details;
import io.pathlore.analysis.event.Event.Reporter;
import io.pathlore.analysis.sequence.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StreamWatchTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long START = 1_700_000_000L * SECOND;
    private static final long SILENT = 30 * SECOND;
    private static final long SETTLE = 5 * SECOND;
    private static final int BITS = 22;
    private static final int WRAP = 1 << BITS;
    private static final long ADDRESS = 0x0A00_0103L;
    private static final Reporter NODE = new Reporter(3, null);

    private final List<Event> events = new ArrayList<>();
    private final StreamWatch watch = new StreamWatch(new StreamWatch.Rules(SILENT, SETTLE, 1_000), events::add);

    private static long s(double seconds) {
        return START + (long) (seconds * SECOND);
    }

    private void number(double seconds, long sequence, int gap, Outcome outcome) {
        watch.on(3, 0, false, 0, ADDRESS, BITS, sequence, gap, outcome, s(seconds));
    }

    private void stream(double lastSeconds, double perSecond, double nowSeconds) {
        watch.onStream(3, 0, false, 0, ADDRESS, BITS, s(lastSeconds), perSecond, s(nowSeconds));
    }

    private static Event loss(double start, long end, double found, long lost) {
        return new Event(s(start), end, s(found), new Details.ReportLoss(NODE, 0, lost));
    }

    private static Event restart(double start, double found) {
        return new Event(s(start), s(start), s(found), new Details.ExporterRestart(NODE, 0));
    }

    private static Event silent(double start, long end, double found) {
        return new Event(s(start), end, s(found), new Details.ExporterSilent(NODE, 0));
    }

    // ---- loss

    @Test
    void whatIsMissingIsLostOnlyAfterAWhile() {
        number(0, 10, 3, Outcome.GAP);
        watch.onTick(s(4.9));
        assertThat(events).isEmpty();
        watch.onTick(s(5));
        assertThat(events).containsExactly(loss(0, Event.OPEN, 5, 3));
    }

    @Test
    void whatWasOvertakenIsNotLost() {
        number(0, 10, 3, Outcome.GAP);
        number(0.1, 8, 0, Outcome.REORDERED);
        number(0.2, 7, 0, Outcome.REORDERED);
        number(4, 9, 0, Outcome.LATE);
        watch.onTick(s(60));
        watch.end(s(60));
        assertThat(events).isEmpty();
    }

    @Test
    void ofAGapThatIsPartlyFilledTheRestIsLost() {
        number(0, 10, 5, Outcome.GAP); // 5 to 9
        number(0.1, 7, 0, Outcome.REORDERED); // from the middle
        number(0.2, 9, 0, Outcome.REORDERED); // the last
        number(0.3, 4, 0, Outcome.REORDERED); // none of them
        watch.onTick(s(5));
        watch.end(s(20));
        assertThat(events.getFirst().startNanos()).isEqualTo(s(0));
        assertThat(events.getLast()).isEqualTo(loss(0, s(0), 5, 3));
    }

    @Test
    void aGapMayReachAroundTheEndOfTheNumbers() {
        number(0, 2, 4, Outcome.GAP); // two before the turn, 0 and 1
        number(0.1, WRAP - 1, 0, Outcome.REORDERED);
        number(0.2, 0, 0, Outcome.REORDERED);
        watch.onTick(s(5));
        watch.end(s(20));
        assertThat(events.getLast()).isEqualTo(loss(0, s(0), 5, 2));
    }

    @Test
    void lossesLessThanFiveSecondsApartAreOne() {
        number(0, 10, 1, Outcome.GAP);
        number(4.9, 20, 2, Outcome.GAP);
        for (double now = 5; now < 20; now++) {
            watch.onTick(s(now));
        }
        assertThat(events).containsExactly(loss(0, Event.OPEN, 5, 1), loss(0, s(4.9), 5, 3));
    }

    @Test
    void lossesFurtherApartAreTwo() {
        number(0, 10, 1, Outcome.GAP);
        watch.onTick(s(5));
        number(5.1, 20, 2, Outcome.GAP);
        watch.onTick(s(11));
        assertThat(events)
                .containsExactly(loss(0, Event.OPEN, 5, 1), loss(0, s(0), 5, 1), loss(5.1, Event.OPEN, 11, 2));
    }

    @Test
    void moreGapsThanThereIsRoomForAreLostAtOnceAndNoneIsForgotten() {
        for (int i = 0; i < 1_024; i++) {
            number(0.001 * i, 10L * i + 10, 1, Outcome.GAP);
        }
        assertThat(events).isEmpty(); // all of them may still come
        number(1.5, 20_000, 1, Outcome.GAP);
        assertThat(events).hasSize(1);
        watch.end(s(2));
        assertThat(((Details.ReportLoss) events.getLast().details()).lost()).isEqualTo(1_025);
    }

    @Test
    void numbersInOrderSayNothing() {
        for (Outcome calm :
                List.of(Outcome.FIRST, Outcome.IN_ORDER, Outcome.RESEEDED, Outcome.DUPLICATE, Outcome.CONSTANT)) {
            number(0, 1, 0, calm);
        }
        watch.onTick(s(60));
        watch.end(s(60));
        assertThat(events).isEmpty();
    }

    @Test
    void streamsOfOneNodeAreToldApart() {
        watch.on(3, 0, false, 0, ADDRESS, BITS, 10, 1, Outcome.GAP, s(0));
        watch.on(3, 1, false, 0, ADDRESS, BITS, 10, 2, Outcome.GAP, s(0));
        watch.onTick(s(5));
        assertThat(events).extracting(Event::identity).containsExactly("3|0", "3|1");
    }

    @Test
    void whoNamesNoNodeIsKnownByItsAddress() {
        watch.on(-1, 0, false, 0, ADDRESS, BITS, 10, 1, Outcome.GAP, s(0));
        watch.onTick(s(5));
        assertThat(events).extracting(Event::identity).containsExactly("10.0.1.3|0");
    }

    // ---- restarts

    @Test
    void aRestartBeginsWithTheFirstDatagramThatDidNotFit() {
        number(1, 0, 0, Outcome.STRAY);
        number(1.5, 1, 0, Outcome.RESTART);
        assertThat(events).containsExactly(restart(1, 1.5));
    }

    @Test
    void aStrayOfLongAgoIsNotTheRestart() {
        number(1, 0, 0, Outcome.STRAY);
        number(6.1, 1, 0, Outcome.RESTART);
        assertThat(events).containsExactly(restart(6.1, 6.1));
    }

    @Test
    void aStrayBeforeAGapIsNotTheRestart() {
        number(1, 0, 0, Outcome.STRAY);
        number(1.1, 500, 0, Outcome.GAP);
        number(2, 1, 0, Outcome.RESTART);
        assertThat(events).contains(restart(2, 2));
    }

    @Test
    void aStrayAloneIsNoEvent() {
        number(1, 0, 0, Outcome.STRAY);
        number(1, 0, 0, Outcome.REPEATED);
        watch.onTick(s(60));
        watch.end(s(60));
        assertThat(events).isEmpty();
    }

    @Test
    void whatWasMissingBeforeARestartDoesNotComeAnyMore() {
        number(0, 10, 3, Outcome.GAP);
        number(1, 0, 0, Outcome.STRAY);
        number(1.5, 1, 0, Outcome.RESTART);
        assertThat(events).containsExactly(loss(0, Event.OPEN, 1.5, 3), restart(1, 1.5));
    }

    // ---- silence

    @Test
    void whoSendsNothingForTheTimeOutIsSilent() {
        stream(0, 100, 29.9);
        assertThat(events).isEmpty();
        stream(0, 100, 30);
        stream(0, 100, 31);
        assertThat(events).containsExactly(silent(0, Event.OPEN, 30));
    }

    @Test
    void whoSendsSeldomIsSilentOnlyAfterFiveThatDidNotCome() {
        stream(0, 0.1, 49);
        assertThat(events).isEmpty();
        stream(0, 0.1, 50);
        assertThat(events).containsExactly(silent(0, Event.OPEN, 50));
    }

    @Test
    void whoseRateIsNotKnownCannotBeSilent() {
        stream(0, 0, 10_000);
        assertThat(events).isEmpty();
    }

    @Test
    void silenceEndsWithTheNextDatagram() {
        stream(0, 100, 30);
        stream(40, 100, 41);
        stream(41, 100, 42);
        assertThat(events).containsExactly(silent(0, Event.OPEN, 30), silent(0, s(40), 30));
    }

    @Test
    void silenceExplainsTheGapBehindIt() {
        stream(0, 100, 30);
        number(40, 5_000, 4_000, Outcome.GAP);
        stream(40, 100, 41);
        number(42, 5_010, 2, Outcome.GAP);
        watch.onTick(s(60));
        assertThat(events)
                .filteredOn(event -> event.details() instanceof Details.ReportLoss)
                .extracting(Event::details)
                .containsOnly(new Details.ReportLoss(NODE, 0, 2));
    }

    // ---- who speaks for others

    private void forged(double seconds, long address) {
        watch.onForeign(3, false, 0, address, s(seconds));
    }

    private static Event spoof(double start, long end, double found, String... addresses) {
        return new Event(s(start), end, s(found), new Details.SpoofSuspected(3, List.of(addresses)));
    }

    @Test
    void tellsOfWhoeverSpeaksInTheNameOfANodeAndAllAddressesInTheEnd() {
        forged(0, 0x0A00_0901L);
        forged(1, 0x0A00_0902L);
        forged(2, 0x0A00_0901L);
        watch.onTick(s(6.9));
        assertThat(events).containsExactly(spoof(0, Event.OPEN, 0, "10.0.9.1"));
        watch.onTick(s(7));
        assertThat(events.getLast()).isEqualTo(spoof(0, s(2), 0, "10.0.9.1", "10.0.9.2"));
    }

    @Test
    void aSecondTimeIsASecondEvent() {
        forged(0, 0x0A00_0901L);
        watch.onTick(s(5));
        forged(6, 0x0A00_0902L);
        assertThat(events.getLast()).isEqualTo(spoof(6, Event.OPEN, 6, "10.0.9.2"));
        assertThat(events).hasSize(3);
    }

    @Test
    void rememberedAddressesAreBounded() {
        for (int i = 0; i < 1_000; i++) {
            forged(0.001 * i, 0x0A00_0900L + i);
        }
        watch.onTick(s(60));
        assertThat(((Details.SpoofSuspected) events.getLast().details()).addresses())
                .hasSize(16);
    }

    @Test
    void whoIsNoExporterCannotFallSilent() {
        forged(0, ADDRESS);
        stream(0, 100, 60);
        assertThat(events).extracting(Event::details).hasOnlyElementsOfType(Details.SpoofSuspected.class);
    }
}
