package io.pathlore.cli.network;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pathlore.model.LatencyHistogram;
import io.pathlore.serve.Parameter;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Reply;
import io.pathlore.store.tables.Row;
import io.pathlore.store.tables.TableRow;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How long packets were in each queue, step by step: to be drawn as rows over time. Where there are more queues than asked for, those with the
 * longest waits are told of. In the order of nodes, interfaces and queue ids; the unknown first.
 */
final class HeatMap {
    private record Place(long node, long interfaceId, long queue) {}

    /** One queue over time. */
    private static final class Line {
        private final long[] reports;
        private final long[] medians;
        private final long[] tails;
        private final long[] maxima;

        Line(int points) {
            reports = new long[points];
            medians = absent(points);
            tails = absent(points);
            maxima = absent(points);
        }

        private static long[] absent(int points) {
            long[] values = new long[points];
            Arrays.fill(values, Row.ABSENT);
            return values;
        }
    }

    static final Parameter LIMIT =
            Parameter.number("limit", "queues at most: those with the longest waits", 1, 500, 100);

    private final Asked asked;
    private final Steps steps;
    private final Map<Place, Line> lines = new LinkedHashMap<>();
    private long all;

    // The histogram of the place and step at hand: rows come in their order, so one is enough.
    private final LatencyHistogram histogram = new LatencyHistogram();
    private Place place = new Place(Row.ABSENT, Row.ABSENT, Row.ABSENT);
    private int step = -1;

    HeatMap(Asked asked, int points) {
        this.asked = asked;
        steps = Steps.of(asked, points);
    }

    Reply reply() throws Problem {
        Question.of("WITH of_steps AS (")
                .add(steps.rows("node, interface, queue, latency_max"))
                .add("""
                        ), places AS (SELECT node, interface, queue, max(latency_max) AS worst FROM of_steps GROUP BY ALL),
                        chosen AS (SELECT *, (SELECT count(*) FROM places) AS places FROM places
                            ORDER BY worst DESC NULLS LAST, node, interface, queue LIMIT ?)
                        SELECT * FROM chosen
                        ORDER BY coalesce(node, -1), coalesce(interface, -1), coalesce(queue, -1)""", (long) asked.limit())
                .ask(asked.queries(), row -> {
                    lines.put(placeOf(row), new Line(steps.points()));
                    all = row.number("places");
                });
        Question.of("WITH of_steps AS (")
                .add(steps.rows("node, interface, queue, reports, latency_max"))
                .add("""
                        ) SELECT step, node, interface, queue, CAST(sum(reports) AS BIGINT) AS reports,
                            max(latency_max) AS latency_max FROM of_steps GROUP BY ALL""")
                .ask(asked.queries(), this::count);
        Question.of("WITH of_steps AS (")
                .add(steps.rows("node, interface, queue, latency_histogram"))
                .add(
                        ") SELECT * FROM of_steps WHERE latency_histogram IS NOT NULL ORDER BY node, interface, queue, step")
                .ask(asked.queries(), this::add);
        close();
        return write();
    }

    private static Place placeOf(TableRow row) throws SQLException {
        return new Place(row.number("node"), row.number("interface"), row.number("queue"));
    }

    private void count(TableRow row) throws SQLException {
        Line line = lines.get(placeOf(row));
        int at = steps.at(row);
        if (line != null && at >= 0) {
            line.reports[at] = row.number("reports");
            line.maxima[at] = row.number("latency_max");
        }
    }

    private void add(TableRow row) throws SQLException {
        Place next = placeOf(row);
        int at = steps.at(row);
        if (!next.equals(place) || at != step) {
            close();
            place = next;
            step = at;
        }
        byte[] octets = row.bytes("latency_histogram");
        if (octets != null && at >= 0 && lines.containsKey(next)) {
            histogram.add(octets);
        }
    }

    private void close() {
        Line line = lines.get(place);
        if (line != null && step >= 0 && histogram.total() > 0) {
            line.medians[step] = Latencies.atMost(histogram.quantile(0.5), line.maxima[step]);
            line.tails[step] = Latencies.atMost(histogram.quantile(0.99), line.maxima[step]);
        }
        histogram.clear();
    }

    private Reply write() throws Problem {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("stepSeconds", steps.length() / Span.SECOND);
        Labels.time(root, "first", steps.first());
        root.put("points", steps.points());
        root.put("places", all);
        ArrayNode items = root.putArray("items");
        lines.forEach((where, line) -> {
            ObjectNode item = items.addObject();
            asked.labels().place(item, where.node, where.interfaceId);
            Labels.number(item, "queue", where.queue);
            write(item.putArray("reports"), line.reports);
            write(item.putArray("latencyP50Ns"), line.medians);
            write(item.putArray("latencyP99Ns"), line.tails);
            write(item.putArray("latencyMaxNs"), line.maxima);
        });
        return ListAnswer.reply(root, asked);
    }

    private static void write(ArrayNode to, long[] values) {
        for (long value : values) {
            Steps.number(to, value);
        }
    }
}
