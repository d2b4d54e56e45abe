package io.pathlore.cli.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pathlore.analysis.filter.Columns;
import io.pathlore.cli.explain.DropCause;
import io.pathlore.serve.Problem;
import io.pathlore.store.tables.Row;
import java.util.HashMap;
import java.util.Map;

/** What was dropped where, and why. The most first. */
final class DropList {
    /** Null where a row does not know: half of a sum would look like all of it. */
    static final String PACKETS =
            "CASE WHEN count(packets) = count(*) THEN CAST(sum(packets) AS BIGINT) END AS packets";

    private static final String KEY =
            "printf('%d/%d/%d/%d', coalesce(node, -1), coalesce(interface, -1), coalesce(queue, -1), coalesce(reason, -1))";

    private final Asked asked;

    DropList(Asked asked) {
        this.asked = asked;
    }

    ListAnswer answer() throws Problem {
        boolean series = "true".equals(asked.parameters().get("series"));
        ListAnswer answer = new ListAnswer(asked);
        Map<String, ObjectNode> byKey = new HashMap<>();
        Question question = Question.of("SELECT * FROM (SELECT node, interface, queue, reason, " + KEY + " AS key,"
                        + " CAST(sum(reports) AS BIGINT) AS reports, " + PACKETS
                        + ", epoch_ns(min(time)) AS first, epoch_ns(max(time)) AS last FROM drops_1s WHERE")
                .add(asked.span().seconds())
                .add("GROUP BY node, interface, queue, reason")
                .add(asked.having(Columns.drops()))
                .add(")");
        if (!asked.after().isEmpty()) {
            question.add(
                    "WHERE reports < ? OR (reports = ? AND key > ?)",
                    asked.afterNumber(0),
                    asked.afterNumber(0),
                    asked.afterText(1));
        }
        question.add("ORDER BY reports DESC, key LIMIT ?", asked.limit() + 1L).ask(asked.queries(), row -> {
            ObjectNode item = answer.add(row.number("reports"), String.valueOf(row.text("key")));
            if (item != null) {
                byKey.put(String.valueOf(row.text("key")), item);
                long node = row.number("node");
                asked.labels().place(item, node, row.number("interface"));
                Labels.number(item, "queue", row.number("queue"));
                long reason = row.number("reason");
                Labels.number(item, "reason", reason);
                String name = reason == Row.ABSENT ? null : asked.labels().reason(node, reason);
                Labels.text(item, "reasonName", name);
                DropCause cause = DropCause.of(name == null ? "" : name);
                item.put("cause", cause.label());
                cause.next().forEach(item.putArray("next")::add);
                item.put("reports", row.number("reports"));
                Labels.number(item, "packets", row.number("packets"));
                Labels.time(item, "firstSeen", row.number("first"));
                Labels.time(item, "lastSeen", row.number("last") + Span.SECOND);
                if (series) {
                    item.putArray("series");
                }
            }
        });
        if (series && !byKey.isEmpty()) {
            series(byKey);
        }
        return answer;
    }

    private void series(Map<String, ObjectNode> byKey) throws Problem {
        Question.of("SELECT " + KEY + " AS key, epoch_ns(time) AS second, CAST(sum(reports) AS BIGINT) AS reports, "
                        + PACKETS + " FROM drops_1s WHERE")
                .add(asked.span().seconds())
                .add("GROUP BY key, second ORDER BY second")
                .ask(asked.queries(), row -> {
                    ObjectNode item = byKey.get(row.text("key"));
                    if (item != null) {
                        ObjectNode second = item.withArray("series").addObject();
                        Labels.time(second, "time", row.number("second"));
                        second.put("reports", row.number("reports"));
                        Labels.number(second, "packets", row.number("packets"));
                    }
                });
    }
}
