package io.pathlore.cli.network;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.pathlore.analysis.sequence.Counting;
import io.pathlore.cli.config.Inventory;
import io.pathlore.model.FlowKey;
import io.pathlore.model.LatencyHistogram;
import io.pathlore.model.Profile;
import io.pathlore.model.TimeText;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Reply;
import io.pathlore.serve.Request;
import io.pathlore.serve.Route;
import io.pathlore.store.tables.Queries;
import io.pathlore.store.tables.QueryLimits;
import io.pathlore.store.tables.Row;
import io.pathlore.store.tables.TableOptions;
import io.pathlore.store.tables.TableStore;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tables with rows that a test writes, and the routes over them. Nodes 1, 3, 5 and 6 have names. */
final class StoredNetwork implements NetworkRoutes.Source, AutoCloseable {
    static final long SECOND = 1_000_000_000L;
    static final long MINUTE = 60 * SECOND;
    /** 2026-11-15T18:00:00Z. */
    static final long START = 1_794_765_600L * SECOND;
    /** How far the tables are filled: five minutes later. */
    static final long END = START + 5 * MINUTE;

    static final FlowKey FLOW = FlowKey.ipv4(0x0A000101, 0x0A000202, 6, 45678, 80);
    static final FlowKey OTHER = FlowKey.ipv4(0x0A000303, 0x0A000202, 17, 5000, 6000);

    private static final long ABSENT = Row.ABSENT;
    private static final JsonMapper MAPPER = new JsonMapper();

    private final TableStore store;
    private final List<Route> routes = NetworkRoutes.of(this);

    StoredNetwork(Path directory) throws IOException {
        store = TableStore.open(
                directory,
                new TableOptions(Duration.ZERO, Duration.ZERO, Duration.ZERO, 128L << 20, 16 << 20, 1),
                line -> {});
    }

    // Rows
    // --------------------------------------------------------------------------------------------------------------

    StoredNetwork add(Row... rows) {
        assertThat(store.append(List.of(rows))).isTrue();
        return this;
    }

    /** A queue in a second or minute; each latency counts as often as {@code each} says. */
    static Row.Hop hop(boolean minute, long time, long node, long interfaceId, int each, long... latencies) {
        LatencyHistogram histogram = new LatencyHistogram();
        long max = ABSENT;
        for (long latency : latencies) {
            for (int i = 0; i < each; i++) {
                histogram.record(latency);
            }
            max = Math.max(max, latency);
        }
        return new Row.Hop(
                minute,
                time,
                node,
                interfaceId,
                0,
                Math.max(each, (long) each * latencies.length),
                ABSENT,
                histogram.quantile(0.5),
                histogram.quantile(0.99),
                max,
                latencies.length == 0 ? null : histogram.encode(),
                ABSENT,
                ABSENT,
                ABSENT,
                Double.NaN);
    }

    static Row.Hop with(Row.Hop hop, long occupancy, long drops, double completeness) {
        return new Row.Hop(
                hop.minute(),
                hop.time(),
                hop.node(),
                hop.interfaceId(),
                hop.queue(),
                hop.reports(),
                hop.latencyMin(),
                hop.latencyP50(),
                hop.latencyP99(),
                hop.latencyMax(),
                hop.latencyHistogram(),
                occupancy,
                hop.utilizationMax(),
                drops,
                completeness);
    }

    static Row.Flow flow(
            long time, FlowKey flow, long reports, @Nullable String pathId, long p50, long p99, long drops) {
        return new Row.Flow(time, flow, reports, reports * 10, pathId, p50, p99, drops);
    }

    static Row.Link link(long time, long from, long fromInterface, long to, long toInterface, long reports) {
        return new Row.Link(time, from, fromInterface, to, toInterface, reports, null, ABSENT, ABSENT);
    }

    /** An event as the collector stores it; its columns come from the JSON. */
    static Row.Event event(String json) {
        try {
            JsonNode event = MAPPER.readTree(json);
            return new Row.Event(
                    event.path("kind").asText(),
                    event.path("id").asText(),
                    time(event, "start"),
                    time(event, "end"),
                    time(event, "start"),
                    "warning",
                    Double.NaN,
                    event.path("node").asLong(ABSENT),
                    event.path("interface").asLong(ABSENT),
                    event.path("queue").asLong(ABSENT),
                    event.path("flow").isObject()
                            ? event.path("flow").path("id").asText()
                            : null,
                    json);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static long time(JsonNode event, String key) {
        Long nanos = event.has(key) ? TimeText.parse(event.path(key).asText()) : null;
        return nanos == null ? ABSENT : nanos;
    }

    static String json(FlowKey flow) {
        return "{\"id\":\"" + flow.id() + "\",\"source\":\"" + flow.source() + "\",\"destination\":\""
                + flow.destination() + "\",\"protocol\":" + flow.protocol() + ",\"sourcePort\":" + flow.sourcePort()
                + ",\"destinationPort\":" + flow.destinationPort() + "}";
    }

    /** Stores all that was added. */
    StoredNetwork stored() {
        return storedTo(END);
    }

    StoredNetwork storedTo(long time) {
        assertThat(store.mark(time, Map.of())).isTrue();
        store.stop();
        store.run();
        assertThat(store.stored().storedToNanos()).as(store.health().line()).isEqualTo(time);
        return this;
    }

    // Asking
    // --------------------------------------------------------------------------------------------------------------

    /** What the route of this path answers; the query is as in a URL. */
    JsonNode get(String target) throws Problem, IOException {
        String[] parts = target.split("\\?", 2);
        Map<String, String> query = new HashMap<>();
        if (parts.length > 1) {
            for (String each : parts[1].split("&", -1)) {
                String[] pair = each.split("=", 2);
                query.put(pair[0], URLDecoder.decode(pair[1], StandardCharsets.UTF_8));
            }
        }
        String[] segments = parts[0].split("/", -1);
        String pattern = segments.length == 1 ? parts[0] : parts[0].replace("/" + segments[1], "/{id}");
        Route route = routes.stream()
                .filter(each -> each.path().equals("/api/v1/" + pattern))
                .findFirst()
                .orElseThrow();
        Map<String, String> path = segments.length == 1 ? Map.of() : Map.of("id", segments[1]);
        Reply reply = route.answer(Request.local(path, query));
        return MAPPER.readTree(((Reply.Content) reply).body());
    }

    @Override
    public Queries queries() {
        return store.queries(new QueryLimits(Duration.ofSeconds(10), 100_000, 1 << 20, 1 << 16, 2));
    }

    @Override
    public Inventory inventory() {
        return new Inventory(List.of(node(1, "leaf-1"), node(3, "leaf-3"), node(5, "spine-5"), node(6, "spine-6")));
    }

    private static Inventory.Node node(long id, String name) {
        Map<Long, String> interfaces = id == 3 ? Map.of(4L, "eth4") : Map.of();
        return new Inventory.Node(
                id, name, List.of(), Profile.AUTO, Counting.AUTO, 0, 1, false, 0, interfaces, Map.of(), Map.of());
    }

    @Override
    public long silentAfterNanos() {
        return 30 * SECOND;
    }

    @Override
    public long nowNanos() {
        return END;
    }

    @Override
    public void close() throws IOException {
        store.close();
    }
}
