package io.pathlore.cli.service;

import io.pathlore.analysis.sequence.SequenceTotals;
import io.pathlore.cli.config.Inventory;
import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.udp.ExporterTable;
import io.pathlore.ingest.udp.RefusedSources;
import io.pathlore.ingest.udp.UdpSockets;
import io.pathlore.model.Fault;
import io.pathlore.model.TimeText;
import io.pathlore.serve.JsonText;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Sources;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A running collector as the HTTP API, and the terminal, show it. Asked by any thread; never makes a worker wait. */
public final class CollectorView {
    private static final long CENSUS_SECONDS = 5;
    private static final double NANOS = 1e9;

    private final Collector collector;
    private final Tables tables;
    private final EventBook events;
    private final String version;
    private final boolean synthetic;

    /**
     * Shows one collector.
     *
     * @param synthetic what arrives was made up, by a lab in this process
     */
    public CollectorView(Collector collector, Tables tables, EventBook events, String version, boolean synthetic) {
        this.collector = collector;
        this.tables = tables;
        this.events = events;
        this.version = version;
        this.synthetic = synthetic;
    }

    public Sources sources(List<io.pathlore.serve.metrics.MetricSource> more) {
        CollectorMetrics metrics = new CollectorMetrics(collector, tables, events);
        return new Sources(
                this::statusJson, () -> collector.ledger().toJson(), this::exportersJson, this::checks, out -> {
                    metrics.write(out);
                    more.forEach(source -> source.write(out));
                });
    }

    // Status
    // --------------------------------------------------------------------------------------------------------------

    String statusJson() {
        JsonText json = new JsonText().open('{');
        json.name("version").value(version);
        json.name("startedAt").value(TimeText.of(collector.startedNanos()));
        json.name("uptimeSeconds").value((collector.nowNanos() - collector.startedNanos()) / NANOS);
        json.name("synthetic").value(synthetic);
        listen(json);
        json.name("binding").open('{');
        json.name("mode").value(collector.binding().mode().name().toLowerCase(Locale.ROOT));
        json.name("nodes").value(collector.binding().entries());
        json.name("violations").value(collector.binding().violations());
        json.name("unknown").value(collector.binding().unknown()).close('}');
        refused(json);
        journal(json);
        tables.status(json);
        json.name("engine").open('{');
        json.name("workers").value(collector.plan().workers());
        json.name("shards").value(collector.plan().shards());
        json.name("flows").value(collector.engine().flows());
        json.name("flowCapacity").value(collector.engine().flowCapacity());
        json.name("flowsEvicted").value(collector.engine().flowsEvicted());
        json.name("shedLevel").value(collector.engine().shedLevel()).close('}');
        json.name("memory").open('{');
        json.name("ceiling").value(collector.service().memoryBytes());
        json.name("planned").value(collector.plan().total()).close('}');
        json.name("warnings").open('[');
        collector.notes().warnings().forEach(json::value);
        return json.close(']').close('}').toString();
    }

    private void listen(JsonText json) {
        Map<String, Long> dropped = collector.ledger().kernelDroppedBySocket();
        boolean counts = collector.technique() == UdpSockets.Technique.RECVMMSG;
        json.name("listen").open('[');
        for (UdpSockets.Bound socket : collector.sockets()) {
            json.open('{').name("socket").value(socket.label());
            json.name("technique").value(collector.technique().name().toLowerCase(Locale.ROOT));
            json.name("receiveBufferAsked").value(socket.askedBytes());
            json.name("receiveBufferGranted").value(socket.grantedBytes());
            if (counts) {
                json.name("kernelDropped").value(dropped.getOrDefault(socket.label(), 0L));
            }
            json.close('}');
        }
        json.close(']');
        json.name("allow").open('[');
        collector.service().listen().allow().entries().forEach(json::value);
        json.close(']');
    }

