package io.pathlore.cli.service;

import io.pathlore.engine.Engine;
import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.udp.RefusedSources;
import io.pathlore.ingest.udp.UdpSockets;
import io.pathlore.model.TimeText;
import io.pathlore.serve.JsonText;
import io.pathlore.serve.Sources;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A running collector as the HTTP API, and the terminal, show it. Asked by any thread; never makes a worker wait. */
public final class CollectorView {
    private static final double NANOS = 1e9;

    private final Collector collector;
    private final Tables tables;
    private final EventBook events;
    private final KafkaOut kafka;
    private final String version;
    private final boolean synthetic;

    /**
     * Shows one collector.
     *
     * @param synthetic what arrives was made up, by a lab in this process
     */
    CollectorView(
            Collector collector, Tables tables, EventBook events, KafkaOut kafka, String version, boolean synthetic) {
        this.kafka = kafka;
        this.collector = collector;
        this.tables = tables;
        this.events = events;
        this.version = version;
        this.synthetic = synthetic;
    }

    public Sources sources(List<io.pathlore.serve.metrics.MetricSource> more) {
        CollectorMetrics metrics = new CollectorMetrics(collector, tables, events);
        return new Sources(
                this::statusJson,
                () -> collector.ledger().toJson(),
                page -> ExporterRows.page(exporters(), page),
                this::checks,
                out -> {
                    metrics.write(out);
                    kafka.write(out);
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
        kafka.status(json);
        Engine engine = collector.engine();
        json.name("analysis").open('{').name("enabled").value(engine != null).close('}');
        if (engine != null) {
            json.name("engine").open('{');
            json.name("workers").value(collector.plan().workers());
            json.name("shards").value(collector.plan().shards());
            json.name("flows").value(engine.flows());
            json.name("flowCapacity").value(engine.flowCapacity());
            json.name("flowsEvicted").value(engine.flowsEvicted());
            json.name("shedLevel").value(engine.shedLevel());
            json.name("operatorsWaiting").value(engine.unseen());
            json.name("operatorsSkipped").value(engine.skipped()).close('}');
        }
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

    /** In the order of their addresses. */
    public List<ExporterRows.ExporterRow> exporters() {
        return ExporterRows.of(
                collector.pipelines(), collector.service().config().inventory());
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
