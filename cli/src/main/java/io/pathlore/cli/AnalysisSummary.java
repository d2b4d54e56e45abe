package io.pathlore.cli;

import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.plan.Proposal;
import io.pathlore.analysis.sequence.SequenceTotals;
import io.pathlore.cli.config.DropReasons;
import io.pathlore.cli.config.Inventory;
import io.pathlore.cli.service.DryRun;
import io.pathlore.cli.service.ExporterRows.ExporterRow;
import io.pathlore.cli.service.ExporterRows.SequenceRow;
import io.pathlore.cli.service.Recording;
import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.Ledger.Term;
import io.pathlore.ingest.Shed;
import io.pathlore.mitigate.enforcer.RuleText;
import io.pathlore.model.Fault;
import io.pathlore.model.FlowKey;
import io.pathlore.model.TimeText;
import io.pathlore.serve.JsonText;
import io.pathlore.store.tables.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What a recording showed, for people and for programs. */
final class AnalysisSummary {
    private static final double NANOS = 1e9;
    private static final double PERCENT = 100;
    private static final int EVENTS = 40;

    /** Lines of each part: all of it fits a screen. */
    private static final int ABOUT = 5;

    private final Recording recording;
    private final Ledger.Snapshot ledger;
    private final EventFile happened;
    private final long first;
    private final long last;
    private final int top;
    private final FlowFilter filter;
    private final Story story;
    private final DryRun dryRun;
    private final Inventory inventory;

    AnalysisSummary(
            Recording recording,
            Ledger.Snapshot ledger,
            EventFile happened,
            long first,
            long last,
            int top,
            FlowFilter filter,
            Story story,
            DryRun dryRun,
            Inventory inventory) {
        this.dryRun = dryRun;
        this.story = story;
        this.inventory = inventory;
        this.happened = happened;
        this.recording = recording;
        this.ledger = ledger;
        this.first = first;
        this.last = last;
        this.top = top;
        this.filter = filter;
    }

    // For people
    // --------------------------------------------------------------------------------------------------------------

    Text text() {
        List<ExporterRow> exporters = recording.exporters();
        Text text = new Text();
        text.add(String.format(
                        Locale.ROOT,
                        "%,d datagrams, %,d reports from %,d exporters, %,d flows%s",
                        ledger.read(Term.DATAGRAMS_READ),
                        ledger.read(Term.REPORTS_DECODED),
                        exporters.size(),
                        recording.flows(),
                        recording.flowsEvicted() == 0
                                ? ""
                                : String.format(Locale.ROOT, " (%,d evicted)", recording.flowsEvicted())))
                .line();
        if (first != Place.UNKNOWN_TIME) {
            text.add(String.format(
                            Locale.ROOT,
                            "%s to %s, %.3f s",
                            TimeText.of(first),
                            TimeText.of(last),
                            (last - first) / NANOS))
                    .line();
        }
        text.line();
        exporters(text, exporters);
        faults(text);
        happened(text);
        proposals(text);
        paths(text);
        hops(text);
        drops(text);
        flows(text);
        return text;
    }

    private String name(long node) {
        Inventory.Node known = inventory.byId(node);
        return node == Row.ABSENT ? "-" : known == null || known.name() == null ? Long.toString(node) : known.name();
    }

    private String port(long node, long interfaceId) {
        Inventory.Node known = inventory.byId(node);
        String name = known == null ? null : known.interfaces().get(interfaceId);
        return interfaceId == Row.ABSENT ? "-" : name == null ? Long.toString(interfaceId) : name;
    }