    private void refused(JsonText json) {
        json.name("refused").open('{').name("sources").open('[');
        long others = 0;
        for (RefusedSources refused : collector.refused()) {
            others += refused.fromOthers();
            for (RefusedSources.Source source : refused.sources()) {
                json.open('{').name("address").value(source.address());
                json.name("datagrams").value(source.datagrams());
                json.name("hint").value(source.hint()).close('}');
            }
        }
        json.close(']').name("others").value(others).close('}');
    }

    private void journal(JsonText json) {
        JournalKeeper journal = collector.journal();
        json.name("journal").open('{').name("enabled").value(journal != null);
        if (journal != null) {
            JournalKeeper.State state = journal.state();
            json.name("directory").value(journal.directory());
            json.name("state").value(state.word());
            if (!state.detail().isEmpty()) {
                json.name("detail").value(state.detail());
            }
            json.name("bytes").value(journal.counts().bytes());
            json.name("segments").value(journal.counts().segments());
            json.name("damaged").value(journal.counts().damaged());
            json.name("removed").value(journal.counts().removed());
        }
        json.close('}');
    }

    // Exporters
    // --------------------------------------------------------------------------------------------------------------

    /**
     * One exporter, as far as it is known.
     *
     * @param sequences null where the answer did not come in time
     */
    public record ExporterRow(
            ExporterTable.Row counts,
            @Nullable String name,
            List<Long> nodes,
            @Nullable SequenceRow sequences) {}

    /** What its numbers say. */
    public record SequenceRow(int streams, SequenceTotals totals, boolean suspected) {}

    /** In the order of their addresses. */
    public List<ExporterRow> exporters() {
        return exporters(collector.pipelines(), collector.service().config().inventory());
    }

    static List<ExporterRow> exporters(List<Pipeline> pipelines, Inventory inventory) {
        Map<String, Census.Entry> entries = new HashMap<>();
        boolean whole = true;
        var asked = pipelines.stream().map(each -> each.census().ask()).toList();
        for (var answer : asked) {
            try {
                answer.get(CENSUS_SECONDS, TimeUnit.SECONDS).exporters().forEach((address, entry) -> {
                    entries.merge(address, entry, Census.Entry::plus);
                });
            } catch (TimeoutException | ExecutionException e) {
                whole = false;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                whole = false;
            }
        }
        Map<String, ExporterTable.Row> rows = new HashMap<>();
        for (Pipeline pipeline : pipelines) {
            pipeline.exporters().rows().forEach(row -> rows.merge(row.address(), row, CollectorView::plus));
        }
        List<ExporterRow> all = new ArrayList<>();
        for (ExporterTable.Row row : rows.values()) {
            Census.Entry entry = entries.get(row.address());
            Inventory.Node node = inventory.byAddress(InetAddress.ofLiteral(row.address()));
            SequenceRow sequences = entry == null
                    ? whole ? new SequenceRow(0, SequenceTotals.NONE, false) : null
                    : new SequenceRow(entry.streams(), entry.totals(), entry.suspected());
            all.add(new ExporterRow(
                    row,
                    node == null ? null : node.name(),
                    entry == null ? List.of() : List.copyOf(entry.nodes()),
                    sequences));
        }
        all.sort(Comparator.comparing(each -> each.counts().address(), CollectorView::byAddress));
        return all;
    }

    private static ExporterTable.Row plus(ExporterTable.Row one, ExporterTable.Row other) {
        boolean oneIsLater = one.lastSeenNanos() >= other.lastSeenNanos();
        return new ExporterTable.Row(
                one.address(),
                Math.min(one.firstSeenNanos(), other.firstSeenNanos()),
                Math.max(one.lastSeenNanos(), other.lastSeenNanos()),
                one.datagrams() + other.datagrams(),
                one.bytes() + other.bytes(),
                one.reports() + other.reports(),
                one.rejectedReports() + other.rejectedReports(),
                one.undecodable() + other.undecodable(),
                one.overRate() + other.overRate(),
                oneIsLater ? one.lastFault() : other.lastFault());
    }

