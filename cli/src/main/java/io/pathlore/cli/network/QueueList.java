package io.pathlore.cli.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pathlore.analysis.filter.Columns;
import io.pathlore.serve.Problem;
import io.pathlore.store.tables.TableRow;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Queues, each with what was seen of it in the time. In the order of nodes, interfaces and queue ids; the unknown first. */
final class QueueList {
    /** Where a queue is; what is unknown is absent. */
    private record Place(long node, long interfaceId, long id) {}

    private record Queue(Place place, long latencyMax) {
        long node() {
            return place.node;
        }
    }

    private final Asked asked;

    QueueList(Asked asked) {
        this.asked = asked;
    }

    ListAnswer answer() throws Problem {
        ListAnswer answer = new ListAnswer(asked);
        List<Queue> queues = new ArrayList<>();
        Question question = Question.of("""
                        WITH told AS (SELECT node, interface, queue, count(*) AS episodes,
                                bool_or("end" IS NULL OR "end" >= make_timestamp_ns(?)) AS congested
                            FROM events WHERE kind = 'congestion' AND""", asked.span().until())
                .add(asked.span().episodes())
                .add(
                        "GROUP BY ALL), bursts AS (SELECT node, interface, queue, arg_max(id, start) AS burst FROM episodes WHERE")
                .add(asked.span().episodes())
                .add("GROUP BY ALL), seen AS (SELECT node, interface, queue, CAST(sum(reports) AS BIGINT) AS reports,"
                        + " max(latency_max) AS latency_max, max(occupancy_max) AS occupancy_max,"
                        + " max(utilization_max) AS utilization_max, CAST(sum(drops) AS BIGINT) AS drops, "
                        + ListAnswer.COMPLETENESS + " FROM")
                .add(asked.span().hops())
                .add("GROUP BY node, interface, queue")
                .add(asked.having(Columns.hops("queues")))
                .add("""
                        ), keyed AS (SELECT *, coalesce(node, -1) AS n, coalesce(interface, -1) AS i,
                            coalesce(queue, -1) AS q FROM seen)
                        SELECT keyed.*, told.episodes, told.congested, bursts.burst FROM keyed
                        LEFT JOIN told ON n = coalesce(told.node, -1) AND i = coalesce(told.interface, -1)
                            AND q = coalesce(told.queue, -1)
                        LEFT JOIN bursts ON n = coalesce(bursts.node, -1) AND i = coalesce(bursts.interface, -1)
                            AND q = coalesce(bursts.queue, -1)""");
        if (!asked.after().isEmpty()) {
            question.add(
                    "WHERE n > ? OR (n = ? AND (i > ? OR (i = ? AND q > ?)))",
                    asked.afterNumber(0),
                    asked.afterNumber(0),
                    asked.afterNumber(1),
                    asked.afterNumber(1),
                    asked.afterNumber(2));
        }
        question.add("ORDER BY n, i, q LIMIT ?", asked.limit() + 1L).ask(asked.queries(), row -> {
            Place place = new Place(row.number("node"), row.number("interface"), row.number("queue"));
            ObjectNode item = answer.add(place.node, place.interfaceId, place.id);
            if (item != null) {
                queues.add(new Queue(place, row.number("latency_max")));
                write(item, place, row);
            }
        });
        latencies(answer, queues);
        return answer;
    }

    private void write(ObjectNode item, Place place, TableRow row) throws SQLException {
        asked.labels().place(item, place.node, place.interfaceId);
        Labels.number(item, "queue", place.id);
        item.put("reports", row.number("reports"));
        Labels.number(item, "occupancyMax", row.number("occupancy_max"));
        Labels.number(item, "utilizationMax", row.number("utilization_max"));
        Labels.number(item, "drops", row.number("drops"));
        item.put("episodes", Math.max(0, row.number("episodes")));
        item.put("congested", row.flag("congested"));
        Labels.text(item, "burst", row.text("burst"));
        Labels.share(item, "completeness", row.share("completeness"));
    }

    private void latencies(ListAnswer answer, List<Queue> queues) throws Problem {
        if (queues.isEmpty()) {
            return;
        }
        Question rows = Question.of("SELECT node, interface, queue, latency_histogram FROM")
                .add(asked.span().hops())
                .add(
                        "WHERE coalesce(node, -1) BETWEEN ? AND ?",
                        queues.getFirst().node(),
                        queues.getLast().node());
        Latencies<Place> latencies = Latencies.of(
                rows,
                asked.queries(),
                row -> new Place(row.number("node"), row.number("interface"), row.number("queue")));
        for (int i = 0; i < queues.size(); i++) {
            Queue queue = queues.get(i);
            latencies.write((ObjectNode) answer.items().get(i), queue.place, queue.latencyMax);
        }
    }
}
