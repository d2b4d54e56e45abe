package io.pathlore.cli.service;

import io.pathlore.cli.config.Service;
import io.pathlore.engine.Engine;
import io.pathlore.engine.EngineOptions;
import io.pathlore.engine.Intake;
import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.udp.Admission;
import io.pathlore.ingest.udp.AllowList;
import io.pathlore.ingest.udp.DatagramBatch;
import io.pathlore.ingest.udp.ExporterTable;
import io.pathlore.ingest.udp.NodeBinding;
import io.pathlore.ingest.udp.RecordedDatagrams;
import io.pathlore.store.tables.Row;
import io.pathlore.wire.envelope.Envelope;
import java.util.List;
import java.util.Map;

/**
 * The way of a datagram once more, from the journal, only to add up: what happened has been told already. It begins a little earlier than what is
 * wanted, so that it knows by then where the numbers of each stream are and who tells of drops, as who has read on knows it. One thread.
 */
final class Rereading {
    private static final long LEAD_NANOS = 20_000_000_000L;

    /** Flows at a time: it runs beside the one that receives, and has what memory is left. */
    private static final int FLOWS = 100_000;

    private final RecordedDatagrams datagrams;

    /** From where to read for what is wanted from a time on. */
    static long leadIn(long fromNanos) {
        return fromNanos < Long.MIN_VALUE + LEAD_NANOS ? Long.MIN_VALUE : fromNanos - LEAD_NANOS;
    }

    /** @param fromNanos a full minute: rows before it are there already */
    Rereading(Service service, long fromNanos, RowSink to, long seed) {
        TableFeed feed =
                new TableFeed(new Wanted(fromNanos, to), service.config().inventory(), PathBook.of(service));
        MemoryPlan plan = MemoryPlan.ofOneThread(service, warning -> {});
        Ledger ledger = new Ledger(false);
        Ledger.Worker counts = ledger.addWorker();
        EngineOptions options =
                new EngineOptions(1, 0, Math.min(FLOWS, plan.engine().flows()), 1);
        Intake intake = service.analysis().enabled()
                ? new Engine(options, Analysts.adders(service, feed), feed::flows, () -> Pipeline.tally(counts))
                        .intake(0)
                : new Unanalysed(counts);
        ExporterTable exporters = new ExporterTable(
                plan.exporters(), 0, Collector.profiles(service.config().inventory()), seed);
        Admission admission = new Admission(
                DatagramBatch.LARGEST_DATAGRAM, AllowList.of(List.of(AllowList.ANY)), exporters, counts, seed);
        Pipeline pipeline = new Pipeline(
                service.config(),
                plan.streams(),
                exporters,
                new NodeBinding(NodeBinding.Mode.OFF, 1, Map.of(), seed), // who may speak for whom was decided then
                intake,
                JournalFeed.OFF,
                ledger,
                counts,
                seed,
                Analysts.health(service, event -> {}),
                feed.exporters(),
                () -> {});
        datagrams = new RecordedDatagrams(admission, pipeline.decoding(), counts);
    }

    private record Wanted(long fromNanos, RowSink to) implements RowSink {
        @Override
        public void row(Row row) {
            if (row.time() >= fromNanos) {
                to.row(row);
            }
        }

        @Override
        public void complete(long untilNanos) {
            if (untilNanos > fromNanos) {
                to.complete(untilNanos);
            }
        }
    }

    void add(Envelope envelope) {
        datagrams.add(envelope);
    }

    void end() {
        datagrams.end();
    }
}