    /** 10.0.0.9 before 10.0.0.10, IPv4 before IPv6. */
    private static int byAddress(String one, String other) {
        byte[] a = InetAddress.ofLiteral(one).getAddress();
        byte[] b = InetAddress.ofLiteral(other).getAddress();
        return a.length != b.length ? a.length - b.length : java.util.Arrays.compareUnsigned(a, b);
    }

    private String exportersJson(Sources.Page page) throws Problem {
        String after = page.cursor();
        if (after != null && !isAddress(after)) {
            throw new Problem(400, "cursor: not one that this server gave out");
        }
        JsonText json = new JsonText().open('{').name("items").open('[');
        int count = 0;
        String last = null;
        boolean more = false;
        for (ExporterRow exporter : exporters()) {
            String address = exporter.counts().address();
            if (after != null && byAddress(address, after) <= 0) {
                continue;
            }
            if (count++ == page.limit()) {
                more = true;
                break;
            }
            write(json, exporter);
            last = address;
        }
        json.close(']');
        if (more && last != null) {
            json.name("next").value(last);
        }
        return json.close('}').toString();
    }

    private static boolean isAddress(String text) {
        try {
            return InetAddress.ofLiteral(text) != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Also for {@code analyse}. */
    static void write(JsonText json, ExporterRow exporter) {
        ExporterTable.Row row = exporter.counts();
        json.open('{').name("address").value(row.address());
        if (exporter.name() != null) {
            json.name("name").value(exporter.name());
        }
        json.name("nodes").open('[');
        exporter.nodes().forEach(json::value);
        json.close(']');
        json.name("firstSeen").value(TimeText.of(row.firstSeenNanos()));
        json.name("lastSeen").value(TimeText.of(row.lastSeenNanos()));
        json.name("datagrams").value(row.datagrams());
        json.name("bytes").value(row.bytes());
        json.name("reports").value(row.reports());
        json.name("rejectedReports").value(row.rejectedReports());
        json.name("undecodable").value(row.undecodable());
        json.name("overRate").value(row.overRate());
        if (row.lastFault() != Fault.NONE) {
            json.name("lastFault").value(row.lastFault().name());
        }
        SequenceRow sequences = exporter.sequences();
        if (sequences != null) {
            SequenceTotals totals = sequences.totals();
            json.name("streams").value(sequences.streams());
            json.name("lost").value(totals.lost());
            json.name("missing").value(totals.missing());
            json.name("duplicates").value(totals.duplicates());
            json.name("reordered").value(totals.reordered());
            json.name("late").value(totals.late());
            json.name("restarts").value(totals.restarts());
            json.name("unknownGaps").value(totals.unknownGaps());
            if (Double.isFinite(totals.completeness())) {
                json.name("completeness").value(totals.completeness());
            }
            json.name("suspected").value(sequences.suspected());
        }
        json.close('}');
    }

    // Health
    // --------------------------------------------------------------------------------------------------------------

    private List<Sources.Check> checks() {
        Throwable failure = collector.failure();
        List<Sources.Check> checks = new ArrayList<>();
        checks.add(
                new Sources.Check("threads", true, failure == null, failure == null ? "all run" : "ended: " + failure));
        Ledger.Snapshot ledger = collector.ledger();
        List<String> wrong = ledger.check();
        checks.add(new Sources.Check(
                "ledger",
                false,
                wrong.isEmpty() || !ledger.atOnce(),
                wrong.isEmpty() ? "balances" : String.join("; ", wrong)));
        JournalKeeper journal = collector.journal();
        if (journal != null) {
            JournalKeeper.State state = journal.state();
            checks.add(new Sources.Check(
                    "journal",
                    false,
                    state.word().equals("ok"),
                    state.detail().isEmpty() ? "writes to " + journal.directory() : state.detail()));
        }
        Sources.Check store = tables.check();
        if (store != null) {
            checks.add(store);
        }
        return checks;
    }
}
