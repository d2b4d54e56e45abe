package io.pathlore.analysis.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.analysis.event.Event.Culprit;
import io.pathlore.analysis.event.Event.Details;
import io.pathlore.analysis.event.Event.LinkEnd;
import io.pathlore.analysis.event.Event.Reporter;
import io.pathlore.model.AttackVector;
import io.pathlore.model.FlowKey;
import io.pathlore.model.Prefix;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lines as they stand in docs/reference/events.md; ids are those of its examples. */
class EventJsonTest {
    /** 2026-11-15T18:00:00.123456789Z. */
    private static final long START = 1_794_765_600_123_456_789L;

    private static final long SECOND = 1_000_000_000L;
    private static final FlowKey FLOW = FlowKey.ipv4(0x0A00_0101, 0x0A00_0202, 6, 45678, 80);
    private static final String FLOW_JSON = "{\"id\":\"63d04c9c1d4df139\",\"source\":\"10.0.1.1\","
            + "\"destination\":\"10.0.2.2\",\"protocol\":6,\"sourcePort\":45678,\"destinationPort\":80}";
    private static final FlowKey PING =
            new FlowKey(true, 0x2001_0db8_0000_0000L, 1, 0x2001_0db8_0000_0000L, 2, 58, -1, -1, 128, 0, -1);
    private static final String PING_JSON = "{\"id\":\"56709befee3f1ff7\",\"source\":\"2001:db8::1\","
            + "\"destination\":\"2001:db8::2\",\"protocol\":58,\"icmpType\":128,\"icmpCode\":0}";

    private final EventJson json = new EventJson((node, reason) -> reason == 26 ? "a \"name\"" : "");

    /** What goes on: no end. */
    private String open(Details details) {
        return json.line(new Event(START, Event.OPEN, START + SECOND, details));
    }

    /** What has no duration. */
    private String moment(Details details) {
        return json.line(new Event(START, START, START + SECOND, details));
    }

    private static String head(String kind, String id, boolean open, String severity) {
        String end = open ? "" : "\"end\":\"2026-11-15T18:00:00.123456789Z\",";
        return "{\"kind\":\"" + kind + "\",\"id\":\"" + id + "\",\"start\":\"2026-11-15T18:00:00.123456789Z\"," + end
                + "\"detectedAt\":\"2026-11-15T18:00:01.123456789Z\",\"severity\":\"" + severity + "\",";
    }

    @Test
    void writesAPathChange() {
        assertThat(moment(new Details.PathChange(FLOW, List.of(1L, 2L, 3L), List.of(1L, 4L, 3L))))
                .isEqualTo(head("path-change", "4657b714e69adfa2", false, "info") + "\"flow\":" + FLOW_JSON
                        + ",\"before\":[1,2,3],\"after\":[1,4,3]}\n");
    }

    @Test
    void writesALoop() {
        assertThat(open(new Details.Loop(FLOW, List.of(1L, 2L, 1L))))
                .isEqualTo(head("loop", "1d966a60948e2427", true, "critical") + "\"flow\":" + FLOW_JSON
                        + ",\"path\":[1,2,1]}\n");
    }

    @Test
    void writesACongestion() {
        Details details = new Details.Congestion(3, 2, 0, 150_000, List.of(new Culprit(FLOW, 7_250)), List.of(PING));
        assertThat(open(details))
                .isEqualTo(head("congestion", "584ae378ddf2b9dc", true, "warning")
                        + "\"node\":3,\"interface\":2,\"queue\":0,\"peakOccupancy\":150000,\"culprits\":[{\"flow\":"
                        + FLOW_JSON + ",\"share\":0.725}],\"victims\":[" + PING_JSON + "]}\n");
    }

    @Test
    void leavesOutAPeakThatNobodyTold() {
        assertThat(open(new Details.Congestion(3, 2, 0, -1, List.of(), List.of())))
                .isEqualTo(head("congestion", "584ae378ddf2b9dc", true, "warning")
                        + "\"node\":3,\"interface\":2,\"queue\":0,\"culprits\":[],\"victims\":[]}\n");
    }

    @Test
    void writesALatencyWithItsQueueWhereThatIsKnown() {
        String head = head("latency", "d98887f527ad89b5", true, "warning") + "\"node\":3,\"interface\":2,";
        assertThat(open(new Details.Latency(3, 2, 0, 10_000, 40_000)))
                .isEqualTo(head + "\"queue\":0,\"baselineNs\":10000,\"observedNs\":40000}\n");
        assertThat(open(new Details.Latency(3, 2, -1, 10_000, 40_000)))
                .isEqualTo(head + "\"baselineNs\":10000,\"observedNs\":40000}\n");
    }

    @Test
    void writesDropsOfOneFlowOfSeveralAndOfNone() {
        String head = head("drops", "5c1292fc35afe2db", true, "warning")
                + "\"node\":3,\"reason\":26,\"reasonName\":\"a \\\"name\\\"\",";
        assertThat(open(new Details.Drops(3, 26, List.of(FLOW), 7)))
                .isEqualTo(head + "\"flow\":" + FLOW_JSON + ",\"count\":7}\n");
        assertThat(open(new Details.Drops(3, 26, List.of(FLOW, PING), 7)))
                .isEqualTo(head + "\"flows\":[" + FLOW_JSON + "," + PING_JSON + "],\"count\":7}\n");
        assertThat(open(new Details.Drops(3, 26, List.of(), 7))).isEqualTo(head + "\"count\":7}\n");
    }

