package io.pathlore.cli.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pathlore.analysis.filter.Columns;
import io.pathlore.serve.Problem;
import io.pathlore.store.tables.TableRow;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Pattern;

/** Flows of the time. Their minutes have no histograms, so latency is that of minutes: the last one's and the worst one's. */
final class FlowList {
    private static final Pattern ID = Pattern.compile("[0-9a-f]{16}");

    /** Of the rows of one flow. */
    static final String SUMMARY = """
            any_value(source) AS source, any_value(destination) AS destination, any_value(protocol) AS protocol,
            any_value(source_port) AS source_port, any_value(destination_port) AS destination_port,
            any_value(icmp_type) AS icmp_type, any_value(icmp_code) AS icmp_code, any_value(vni) AS vni,
            CAST(sum(reports) AS BIGINT) AS reports, CAST(sum(drops) AS BIGINT) AS drops,
            CASE WHEN count(packets) = count(*) THEN CAST(sum(packets) AS BIGINT) END AS packets,
            arg_max(path_id, time) AS path_id, arg_max(latency_p50, time) AS latency_last,
            max(latency_p99) AS latency_worst, epoch_ns(min(time)) AS first, epoch_ns(max(time)) AS last
            """;

    private final Asked asked;

    FlowList(Asked asked) {
        this.asked = asked;
    }

    static String id(String text) throws Problem {
        if (!ID.matcher(text).matches()) {
            throw new Problem(400, "flow: an id is 16 hex digits, like 63d04c9c1d4df139");
        }
        return text;
    }

    ListAnswer answer() throws Problem {
        String order = switch (asked.parameters().getOrDefault("sort", "reports")) {
            case "drops" -> "coalesce(drops, -1)";
            case "latency" -> "coalesce(latency_worst, -1)";
            default -> "reports";
        };
        ListAnswer answer = new ListAnswer(asked);
        Question question = Question.of("WITH seen AS (SELECT flow_id, " + SUMMARY + "FROM flows_1m WHERE")
                .add(asked.span().minutes())
                .add("GROUP BY flow_id")
                .add(asked.having(Columns.flows()))
                .add("), ordered AS (SELECT *, " + order + " AS value FROM seen)"
                        + " SELECT ordered.*, nodes, complete FROM ordered LEFT JOIN paths USING (path_id)");
        if (!asked.after().isEmpty()) {
            question.add(
                    "WHERE value < ? OR (value = ? AND flow_id > ?)",
                    asked.afterNumber(0),
                    asked.afterNumber(0),
                    asked.afterText(1));
        }
        question.add("ORDER BY value DESC, flow_id LIMIT ?", asked.limit() + 1L).ask(asked.queries(), row -> {
            ObjectNode item = answer.add(row.number("value"), String.valueOf(row.text("flow_id")));
            if (item != null) {
                write(item, row, asked);
            }
        });
        return answer;
    }

    /** From a row of {@link #SUMMARY} with {@code nodes} and {@code complete} of its path. */
    static void write(ObjectNode item, TableRow row, Asked asked) throws SQLException {
        Labels.text(item, "id", row.text("flow_id"));
        Labels.text(item, "source", row.text("source"));
        Labels.text(item, "destination", row.text("destination"));
        Labels.number(item, "protocol", row.number("protocol"));
        Labels.number(item, "sourcePort", row.number("source_port"));
        Labels.number(item, "destinationPort", row.number("destination_port"));
        Labels.number(item, "icmpType", row.number("icmp_type"));
        Labels.number(item, "icmpCode", row.number("icmp_code"));
        Labels.number(item, "vni", row.number("vni"));
        Labels.time(item, "firstSeen", row.number("first"));
        Labels.time(
                item,
                "lastSeen",
                Math.min(row.number("last") + Span.MINUTE, asked.span().until()));
        item.put("reports", row.number("reports"));
        Labels.number(item, "packets", row.number("packets"));
        Labels.number(item, "drops", row.number("drops"));
        ObjectNode latency = item.objectNode();
        Labels.number(latency, "last", row.number("latency_last"));
        Labels.number(latency, "worst", row.number("latency_worst"));
        if (!latency.isEmpty()) {
            item.set("latencyNs", latency);
        }
        List<Long> nodes = row.numbers("nodes");
        if (!nodes.isEmpty()) {
            ObjectNode path = item.putObject("path");
            path.put("id", row.text("path_id"));
            asked.labels().path(path, nodes);
            path.put("complete", row.flag("complete"));
        }
    }
}
