package io.pathlore.cli.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pathlore.analysis.filter.Columns;
import io.pathlore.serve.Problem;
import io.pathlore.store.tables.Row;
import io.pathlore.store.tables.TableRow;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The nodes that were ever heard of, each with what its queues say of the time. In the order of their ids. */
final class NodeList {
    private final Asked asked;
    private final long silentAfterNanos;

    NodeList(Asked asked, long silentAfterNanos) {
        this.asked = asked;
        this.silentAfterNanos = silentAfterNanos;
    }

    ListAnswer answer() throws Problem {
        ListAnswer answer = new ListAnswer(asked);
        List<Long> max = new ArrayList<>();
        Question question = Question.of("WITH seen AS (SELECT node, CAST(sum(reports) AS BIGINT) AS reports,"
                        + " max(latency_max) AS latency_max, max(occupancy_max) AS occupancy_max,"
                        + " CAST(sum(drops) AS BIGINT) AS drops, max(time) AS last, "
                        + ListAnswer.COMPLETENESS + " FROM")
                .add(asked.span().hops())
                .add(
                        "WHERE node IS NOT NULL GROUP BY node), known AS (SELECT * FROM nodes"
                                + " WHERE first_seen < make_timestamp_ns(?))",
                        asked.span().until())
                .add("""
                        SELECT *, epoch_ns(first_seen) AS first, epoch_ns(greatest(last_seen, last)) AS latest FROM (
                            SELECT coalesce(known.node, seen.node) AS node, name, exporter, exporter_number, version,
                                first_seen, last_seen, reports, latency_max, occupancy_max, drops, last, completeness
                            FROM known FULL JOIN seen ON known.node = seen.node)
                        WHERE""")
                .add(asked.filter(Columns.nodes()));
        if (!asked.after().isEmpty()) {
            question.add("AND node > ?", asked.afterNumber(0));
        }
        question.add("ORDER BY node LIMIT ?", asked.limit() + 1L).ask(asked.queries(), row -> {
            ObjectNode item = answer.add(row.number("node"));
            if (item != null) {
                write(item, row);
                max.add(row.number("latency_max"));
            }
        });
        latencies(answer.items(), max);
        return answer;
    }

    private void write(ObjectNode item, TableRow row) throws SQLException {
        long node = row.number("node");
        String name = asked.labels().node(node);
        item.put("id", node);
        Labels.text(item, "name", name == null ? row.text("name") : name);
        Labels.text(item, "exporter", row.text("exporter"));
        Labels.text(item, "version", row.text("version"));
        Labels.time(item, "firstSeen", row.number("first"));
        long latest = Math.min(row.number("latest"), asked.span().until());
        Labels.time(item, "lastSeen", latest);
        item.put("state", asked.span().until() - latest > silentAfterNanos ? "silent" : "heard");
        item.put("reports", Math.max(0, row.number("reports")));
        Labels.number(item, "occupancyMax", row.number("occupancy_max"));
        Labels.number(item, "drops", row.number("drops"));
        Labels.share(item, "completeness", row.share("completeness"));
    }

    private void latencies(ArrayNode items, List<Long> max) throws Problem {
        if (items.isEmpty()) {
            return;
        }
        Question rows = Question.of("SELECT node, latency_histogram FROM")
                .add(asked.span().hops())
                .add("WHERE node BETWEEN ? AND ?", id(items.get(0)), id(items.get(items.size() - 1)));
        Latencies<Long> latencies = Latencies.of(rows, asked.queries(), row -> row.number("node"));
        for (int i = 0; i < items.size(); i++) {
            latencies.write((ObjectNode) items.get(i), id(items.get(i)), max.get(i));
        }
    }

    private static long id(JsonNode item) {
        return item.path("id").asLong(Row.ABSENT);
    }
}
