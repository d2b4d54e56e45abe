package io.pathlore.analysis.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Details;
import io.pathlore.model.FlowKey;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventSubjectTest {
    private static final FlowKey FLOW = FlowKey.ipv4(0x0A000101, 0x0A000202, 6, 45_678, 80);
    private static final FlowKey OTHER = FlowKey.ipv4(0x0A000101, 0x0A000202, 17, 5, 6);

    /** One of each kind, in the order of {@link io.pathlore.model.EventKind}. */
    private static final List<Details> DETAILS = List.of(
            new Details.PathChange(FLOW, List.of(1L, 2L, 3L), List.of(1L, 4L, 3L)),
            new Details.Loop(OTHER, List.of(5L, 6L, 5L)),
            new Details.Congestion(3, 17, 0, 90_000, List.of(new Event.Culprit(FLOW, 10_000)), List.of(OTHER)),
            new Details.Latency(4, 18, Event.ABSENT, 1_000, 60_000),
            new Details.Drops(101, 80, List.of(FLOW), 7),
            new Details.LinkDown(new Event.LinkEnd(7, 1), new Event.LinkEnd(8, 2)),
            new Details.LinkUp(new Event.LinkEnd(7, 1), new Event.LinkEnd(8, 2)),
            new Details.ReportLoss(new Event.Reporter(3, null), 0, 9),
            new Details.ExporterRestart(new Event.Reporter(Event.ABSENT, "10.0.0.3"), 0),
            new Details.ExporterSilent(new Event.Reporter(Event.ABSENT, "2001:db8::3"), 0),
            new Details.SpoofSuspected(9, List.of("10.0.0.3", "10.0.0.4")));

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "kind = loop; loop",
                "kind like link-*; link-down link-up",
                "severity = critical; loop link-down exporter-silent spoof-suspected",
                "severity < warning; path-change link-up exporter-restart",
                "node = leaf-3; congestion report-loss",
                "hop.node = 3; path-change congestion report-loss",
                "hop.node in (7, 8); link-down link-up",
                "hop.node = 2;", // that was before
                "hop.interface = 1; link-down link-up",
                "hop.queue = 0; congestion",
                "not hop.queue = 0;", // the slow hop names no queue
                "hop.latency > 50us; latency",
                "hop.occupancy > 64KB; congestion",
                "drop.reason = acl_deny; drops",
                "path = 1 > 4 > 3; path-change",
                "path like 5 > * > 5; loop",
                "flow = 63d04c9c1d4df139; path-change congestion drops",
                "proto = udp; loop",
                "src = 10.0.1.1 and dport = 80; path-change drops", // of two flows neither is meant
                "exporter = 10.0.0.3; exporter-restart",
                "exporter in ::/0; exporter-silent",
                "not exporter in ::/0; exporter-restart",
                "dropped;",
            })
    void selectsEvents(String text, String kinds) throws FilterException {
        Filter filter = Filter.parse(text, Network.NAMES);
        List<String> selected = DETAILS.stream()
                .map(details -> new Event(1, Event.OPEN, 2, details))
                .filter(event -> filter.matches(new EventSubject(event)))
                .map(event -> event.kind().label())
                .toList();

        assertThat(String.join(" ", selected)).isEqualTo(kinds == null ? "" : kinds);
    }
}
