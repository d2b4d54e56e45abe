package io.pathlore.cli.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.analysis.event.AttackSource;
import io.pathlore.analysis.event.AttackSource.Witness;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Culprit;
import io.pathlore.analysis.event.Event.Details;
import io.pathlore.analysis.event.Event.LinkEnd;
import io.pathlore.analysis.event.Event.Reporter;
import io.pathlore.analysis.event.EventJson;
import io.pathlore.model.AttackVector;
import io.pathlore.model.EventKind;
import io.pathlore.model.FlowKey;
import io.pathlore.model.Prefix;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is read is what was written. */
class EventReaderTest {
    private static final long START = 1_794_765_600_123_456_789L;
    private static final FlowKey FLOW = FlowKey.ipv4(0x0A00_0101, 0x0A00_0202, 6, 45_678, 80);
    private static final FlowKey PING =
            new FlowKey(true, 0x2001_0db8_0000_0000L, 1, 0x2001_0db8_0000_0000L, 2, 58, -1, -1, 128, 0, 77);
    private static final Prefix HOST = Prefix.address(false, 0, 0x0A00_0202);

    private static final List<Details> ALL = List.of(
            new Details.PathChange(FLOW, List.of(1L, 2L), List.of(1L, 0xFFFF_FFFFL)),
            new Details.Loop(PING, List.of(1L, 2L, 1L)),
            new Details.Congestion(
                    3, 4, 5, 1_000_000, List.of(new Culprit(FLOW, 9_999), new Culprit(PING, 1)), List.of(PING), 1),
            new Details.Congestion(3, -1, 0, -1, List.of(), List.of(), 0),
            new Details.Latency(3, 4, -1, 1_000, 50_000),
            new Details.Drops(3, 26, List.of(), 7),
            new Details.Drops(3, 26, List.of(FLOW), 7),
            new Details.Drops(3, 26, List.of(FLOW, PING), 7),
            new Details.LinkDown(new LinkEnd(1, 2), new LinkEnd(3, 4)),
            new Details.LinkUp(new LinkEnd(1, 2), new LinkEnd(3, 4)),
            new Details.ReportLoss(new Reporter(9, null), 63, 1_000_000_000_000L),
            new Details.ExporterRestart(new Reporter(Event.ABSENT, "2001:db8::1"), 0),
            new Details.ExporterSilent(new Reporter(9, null), 0),
            new Details.SpoofSuspected(9, List.of("10.0.0.1", "2001:db8::1")),
            new Details.Attack(
                    AttackVector.UDP_FLOOD,
                    HOST,
                    443,
                    17,
                    List.of(
                            new AttackSource(0x0200_0000_0001L, 1, 2, HOST, 6_000, 1, Witness.GATEWAY),
                            new AttackSource(-1, 1, -1, null, 4_000, 10_000, Witness.PLACE)),
                    2,
                    12_345,
                    true,
                    -1,
                    3,
                    4,
                    List.of(1L),
                    List.of(1L, 2L),
                    8_000,
                    START + 1),
            new Details.Attack(
                    AttackVector.CARPET_BOMBING,
                    new Prefix(true, 0x2001_0db8_0000_0000L, 0, 64),
                    Event.ABSENT,
                    Event.ABSENT,
                    List.of(),
                    0,
                    12_345,
                    false,
                    99,
                    3,
                    4,
                    List.of(),
                    List.of(),
                    0,
                    START + 1));

    @Test
    void everyKindComesBack() {
        EventJson json = new EventJson(EventJson.ReasonNames.NONE);
        Set<EventKind> seen = EnumSet.noneOf(EventKind.class);
        for (Details details : ALL) {
            for (Event event : List.of(
                    new Event(START, START + 5, START + 2, details),
                    new Event(START, Event.OPEN, START + 2, 0.9725, details))) {
                boolean untold = details instanceof Details.Congestion && event.endNanos() == Event.OPEN;
                Event read = EventReader.read(json.line(event)).orElseThrow();
                assertThat(json.line(read)).isEqualTo(json.line(event));
                if (!untold) {
                    assertThat(read).isEqualTo(event);
                }
                seen.add(event.kind());
            }
        }
        assertThat(seen).containsExactlyInAnyOrder(EventKind.values());
    }

    @Test
    void whatIsNoEventIsNone() {
        String good = new EventJson(EventJson.ReasonNames.NONE)
                .line(new Event(START, START, START, new Details.Latency(3, 4, 5, 6, 7)));
        assertThat(EventReader.read(good)).isPresent();
        for (String bad : List.of(
                "",
                "{",
                "[]",
                "{}",
                good.replace("latency", "boredom"),
                good.replace("2026", "20x6"),
                good.replace("\"node\":3", "\"node\":4"))) {
            assertThat(EventReader.read(bad)).as(bad).isEmpty();
        }
    }
}
