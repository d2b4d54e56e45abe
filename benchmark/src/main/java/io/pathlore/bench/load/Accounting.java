package io.pathlore.bench.load;

import io.pathlore.analysis.sequence.Counting;
import io.pathlore.analysis.sequence.Outcome;
import io.pathlore.analysis.sequence.SequenceTable;
import io.pathlore.analysis.sequence.SequenceTotals;
import io.pathlore.analysis.sequence.SequenceTracker;
import io.pathlore.analysis.sequence.StreamKey;
import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.Ledger.Term;
import io.pathlore.ingest.udp.DatagramBatch;
import io.pathlore.ingest.udp.ReportConsumer;
import io.pathlore.wire.decode.ReportView;

/** Takes each datagram of version 2.0 into account by its number, and does no more. */
final class Accounting implements ReportConsumer {
    private static final long MAPPED = 0xFFFF_0000_0000L;

    private final SequenceTable streams =
            new SequenceTable(SequenceTable.DEFAULT_CAPACITY, 1, SequenceTracker.Rules.DEFAULT);
    private final StreamKey key = new StreamKey();
    private final Ledger.Worker ledger;
    private long sequence;

    Accounting(Ledger.Worker ledger) {
        this.ledger = ledger;
    }

    @Override
    public void onReport(ReportView report, DatagramBatch batch, int index) {
        key.version20(report.nodeId(), report.hwId());
        sequence = report.sequence();
    }

    @Override
    public void onDatagram(DatagramBatch batch, int index, int reports) {
        key.exporter(batch.sourceHi(index), MAPPED | batch.sourceLo(index))
                .destination(
                        batch.destinationHi(index), MAPPED | batch.destinationLo(index), batch.destinationPort(index));
        Outcome outcome =
                streams.on(key, Counting.AUTO, sequence, batch.timeNanos(index), reports, batch.checksum(index));
        if (outcome == Outcome.DUPLICATE) {
            batch.mark(index, DatagramBatch.DUPLICATE);
            ledger.add(Term.DUPLICATES, reports);
        } else {
            ledger.add(Term.ANALYSED, reports);
        }
    }

    SequenceTotals totals() {
        return streams.totals();
    }
}
