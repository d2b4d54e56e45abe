package io.pathlore.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.cli.config.DropReasons;
import io.pathlore.cli.config.Inventory;
import io.pathlore.cli.explain.EventWords;
import io.pathlore.model.TimeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One line per report or event, from its JSON. What it does not say is left out or a question mark, never a zero. */
final class ObservedLine {
    private static final String[] REPORT = {"TIME", "NODE", "FLOW", "PATH", "LATENCY"};
    private static final String[] EVENT = {"TIME", "SEVERITY", "EVENT", "LASTED"};
    private static final double MICRO = 1e3;
    private static final double MILLI = 1e6;
    private static final double SECOND = 1e9;
    private static final int DATE = "2026-01-01T".length();
    private static final int TO_THE_MICROSECOND = "2026-01-01T00:00:00.000000".length();

    private final Ink ink;
    private final Inventory inventory;
    private final Columns columns;
    private boolean header;

    ObservedLine(Output out, Ink ink, Inventory inventory, boolean header) {
        this.ink = ink;
        this.inventory = inventory;
        this.header = header;
        columns = new Columns(out, 15, 20, 60, 40, 12);
    }

    void flush() {
        columns.release();
    }

    // Reports
    // --------------------------------------------------------------------------------------------------------------

    void report(JsonNode report) {
        header(REPORT, "REMARKS");
        Text line = columns.begin();
        line.add(time(report.path("time")));
        columns.endCell();
        line.add(who(report));
        columns.endCell();
        if (report.has("error")) {
            line.ink(ink.wrong())
                    .add(report.path("error").asText())
                    .add(": ")
                    .add(Table.clean(report.path("detail").asText()))
                    .ink(ink.end());
            columns.endLine();
            return;
        }
        line.add(EventWords.flow(report.path("flow")));
        columns.endCell();
        List<JsonNode> hops = hops(report);
        line.add(path(hops));
        columns.endCell();
        line.add(latency(report, hops));
        columns.endCell();
        remarks(line, report);
        columns.endLine();
    }

    private void header(String[] titles, String rest) {
        if (!header) {
            return;
        }
        header = false;
        Text line = columns.begin();
        line.ink(ink.faint());
        for (String title : titles) {
            line.add(title);
            columns.endCell();
        }
        line.add(rest).ink(ink.end());
        columns.endLine();
    }

    private static String time(JsonNode time) {
        String text = time.asText();
        return text.length() < TO_THE_MICROSECOND ? "?" : Table.clean(text.substring(DATE, TO_THE_MICROSECOND));
    }

    private String name(JsonNode nodeId) {
        if (!nodeId.isIntegralNumber()) {
            return "?";
        }
        Inventory.Node node = inventory.byId(nodeId.longValue());
        return node == null || node.name() == null ? nodeId.asText() : node.name();
    }

    /** The node, or where the report names none the address it came from. */
    private String who(JsonNode report) {
        JsonNode node = report.path("report").path("nodeId");
        return node.isMissingNode()
                ? Table.clean(report.path("exporter").path("address").asText("?"))
                : name(node);
    }

    /** Those of the first stack, then the node that reports, unless it is the newest of them already. */
    private static List<JsonNode> hops(JsonNode report) {
        List<JsonNode> hops = new ArrayList<>();
        for (String stacks : List.of("int", "ioam")) {
            for (JsonNode stack : report.path(stacks)) {
                if (hops.isEmpty()) {
                    stack.path("hops").forEach(hops::add);
                }
            }
        }
        JsonNode own = report.path("report").path("nodeId");
        if (!own.isMissingNode()
                && (hops.isEmpty() || !hops.getLast().path("nodeId").equals(own))) {
            hops.add(report.path("report"));
        }
        return hops;
    }

    private String path(List<JsonNode> hops) {
        return String.join(
                "-", hops.stream().map(hop -> name(hop.path("nodeId"))).toList());
    }

    /** Of all hops together, where each tells its own; what the reporting node says of itself stands beside its stack. */
    private static String latency(JsonNode report, List<JsonNode> hops) {
        JsonNode own = report.path("metadata").path("hopLatency");
        long sum = 0;
        for (int i = 0; i < hops.size(); i++) {
            JsonNode hop = hops.get(i);
            JsonNode said = hop.has("hopLatency") ? hop.path("hopLatency") : hop.path("transitDelay");
            JsonNode latency = said.isMissingNode() && i == hops.size() - 1 ? own : said;
            if (!latency.isNumber()) {
                return "?";
            }
            sum += latency.longValue();
        }
        return hops.isEmpty() ? "?" : duration((double) sum);
    }

    static String duration(double nanos) {
        if (nanos < MICRO) {
            return String.format(Locale.ROOT, "%.0f ns", nanos);
        }
        if (nanos < MILLI) {
            return String.format(Locale.ROOT, "%.1f us", nanos / MICRO);
        }
        return nanos < SECOND
                ? String.format(Locale.ROOT, "%.1f ms", nanos / MILLI)
                : String.format(Locale.ROOT, "%.3f s", nanos / SECOND);
    }

    private void remarks(Text line, JsonNode report) {
        String between = "";
        JsonNode reason = report.path("metadata").path("dropReason");
        if (report.path("report").path("dropped").asBoolean() || reason.isNumber()) {
            line.ink(ink.wrong()).add("DROP");
            if (reason.isNumber()) {
                JsonNode node = report.path("report").path("nodeId");
                String name = DropReasons.name(
                        reason.intValue(), node.isIntegralNumber() ? inventory.byId(node.longValue()) : null);
                line.add(" ").add(reason.asText()).add(name == null ? "" : " (" + name + ")");
            }
            line.ink(ink.end());
            between = " ";
        }
        if (report.path("report").path("congested").asBoolean()) {
            line.add(between).add("Q");
            JsonNode occupancy = report.path("metadata").path("queueOccupancy");
            line.add(occupancy.isNumber() ? " " + occupancy.asText() : "");
            between = " ";
        }
        for (JsonNode warning : report.path("warnings")) {
            line.add(between)
                    .ink(ink.faint())
                    .add(Table.clean(warning.asText()))
                    .ink(ink.end());
            between = " ";
        }
    }

    // Events
    // --------------------------------------------------------------------------------------------------------------

    void event(JsonNode event) {
        header(EVENT, "WHAT");
        Text line = columns.begin();
        line.add(time(event.path("start")));
        columns.endCell();
        String severity = Table.clean(event.path("severity").asText());
        line.ink(severity.equals("critical") ? ink.wrong() : "").add(severity);
        line.ink(severity.equals("critical") ? ink.end() : "");
        columns.endCell();
        line.add(Table.clean(event.path("kind").asText()));
        columns.endCell();
        line.add(lasted(event));
        columns.endCell();
        line.add(EventWords.of(event, inventory));
        columns.endLine();
    }

    private static String lasted(JsonNode event) {
        Long start = TimeText.parse(event.path("start").asText());
        Long end = TimeText.parse(event.path("end").asText());
        if (end == null) {
            return "goes on";
        }
        return start == null || end <= start ? "-" : duration((double) end - start);
    }
}
