package io.pathlore.cli.network;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pathlore.analysis.filter.Columns;
import io.pathlore.model.LatencyHistogram;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Reply;
import io.pathlore.store.tables.Row;
import io.pathlore.store.tables.TableRow;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Locale;

/** The queues that match a filter, together, in steps of time: to be drawn. Where nothing is known of a step there is null. */
final class Series {
    private static final int DEFAULT_POINTS = 300;
    private static final int MAX_POINTS = 2_000;
    private static final long[] STEPS = {
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 86_400
    };

    private final Asked asked;
    private final long step;
    private final long first;
    private final int points;

    private final long[] reports;
    private final long[] drops;
    private final long[] occupancies;
    private final long[] latencyMax;
    private final double[] completeness;
    private final LatencyHistogram[] latencies;

    Series(Asked asked) throws Problem {
        this.asked = asked;
        String text = asked.parameters().getOrDefault("points", Integer.toString(DEFAULT_POINTS));
        if (!text.matches("[1-9][0-9]{0,3}") || Integer.parseInt(text) > MAX_POINTS) {
            throw new Problem(400, String.format(Locale.ROOT, "points: a number from 1 to %d", MAX_POINTS));
        }
        long length = asked.span().until() - asked.span().since();
        step = step(length, Integer.parseInt(text));
        first = Math.floorDiv(asked.span().since(), step) * step;
        points = (int) Math.ceilDiv(asked.span().until() - first, step);
        reports = new long[points];
        drops = filled();
        occupancies = filled();
        latencyMax = filled();
        completeness = new double[points];
        Arrays.fill(completeness, Double.NaN);
        latencies = new LatencyHistogram[points];
        Arrays.setAll(latencies, _ -> new LatencyHistogram());
    }

    private long[] filled() {
        long[] values = new long[points];
        Arrays.fill(values, Row.ABSENT);
        return values;
    }

    /** The least of the round ones with which so many points are enough; beyond the last of them, days. */
    private static long step(long nanos, int points) {
        for (long seconds : STEPS) {
            if (nanos <= seconds * Span.SECOND * points) {
                return seconds * Span.SECOND;
            }
        }
        long day = STEPS[STEPS.length - 1] * Span.SECOND;
        return Math.ceilDiv(Math.ceilDiv(nanos, points), day) * day;
    }

    Reply reply() throws Problem {
        question(
                        "epoch_ns(time) // ? AS step, CAST(sum(reports) AS BIGINT) AS reports, CAST(sum(drops) AS BIGINT) AS drops,"
                                + " max(occupancy_max) AS occupancy_max, max(latency_max) AS latency_max, "
                                + ListAnswer.COMPLETENESS)
                .add("GROUP BY ALL")
                .ask(asked.queries(), this::add);
        question("epoch_ns(time) // ? AS step, latency_histogram").ask(asked.queries(), row -> {
            byte[] octets = row.bytes("latency_histogram");
            int at = at(row);
            if (octets != null && at >= 0 && at < points) {
                latencies[at].add(octets);
            }
        });
        return write();
    }

    /** A step of a minute or more is made of minutes where there are any; a shorter one only of seconds. */
    private Question question(String columns) throws Problem {
        Question question = Question.of("SELECT " + columns + " FROM", step);
        if (step >= Span.MINUTE) {
            question.add(asked.span().hops()).add("WHERE true");
        } else {
            question.add("hops_1s WHERE").add(asked.span().seconds());
        }
        if (asked.parameters().containsKey("filter")) {
            question.add("AND (").add(asked.filter(Columns.hops("queues"))).add(")");
        }
        return question;
    }

    private int at(TableRow row) throws SQLException {
        return (int) (row.number("step") - first / step);
    }

    private void add(TableRow row) throws SQLException {
        int at = at(row);
        if (at >= 0 && at < points) {
            reports[at] = row.number("reports");
            drops[at] = row.number("drops");
            occupancies[at] = row.number("occupancy_max");
            latencyMax[at] = row.number("latency_max");
            completeness[at] = row.share("completeness");
        }
    }

    private Reply write() throws Problem {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("stepSeconds", step / Span.SECOND);
        Labels.time(root, "first", first);
        ArrayNode ofReports = root.putArray("reports");
        ArrayNode ofDrops = root.putArray("drops");
        ArrayNode ofOccupancies = root.putArray("occupancyMax");
        ArrayNode ofMedians = root.putArray("latencyP50Ns");
        ArrayNode ofTails = root.putArray("latencyP99Ns");
        ArrayNode ofMaxima = root.putArray("latencyMaxNs");
        ArrayNode ofShares = root.putArray("stepCompleteness");
        for (int i = 0; i < points; i++) {
            ofReports.add(reports[i]);
            number(ofDrops, drops[i]);
            number(ofOccupancies, occupancies[i]);
            number(ofMedians, atMost(latencies[i].quantile(0.5), latencyMax[i]));
            number(ofTails, atMost(latencies[i].quantile(0.99), latencyMax[i]));
            number(ofMaxima, latencyMax[i]);
            if (Double.isNaN(completeness[i])) {
                ofShares.addNull();
            } else {
                ofShares.add(completeness[i]);
            }
        }
        return ListAnswer.reply(root, asked);
    }

    /** Quantiles are ends of buckets, and may lie beyond all values. */
    private static long atMost(long quantile, long max) {
        return max == Row.ABSENT ? quantile : Math.min(quantile, max);
    }

    private static void number(ArrayNode to, long value) {
        if (value == Row.ABSENT) {
            to.addNull();
        } else {
            to.add(value);
        }
    }
}
