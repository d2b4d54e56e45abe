package io.pathlore.cli.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pathlore.analysis.filter.Columns;
import io.pathlore.serve.Problem;
import io.pathlore.store.tables.Row;

/**
 * Paths that flows took in the time, the most used first. Whole paths from one node to another are held against each other: how
 * the reports are shared out over them.
 */
final class PathList {
    private final Asked asked;

    PathList(Asked asked) {
        this.asked = asked;
    }

    ListAnswer answer() throws Problem {
        ListAnswer answer = new ListAnswer(asked);
        Question question = Question.of("WITH used AS (SELECT path_id, CAST(sum(reports) AS BIGINT) AS reports,"
                        + " count(DISTINCT flow_id) AS flows FROM flows_1m WHERE path_id IS NOT NULL AND")
                .add(asked.span().minutes());
        String flow = asked.parameters().get("flow");
        if (flow != null) {
            question.add("AND flow_id = ?", FlowList.id(flow));
        }
        question.add("""
                        GROUP BY path_id), ways AS (SELECT path_id, nodes, complete, epoch_ns(last_seen) AS last, reports, flows,
                            CASE WHEN complete THEN nodes[1] END AS ingress,
                            CASE WHEN complete THEN nodes[len(nodes)] END AS egress
                        FROM used JOIN paths USING (path_id)),
                        pairs AS (SELECT ingress, egress, CAST(sum(reports) AS BIGINT) AS pair_reports,
                            max(reports) AS most, count(*) AS ways FROM ways WHERE complete GROUP BY ingress, egress)
                        SELECT ways.*, pair_reports, most, pairs.ways AS alternatives FROM ways
                        LEFT JOIN pairs USING (ingress, egress) WHERE (""").add(asked.filter(Columns.paths())).add(")");
        if (!asked.after().isEmpty()) {
            question.add(
                    "AND (ways.reports < ? OR (ways.reports = ? AND path_id > ?))",
                    asked.afterNumber(0),
                    asked.afterNumber(0),
                    asked.afterText(1));
        }
        question.add("ORDER BY ways.reports DESC, path_id LIMIT ?", asked.limit() + 1L)
                .ask(asked.queries(), row -> {
                    ObjectNode item = answer.add(row.number("reports"), String.valueOf(row.text("path_id")));
                    if (item == null) {
                        return;
                    }
                    item.put("id", row.text("path_id"));
                    asked.labels().path(item, row.numbers("nodes"));
                    item.put("complete", row.flag("complete"));
                    item.put("flows", row.number("flows"));
                    long reports = row.number("reports");
                    item.put("reports", reports);
                    long ofPair = row.number("pair_reports");
                    if (ofPair != Row.ABSENT && ofPair > 0) {
                        long alternatives = row.number("alternatives");
                        Labels.share(item, "share", (double) reports / ofPair);
                        item.put("alternatives", alternatives);
                        Labels.share(item, "imbalance", (double) row.number("most") * alternatives / ofPair);
                    }
                    Labels.time(item, "lastSeen", row.number("last"));
                });
        return answer;
    }
}
