package io.pathlore.cli.network;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pathlore.model.LatencyHistogram;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Reply;
import io.pathlore.store.tables.Row;
import io.pathlore.store.tables.TableRow;
import java.sql.SQLException;
import java.util.Arrays;

/** The queues that match a filter, together, in steps of time: to be drawn. Where nothing is known of a step there is null. */
final class Series {
    private final Asked asked;
    private final Steps steps;

    private final long[] reports;
    private final long[] drops;
    private final long[] occupancies;
    private final long[] latencyMax;
    private final double[] completeness;
    private final LatencyHistogram[] latencies;

    Series(Asked asked, int most) {
        this.asked = asked;
        steps = Steps.of(asked, most);
        int points = steps.points();
        reports = new long[points];
        drops = filled(points);
        occupancies = filled(points);
        latencyMax = filled(points);
        completeness = new double[points];
        Arrays.fill(completeness, Double.NaN);
        latencies = new LatencyHistogram[points];
        Arrays.setAll(latencies, _ -> new LatencyHistogram());
    }

    private static long[] filled(int points) {
        long[] values = new long[points];
        Arrays.fill(values, Row.ABSENT);
        return values;
    }

    Reply reply() throws Problem {
        steps.rows(
                        "CAST(sum(reports) AS BIGINT) AS reports, CAST(sum(drops) AS BIGINT) AS drops, max(occupancy_max) AS occupancy_max, max(latency_max) AS latency_max, "
                                + ListAnswer.COMPLETENESS)
                .add("GROUP BY ALL")
                .ask(asked.queries(), this::add);
        steps.rows("latency_histogram").ask(asked.queries(), row -> {
            byte[] octets = row.bytes("latency_histogram");
            int at = steps.at(row);
            if (octets != null && at >= 0) {
                latencies[at].add(octets);
            }
        });
        return write();
    }

    private void add(TableRow row) throws SQLException {
        int at = steps.at(row);
        if (at >= 0) {
            reports[at] = row.number("reports");
            drops[at] = row.number("drops");
            occupancies[at] = row.number("occupancy_max");
            latencyMax[at] = row.number("latency_max");
            completeness[at] = row.share("completeness");
        }
    }

    private Reply write() throws Problem {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("stepSeconds", steps.length() / Span.SECOND);
        Labels.time(root, "first", steps.first());
        ArrayNode ofReports = root.putArray("reports");
        ArrayNode ofDrops = root.putArray("drops");
        ArrayNode ofOccupancies = root.putArray("occupancyMax");
        ArrayNode ofMedians = root.putArray("latencyP50Ns");
        ArrayNode ofTails = root.putArray("latencyP99Ns");
        ArrayNode ofMaxima = root.putArray("latencyMaxNs");
        ArrayNode ofShares = root.putArray("stepCompleteness");
        for (int i = 0; i < steps.points(); i++) {
            ofReports.add(reports[i]);
            Steps.number(ofDrops, drops[i]);
            Steps.number(ofOccupancies, occupancies[i]);
            Steps.number(ofMedians, Latencies.atMost(latencies[i].quantile(0.5), latencyMax[i]));
            Steps.number(ofTails, Latencies.atMost(latencies[i].quantile(0.99), latencyMax[i]));
            Steps.number(ofMaxima, latencyMax[i]);
            if (Double.isNaN(completeness[i])) {
                ofShares.addNull();
            } else {
                ofShares.add(completeness[i]);
            }
        }
        return ListAnswer.reply(root, asked);
    }
}
