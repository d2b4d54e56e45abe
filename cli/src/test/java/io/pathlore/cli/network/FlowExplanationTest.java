package io.pathlore.cli.network;

import static io.pathlore.cli.network.StoredNetwork.FLOW;
import static io.pathlore.cli.network.StoredNetwork.MINUTE;
import static io.pathlore.cli.network.StoredNetwork.OTHER;
import static io.pathlore.cli.network.StoredNetwork.START;
import static io.pathlore.cli.network.StoredNetwork.event;
import static io.pathlore.cli.network.StoredNetwork.flow;
import static io.pathlore.cli.network.StoredNetwork.hop;
import static io.pathlore.cli.network.StoredNetwork.json;
import static io.pathlore.cli.network.StoredNetwork.link;
import static io.pathlore.cli.network.StoredNetwork.with;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.model.FlowKey;
import io.pathlore.store.tables.Row;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A flow over leaf-1, spine-5 and leaf-3, and what is said of it. */
@Timeout(60)
class FlowExplanationTest {
    private static final long ABSENT = Row.ABSENT;
    /** Latencies are known to the middle of their bucket, which is 288 to 303. */
    private static final long MEAN_OF_300 = 296;

    private static final Row.Path WAY = new Row.Path("p", List.of(1L, 5L, 3L), true, START);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    /** All three usually take 300 ns, for an hour; the way from node to node is known. */
    private static Row[] usual() {
        List<Row> rows = new ArrayList<>();
        for (int minute = 1; minute <= 60; minute++) {
            for (long[] place : new long[][] {{1, 2}, {5, 3}, {3, 4}}) {
                rows.add(hop(true, START - minute * MINUTE, place[0], place[1], 100, 300));
            }
        }
        rows.add(link(START - MINUTE, 1, 2, 5, 1, 100));
        rows.add(link(START - MINUTE, 5, 3, 3, 1, 100));
        rows.add(WAY);
        return rows.toArray(Row[]::new);
    }

    private static Row.Hop now(long node, long interfaceId, long latency) {
        return with(hop(false, START + MINUTE, node, interfaceId, 100, latency), 40, 0, 1);
    }

    private static JsonNode explain(StoredNetwork network) throws Exception {
        return network.get("flows/" + FLOW.id() + "/explain");
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(each -> texts.add(each.asText()));
        return texts;
    }

    private static String congestion(long node, long interfaceId, String time, FlowKey culprit) {
        return "{\"kind\":\"congestion\",\"id\":\"c" + node + interfaceId + "\"," + time + ",\"node\":" + node
                + ",\"interface\":" + interfaceId + ",\"queue\":0,\"peakOccupancy\":90000,\"culprits\":[{\"flow\":"
                + json(culprit) + ",\"share\":0.61}]}";
    }

    private static final String SINCE = "\"start\":\"2026-11-15T18:01:02.5Z\"";
    private static final String SPAN = SINCE + ",\"end\":\"2026-11-15T18:01:09Z\"";

