package io.pathlore.cli.network;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Reply;
import io.pathlore.store.tables.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Why is this flow slow, or losing packets? Puts beside each other what the tables know of it: its path, what each hop takes against
 * what it usually takes, what happened there, what was dropped, and what could not be seen.
 */
final class FlowExplanation {
    private static final Duration BEFORE = Duration.ofHours(6);
    private static final int MAX_EVENTS = 1_000;
    private static final JsonMapper MAPPER = new JsonMapper();

    /** Why an event is told. */
    enum Because {
        /** It names the flow. */
        FLOW,
        /** It is at a node, and as far as is known a queue, of its path. */
        NODE,
        /** It is about a link that the flow takes, or took. */
        LINK
    }

    record Told(JsonNode event, Because because) {
        String kind() {
            return event.path("kind").asText();
        }

        boolean names(String kind) {
            return because == Because.FLOW && kind().equals(kind);
        }

        boolean isAt(String kind, Hop hop) {
            return kind().equals(kind)
                    && event.path("node").asLong(Row.ABSENT) == hop.node
                    && hop.leavesBy(event.path("interface").asLong(Row.ABSENT));
        }
    }

    /** What a node of the path dropped for one reason; of all flows. */
    record Loss(long node, long reason, long reports, long packets) {}

    private final Asked asked;
    private final String id;
    private final Labels labels;
    private final List<Hop> hops = new ArrayList<>();
    private final List<Told> told = new ArrayList<>();
    private final List<Loss> losses = new ArrayList<>();

    FlowExplanation(Asked asked, String id) throws Problem {
        this.asked = asked;
        this.id = FlowList.id(id);
        labels = asked.labels();
    }

    Reply reply() throws Problem {
        ObjectNode flow = new FlowPage(asked, id).summary();
        flow.path("path").path("nodes").forEach(node -> hops.add(new Hop(node.asLong())));
        if (!hops.isEmpty()) {
            findInterfaces();
        }
        findEvents();
        if (!hops.isEmpty()) {
            findLatencies();
            findLosses();
        }
        double[] share = {Double.NaN};
        Question.of("SELECT " + ListAnswer.COMPLETENESS + " FROM")
                .add(asked.span().hops())
                .ask(asked.queries(), row -> share[0] = row.share("completeness"));
        ObjectNode root = flow.objectNode();
        root.put("verdict", new Verdict(flow, hops, told, losses, labels).text());
        root.set("flow", flow);
        write(root.putArray("hops"));
        ArrayNode drops = root.putArray("drops");
        for (Loss loss : losses) {
            ObjectNode item = drops.addObject();
            labels.place(item, loss.node, Row.ABSENT);
            Labels.number(item, "reason", loss.reason);
            if (loss.reason != Row.ABSENT) {
                Labels.text(item, "reasonName", labels.reason(loss.node, loss.reason));
            }
            item.put("reports", loss.reports);
            Labels.number(item, "packets", loss.packets);
        }
        ArrayNode events = root.putArray("events");
        for (Told each : told) {
            ObjectNode item = events.addObject();
            item.put("because", each.because.name().toLowerCase(Locale.ROOT));
            item.set("event", each.event);
        }
        ArrayNode unseen = root.putArray("unseen");
        new Unseen(flow, hops, told, labels, share[0], BEFORE).lines().forEach(unseen::add);
        return ListAnswer.reply(root, asked);
    }

    private Question onPath(String column) {
        Set<Long> nodes = hops.stream().map(hop -> hop.node).collect(Collectors.toSet());
        return Question.of(column + " IN (" + "?, ".repeat(nodes.size() - 1) + "?)", nodes.toArray());
    }

    /** A path names nodes; the interface between two of them is known from links. */
    private void findInterfaces() throws Problem {
        long since = Math.max(0, asked.span().since() - BEFORE.toNanos());
        Question.of(
                        "SELECT DISTINCT from_node, from_interface, to_node FROM links_1m WHERE from_interface IS NOT NULL"
                                + " AND time > make_timestamp_ns(?) AND time < make_timestamp_ns(?) AND",
                        since,
                        asked.span().until())
                .add(onPath("from_node"))
                .ask(asked.queries(), row -> {
                    for (int i = 0; i + 1 < hops.size(); i++) {
                        if (hops.get(i).node == row.number("from_node")
                                && hops.get(i + 1).node == row.number("to_node")) {
                            hops.get(i).interfaces.add(row.number("from_interface"));
                        }
                    }
                });
    }

    private void findLatencies() throws Problem {
        Question.of("SELECT * FROM")
                .add(asked.span().hops())
                .add("WHERE")
                .add(onPath("node"))
                .ask(asked.queries(), row -> {
                    for (Hop hop : hops) {
                        if (hop.node == row.number("node") && hop.leavesBy(row.number("interface"))) {
                            hop.onRow(row);
                        }
                    }
                });
        long since = asked.span().since();
        Question.of(
                        "SELECT epoch_ns(time) AS minute, node, interface, latency_histogram FROM hops_1m"
                                + " WHERE time >= make_timestamp_ns(?) AND time <= make_timestamp_ns(?) AND",
                        Math.max(0, since - BEFORE.toNanos()),
                        since - Span.MINUTE)
                .add(onPath("node"))
                .ask(asked.queries(), row -> {
                    for (Hop hop : hops) {
                        if (hop.node == row.number("node") && hop.leavesBy(row.number("interface"))) {
                            hop.onMinuteBefore(row);
                        }
                    }
                });
    }

