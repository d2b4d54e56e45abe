package io.pathlore.cli.service;

import io.pathlore.analysis.ddos.AttackWatch;
import io.pathlore.engine.Engine;
import io.pathlore.ingest.JournalDrop;
import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.Ledger.Term;
import io.pathlore.ingest.Rejection;
import io.pathlore.ingest.Shed;
import io.pathlore.ingest.udp.UdpSockets;
import io.pathlore.model.EventKind;
import io.pathlore.model.Fault;
import io.pathlore.serve.metrics.MetricSource;
import io.pathlore.serve.metrics.MetricWriter;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The collector in numbers: each term of the ledger under its name in snake case, and what the tables and queues hold. */
final class CollectorMetrics implements MetricSource {
    private static final Map<Term, String> HELP = Map.ofEntries(
            Map.entry(Term.DATAGRAMS_READ, "Datagrams read from sockets."),
            Map.entry(Term.BYTES_READ, "Their bytes."),
            Map.entry(Term.ACCEPTED, "Datagrams that were let in."),
            Map.entry(Term.QUEUE_DROPPED, "Datagrams dropped because a queue was full."),
            Map.entry(Term.DECODED_DATAGRAMS, "Accepted datagrams whose reports could be told apart."),
            Map.entry(Term.JOURNALLED, "Accepted datagrams that are on the disk for good."),
            Map.entry(Term.REPORTS_SEEN, "Reports in decoded datagrams."),
            Map.entry(Term.REPORTS_DECODED, "Reports that could be decoded."),
            Map.entry(Term.ANALYSED, "Reports that were analysed."),
            Map.entry(Term.DUPLICATES, "Reports of datagrams that had come before."),
            Map.entry(Term.SEQUENCE_LOST, "Datagrams, or reports, that sequence numbers say never came."));

    private final Collector collector;
    private final Tables tables;
    private final EventBook events;

    CollectorMetrics(Collector collector, Tables tables, EventBook events) {
        this.collector = collector;
        this.tables = tables;
        this.events = events;
    }

    @Override
    public void write(MetricWriter out) {
        Ledger.Snapshot ledger = collector.ledger();
        for (Term term : Term.values()) {
            if (term != Term.JOURNALLED || collector.journal() != null) {
                out.counter(name(term.label()), HELP.getOrDefault(term, term.label()))
                        .value(ledger.read(term));
            }
        }
        reasons(out, ledger);
        faults(out, ledger);
        sockets(out, ledger);
        tables(out);
        journal(out);
        tables.write(out);
        events(out);
        attacks(out);
        out.gauge("pathlore_in_flight", "Datagrams and reports that wait between threads.")
                .value(ledger.inFlight());
    }

    private void reasons(MetricWriter out, Ledger.Snapshot ledger) {
        MetricWriter.Family rejected = out.counter("pathlore_rejected_total", "Datagrams not let in.", "reason");
        for (Rejection reason : Rejection.values()) {
            rejected.value(ledger.rejected(reason), reason.label());
        }
        MetricWriter.Family shed = out.counter("pathlore_shed_total", "Reports not analysed.", "reason");
        for (Shed reason : Shed.values()) {
            shed.value(ledger.shed(reason), reason.label());
        }
        if (collector.journal() != null) {
            MetricWriter.Family dropped =
                    out.counter("pathlore_journal_dropped_total", "Accepted datagrams not journalled.", "reason");
            for (JournalDrop reason : JournalDrop.values()) {
                dropped.value(ledger.journalDropped(reason), reason.label());
            }
        }
    }

    private static void faults(MetricWriter out, Ledger.Snapshot ledger) {
        MetricWriter.Family undecodable =
                out.counter("pathlore_undecodable_total", "Datagrams of which no report can be told apart.", "error");
        for (Fault fault : Fault.values()) {
            if (ledger.undecodable(fault) > 0) {
                undecodable.value(ledger.undecodable(fault), fault.name());
            }
        }
        MetricWriter.Family rejected =
                out.counter("pathlore_reports_rejected_total", "Reports that could not be decoded.", "error");
        for (Fault fault : Fault.values()) {
            if (ledger.reportsRejected(fault) > 0) {
                rejected.value(ledger.reportsRejected(fault), fault.name());
            }
        }
    }