    @Test
    void theCongestedQueueIsNamedWithWhoFillsIt() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            network.add(usual())
                    .add(
                            flow(START + MINUTE, FLOW, 50, "p", 4_000, 9_000, 0),
                            now(1, 2, 300),
                            now(5, 3, 12_287),
                            now(3, 4, 300),
                            event(congestion(5, 3, SINCE, OTHER)),
                            // Another queue of the same node is not on its way.
                            event(congestion(5, 4, SINCE, OTHER)))
                    .stored();
            JsonNode answer = explain(network);
            assertThat(answer.path("verdict").asText())
                    .isEqualTo("Node spine-5 adds 95 % of the time, 41x its usual: queue 0 of interface 3 is congested"
                            + " since 18:01:02 by 10.0.3.3:5000 > 10.0.2.2:6000 udp (61 %).");
            assertThat(answer.path("hops").path(1))
                    .hasToString(
                            "{\"node\":5,\"name\":\"spine-5\",\"interfaces\":[{\"interface\":3}],"
                                    + "\"reports\":100,\"latencyNs\":{\"mean\":12032,\"p50\":12287,\"p99\":12287,\"max\":12287},"
                                    + "\"share\":0.953105,\"usualNs\":296,\"usualMinutes\":60,\"factor\":40.648649,\"occupancyMax\":40,\"drops\":0}");
            assertThat(answer.path("events").findValuesAsText("because")).containsExactly("node");
            assertThat(answer.path("flow").path("id").asText())
                    .isEqualTo(FLOW.id().toString());
            assertThat(texts(answer.path("unseen")))
                    .containsExactly(
                            "leaf-3: the interface the flow leaves by is not known, its figures are of all",
                            "times of hops are those of all packets in these queues, not of this flow alone; the time on links is"
                                    + " not in them");
            assertThat(answer.path("completeness").asDouble()).isEqualTo(1);
        }
    }

    @Test
    void whatIsOverIsToldAsOver() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            network.add(usual())
                    .add(
                            flow(START + MINUTE, FLOW, 50, "p", 4_000, 9_000, 0),
                            now(1, 2, 300),
                            now(5, 3, 1_200),
                            now(3, 4, 300),
                            event(congestion(5, 3, SPAN, FLOW)))
                    .stored();
            assertThat(explain(network).path("verdict").asText())
                    .isEqualTo(
                            "Node spine-5 adds 67 % of the time, 4.0x its usual: queue 0 of interface 3 was congested"
                                    + " from 18:01:02 to 18:01:09 by this flow itself (61 %).");
        }
    }

    /** No link leads on from leaf-3; but the flow stood in a queue there. */
    @Test
    void theMostOfTheTimeIsToldAlsoWhereNothingIsUsual() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            network.add(
                            WAY,
                            link(START, 1, 2, 5, 1, 100),
                            link(START, 5, 3, 3, 1, 100),
                            flow(START + MINUTE, FLOW, 50, "p", 4_000, 9_000, 0),
                            now(1, 2, 300),
                            now(5, 3, 2_000),
                            now(3, 4, 12_287),
                            now(3, 9, 500_000),
                            event("{\"kind\":\"latency\",\"id\":\"l1\"," + SPAN + ",\"node\":5,\"interface\":3,"
                                    + "\"baselineNs\":400,\"observedNs\":2000}"),
                            event(congestion(3, 4, SPAN, FLOW)))
                    .stored();
            JsonNode answer = explain(network);
            assertThat(answer.path("verdict").asText())
                    .isEqualTo(
                            "Node leaf-3 adds 84 % of the time, and what is usual there is not known: queue 0 of interface"
                                    + " eth4 was congested from 18:01:02 to 18:01:09 by this flow itself (61 %). Node spine-5 adds"
                                    + " 14 % of the time, 5.0x its usual: interface 3 was slower from 18:01:02 to 18:01:09.");
            assertThat(answer.path("hops").path(2).path("interfaces"))
                    .hasToString("[{\"interface\":4,\"interfaceName\":\"eth4\"}]");
            assertThat(texts(answer.path("unseen")))
                    .doesNotContain("leaf-3: the interface the flow leaves by is not known, its figures are of all");
        }
    }

    @Test
    void aQueueItMetIsToldEvenIfItDidNotSlowTheFlow() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            network.add(usual())
                    .add(
                            flow(START + MINUTE, FLOW, 50, "p", 300, 400, 0),
                            now(1, 2, 300),
                            now(5, 3, 300),
                            now(3, 4, 300),
                            event(congestion(5, 3, SPAN, FLOW)))
                    .stored();
            assertThat(explain(network).path("verdict").asText())
                    .isEqualTo(
                            "It met a queue that was congested from 18:01:02 to 18:01:09 by this flow itself (61 %), at"
                                    + " spine-5; on average its hops take about what they usually take.");
        }
    }

    @Test
    void slowWithoutACauseIsToldSo() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            network.add(usual())
                    .add(
                            flow(START + MINUTE, FLOW, 50, "p", 4_000, 9_000, 0),
                            now(1, 2, 1_200),
                            now(5, 3, 300),
                            hop(false, START + MINUTE, 3, 4, 9))
                    .stored();
            JsonNode answer = explain(network);
            assertThat(answer.path("verdict").asText())
                    .isEqualTo("Node leaf-1 adds 80 % of the time that is told, 4.0x its usual; no event tells why.");
            assertThat(texts(answer.path("unseen"))).contains("leaf-3: it tells no latency");
            assertThat(answer.path("hops").path(2).has("latencyNs")).isFalse();
        }
    }

    /** The event has a baseline; the tables have nothing from before. */
    @Test
    void anEventOfLatencyIsACauseAndKnowsWhatIsUsual() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            network.add(
                            WAY,
                            link(START, 1, 2, 5, 1, 100),
                            link(START, 5, 3, 3, 1, 100),
                            flow(START + MINUTE, FLOW, 50, "p", 4_000, 9_000, 0),
                            now(1, 2, 300),
                            now(5, 3, 12_287),
                            event("{\"kind\":\"latency\",\"id\":\"l1\"," + SINCE + ",\"node\":5,\"interface\":3,"
                                    + "\"baselineNs\":400,\"observedNs\":12000}"))
                    .stored();
            JsonNode answer = explain(network);
            assertThat(answer.path("verdict").asText())
                    .isEqualTo(
                            "Node spine-5 adds 98 % of the time that is told, 30x its usual: interface 3 is slower since"
                                    + " 18:01:02.");
            assertThat(texts(answer.path("unseen")))
                    .contains(
                            "leaf-1: what is usual there, nothing was stored in the 6 h before",
                            "leaf-3: no report of it in that time")
                    .doesNotContain("spine-5: what is usual there, nothing was stored in the 6 h before");
        }
    }

    @Test
    void aBadHourDoesNotBecomeUsual() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            List<Row> bad = new ArrayList<>();
            for (int minute = 61; minute <= 110; minute++) {
                bad.add(hop(true, START - minute * MINUTE, 5, 3, 100, 1_000_000));
            }
            network.add(usual())
                    .add(bad.toArray(Row[]::new))
                    .add(flow(START + MINUTE, FLOW, 50, "p", 4_000, 9_000, 0), now(5, 3, 1_200))
                    .stored();
            assertThat(explain(network).path("hops").path(1).path("usualNs").asLong())
                    .isEqualTo(MEAN_OF_300);
        }
    }

    @Test
    void dropsThatNameTheFlowAreToldWithTheReason() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            network.add(usual())
                    .add(
                            flow(START + MINUTE, FLOW, 50, "p", 300, 400, 12),
                            now(1, 2, 300),
                            now(5, 3, 300),
                            now(3, 4, 300),
                            new Row.Drop(START + MINUTE, 3, 4, 0, 80, 120, 1_200),
                            event("{\"kind\":\"drops\",\"id\":\"d1\"," + SINCE + ",\"node\":3,\"reason\":80,\"flows\":["
                                    + json(OTHER) + "," + json(FLOW) + "],\"count\":120}"))
                    .stored();
            JsonNode answer = explain(network);
            assertThat(answer.path("verdict").asText())
                    .isEqualTo("Packets of it are dropped at leaf-3 since 18:01:02: ACL deny (reason 80).");
            assertThat(answer.path("drops").path(0))
                    .hasToString("{\"node\":3,\"name\":\"leaf-3\",\"reason\":80,"
                            + "\"reasonName\":\"ACL deny\",\"reports\":120,\"packets\":1200}");
            assertThat(answer.path("events").path(0).path("because").asText()).isEqualTo("flow");
        }
    }

    /** A second tells what a node dropped, not of whom. */
    @Test
    void dropsOfItsPathAreNotCalledItsOwn() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            network.add(usual())
                    .add(
                            flow(START + MINUTE, FLOW, 50, "p", 300, 400, 12),
                            now(1, 2, 300),
                            now(5, 3, 300),
                            now(3, 4, 300),
                            new Row.Drop(START + MINUTE, 3, 4, 0, 200, 120, ABSENT))
                    .stored();
            assertThat(explain(network).path("verdict").asText())
                    .isEqualTo("12 reports tell of a dropped packet of it; of its path leaf-3 dropped most: reason 200,"
                            + " 120 reports of all flows.");
        }
    }

    @Test
    void aChangedPathIsToldWithTheLinkThatIsDown() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            network.add(usual())
                    .add(
                            new Row.Path("q", List.of(1L, 6L, 3L), true, START),
                            flow(START + MINUTE, FLOW, 50, "q", 300, 400, 0),
                            event("{\"kind\":\"path-change\",\"id\":\"p1\",\"start\":\"2026-11-15T18:01:03Z\","
                                    + "\"end\":\"2026-11-15T18:01:03Z\",\"flow\":" + json(FLOW)
                                    + ",\"before\":[1,5,3],\"after\":[1,6,3]}"),
                            event("{\"kind\":\"link-down\",\"id\":\"k1\"," + SINCE
                                    + ",\"from\":{\"node\":1,\"interface\":2},"
                                    + "\"to\":{\"node\":5,\"interface\":1}}"),
                            // Nothing to do with it.
                            event("{\"kind\":\"link-down\",\"id\":\"k2\"," + SINCE
                                    + ",\"from\":{\"node\":6,\"interface\":2},"
                                    + "\"to\":{\"node\":4,\"interface\":1}}"))
                    .stored();
            JsonNode answer = explain(network);
            assertThat(answer.path("verdict").asText())
                    .isEqualTo(
                            "Its path changed at 18:01:03: leaf-1 > spine-5 > leaf-3 is now leaf-1 > spine-6 > leaf-3;"
                                    + " the link from leaf-1 to spine-5 is down since 18:01:02.");
            assertThat(answer.path("events")).hasSize(2);
        }
    }

    @Test
    void aLoopComesFirst() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            network.add(
                            flow(START + MINUTE, FLOW, 50, null, ABSENT, ABSENT, 3),
                            event("{\"kind\":\"loop\",\"id\":\"o1\"," + SPAN + ",\"flow\":" + json(FLOW)
                                    + ",\"path\":[1,5,6,5]}"))
                    .stored();
            JsonNode answer = explain(network);
            assertThat(answer.path("verdict").asText())
                    .isEqualTo(
                            "It ran in a loop from 18:01:02 to 18:01:09: leaf-1 > spine-5 > spine-6 > spine-5. 3 reports"
                                    + " tell of a dropped packet of it; no node of its path reported one in that time.");
            assertThat(texts(answer.path("unseen")))
                    .containsExactly(
                            "its path is not known: no report told it in that time",
                            "whether reports were lost on their way: exporters do not number them");
        }
    }

    @Test
    void nothingUnusualIsSaidOnlyOfWhatIsKnown() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            network.add(usual())
                    .add(
                            flow(START + MINUTE, FLOW, 50, "p", 300, 400, 0),
                            now(1, 2, 300),
                            with(now(5, 3, 310), 40, 0, 0.972),
                            now(3, 4, 300))
                    .stored();
            JsonNode answer = explain(network);
            assertThat(answer.path("verdict").asText())
                    .isEqualTo(
                            "Nothing unusual is seen: its hops take about what they usually take; no report tells of a"
                                    + " dropped packet.");
            assertThat(texts(answer.path("unseen")))
                    .anyMatch(line -> line.startsWith("reports that were lost on their way: completeness is 99.0"));
        }
    }

    @Test
    void whereItsTimeGoesIsSaidEvenIfItAlwaysDoes() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            network.add(usual())
                    .add(
                            flow(START + MINUTE, FLOW, 50, "p", 300, 400, 0),
                            now(1, 2, 50),
                            now(5, 3, 300),
                            now(3, 4, 50),
                            event(congestion(
                                    5,
                                    3,
                                    "\"start\":\"2026-11-15T18:01:02.1Z\",\"end\":\"2026-11-15T18:01:02.2Z\"",
                                    FLOW)))
                    .stored();
            assertThat(explain(network).path("verdict").asText())
                    .isEqualTo(
                            "It met a queue that was congested at 18:01:02 by this flow itself (61 %), at spine-5; on"
                                    + " average its hops take about what they usually take. Most of its time, 74 %, goes"
                                    + " by at spine-5.");
        }
    }

    @Test
    void withoutLatenciesNothingIsSaidOfTime() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            network.add(
                            WAY,
                            flow(START + MINUTE, FLOW, 50, "p", ABSENT, ABSENT, ABSENT),
                            hop(false, START + MINUTE, 1, 2, 9),
                            hop(false, START + MINUTE, 5, 3, 9),
                            hop(false, START + MINUTE, 3, 4, 9),
                            event("{\"kind\":\"exporter-silent\",\"id\":\"s1\"," + SINCE + ",\"node\":5,\"hwId\":0}"))
                    .stored();
            JsonNode answer = explain(network);
            assertThat(answer.path("verdict").asText())
                    .isEqualTo(
                            "Where its time goes cannot be told, for no node of its path tells a latency; its nodes do"
                                    + " not report drops.");
            assertThat(texts(answer.path("unseen")))
                    .contains(
                            "spine-5 sends nothing since 18:01:02",
                            "whether packets of it were dropped: its nodes do not report drops");
        }
    }
}
