package io.pathlore.cli.network;

import static io.pathlore.cli.network.StoredNetwork.END;
import static io.pathlore.cli.network.StoredNetwork.FLOW;
import static io.pathlore.cli.network.StoredNetwork.MINUTE;
import static io.pathlore.cli.network.StoredNetwork.OTHER;
import static io.pathlore.cli.network.StoredNetwork.SECOND;
import static io.pathlore.cli.network.StoredNetwork.START;
import static io.pathlore.cli.network.StoredNetwork.event;
import static io.pathlore.cli.network.StoredNetwork.flow;
import static io.pathlore.cli.network.StoredNetwork.hop;
import static io.pathlore.cli.network.StoredNetwork.json;
import static io.pathlore.cli.network.StoredNetwork.link;
import static io.pathlore.cli.network.StoredNetwork.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pathlore.model.FlowKey;
import io.pathlore.serve.Problem;
import io.pathlore.store.tables.Row;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class NetworkRoutesTest {
    private static final long ABSENT = Row.ABSENT;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private static List<JsonNode> items(JsonNode answer) {
        return StreamSupport.stream(answer.path("items").spliterator(), false).toList();
    }

    private static Problem problem(StoredNetwork network, String target) {
        Problem problem = catchThrowableOfType(Problem.class, () -> network.get(target));
        assertThat(problem).as(target).isNotNull();
        return problem;
    }

    private static String filter(String expression) {
        return "filter=" + URLEncoder.encode(expression, StandardCharsets.UTF_8);
    }

    // The time
    // --------------------------------------------------------------------------------------------------------------

    @Test
    void theTimeIsTheLastFiveMinutesOfTheStream() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            network.add(hop(false, START - SECOND, 1, 2, 1, 300), hop(false, START, 1, 2, 10, 300))
                    .stored();
            JsonNode answer = network.get("nodes");
            assertThat(answer.path("since").asText()).isEqualTo("2026-11-15T18:00:00.000000000Z");
            assertThat(answer.path("until").asText()).isEqualTo("2026-11-15T18:05:00.000000000Z");
            assertThat(items(answer).getFirst().path("reports").asInt()).isEqualTo(10);
            JsonNode earlier = network.get("nodes?since=1s&until=2026-11-15T18:00:00Z");
            assertThat(earlier.path("since").asText()).isEqualTo("2026-11-15T17:59:59.000000000Z");
            assertThat(items(earlier).getFirst().path("reports").asInt()).isEqualTo(1);
        }
    }

    /** Rows of seconds are stored before the stream is known to be complete up to them. */
    @Test
    void secondsBeyondTheMarkAreInIt() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            network.add(hop(false, END + 2 * SECOND, 1, 2, 7, 300)).stored();
            JsonNode answer = network.get("nodes");
            assertThat(answer.path("until").asText()).isEqualTo("2026-11-15T18:05:03.000000000Z");
            assertThat(items(answer).getFirst().path("reports").asInt()).isEqualTo(7);
        }
    }

    @Test
    void minutesAndSecondsCoverEachMomentOnce() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            List<Row> rows = new ArrayList<>();
            for (int second = 0; second < 300; second++) {
                rows.add(hop(false, START + second * SECOND, 1, 2, 1, 300));
            }
            for (int minute = 0; minute < 4; minute++) {
                rows.add(hop(true, START + minute * MINUTE, 1, 2, 60, 300));
            }
            network.add(rows.toArray(Row[]::new)).stored();
            for (String time : List.of(
                    "", // to the end, where the last minute is not stored yet
                    "?since=2026-11-15T18:00:30Z&until=2026-11-15T18:03:30Z", // edges inside of minutes
                    "?since=2026-11-15T18:01:00Z&until=2026-11-15T18:02:00Z",
                    "?since=2026-11-15T18:01:10Z&until=2026-11-15T18:01:20Z")) {
                JsonNode answer = network.get("nodes" + time);
                Duration length = Duration.between(
                        Instant.parse(answer.path("since").asText()),
                        Instant.parse(answer.path("until").asText()));
                assertThat(items(answer).getFirst().path("reports").asLong())
                        .as(time)
                        .isEqualTo(length.toSeconds());
            }
        }
    }

    @Test
    void whatIsNotUnderstoodIsRefused() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            network.stored();
            assertThat(problem(network, "nodes?since=yesterday"))
                    .hasMessage("since: a time like 5m (before the end) or 2026-11-15T18:00:00Z");
            assertThat(problem(network, "nodes?since=5parsecs"))
                    .hasMessageStartingWith("since: '5parsecs' is not a duration");
            assertThat(problem(network, "nodes?since=now")).hasMessage("since: is not before until");
            assertThat(problem(network, "nodes?limit=0")).hasMessage("limit: a number from 1 to 10000");
            assertThat(problem(network, "nodes?colour=red"))
                    .hasMessage("this route takes only cursor, filter, limit, since, until");
            assertThat(problem(network, "nodes?cursor=bm9uZQ")).hasMessage("cursor: not one that this server gave out");
            assertThat(problem(network, "nodes?cursor=***")).hasMessage("cursor: not one that this server gave out");
            assertThat(problem(network, "nodes?" + filter("node = leaf-9")).status())
                    .isEqualTo(400);
            assertThat(problem(network, "nodes?" + filter("dst = 10.0.0.1")))
                    .hasMessage("filter: rows of nodes have no 'dst'; they have node, exporter");
            assertThat(problem(network, "flows?sort=luck")).hasMessage("sort: reports, drops or latency");
            assertThat(problem(network, "drops?series=maybe")).hasMessage("series: false or true");
            assertThat(problem(network, "flows/nobody").status()).isEqualTo(400);
        }
    }

    @Test
    void emptyTablesAreEmptyLists() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            for (String list : List.of("nodes", "links", "flows", "paths", "drops", "queues")) {
                JsonNode answer = network.get(list);
                assertThat(items(answer)).isEmpty();
                assertThat(answer.has("cursor")).isFalse();
                assertThat(answer.has("completeness")).isFalse();
                assertThat(answer.path("until").asText()).isEqualTo("2026-11-15T18:05:00.000000000Z");
            }
            assertThat(problem(network, "flows/" + FLOW.id()).status()).isEqualTo(404);
            assertThat(problem(network, "bursts/ab").status()).isEqualTo(404);
        }
    }

    // Nodes
    // --------------------------------------------------------------------------------------------------------------

    @Test
    void aNodeIsToldWithItsFigures() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            Row.Address address = new Row.Address(false, 0, 0x0A000003L);
            network.add(
                            new Row.Node(3, "old name", address, "2.0", START - MINUTE, START + MINUTE),
                            new Row.Node(9, null, null, null, START - MINUTE, START - MINUTE),
                            // Of 99 + 2 latencies the median is in the first row, the 99th of 100 in the second.
                            with(hop(false, END - 3 * SECOND, 3, 1, 99, 300), 40, 2, 0.9),
                            with(hop(false, END - 2 * SECOND, 3, 2, 2, 70_000), 50, ABSENT, ABSENT))
                    .stored();
            List<JsonNode> nodes = items(network.get("nodes"));
            assertThat(nodes.get(0))
                    .hasToString("{\"id\":3,\"name\":\"leaf-3\",\"exporter\":\"10.0.0.3\","
                            + "\"version\":\"2.0\",\"firstSeen\":\"2026-11-15T17:59:00.000000000Z\","
                            + "\"lastSeen\":\"2026-11-15T18:04:58.000000000Z\",\"state\":\"heard\",\"reports\":101,"
                            + "\"occupancyMax\":50,\"drops\":2,\"completeness\":0.9,"
                            + "\"latencyNs\":{\"p50\":303,\"p99\":70000,\"max\":70000}}");
            assertThat(nodes.get(1))
                    .hasToString("{\"id\":9,\"firstSeen\":\"2026-11-15T17:59:00.000000000Z\","
                            + "\"lastSeen\":\"2026-11-15T17:59:00.000000000Z\",\"state\":\"silent\",\"reports\":0}");
            assertThat(items(network.get("nodes?" + filter("node = leaf-3")))).hasSize(1);
            assertThat(items(network.get("nodes?" + filter("exporter in 10.0.0.0/24"))))
                    .hasSize(1);
        }
    }

    @Test
    void pagesOfAListAreOfOneTime() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            for (int node = 1; node <= 5; node++) {
                network.add(hop(false, START, node, 1, node, 300L * node));
            }
            network.stored();
            List<Long> ids = new ArrayList<>();
            String target = "nodes?limit=2&until=2026-11-15T18:00:30Z";
            String next = target;
            int pages = 0;
            while (next != null) {
                JsonNode answer = network.get(next);
                assertThat(answer.path("until").asText()).isEqualTo("2026-11-15T18:00:30.000000000Z");
                items(answer).forEach(item -> {
                    ids.add(item.path("id").asLong());
                    assertThat(item.path("latencyNs").path("max").asLong())
                            .isEqualTo(300L * item.path("id").asLong());
                });
                // The time is in the cursor.
                next = answer.has("cursor")
                        ? "nodes?limit=2&cursor=" + answer.path("cursor").asText()
                        : null;
                pages++;
            }
            assertThat(ids).containsExactly(1L, 2L, 3L, 4L, 5L);
            assertThat(pages).isEqualTo(3);
        }
    }

    // Links
    // --------------------------------------------------------------------------------------------------------------

    @Test
    void aLinkIsUpUntilAnEventSaysThatItIsDown() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            String down =
                    "{\"kind\":\"link-down\",\"id\":\"%s\",\"start\":\"%s\"%s,\"from\":{\"node\":1,\"interface\":2},"
                            + "\"to\":{\"node\":%d,\"interface\":1}}";
            network.add(
                            new Row.Link(START, 1, 2, 5, 1, 100, 700L, 20, 0),
                            new Row.Link(START + MINUTE, 1, 2, 5, 1, 50, -4L, 30, 1),
                            new Row.Link(START + 2 * MINUTE, 1, 2, 5, 1, 50, null, ABSENT, ABSENT),
                            link(START, 5, 3, 3, 1, 80),
                            with(hop(false, START, 1, 2, 10, 300), 77, 1, Double.NaN),
                            // Down, and up again.
                            event(String.format(
                                    down, "a1", "2026-11-15T17:00:00Z", ",\"end\":\"2026-11-15T17:01:00Z\"", 5)),
                            // Down for so long that no report of it lies in the time.
                            event(String.format(down, "a2", "2026-11-15T16:00:00Z", "", 6)))
                    .stored();
            List<JsonNode> links = items(network.get("links"));
            assertThat(links).hasSize(3);
            assertThat(links.get(0))
                    .hasToString(
                            "{\"from\":{\"node\":1,\"name\":\"leaf-1\",\"interface\":2},"
                                    + "\"to\":{\"node\":5,\"name\":\"spine-5\",\"interface\":1},\"state\":\"up\",\"reports\":200,"
                                    + "\"latencyNs\":-4,\"latencyErrorNs\":30,\"hiddenHops\":1,\"lastSeen\":\"2026-11-15T18:03:00.000000000Z\","
                                    + "\"egress\":{\"occupancyMax\":77,\"drops\":1,\"latencyNs\":{\"p50\":300,\"p99\":300,\"max\":300}}}");
            assertThat(links.get(1))
                    .hasToString(
                            "{\"from\":{\"node\":1,\"name\":\"leaf-1\",\"interface\":2},"
                                    + "\"to\":{\"node\":6,\"name\":\"spine-6\",\"interface\":1},\"state\":\"down\","
                                    + "\"downSince\":\"2026-11-15T16:00:00.000000000Z\",\"reports\":0,"
                                    + "\"egress\":{\"occupancyMax\":77,\"drops\":1,\"latencyNs\":{\"p50\":300,\"p99\":300,\"max\":300}}}");
            assertThat(links.get(2).path("state").asText()).isEqualTo("up");
            // While it was down.
            JsonNode then = network.get("links?since=5m&until=2026-11-15T17:00:30Z")
                    .path("items")
                    .path(0);
            assertThat(then.path("to").path("node").asInt()).isEqualTo(5);
            assertThat(then.path("state").asText()).isEqualTo("down");
            assertThat(items(network.get("links?" + filter("hop.node = spine-6"))))
                    .hasSize(1);
            JsonNode page = network.get("links?limit=2");
            assertThat(items(network.get(
                            "links?limit=2&cursor=" + page.path("cursor").asText())))
                    .containsExactly(links.get(2));
        }
    }

    /** Two watchlists may ask for different things of one way. */
    @Test
    void aLinkWhosePortsSomeReportsNameIsOneLink() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            network.add(
                            link(START, 1, 2, 5, 1, 80),
                            link(START, 1, ABSENT, 5, ABSENT, 70),
                            link(START, 5, ABSENT, 3, ABSENT, 60))
                    .stored();
            List<JsonNode> links = items(network.get("links"));
            assertThat(links).hasSize(2);
            assertThat(links.get(0).path("from").path("interface").asInt()).isEqualTo(2);
            assertThat(links.get(1).path("from").path("node").asInt()).isEqualTo(5);
            assertThat(links.get(1).path("from").has("interface")).isFalse();
        }
    }

    @Test
    void theTopologyIsNodesAndLinks() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            network.add(link(START, 1, 2, 5, 1, 100), hop(false, START, 1, 2, 10, 300))
                    .stored();
            JsonNode topology = network.get("topology");
            assertThat(topology.path("nodes")).hasSize(1);
            assertThat(topology.path("nodes").path(0))
                    .isEqualTo(network.get("nodes").path("items").path(0));
            assertThat(topology.path("links").path(0))
                    .isEqualTo(network.get("links").path("items").path(0));
            assertThat(topology.path("cut").asBoolean(true)).isFalse();
        }
    }

    // Flows and paths
    // --------------------------------------------------------------------------------------------------------------

    @Test
    void flowsAreSortedByWhatIsAskedFor() throws Exception {
        FlowKey third = FlowKey.ipv4(0x0A000404, 0x0A000202, 6, 1, 443);
        try (StoredNetwork network = new StoredNetwork(directory)) {
            network.add(
                            flow(START, FLOW, 50, "p1", 1_000, 9_000, 0),
                            flow(START + MINUTE, FLOW, 50, "p2", 1_100, 8_000, 1),
                            flow(START, OTHER, 70, "p2", ABSENT, ABSENT, ABSENT),
                            flow(START, third, 70, null, 2, 20_000, 0),
                            new Row.Path("p2", List.of(1L, 6L, 3L), true, START))
                    .stored();
            List<JsonNode> flows = items(network.get("flows"));
            assertThat(flows.getFirst())
                    .hasToString("{\"id\":\"63d04c9c1d4df139\",\"source\":\"10.0.1.1\","
                            + "\"destination\":\"10.0.2.2\",\"protocol\":6,\"sourcePort\":45678,\"destinationPort\":80,"
                            + "\"firstSeen\":\"2026-11-15T18:00:00.000000000Z\",\"lastSeen\":\"2026-11-15T18:02:00.000000000Z\","
                            + "\"reports\":100,\"packets\":1000,\"drops\":1,\"latencyNs\":{\"last\":1100,\"worst\":9000},"
                            + "\"path\":{\"id\":\"p2\",\"nodes\":[1,6,3],\"names\":[\"leaf-1\",\"spine-6\",\"leaf-3\"],"
                            + "\"complete\":true}}");
            assertThat(flows.get(1).has("drops"))
                    .isEqualTo(
                            flows.get(1).path("id").asText().equals(third.id().toString()));
            assertThat(first(network, "flows?sort=latency"))
                    .isEqualTo(third.id().toString());
            assertThat(first(network, "flows?sort=drops")).isEqualTo(FLOW.id().toString());
            assertThat(first(network, "flows?" + filter("src in 10.0.3.0/24")))
                    .isEqualTo(OTHER.id().toString());
            // Only one of its minutes matches; its figures are of both.
            JsonNode dropped = network.get("flows?" + filter("dropped"));
            assertThat(items(dropped)).containsExactly(flows.getFirst());
            List<String> ids = new ArrayList<>();
            String next = "flows?limit=1&sort=reports";
            while (next != null) {
                JsonNode page = network.get(next);
                ids.add(page.path("items").path(0).path("id").asText());
                next = page.has("cursor")
                        ? "flows?limit=1&sort=reports&cursor="
                                + page.path("cursor").asText()
                        : null;
            }
            assertThat(ids)
                    .containsExactlyElementsOf(
                            flows.stream().map(each -> each.path("id").asText()).toList());
        }
    }

    private static String first(StoredNetwork network, String target) throws Exception {
        return network.get(target).path("items").path(0).path("id").asText();
    }

    @Test
    void aFlowHasItsMinutesAndTheEventsThatNameIt() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            network.add(
                            flow(START, FLOW, 50, "p1", 1_000, 9_000, 0),
                            flow(START + MINUTE, FLOW, 60, "p2", 1_100, 8_000, 1),
                            event("{\"kind\":\"path-change\",\"id\":\"e1\",\"start\":\"2026-11-15T18:01:00Z\","
                                    + "\"end\":\"2026-11-15T18:01:00Z\",\"flow\":" + json(FLOW)
                                    + ",\"before\":[1,5,3],\"after\":[1,6,3]}"),
                            event(
                                    "{\"kind\":\"congestion\",\"id\":\"e2\",\"start\":\"2026-11-15T18:02:00Z\",\"node\":5,"
                                            + "\"interface\":3,\"queue\":0,\"victims\":[" + json(FLOW) + "]}"),
                            event("{\"kind\":\"loop\",\"id\":\"e3\",\"start\":\"2026-11-15T18:02:00Z\",\"flow\":"
                                    + json(OTHER) + ",\"path\":[]}"))
                    .stored();
            JsonNode flow = network.get("flows/" + FLOW.id());
            assertThat(flow.path("reports").asInt()).isEqualTo(110);
            assertThat(flow.path("minutes")).hasSize(2);
            assertThat(flow.path("minutes").path(1))
                    .hasToString("{\"time\":\"2026-11-15T18:01:00.000000000Z\","
                            + "\"reports\":60,\"packets\":600,\"drops\":1,\"latencyP50Ns\":1100,\"latencyP99Ns\":8000,"
                            + "\"path\":\"p2\"}");
            assertThat(flow.path("events").findValuesAsText("kind")).containsExactly("congestion", "path-change");
            assertThat(problem(
                            network, "flows/" + FLOW.id() + "?since=2026-11-15T19:00:00Z&until=2026-11-15T19:01:00Z"))
                    .hasMessage("no report of the flow in that time; the last was in the minute of 2026-11-15T18:01Z,"
                            + " see since and until");
        }
    }

    @Test
    void pathsTellHowReportsAreSharedOut() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            network.add(
                            flow(START, FLOW, 300, "p5", ABSENT, ABSENT, ABSENT),
                            flow(START, OTHER, 100, "p6", ABSENT, ABSENT, ABSENT),
                            flow(START + MINUTE, OTHER, 7, "hole", ABSENT, ABSENT, ABSENT),
                            new Row.Path("p5", List.of(1L, 5L, 3L), true, START + SECOND),
                            new Row.Path("p6", List.of(1L, 6L, 3L), true, START),
                            new Row.Path("hole", List.of(1L, 3L), false, START),
                            new Row.Path("old", List.of(1L, 4L, 3L), true, START - 60 * MINUTE))
                    .stored();
            List<JsonNode> paths = items(network.get("paths"));
            assertThat(paths).hasSize(3);
            assertThat(paths.getFirst())
                    .hasToString(
                            "{\"id\":\"p5\",\"nodes\":[1,5,3],"
                                    + "\"names\":[\"leaf-1\",\"spine-5\",\"leaf-3\"],\"complete\":true,\"flows\":1,\"reports\":300,"
                                    + "\"share\":0.75,\"alternatives\":2,\"imbalance\":1.5,\"lastSeen\":\"2026-11-15T18:00:01.000000000Z\"}");
            // Where it begins and ends is not known.
            assertThat(paths.get(2))
                    .hasToString(
                            "{\"id\":\"hole\",\"nodes\":[1,3],\"names\":[\"leaf-1\",\"leaf-3\"],"
                                    + "\"complete\":false,\"flows\":1,\"reports\":7,\"lastSeen\":\"2026-11-15T18:00:00.000000000Z\"}");
            assertThat(items(network.get("paths?flow=" + OTHER.id())))
                    .extracting(each -> each.path("id").asText())
                    .containsExactly("p6", "hole");
            JsonNode filtered = network.get("paths?" + filter("path like * > spine-6 > *"));
            assertThat(items(filtered)).hasSize(1);
            assertThat(filtered.path("items").path(0).path("share").asDouble()).isEqualTo(0.25);
        }
    }

    // Drops and queues
    // --------------------------------------------------------------------------------------------------------------

    @Test
    void dropsAreByPlaceAndReason() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            network.add(
                            new Row.Drop(START, 3, 2, 0, 80, 5, 500),
                            new Row.Drop(START + SECOND, 3, 2, 0, 80, 7, 700),
                            new Row.Drop(START, 3, 2, 0, 26, 20, ABSENT),
                            new Row.Drop(START, ABSENT, ABSENT, ABSENT, ABSENT, 1, ABSENT))
                    .stored();
            List<JsonNode> drops = items(network.get("drops?series=true"));
            assertThat(drops).extracting(each -> each.path("reports").asInt()).containsExactly(20, 12, 1);
            JsonNode next = ((ObjectNode) drops.get(1)).remove("next");
            assertThat(next.path(0).asText()).isEqualTo("the rule: which one, since when, on which ports");
            assertThat(drops.get(2).path("cause").asText()).isEqualTo("unknown");
            assertThat(drops.get(1))
                    .hasToString("{\"node\":3,\"name\":\"leaf-3\",\"interface\":2,\"queue\":0,\"reason\":80,"
                            + "\"reasonName\":\"ACL deny\",\"cause\":\"policy\",\"reports\":12,\"packets\":1200,"
                            + "\"firstSeen\":\"2026-11-15T18:00:00.000000000Z\",\"lastSeen\":\"2026-11-15T18:00:02.000000000Z\","
                            + "\"series\":[{\"time\":\"2026-11-15T18:00:00.000000000Z\",\"reports\":5,\"packets\":500},"
                            + "{\"time\":\"2026-11-15T18:00:01.000000000Z\",\"reports\":7,\"packets\":700}]}");
            assertThat(drops.get(0).has("packets")).isFalse();
            assertThat(drops.get(2).has("node")).isFalse();
            assertThat(network.get("drops").path("items").path(0).has("series")).isFalse();
            assertThat(items(network.get("drops?" + filter("drop.reason = acl_deny"))))
                    .hasSize(1);
            JsonNode page = network.get("drops?limit=2");
            assertThat(items(network.get(
                            "drops?limit=2&cursor=" + page.path("cursor").asText())))
                    .hasSize(1);
        }
    }

    @Test
    void aQueueKnowsItsEpisodesAndWhetherItIsCongestedNow() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            String congestion =
                    "{\"kind\":\"congestion\",\"id\":\"%s\",\"start\":\"%s\"%s,\"node\":3,\"interface\":2,\"queue\":0}";
            network.add(
                            with(hop(false, START, 3, 2, 99, 300), 40, ABSENT, Double.NaN),
                            with(hop(false, START + SECOND, 3, 2, 2, 70_000), 90_000, 3, Double.NaN),
                            hop(false, START, 3, ABSENT, 5),
                            hop(false, START, 3, 4, 5),
                            event(String.format(
                                    congestion, "c1", "2026-11-15T18:00:01Z", ",\"end\":\"2026-11-15T18:00:02Z\"")),
                            event(String.format(congestion, "c2", "2026-11-15T18:04:59Z", "")),
                            event(String.format(
                                    congestion, "c0", "2026-11-15T17:00:00Z", ",\"end\":\"2026-11-15T17:00:02Z\"")),
                            new Row.Episode(
                                    "b1", 3, 2, 0, START, START + SECOND, 90_000, Double.NaN, 5, "{\"burst\":true}"))
                    .stored();
            List<JsonNode> queues = items(network.get("queues"));
            assertThat(queues.get(0))
                    .hasToString("{\"node\":3,\"name\":\"leaf-3\",\"queue\":0,\"reports\":5,\"episodes\":0,"
                            + "\"congested\":false}");
            assertThat(queues.get(1))
                    .hasToString("{\"node\":3,\"name\":\"leaf-3\",\"interface\":2,\"queue\":0,"
                            + "\"reports\":101,\"occupancyMax\":90000,\"drops\":3,\"episodes\":2,\"congested\":true,"
                            + "\"burst\":\"b1\",\"latencyNs\":{\"p50\":303,\"p99\":70000,\"max\":70000}}");
            assertThat(queues.get(2).path("interfaceName").asText()).isEqualTo("eth4");
            assertThat(network.get("bursts/b1")).hasToString("{\"burst\":true}");
            JsonNode before = network.get("queues?until=2026-11-15T18:04:00Z")
                    .path("items")
                    .path(1);
            assertThat(before.path("episodes").asInt()).isEqualTo(1);
            assertThat(before.path("congested").asBoolean(true)).isFalse();
            assertThat(items(network.get("queues?" + filter("hop.occupancy > 64KB"))))
                    .containsExactly(queues.get(1));
            JsonNode page = network.get("queues?limit=1");
            assertThat(items(network.get(
                            "queues?limit=1&cursor=" + page.path("cursor").asText())))
                    .containsExactly(queues.get(1));
        }
    }

    // Series
    // --------------------------------------------------------------------------------------------------------------

    @Test
    void aHeatMapHasALineForEachQueueAndTellsWhatIsNotKnown() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            network.add(
                            // Two rows of one step are one: of 99 + 2 latencies the 99th of 100 is among the two.
                            hop(false, START, 1, 2, 99, 300),
                            hop(false, START + SECOND, 1, 2, 2, 70_000),
                            hop(false, START + 4 * SECOND, 1, 2, 5),
                            hop(false, START, 3, ABSENT, 7, 900))
                    .stored();
            String time = "since=2026-11-15T18:00:00Z&until=2026-11-15T18:00:06Z&points=3";
            JsonNode map = network.get("heatmap?" + time);
            assertThat(map.path("stepSeconds").asInt()).isEqualTo(2);
            assertThat(map.path("points").asInt()).isEqualTo(3);
            assertThat(map.path("places").asInt()).isEqualTo(2);
            JsonNode line = items(map).get(0);
            assertThat(line.path("node").asInt()).isEqualTo(1);
            assertThat(line.path("reports").toString()).isEqualTo("[101,0,5]");
            assertThat(line.path("latencyMaxNs").toString()).isEqualTo("[70000,null,null]");
            assertThat(line.path("latencyP99Ns").toString()).isEqualTo("[70000,null,null]");
            assertThat(line.path("latencyP50Ns").path(0).asInt()).isBetween(300, 319);
            assertThat(items(map).get(1).path("latencyMaxNs").toString()).isEqualTo("[900,null,null]");
            assertThat(items(map).get(1).has("interface")).isFalse();
            // Of more than are asked for, those with the longest waits.
            JsonNode one = network.get("heatmap?limit=1&" + time);
            assertThat(items(one)).extracting(each -> each.path("node").asInt()).containsExactly(1);
            assertThat(one.path("places").asInt()).isEqualTo(2);
            assertThat(items(network.get("heatmap?" + time + "&" + filter("node = 3"))))
                    .hasSize(1);
            assertThat(problem(network, "heatmap?limit=501")).hasMessage("limit: a number from 1 to 500");
        }
    }

    @Test
    void aSeriesHasAStepForEachPieceOfTheTime() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            network.add(
                            with(hop(false, START, 1, 2, 10, 300), 700, 2, 1),
                            with(hop(false, START + SECOND, 3, 2, 20, 900), ABSENT, ABSENT, 0.5),
                            hop(false, START + 7 * SECOND, 1, 2, 5))
                    .stored();
            String time = "since=2026-11-15T18:00:00Z&until=2026-11-15T18:00:10Z";
            JsonNode seconds = network.get("series?" + time);
            assertThat(seconds.path("stepSeconds").asInt()).isEqualTo(1);
            assertThat(seconds.path("first").asText()).isEqualTo("2026-11-15T18:00:00.000000000Z");
            assertThat(seconds.path("reports").toString()).isEqualTo("[10,20,0,0,0,0,0,5,0,0]");
            assertThat(seconds.path("occupancyMax").toString())
                    .isEqualTo("[700,null,null,null,null,null,null,null,null,null]");
            assertThat(seconds.path("drops").get(0).asInt()).isEqualTo(2);
            assertThat(seconds.path("drops").get(1).isNull()).isTrue();
            assertThat(seconds.path("latencyP99Ns").get(1).asInt()).isEqualTo(900);
            assertThat(seconds.path("latencyP99Ns").get(7).isNull()).isTrue();
            assertThat(seconds.path("stepCompleteness").get(1).asDouble()).isEqualTo(0.5);

            JsonNode fives = network.get("series?points=2&" + time);
            assertThat(fives.path("stepSeconds").asInt()).isEqualTo(5);
            assertThat(fives.path("reports").toString()).isEqualTo("[30,5]");
            JsonNode ofOne = network.get("series?points=2&" + time + "&" + filter("hop.node = 3"));
            assertThat(ofOne.path("reports").toString()).isEqualTo("[20,0]");
        }
    }

    @Test
    void longStepsOfASeriesAreMadeOfMinutesAndTheSecondsThatFollow() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            network.add(
                            hop(true, START, 1, 2, 60, 300),
                            hop(false, START + 3 * SECOND, 1, 2, 60, 300), // the same minute
                            hop(true, START + MINUTE, 1, 2, 7, 500),
                            hop(false, END + SECOND, 1, 2, 9, 700)) // not a minute yet
                    .stored();
            JsonNode answer = network.get("series?points=10&since=2026-11-15T18:00:00Z&until=2026-11-15T18:06:00Z");
            assertThat(answer.path("stepSeconds").asInt()).isEqualTo(60);
            assertThat(answer.path("reports").toString()).isEqualTo("[60,7,0,0,0,9]");
            assertThat(answer.path("latencyMaxNs").toString()).isEqualTo("[300,500,null,null,null,700]");
        }
    }

    @Test
    void aSeriesOfTooManyPointsIsRefused() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            network.stored();
            assertThat(problem(network, "series?points=2001").getMessage()).contains("from 1 to 2000");
            assertThat(problem(network, "series?limit=5").getMessage()).contains("takes only");
        }
    }
}