    private void paths(Text text) {
        List<Story.Path> paths = story.paths();
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"PATH", "FLOWS", "REPORTS", "P99 IN NODES"});
        for (Story.Path path : paths.subList(0, Math.min(ABOUT, paths.size()))) {
            String nodes =
                    String.join(" > ", path.nodes.stream().map(this::name).toList());
            rows.add(new String[] {
                nodes + (path.complete ? "" : " (incomplete)"),
                number(path.flows.size()),
                number(path.reports),
                Story.time(path.latencyWorst)
            });
        }
        section(text, rows, 1, paths.size());
    }

    /** Of a configuration that has enforcers; without one there is nothing to propose. */
    private void proposals(Text text) {
        List<Proposal> proposals = dryRun.proposals();
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"WOULD BE PROPOSED", "AT", "BY", "BECAUSE"});
        for (Proposal one : proposals.subList(0, Math.min(ABOUT, proposals.size()))) {
            rows.add(new String[] {RuleText.of(one.rule()), name(one.node()), one.enforcer(), one.reason()});
        }
        section(text, rows, 4, proposals.size());
    }

    private void hops(Text text) {
        List<Story.Hop> hops = story.hops();
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"SLOWEST HOPS", "INTERFACE", "QUEUE", "REPORTS", "P50", "P99", "MAX", "DEEPEST QUEUE"});
        for (Story.Hop hop : hops.subList(0, Math.min(ABOUT, hops.size()))) {
            rows.add(new String[] {
                name(hop.place.node()),
                port(hop.place.node(), hop.place.interfaceId()),
                hop.place.queue() == Row.ABSENT ? "-" : number(hop.place.queue()),
                number(hop.reports),
                Story.time(hop.quantile(0.5)),
                Story.time(hop.quantile(0.99)),
                Story.time(hop.latencyMax),
                hop.occupancyMax == Row.ABSENT ? "-" : number(hop.occupancyMax)
            });
        }
        section(text, rows, 2, hops.size());
    }

    private void drops(Text text) {
        List<Story.Drops> drops = story.drops();
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"DROPS AT", "INTERFACE", "REASON", "REPORTS"});
        for (Story.Drops one : drops.subList(0, Math.min(ABOUT, drops.size()))) {
            Story.Cause cause = one.cause();
            String reason = DropReasons.name((int) cause.reason(), inventory.byId(cause.node()));
            rows.add(new String[] {
                name(cause.node()),
                port(cause.node(), cause.interfaceId()),
                cause.reason() == Row.ABSENT ? "-" : cause.reason() + (reason == null ? "" : " " + reason),
                number(one.reports())
            });
        }
        section(text, rows, 3, drops.size());
    }

    private static void section(Text text, List<String[]> rows, int words, int all) {
        if (rows.size() == 1) {
            return;
        }
        text.line();
        table(text, rows, words);
        if (all > rows.size() - 1) {
            text.add(number(all - rows.size() + 1) + " more").line();
        }
    }

    private static void exporters(Text text, List<ExporterRow> exporters) {
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {
            "EXPORTER", "NODE", "DATAGRAMS", "REPORTS", "BAD", "LOST", "COMPLETE", "DUPLICATE", "REORDERED", "RESTARTS"
        });
        for (ExporterRow exporter : exporters) {
            SequenceRow sequences = exporter.sequences();
            SequenceTotals totals = sequences == null ? SequenceTotals.NONE : sequences.totals();
            boolean counts = totals.arrived() > 0;
            rows.add(new String[] {
                exporter.counts().address() + (exporter.name() == null ? "" : " (" + exporter.name() + ")"),
                nodes(exporter.nodes()),
                number(exporter.counts().datagrams()),
                number(exporter.counts().reports()),
                number(exporter.counts().rejectedReports() + exporter.counts().undecodable()),
                counts ? number(totals.lost() + totals.missing()) + (totals.unknownGaps() > 0 ? "+?" : "") : "-",
                Double.isFinite(totals.completeness())
                        ? String.format(Locale.ROOT, "%.3f %%", PERCENT * totals.completeness())
                        : "-",
                number(totals.duplicates()),
                number(totals.reordered()),
                number(totals.restarts()) + (sequences != null && sequences.suspected() ? " two senders?" : "")
            });
        }
        table(text, rows, 2);
    }

    private void happened(Text text) {
        text.line();
        List<Event> events = happened.events();
        if (events.isEmpty()) {
            text.add("nothing happened that reports would show").line();
            return;
        }
        EventText words = new EventText(inventory);
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"WHEN", "LASTED", "EVENT", "WHAT"});
        events.stream()
                .limit(EVENTS)
                .forEach(event -> rows.add(new String[] {
                    TimeText.of(event.startNanos()), lasted(event), event.kind().label(), words.of(event)
                }));
        table(text, rows, 4);
        if (events.size() > EVENTS) {
            text.add(String.format(Locale.ROOT, "and %,d more; --events FILE has all", events.size() - EVENTS))
                    .line();
        }
    }

    private static String lasted(Event event) {
        if (event.endNanos() == Event.OPEN) {
            return "goes on";
        }
        long nanos = event.endNanos() - event.startNanos();
        return nanos == 0 ? "-" : String.format(Locale.ROOT, "%.3f s", nanos / NANOS);
    }

    private static String nodes(List<Long> nodes) {
        if (nodes.isEmpty()) {
            return "-";
        }
        String all =
                String.join(",", nodes.stream().limit(4).map(String::valueOf).toList());
        return nodes.size() > 4 ? all + ",…" : all;
    }

    private void faults(Text text) {
        Map<String, Long> faults = new TreeMap<>();
        for (Fault fault : Fault.values()) {
            long count = ledger.undecodable(fault) + ledger.reportsRejected(fault);
            if (count > 0) {
                faults.put(fault.name(), count);
            }
        }
        for (Shed reason : Shed.values()) {
            if (ledger.shed(reason) > 0) {
                faults.put("not analysed: " + reason.label(), ledger.shed(reason));
            }
        }
        if (faults.isEmpty()) {
            return;
        }
        text.line();
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"WRONG", "COUNT"});
        faults.forEach((name, count) -> rows.add(new String[] {name, number(count)}));
        table(text, rows, 1);
    }

    private void flows(Text text) {
        List<Recording.Flow> flows = recording.top(top, filter);
        if (flows.isEmpty() && filter.leftOut() == 0) {
            return;
        }
        text.line();
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"FLOW", "REPORTS", "DROPS", "CONGESTED", "SECONDS"});
        for (Recording.Flow flow : flows) {
            rows.add(new String[] {
                flow(flow.key()),
                number(flow.reports()),
                number(flow.drops()),
                number(flow.congested()),
                String.format(Locale.ROOT, "%.3f", (flow.lastNanos() - flow.firstNanos()) / NANOS)
            });
        }
        table(text, rows, 1);
        if (filter.leftOut() > 0) {
            text.add(number(filter.leftOut()) + " left out by the filter").line();
        }
    }

    private static String flow(FlowKey key) {
        String name = Protocols.name(key.protocol());
        String protocol = name == null ? "protocol " + key.protocol() : name;
        String ends = key.icmpType() != FlowKey.ABSENT
                ? key.source() + " > " + key.destination() + " type " + key.icmpType() + " code " + key.icmpCode()
                : end(key, key.source(), key.sourcePort()) + " > " + end(key, key.destination(), key.destinationPort());
        return protocol + " " + ends + (key.vni() == FlowKey.ABSENT ? "" : " vni " + key.vni());
    }

    private static String end(FlowKey key, String address, int port) {
        String host = key.v6() ? "[" + address + "]" : address;
        return port == FlowKey.ABSENT ? host : host + ":" + port;
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** The first columns are words, to the left; the others numbers. */
    private static void table(Text text, List<String[]> rows, int words) {
        int[] widths = new int[rows.getFirst().length];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                String blank = " ".repeat(widths[i] - row[i].length());
                line.append(i == 0 ? "" : "  ").append(i < words ? row[i] + blank : blank + row[i]);
            }
            text.add(line.toString().stripTrailing()).line();
        }
    }

    // For programs
    // --------------------------------------------------------------------------------------------------------------

    Text json() {
        JsonText json = new JsonText().open('{');
        if (first != Place.UNKNOWN_TIME) {
            json.name("start").value(TimeText.of(first)).name("end").value(TimeText.of(last));
        }
        json.name("ledger").raw(ledger.toJson());
        json.name("exporters").open('[');
        recording.exporters().forEach(exporter -> json.raw(Recording.json(exporter)));
        json.close(']');
        json.name("events").open('[');
        happened.events().forEach(event -> json.raw(happened.json(event)));
        json.close(']');
        json.name("proposals").open('[');
        dryRun.proposals().forEach(one -> json.raw(DryRun.json(one)));
        json.close(']').name("decisions").open('[');
        dryRun.decisions().forEach(json::raw);
        json.close(']');
        json.name("paths").open('[');
        story.paths().forEach(path -> {
            json.open('{').name("nodes").open('[');
            path.nodes.forEach(json::value);
            json.close(']').name("complete").value(path.complete);
            json.name("flows").value(path.flows.size()).name("reports").value(path.reports);
            optional(json, "latencyP99", path.latencyWorst);
            json.close('}');
        });
        json.close(']').name("hops").open('[');
        story.hops().forEach(hop -> {
            json.open('{');
            optional(json, "node", hop.place.node());
            optional(json, "interface", hop.place.interfaceId());
            optional(json, "queue", hop.place.queue());
            json.name("reports").value(hop.reports);
            optional(json, "latencyP50", hop.quantile(0.5));
            optional(json, "latencyP99", hop.quantile(0.99));
            optional(json, "latencyMax", hop.latencyMax);
            optional(json, "occupancyMax", hop.occupancyMax);
            json.close('}');
        });
        json.close(']').name("drops").open('[');
        story.drops().forEach(one -> {
            json.open('{');
            optional(json, "node", one.cause().node());
            optional(json, "interface", one.cause().interfaceId());
            optional(json, "reason", one.cause().reason());
            json.name("reports").value(one.reports()).close('}');
        });
        json.close(']');
        json.name("flowCount").value(recording.flows());
        json.name("flowsEvicted").value(recording.flowsEvicted());
        json.name("flows").open('[');
        for (Recording.Flow flow : recording.top(top, filter)) {
            json.open('{')
                    .name("flow")
                    .open('{')
                    .name("id")
                    .value(flow.key().id().toString());
            json.name("source").value(flow.key().source());
            json.name("destination").value(flow.key().destination());
            json.name("protocol").value(flow.key().protocol());
            optional(json, "sourcePort", flow.key().sourcePort());
            optional(json, "destinationPort", flow.key().destinationPort());
            optional(json, "icmpType", flow.key().icmpType());
            optional(json, "icmpCode", flow.key().icmpCode());
            optional(json, "vni", flow.key().vni());
            json.close('}');
            json.name("reports").value(flow.reports());
            json.name("drops").value(flow.drops());
            json.name("congested").value(flow.congested());
            json.name("firstSeen").value(TimeText.of(flow.firstNanos()));
            json.name("lastSeen").value(TimeText.of(flow.lastNanos())).close('}');
        }
        Text text = new Text();
        text.add(json.close(']').close('}').toString()).line();
        return text;
    }

    private static void optional(JsonText json, String name, long value) {
        if (value != FlowKey.ABSENT) {
            json.name(name).value(value);
        }
    }
}
