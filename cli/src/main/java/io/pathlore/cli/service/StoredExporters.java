package io.pathlore.cli.service;

import io.pathlore.cli.config.Inventory;
import io.pathlore.model.TimeText;
import io.pathlore.serve.JsonText;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Sources;
import io.pathlore.store.tables.Row;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Who sent reports, as far as the tables know: to the minute, without what only who receives can see. */
final class StoredExporters {
    private static final int NODES = 16;

    private StoredExporters() {}

    /** A part of them, as the API has it. */
    static String page(Tables tables, Inventory inventory, Sources.Page page) throws Problem {
        Map<String, TreeSet<Long>> nodes = new HashMap<>();
        tables.read("SELECT node, exporter FROM nodes WHERE exporter IS NOT NULL", row -> {
            nodes.computeIfAbsent(String.valueOf(row.text("exporter")), _ -> new TreeSet<>())
                    .add(row.number("node"));
        });
        List<ExporterRows.Listed> listed = new ArrayList<>();
        tables.read("""
                SELECT exporter, epoch_ns(min(time)) AS first, epoch_ns(max(time)) AS last,
                    CAST(sum(datagrams) AS BIGINT) AS datagrams, CAST(sum(bytes) AS BIGINT) AS bytes,
                    CAST(sum(reports) AS BIGINT) AS reports, CAST(sum(rejected_reports) AS BIGINT) AS rejected,
                    CAST(sum(undecodable) AS BIGINT) AS undecodable, CAST(sum(lost) AS BIGINT) AS lost,
                    CAST(sum(duplicates) AS BIGINT) AS duplicates,
                    sum(datagrams) FILTER (completeness > 0)
                        / sum(datagrams / completeness) FILTER (completeness > 0) AS completeness
                FROM exporters_1m GROUP BY exporter
                """, row -> {
            String address = String.valueOf(row.text("exporter"));
            JsonText json = new JsonText().open('{').name("address").value(address);
            Inventory.Node known = inventory.byAddress(InetAddress.ofLiteral(address));
            String name = known == null ? null : known.name();
            if (name != null) {
                json.name("name").value(name);
            }
            json.name("nodes").open('[');
            nodes.getOrDefault(address, new TreeSet<>()).stream().limit(NODES).forEach(json::value);
            json.close(']');
            json.name("firstSeen").value(TimeText.of(row.number("first")));
            json.name("lastSeen").value(TimeText.of(row.number("last")));
            json.name("datagrams").value(row.number("datagrams"));
            json.name("bytes").value(row.number("bytes"));
            json.name("reports").value(row.number("reports"));
            json.name("rejectedReports").value(row.number("rejected"));
            json.name("undecodable").value(row.number("undecodable"));
            number(json, "lost", row.number("lost"));
            number(json, "duplicates", row.number("duplicates"));
            if (Double.isFinite(row.share("completeness"))) {
                json.name("completeness").value(row.share("completeness"));
            }
            String text = json.close('}').toString();
            listed.add(new ExporterRows.Listed(address, out -> out.raw(text)));
        });
        return ExporterRows.sortedPage(listed, page);
    }

    private static void number(JsonText json, String name, long value) {
        if (value != Row.ABSENT) {
            json.name(name).value(value);
        }
    }
}
