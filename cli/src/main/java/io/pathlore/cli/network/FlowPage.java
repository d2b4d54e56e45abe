package io.pathlore.cli.network;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.pathlore.model.TimeText;
import io.pathlore.serve.Problem;
import io.pathlore.store.tables.Row;

/** One flow: what is told of it in the time, minute by minute, and the events that name it. */
final class FlowPage {
    private static final int MAX_MINUTES = 10_000;
    private static final int MAX_EVENTS = 1_000;

    private final Asked asked;
    private final String id;

    FlowPage(Asked asked, String id) throws Problem {
        this.asked = asked;
        this.id = FlowList.id(id);
    }

    ObjectNode answer() throws Problem {
        ObjectNode json = summary();
        ArrayNode minutes = json.putArray("minutes");
        Question.of("SELECT epoch_ns(time) AS minute, * FROM flows_1m WHERE flow_id = ? AND", id)
                .add(asked.span().minutes())
                .add("ORDER BY time DESC LIMIT " + MAX_MINUTES)
                .ask(asked.queries(), row -> {
                    ObjectNode minute = minutes.insertObject(0);
                    Labels.time(minute, "time", row.number("minute"));
                    minute.put("reports", row.number("reports"));
                    Labels.number(minute, "packets", row.number("packets"));
                    Labels.number(minute, "drops", row.number("drops"));
                    Labels.number(minute, "latencyP50Ns", row.number("latency_p50"));
                    Labels.number(minute, "latencyP99Ns", row.number("latency_p99"));
                    Labels.text(minute, "path", row.text("path_id"));
                });
        ArrayNode events = json.putArray("events");
        Question.of("SELECT json FROM events WHERE (flow_id = ? OR contains(json, ?)) AND", id, '"' + id + '"')
                .add(asked.span().episodes())
                .add("ORDER BY start DESC, id LIMIT " + MAX_EVENTS)
                .ask(asked.queries(), row -> events.addRawValue(new RawValue(String.valueOf(row.text("json")))));
        return json;
    }

    /** A problem of status 404 says when there was one, if there was. */
    ObjectNode summary() throws Problem {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        Question.of("WITH seen AS (SELECT flow_id, " + FlowList.SUMMARY + "FROM flows_1m WHERE flow_id = ? AND", id)
                .add(asked.span().minutes())
                .add("GROUP BY flow_id) SELECT seen.*, nodes, complete FROM seen LEFT JOIN paths USING (path_id)")
                .ask(asked.queries(), row -> FlowList.write(json, row, asked));
        if (json.isEmpty()) {
            throw new Problem(404, absent());
        }
        return json;
    }

    private String absent() throws Problem {
        long[] last = {Row.ABSENT};
        Question.of("SELECT epoch_ns(max(time)) AS last FROM flows_1m WHERE flow_id = ?", id)
                .ask(asked.queries(), row -> last[0] = row.number("last"));
        return last[0] == Row.ABSENT
                ? "no report was stored of a flow " + id + "; a flow is stored when its minute is over"
                : "no report of the flow in that time; the last was in the minute of "
                        + TimeText.of(last[0]).substring(0, "2026-11-15T18:00".length()) + "Z, see since and until";
    }
}