    private void sockets(MetricWriter out, Ledger.Snapshot ledger) {
        if (collector.technique() == UdpSockets.Technique.RECVMMSG) {
            MetricWriter.Family dropped = out.counter(
                    "pathlore_kernel_dropped_total", "Datagrams the kernel dropped before they were read.", "socket");
            new TreeMap<>(ledger.kernelDroppedBySocket()).forEach((socket, count) -> dropped.value(count, socket));
        }
        MetricWriter.Family granted =
                out.gauge("pathlore_receive_buffer_bytes", "Receive buffer the kernel granted.", "socket");
        for (UdpSockets.Bound socket : collector.sockets()) {
            granted.value((long) socket.grantedBytes(), socket.label());
        }
    }

    private void tables(MetricWriter out) {
        long exporters = 0;
        long exportersEvicted = 0;
        long streams = 0;
        long streamsEvicted = 0;
        for (Pipeline pipeline : collector.pipelines()) {
            exporters += pipeline.exporters().size();
            exportersEvicted += pipeline.exporters().evicted();
            streams += pipeline.sequences().size();
            streamsEvicted += pipeline.sequences().evicted();
        }
        out.gauge("pathlore_exporters", "Exporters remembered.").value(exporters);
        out.counter("pathlore_exporters_evicted_total", "Exporters forgotten to make room.")
                .value(exportersEvicted);
        out.gauge("pathlore_streams", "Streams of sequence numbers followed.").value(streams);
        out.counter("pathlore_streams_evicted_total", "Streams forgotten to make room.")
                .value(streamsEvicted);
        Engine engine = collector.engine();
        if (engine != null) {
            engine(out, engine);
        }
        out.gauge("pathlore_nodes_bound", "Nodes whose exporter address is known.")
                .value(collector.binding().entries());
        out.counter("pathlore_binding_violations_total", "Datagrams that spoke for the node of another address.")
                .value(collector.binding().violations());
        out.counter("pathlore_binding_unknown_total", "Datagrams that spoke for a node there was no room to learn.")
                .value(collector.binding().unknown());
        out.gauge("pathlore_memory_planned_bytes", "Memory of all tables and queues.")
                .value(collector.plan().total());
    }

    private static void engine(MetricWriter out, Engine engine) {
        out.gauge("pathlore_flows", "Flows remembered.").value(engine.flows());
        out.gauge("pathlore_flows_max", "Flows there is room for.").value(engine.flowCapacity());
        out.counter("pathlore_flows_evicted_total", "Flows forgotten to make room.")
                .value(engine.flowsEvicted());
        out.gauge("pathlore_shed_level", "Eighths of the flows that are not analysed, for there is too much.")
                .value(engine.shedLevel());
        out.gauge("pathlore_operators_waiting", "Analysed reports that the search for events has not seen yet.")
                .value(engine.unseen());
        out.counter("pathlore_operators_skipped_total", "Analysed reports that the search for events was too slow for.")
                .value(engine.skipped());
    }

    private void journal(MetricWriter out) {
        JournalKeeper journal = collector.journal();
        if (journal == null) {
            return;
        }
        out.gauge("pathlore_journal_bytes", "Size of the journal on disk.")
                .value(journal.counts().bytes());
        out.gauge("pathlore_journal_segments", "Segments of the journal.")
                .value(journal.counts().segments());
        out.counter("pathlore_journal_segments_removed_total", "Segments removed by age or size.")
                .value(journal.counts().removed());
        out.counter("pathlore_journal_syncs_total", "Times the journal was synced.")
                .value(journal.counts().syncs());
        out.gauge("pathlore_journal_damaged", "Places found damaged at the start.")
                .value(journal.counts().damaged());
    }

    private void events(MetricWriter out) {
        Map<EventKind, Long> counts = events.counts();
        MetricWriter.Family found = out.counter("pathlore_events_total", "Events found.", "kind");
        for (EventKind kind : EventKind.values()) {
            found.value(counts.getOrDefault(kind, 0L), kind.label());
        }
    }

    private void attacks(MetricWriter out) {
        AttackWatch watch = collector.attacks();
        if (watch == null) {
            return;
        }
        out.gauge("pathlore_attack_keys", "Victims whose packets are counted.").value(watch.keys());
        out.counter("pathlore_attack_keys_evicted_total", "Victims forgotten to make room.")
                .value(watch.evicted());
        out.counter("pathlore_attack_suspects_refused_total", "Victims there was no room to look at closely.")
                .value(watch.unwatched());
    }

    /** {@code datagramsRead} to {@code pathlore_datagrams_read_total}. */
    private static String name(String label) {
        return "pathlore_" + label.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT) + "_total";
    }
}