    @Test
    void leavesOutTheNameOfAReasonThatHasNone() {
        assertThat(open(new Details.Drops(3, 27, List.of(), 7)))
                .contains("\"reason\":27,\"count\":7")
                .doesNotContain("reasonName");
    }

    @Test
    void writesLinks() {
        LinkEnd from = new LinkEnd(1, 2);
        LinkEnd to = new LinkEnd(4, 1);
        String ends = "\"from\":{\"node\":1,\"interface\":2},\"to\":{\"node\":4,\"interface\":1}}\n";
        assertThat(open(new Details.LinkDown(from, to)))
                .isEqualTo(head("link-down", "a4a8a6fc0b8ada49", true, "critical") + ends);
        Event up = new Event(START, START, START + SECOND, new Details.LinkUp(from, to));
        assertThat(json.line(up)).isEqualTo(head("link-up", up.id().toString(), false, "info") + ends);
        assertThat(up.identity()).isEqualTo("1/2|4/1");
    }

    @Test
    void writesWhatBecomesOfReports() {
        Reporter node = new Reporter(3, null);
        assertThat(open(new Details.ReportLoss(node, 0, 12)))
                .isEqualTo(head("report-loss", "f75b0388221a7a5b", true, "warning")
                        + "\"node\":3,\"hwId\":0,\"lost\":12}\n");
        assertThat(moment(new Details.ExporterRestart(node, 1)))
                .endsWith("\"severity\":\"info\",\"node\":3,\"hwId\":1}\n");
        assertThat(open(new Details.ExporterSilent(node, 1)))
                .endsWith("\"severity\":\"critical\",\"node\":3,\"hwId\":1}\n");
    }

    @Test
    void namesAnExporterWithoutANodeByItsAddress() {
        Event event = new Event(
                START, Event.OPEN, START + SECOND, new Details.ExporterSilent(new Reporter(-1, "10.0.1.3"), 0));
        assertThat(json.line(event)).endsWith("\"exporter\":\"10.0.1.3\",\"hwId\":0}\n");
        assertThat(event.identity()).isEqualTo("10.0.1.3|0");
    }

    @Test
    void writesWhoSpeaksForANode() {
        assertThat(open(new Details.SpoofSuspected(4_294_967_295L, List.of("10.0.9.1", "10.0.9.2"))))
                .isEqualTo(head("spoof-suspected", "65f09f9fbd6b0e9d", true, "critical")
                        + "\"node\":4294967295,\"addresses\":[\"10.0.9.1\",\"10.0.9.2\"]}\n");
    }

    @Test
    void writesWhoIsAttackedAndByWhom() {
        Details.Attack attack = new Details.Attack(
                AttackVector.CARPET_BOMBING,
                new Prefix(false, 0, 0xCB00_7100L, 24),
                Event.ABSENT,
                17,
                List.of(
                        new AttackSource(0x0200_0000_0001L, 2, -1, null, 7_000, 9_900, AttackSource.Witness.GATEWAY),
                        new AttackSource(
                                -1,
                                3,
                                7,
                                Prefix.address(false, 0, 0x0A00_0001L),
                                3_000,
                                0,
                                AttackSource.Witness.PLACE)),
                5,
                4_000,
                false,
                Event.ABSENT,
                900,
                5,
                List.of(1L),
                List.of(1L, 2L),
                8_640,
                START + SECOND);
        assertThat(open(attack))
                .endsWith("\"vector\":\"carpet-bombing\",\"victim\":{\"prefix\":\"203.0.113.0/24\",\"protocol\":17},"
                        + "\"sources\":[{\"device\":\"02:00:00:00:00:01\",\"firstNode\":2,\"share\":0.7,\"spoofed\":0.99,"
                        + "\"witness\":\"gateway\"},{\"device\":\"3/7\",\"firstNode\":3,\"interface\":7,"
                        + "\"address\":\"10.0.0.1\",\"share\":0.3,\"spoofed\":0,\"witness\":\"place\"}],\"devices\":5,"
                        + "\"reportsPerSecond\":4000,\"flowsPerSecond\":900,\"windows\":5,\"reporters\":[1],"
                        + "\"hops\":[1,2],\"confidence\":0.864,\"lastSeen\":\"2026-11-15T18:00:01.123456789Z\"}\n");
        assertThat(new Event(START, Event.OPEN, START, attack).id()).hasToString("eeab9265ea49ee06");
    }

    @Test
    void anEventThatGrowsOrEndsKeepsItsId() {
        Event first = new Event(START, Event.OPEN, START, new Details.Drops(3, 26, List.of(FLOW), 1));
        Event last = new Event(START, START + SECOND, START + 6 * SECOND, new Details.Drops(3, 26, List.of(PING), 9));
        assertThat(last.id()).isEqualTo(first.id());
        assertThat(json.line(last)).contains("\"end\":\"2026-11-15T18:00:01.123456789Z\"");
    }

    @Test
    void saysHowCompleteItsInputWasAndWhereACongestionCanBeReplayed() {
        Details.Congestion queue = new Details.Congestion(3, 2, 0, 9, List.of(), List.of(), 12);
        Event over = new Event(START, START + 1, START + 2, 0.97214, queue);
        assertThat(new EventJson(EventJson.ReasonNames.NONE).line(over))
                .contains("\"severity\":\"warning\",\"completeness\":0.9721,\"node\":3")
                .contains("\"burst\":\"" + over.id() + "\"");
        Event open = new Event(START, Event.OPEN, START + 2, 1, queue);
        assertThat(new EventJson(EventJson.ReasonNames.NONE).line(open))
                .contains("\"completeness\":1,")
                .doesNotContain("burst");
    }
}