    private void findLosses() throws Problem {
        Question.of("SELECT node, reason, CAST(sum(reports) AS BIGINT) AS reports, " + DropList.PACKETS
                        + " FROM drops_1s WHERE")
                .add(asked.span().seconds())
                .add("AND")
                .add(onPath("node"))
                .add("GROUP BY node, reason ORDER BY reports DESC, node, reason LIMIT 100")
                .ask(
                        asked.queries(),
                        row -> losses.add(new Loss(
                                row.number("node"),
                                row.number("reason"),
                                row.number("reports"),
                                row.number("packets"))));
    }

    // Events
    // --------------------------------------------------------------------------------------------------------------

    private void findEvents() throws Problem {
        List<JsonNode> all = new ArrayList<>();
        Question question = Question.of(
                "SELECT json FROM events WHERE (flow_id = ? OR contains(json, ?) OR kind IN ('link-down', 'link-up')",
                id,
                '"' + id + '"');
        if (!hops.isEmpty()) {
            question.add("OR").add(onPath("node"));
        }
        question.add(") AND")
                .add(asked.span().episodes())
                .add("ORDER BY start, id LIMIT " + MAX_EVENTS)
                .ask(asked.queries(), row -> all.add(parse(String.valueOf(row.text("json")))));
        Set<List<Long>> links =
                new HashSet<>(steps(hops.stream().map(hop -> hop.node).toList()));
        for (JsonNode event : all) {
            if (event.path("kind").asText().equals("path-change")
                    && event.path("flow").path("id").asText().equals(id)) {
                List<Long> before = new ArrayList<>();
                event.path("before").forEach(node -> before.add(node.asLong()));
                links.addAll(steps(before));
            }
        }
        all.forEach(this::learnInterface);
        for (JsonNode event : all) {
            Because because = because(event, links);
            if (because != null) {
                told.add(new Told(event, because));
            }
        }
    }

    /** No link leads on from the last node; but where the flow stood in a queue there, it left by its interface. */
    private void learnInterface(JsonNode event) {
        for (Hop hop : hops) {
            boolean here = event.has("interface") && event.path("node").asLong(Row.ABSENT) == hop.node;
            if (here && hop.interfaces.isEmpty() && namesFlow(event)) {
                hop.interfaces.add(event.path("interface").asLong());
            }
        }
    }

    private boolean namesFlow(JsonNode event) {
        return event.findValuesAsText("id").stream().skip(1).anyMatch(id::equals);
    }

    private static JsonNode parse(String json) {
        try {
            return MAPPER.readTree(json);
        } catch (JsonProcessingException e) {
            return MAPPER.createObjectNode();
        }
    }

    private static List<List<Long>> steps(List<Long> nodes) {
        List<List<Long>> steps = new ArrayList<>();
        for (int i = 0; i + 1 < nodes.size(); i++) {
            steps.add(List.of(nodes.get(i), nodes.get(i + 1)));
        }
        return steps;
    }

    private @Nullable Because because(JsonNode event, Set<List<Long>> links) {
        if (namesFlow(event)) {
            return Because.FLOW;
        }
        if (event.has("from")) {
            List<Long> link = List.of(
                    event.path("from").path("node").asLong(),
                    event.path("to").path("node").asLong());
            return links.contains(link) ? Because.LINK : null;
        }
        String kind = event.path("kind").asText();
        for (Hop hop : hops) {
            boolean here = event.path("node").asLong(Row.ABSENT) == hop.node
                    && (!event.has("interface")
                            || hop.leavesBy(event.path("interface").asLong()));
            if (here && !kind.equals("path-change") && !kind.equals("loop")) {
                if (kind.equals("latency")) {
                    hop.onBaseline(event.path("baselineNs").asLong(Row.ABSENT));
                }
                return Because.NODE;
            }
        }
        return null;
    }

    private void write(ArrayNode array) {
        double total =
                hops.stream().filter(Hop::hasLatency).mapToDouble(Hop::mean).sum();
        for (Hop hop : hops) {
            ObjectNode item = array.addObject();
            Labels.number(item, "node", hop.node);
            Labels.text(item, "name", labels.node(hop.node));
            ArrayNode interfaces = item.putArray("interfaces");
            for (long number : hop.interfaces) {
                ObjectNode one = interfaces.addObject();
                one.put("interface", number);
                Labels.text(one, "interfaceName", labels.interfaceName(hop.node, number));
            }
            item.put("reports", hop.reports);
            if (hop.hasLatency()) {
                ObjectNode latency = item.putObject("latencyNs");
                latency.put("mean", Math.min(hop.mean(), hop.latencyMax));
                latency.put("p50", Math.min(hop.latencies().quantile(0.5), hop.latencyMax));
                latency.put("p99", Math.min(hop.latencies().quantile(0.99), hop.latencyMax));
                latency.put("max", hop.latencyMax);
                Labels.share(item, "share", total == 0 ? Double.NaN : hop.mean() / total);
            }
            Labels.number(item, "usualNs", hop.usual());
            if (hop.minutesBefore() > 0) {
                item.put("usualMinutes", hop.minutesBefore());
            }
            Labels.share(item, "factor", hop.factor());
            Labels.number(item, "occupancyMax", hop.occupancyMax);
            Labels.number(item, "drops", hop.drops);
        }
    }
}
