package io.pathlore.ingest.udp;

import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.Ledger.Term;
import io.pathlore.ingest.Shed;
import io.pathlore.model.Fault;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.decode.ReportDecoder;
import io.pathlore.wire.decode.ReportSink;
import io.pathlore.wire.decode.ReportView;

/**
 * Decodes each datagram where it lies, counts it and its reports, hands the reports on and the datagram to the journal. Hot
 * path: owned by one thread.
 */
public final class Decoding implements Fanout, ReportSink {
    private ReportDecoder decoder;
    private final ExporterTable exporters;
    private NodeBinding binding;
    private final ReportConsumer consumer;
    private final Journalling journal;
    private final Ledger.Worker ledger;

    // The datagram at hand.
    private DatagramBatch batch;
    private int index;
    private int exporter;
    private int reports;
    private Fault held = Fault.NONE;
    private boolean claimed;
    private boolean admitted;
    private long claimedNode;

    /** The table is the one of the reader, on whose thread this runs. */
    public Decoding(
            DecodeOptions options,
            ExporterTable exporters,
            NodeBinding binding,
            ReportConsumer consumer,
            Journalling journal,
            Ledger.Worker ledger) {
        decoder = new ReportDecoder(options);
        this.exporters = exporters;
        this.binding = binding;
        this.consumer = consumer;
        this.journal = journal;
        this.ledger = ledger;
        batch = new DatagramBatch(1, 1, 1);
    }

    /** Other options and bindings from the next datagram on. On the thread that decodes. */
    public void reconfigure(DecodeOptions options, NodeBinding next) {
        decoder = new ReportDecoder(options);
        binding = next;
        exporters.forgetNodes();
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // a store of a reference costs more than the comparison that avoids it
    public boolean offer(DatagramBatch batch, int index, int exporter) {
        if (this.batch != batch) {
            this.batch = batch;
        }
        this.index = index;
        this.exporter = exporter;
        reports = 0;
        held = Fault.NONE;
        claimed = false;
        exporters.onDatagram(exporter, batch.length(index), batch.timeNanos(index));
        Fault fault =
                decoder.decode(batch.data(), batch.offset(index), batch.end(index), exporters.exporter(exporter), this);
        if (fault == Fault.NONE) {
            countHeld();
            ledger.count(Term.DECODED_DATAGRAMS);
            consumer.onDatagram(batch, index, reports);
        } else {
            // What is held is the same fault: it was the datagram's, not a report's.
            ledger.undecodable(fault);
            exporters.onUndecodable(exporter, fault);
            consumer.onUndecodable(fault, batch, index);
        }
        journal.offer(batch, index);
        return true;
    }

    @Override
    public void onReport(ReportView report) {
        countHeld();
        reports++;
        ledger.count(Term.REPORTS_SEEN);
        ledger.count(Term.REPORTS_DECODED);
        exporters.onReport(exporter);
        if (binding.mode() != NodeBinding.Mode.OFF && !mayClaim(report.nodeId())) {
            batch.mark(index, DatagramBatch.UNBOUND);
            if (binding.mode() == NodeBinding.Mode.ENFORCE) {
                ledger.shed(Shed.BINDING);
                return;
            }
        }
        consumer.onReport(report, batch, index);
    }

    private boolean mayClaim(long nodeId) {
        return exporters.speaksFor(exporter, nodeId) || mayClaimNew(nodeId);
    }

    /** Asked once for a datagram: its reports are of one node. */
    private boolean mayClaimNew(long nodeId) {
        if (!claimed || claimedNode != nodeId) {
            claimed = true;
            claimedNode = nodeId;
            // Who names no node speaks for none.
            admitted = nodeId == ReportView.ABSENT
                    || binding.admits(nodeId, batch.v6(index), batch.sourceHi(index), batch.sourceLo(index));
            if (admitted) {
                exporters.onSpeaksFor(exporter, nodeId);
            }
        }
        return admitted;
    }

    /** Whether it was a report or the datagram is known one step later. */
    @Override
    public void onRejected(Fault fault, int offset) {
        countHeld();
        held = fault;
    }

    private void countHeld() {
        if (held != Fault.NONE) {
            reports++;
            ledger.count(Term.REPORTS_SEEN);
            ledger.reportRejected(held);
            exporters.onRejectedReport(exporter, held);
            held = Fault.NONE;
        }
    }

    @Override
    public void flush() {
        consumer.flush();
    }

    @Override
    public void endBatch() {
        consumer.endBatch();
        journal.endBatch();
    }

    @Override
    public void onTick(long nowNanos) {
        consumer.onTick(nowNanos);
        journal.onTick(nowNanos);
    }

    @Override
    public void onPressure(int percent, long ticks) {
        consumer.onPressure(percent, ticks);
    }

    @Override
    public void end() {
        consumer.end();
    }
}
