package io.pathlore.bench.scale;

import io.pathlore.cli.config.Service;
import io.pathlore.cli.service.Pipeline;
import io.pathlore.cli.service.RowSink;
import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.Ledger.Term;
import io.pathlore.ingest.udp.Admission;
import io.pathlore.ingest.udp.AllowList;
import io.pathlore.ingest.udp.DatagramBatch;
import io.pathlore.ingest.udp.ExporterTable;
import io.pathlore.ingest.udp.NodeBinding;
import io.pathlore.ingest.udp.RecordedDatagrams;
import io.pathlore.store.tables.Row;
import io.pathlore.wire.envelope.Envelope;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/** The analysis as a collector has it in one thread; rows are counted and not kept. */
final class Embedded {
    private static final int EXPORTERS = 4_096;
    private static final int FLOWS = 1_000_000;

    private final Envelope envelope = new Envelope();
    private final Ledger ledger = new Ledger(false);
    private final RecordedDatagrams datagrams;
    private long rows;

    Embedded(Service service, long seed) {
        Ledger.Worker counts = ledger.addWorker();
        var exporters = new ExporterTable(EXPORTERS, 0, ExporterTable.Profiles.AUTO, seed);
        Pipeline pipeline = Pipeline.whole(
                service,
                FLOWS,
                exporters,
                new NodeBinding(NodeBinding.Mode.OFF, 1, Map.of(), seed),
                (batch, index) -> {},
                ledger,
                counts,
                seed,
                new RowSink() {
                    @Override
                    public void row(Row row) {
                        rows++;
                    }

                    @Override
                    public void complete(long untilNanos) {}
                });
        var admission = new Admission(
                DatagramBatch.LARGEST_DATAGRAM, AllowList.of(List.of(AllowList.ANY)), exporters, counts, seed);
        datagrams = new RecordedDatagrams(admission, pipeline.decoding(), counts);
    }

    void on(byte[][] envelopes) {
        for (byte[] each : envelopes) {
            if (!envelope.wrap(ByteBuffer.wrap(each), 0, each.length)) {
                throw new IllegalStateException("no envelope");
            }
            datagrams.add(envelope);
        }
    }

    /** All that were given to it are there. */
    void check(long given) {
        Ledger.Snapshot now = ledger.snapshot();
        // A batch may still wait to be full.
        if (given - now.read(Term.ANALYSED) >= RecordedDatagrams.BATCH
                || !now.check().isEmpty()) {
            throw new IllegalStateException(
                    "of " + given + " reports " + now.read(Term.ANALYSED) + " were analysed; " + now.check());
        }
    }

    long rows() {
        return rows;
    }
}
