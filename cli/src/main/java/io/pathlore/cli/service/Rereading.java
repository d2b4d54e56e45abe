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
import io.pathlore.wire.envelope.Envelope;
import java.util.List;
import java.util.Map;

/** The way of a datagram once more, from the journal, only to add up: what happened has been told already. One thread. */
final class Rereading {
    /** Flows at a time: it runs beside the one that receives, and has what memory is left. */
    private static final int FLOWS = 100_000;

    private final RecordedDatagrams datagrams;

    Rereading(Service service, TableFeed feed, long seed) {
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

    void add(Envelope envelope) {
        datagrams.add(envelope);
    }

    void end() {
        datagrams.end();
    }
}
