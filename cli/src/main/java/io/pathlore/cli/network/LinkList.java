package io.pathlore.cli.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pathlore.analysis.filter.Columns;
import io.pathlore.serve.Problem;
import io.pathlore.store.tables.Row;
import io.pathlore.store.tables.TableRow;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Links in one direction each: those that something travelled in the time, and those that are down. By their ends. */
final class LinkList {
    private static final String KEYED = "coalesce(from_node, -1) AS fn, coalesce(from_interface, -1) AS fi,"
            + " coalesce(to_node, -1) AS tn, coalesce(to_interface, -1) AS ti";

    /** Where a link begins. */
    private record Place(long node, long interfaceId) {}

    /** And the longest that a packet stood there in a queue. */
    private record Egress(Place place, long latencyMax) {}

    private final Asked asked;

    LinkList(Asked asked) {
        this.asked = asked;
    }

    ListAnswer answer() throws Problem {
        ListAnswer answer = new ListAnswer(asked);
        List<Egress> ends = new ArrayList<>();
        long until = asked.span().until();
        Question question = Question.of("WITH seen AS (SELECT " + KEYED + ", CAST(sum(reports) AS BIGINT) AS reports,"
                        + " arg_max(latency, time) AS latency,"
                        + " arg_max(latency_error, time) FILTER (latency IS NOT NULL) AS latency_error,"
                        + " arg_max(hidden_hops, time) AS hidden_hops, max(time) AS last FROM links_1m WHERE")
                .add(asked.span().minutes())
                .add("GROUP BY from_node, from_interface, to_node, to_interface")
                .add(asked.having(Columns.links()))
                .add("""
                        ), told AS (SELECT fn, fi, tn, ti,
                                max(start) FILTER (kind = 'link-up') AS up_since,
                                max(start) FILTER (kind = 'link-down' AND ("end" IS NULL OR "end" >= make_timestamp_ns(?)))
                                    AS down_since
                            FROM (SELECT kind, start, "end", CAST(json ->> '$.from.node' AS BIGINT) AS fn,
                                    CAST(json ->> '$.from.interface' AS BIGINT) AS fi,
                                    CAST(json ->> '$.to.node' AS BIGINT) AS tn,
                                    CAST(json ->> '$.to.interface' AS BIGINT) AS ti
                                FROM events WHERE kind IN ('link-down', 'link-up') AND start < make_timestamp_ns(?))
                            GROUP BY fn, fi, tn, ti), down AS (SELECT *, down_since AS since FROM told
                            WHERE down_since IS NOT NULL AND (up_since IS NULL OR up_since < down_since)""", until, until)
                .add("""
                        ), down_links AS (SELECT * FROM (SELECT since, fn AS from_node, nullif(fi, -1) AS from_interface,
                                tn AS to_node, nullif(ti, -1) AS to_interface, CAST(NULL AS BIGINT) AS latency FROM down)
                            WHERE""")
                .add(asked.filter(Columns.links()))
                .add("), lost AS (SELECT since, " + KEYED + " FROM down_links), queues AS (SELECT node, interface,"
                        + " max(latency_max) AS latency_max, max(occupancy_max) AS occupancy_max,"
                        + " max(utilization_max) AS utilization_max, CAST(sum(drops) AS BIGINT) AS drops FROM")
                .add(asked.span().hops())
                .add("""
                        GROUP BY node, interface), every AS (SELECT * FROM seen FULL JOIN lost USING (fn, fi, tn, ti)),
                        -- Some reports may not name the ports that others do: that is no other link.
                        ported AS (SELECT DISTINCT fn, tn, true AS ported FROM every WHERE fi <> -1 OR ti <> -1),
                        links AS (SELECT * FROM every LEFT JOIN ported USING (fn, tn)
                            WHERE fi <> -1 OR ti <> -1 OR ported IS NULL)
                        SELECT links.*, epoch_ns(last) AS latest, epoch_ns(since) AS down_since, queues.* FROM links
                        LEFT JOIN queues ON fn = queues.node AND fi = coalesce(queues.interface, -1)""");
        if (!asked.after().isEmpty()) {
            long fn = asked.afterNumber(0);
            long fi = asked.afterNumber(1);
            long tn = asked.afterNumber(2);
            long ti = asked.afterNumber(3);
            question.add(
                    "WHERE fn > ? OR (fn = ? AND (fi > ? OR (fi = ? AND (tn > ? OR (tn = ? AND ti > ?)))))",
                    fn,
                    fn,
                    fi,
                    fi,
                    tn,
                    tn,
                    ti);
        }
        question.add("ORDER BY fn, fi, tn, ti LIMIT ?", asked.limit() + 1L).ask(asked.queries(), row -> {
            ObjectNode item = answer.add(row.number("fn"), row.number("fi"), row.number("tn"), row.number("ti"));
            if (item != null) {
                ends.add(new Egress(new Place(row.number("fn"), row.number("fi")), row.number("latency_max")));
                write(item, row);
            }
        });
        latencies(answer, ends);
        return answer;
    }

    private void write(ObjectNode item, TableRow row) throws SQLException {
        asked.labels().place(item.putObject("from"), row.number("fn"), row.number("fi"));
        asked.labels().place(item.putObject("to"), row.number("tn"), row.number("ti"));
        long downSince = row.number("down_since");
        item.put("state", downSince == Row.ABSENT ? "up" : "down");
        Labels.time(item, "downSince", downSince);
        item.put("reports", Math.max(0, row.number("reports")));
        Long latency = row.signed("latency");
        if (latency != null) {
            item.put("latencyNs", latency);
            Labels.number(item, "latencyErrorNs", row.number("latency_error"));
        }
        Labels.number(item, "hiddenHops", row.number("hidden_hops"));
        long latest = row.number("latest");
        if (latest != Row.ABSENT) {
            Labels.time(
                    item,
                    "lastSeen",
                    Math.min(latest + Span.MINUTE, asked.span().until()));
        }
        ObjectNode queues = item.putObject("egress");
        Labels.number(queues, "occupancyMax", row.number("occupancy_max"));
        Labels.number(queues, "utilizationMax", row.number("utilization_max"));
        Labels.number(queues, "drops", row.number("drops"));
    }

    private void latencies(ListAnswer answer, List<Egress> ends) throws Problem {
        if (ends.isEmpty()) {
            return;
        }
        Question rows = Question.of("SELECT node, interface, latency_histogram FROM")
                .add(asked.span().hops())
                .add("WHERE node BETWEEN ? AND ?", ends.getFirst().place.node, ends.getLast().place.node);
        Latencies<Place> latencies =
                Latencies.of(rows, asked.queries(), row -> new Place(row.number("node"), row.number("interface")));
        for (int i = 0; i < ends.size(); i++) {
            ObjectNode egress = (ObjectNode) answer.items().get(i).path("egress");
            latencies.write(egress, ends.get(i).place, ends.get(i).latencyMax);
        }
    }
}
