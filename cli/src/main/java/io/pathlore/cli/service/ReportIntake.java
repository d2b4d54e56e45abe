package io.pathlore.cli.service;

import io.pathlore.analysis.health.StreamWatch;
import io.pathlore.analysis.sequence.Counting;
import io.pathlore.analysis.sequence.Outcome;
import io.pathlore.analysis.sequence.SequenceTable;
import io.pathlore.analysis.sequence.SequenceTracker;
import io.pathlore.analysis.sequence.StreamKey;
import io.pathlore.analysis.sequence.StreamView;
import io.pathlore.engine.Intake;
import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.Ledger.Term;
import io.pathlore.ingest.Shed;
import io.pathlore.ingest.udp.DatagramBatch;
import io.pathlore.ingest.udp.ReportConsumer;
import io.pathlore.model.Fault;
import io.pathlore.model.ReportRow;
import io.pathlore.wire.decode.ReportRows;
import io.pathlore.wire.decode.ReportVersion;
import io.pathlore.wire.decode.ReportView;
import io.pathlore.wire.net.FlowView;
import io.pathlore.wire.tr20.GroupHeader;
import java.nio.ByteBuffer;

/**
 * From decoding to analysis: turns the reports of a datagram into rows, asks the sequence accounting what its number says, and
 * hands the rows on unless they were here before. Hot path: belongs to the thread that decodes.
 */
final class ReportIntake implements ReportConsumer {
    /** Streams that are looked at in a tick, so that none takes long. */
    private static final int PER_TICK = 4_096;

    /** Rows that may wait: so many that those who analyse can look ahead, so few that they stay in a near cache. */
    private static final int WAITING_BYTES = 16_384;

    private static final int PER_LOOK = 256;
    private static final int UDP = 17;
    private static final int SEQUENCE_MASK = 0x3F_FFFF;

    private final transient SequenceTable sequences;
    private final transient Intake engine;
    private final transient Ledger.Worker ledger;
    private final transient Census census;
    private final transient Runnable onSelf;
    private final transient StreamWatch health;
    private final transient ExporterMinutes minutes;
    private final ReportRows encoder;
    private final transient StreamKey key = new StreamKey();
    private final transient SequenceTable.Watcher watcher = this::look;
    private final transient GroupHeader group = new GroupHeader();
    private transient ByteBuffer rows;
    private transient CountingRules rules;
    private int settleFrom;
    private int lookFrom;
    private long newest;

    /** Where the rows of the datagram at hand begin; those before wait, and are borrowed, until {@link #flush}. */
    private int begin;

    // The datagram at hand.
    private int reports;
    private int numbers;
    private int gap;
    private int selves;
    private int row;
    private int count;
    private ReportVersion version = ReportVersion.V2_0;
    private long node;
    private int hwId;
    private long sequence;

    /**
     * @param maxReports of one datagram
     * @param onSelf told of the first report about a packet to this collector itself
     */
    ReportIntake(
            SequenceTable sequences,
            Intake engine,
            Ledger.Worker ledger,
            Census census,
            CountingRules rules,
            int maxReports,
            long seed,
            StreamWatch health,
            ExporterMinutes minutes,
            Runnable onSelf) {
        this.sequences = sequences;
        this.engine = engine;
        this.ledger = ledger;
        this.census = census;
        this.rules = rules;
        encoder = new ReportRows(seed);
        this.onSelf = onSelf;
        this.health = health;
        this.minutes = minutes;
        rows = room(maxReports);
    }

    private static ByteBuffer room(int maxReports) {
        return ByteBuffer.allocate(roomFor(maxReports));
    }

    private static int roomFor(int maxReports) {
        return WAITING_BYTES + ReportRows.roomFor(maxReports, DatagramBatch.LARGEST_DATAGRAM);
    }

    /** For the reports that follow. By the owner. */
    void reconfigure(CountingRules next, int maxReports) {
        rules = next;
        if (rows.capacity() != roomFor(maxReports)) {
            flush();
            rows = room(maxReports);
        }
    }

    @Override
    public void onReport(ReportView report, DatagramBatch batch, int index) {
        if (reports++ == 0) {
            version = report.version();
            node = report.nodeId();
            hwId = report.hwId();
            // As it stands in the header: what a dialect makes of it is for the accounting to find out.
            sequence = version == ReportVersion.V2_0
                    ? batch.data().getInt(batch.offset(index)) & SEQUENCE_MASK
                    : report.sequence();
        }
        if (isAboutUs(report.packet().flow(), batch, index)) {
            ledger.shed(Shed.SELF);
            if (selves++ == 0) {
                onSelf.run();
            }
            return;
        }
        long high = batch.sourceHi(index);
        long low = exporterLow(batch, index);
        long reporter = report.nodeId() == ReportView.ABSENT ? rules.nodeAt(high, low) : report.nodeId();
        int length = encoder.encode(report, reporter, batch.timeNanos(index), high, low, rows, row);
        rules.scale(rows, row, ReportRow.hops(rows, row));
        row += length;
        count++;
    }

    /** Reports about report packets would grow without end. */
    private static boolean isAboutUs(FlowView flow, DatagramBatch batch, int index) {
        return flow.known()
                && flow.protocol() == UDP
                && flow.destinationPort() == batch.destinationPort(index)
                && flow.destinationLow() == batch.destinationLo(index)
                && flow.destinationHigh() == batch.destinationHi(index)
                && flow.v6() == batch.v6(index);
    }

    private static long exporterLow(DatagramBatch batch, int index) {
        return batch.v6(index) ? batch.sourceLo(index) : ReportRow.mapped(batch.sourceLo(index));
    }

    @Override
    public void onDatagram(DatagramBatch batch, int index, int all) {
        // A journal knows what was here before, also what came before its own beginning.
        boolean again = (batch.flags(index) & DatagramBatch.DUPLICATE) != 0;
        Outcome outcome = reports > 0 || readHeader(batch, index) ? number(batch, index, all) : Outcome.FIRST;
        outcome = again ? Outcome.DUPLICATE : outcome;
        readNumbers(outcome, all);
        minutes.datagram(
                batch.v6(index),
                batch.sourceHi(index),
                batch.sourceLo(index),
                batch.timeNanos(index),
                batch.wireLength(index),
                all,
                reports,
                outcome,
                numbers,
                gap,
                row > begin ? ReportRow.ownTime(rows, begin) : ReportRow.ABSENT);
        if (outcome == Outcome.DUPLICATE) {
            batch.mark(index, DatagramBatch.DUPLICATE);
            ledger.add(Term.DUPLICATES, count);
            row = begin;
        } else {
            boolean unbound = (batch.flags(index) & DatagramBatch.UNBOUND) != 0;
            if (row > begin) {
                ReportRow.numbers(rows, begin, numbers, gap);
            }
            for (int at = begin; at < row; at += ReportRow.length(rows, at)) {
                if (unbound) {
                    ReportRow.mark(rows, at, ReportRow.UNBOUND);
                }
                engine.report(rows, at);
            }
        }
        forget();
    }

    /** What the number tells; nothing where nothing is known of what is missing. */
    private void readNumbers(Outcome outcome, int all) {
        boolean counts = outcome == Outcome.IN_ORDER || outcome == Outcome.GAP || outcome == Outcome.REORDERED;
        SequenceTracker tracker = sequences.tracker();
        numbers = !counts ? 0 : tracker.counting() == Counting.REPORT ? all : 1;
        gap = outcome == Outcome.GAP ? tracker.gap() : outcome == Outcome.REORDERED ? -1 : 0;
    }

    /** A datagram whose reports are all bad has a number all the same, and was not lost. */
    private boolean readHeader(DatagramBatch batch, int index) {
        if (group.wrap(batch.data(), batch.offset(index), batch.end(index)) != Fault.NONE) {
            return false;
        }
        version = ReportVersion.V2_0;
        node = group.nodeId();
        hwId = group.hwId();
        sequence = group.sequence();
        return true;
    }

    private Outcome number(DatagramBatch batch, int index, int all) {
        long high = batch.sourceHi(index);
        long low = exporterLow(batch, index);
        boolean v6 = batch.v6(index);
        key.exporter(high, low)
                .destination(
                        batch.destinationHi(index),
                        v6 ? batch.destinationLo(index) : ReportRow.mapped(batch.destinationLo(index)),
                        batch.destinationPort(index));
        switch (version) {
            case V0_5 -> key.version05(hwId);
            case V1_0 -> key.version10(node, hwId);
            case V2_0 -> key.version20(node, hwId);
        }
        long time = batch.timeNanos(index);
        boolean unbound = (batch.flags(index) & DatagramBatch.UNBOUND) != 0;
        if (unbound) {
            health.onForeign(node, v6, high, batch.sourceLo(index), time);
        }
        Outcome outcome = sequences.on(key, rules.of(node, high, low), sequence, time, all, batch.checksum(index));
        if (outcome != Outcome.IN_ORDER && !unbound) {
            int gap = sequences.tracker().gap();
            long reporter = node == ReportView.ABSENT ? rules.nodeAt(high, low) : node;
            health.on(reporter, hwId, v6, high, batch.sourceLo(index), bits(version), sequence, gap, outcome, time);
        }
        return outcome;
    }

    private static int bits(ReportVersion version) {
        return version == ReportVersion.V2_0 ? 22 : 32;
    }

    private void look(
            long exporterHigh,
            long exporterLow,
            StreamKey.Version of,
            long nodeId,
            int hwId,
            long lastNanos,
            double perSecond) {
        boolean v6 = !Addresses.isMapped(exporterHigh, exporterLow);
        long low = v6 ? exporterLow : exporterLow & 0xFFFF_FFFFL;
        int bits = of == StreamKey.Version.TR20 ? 22 : 32;
        long node = nodeId == StreamView.NO_NODE ? rules.nodeAt(exporterHigh, exporterLow) : nodeId;
        health.onStream(node, hwId, v6, exporterHigh, low, bits, lastNanos, perSecond, newest);
    }

    private void forget() {
        reports = 0;
        selves = 0;
        count = 0;
        begin = row;
        if (row >= WAITING_BYTES) {
            flush();
        }
    }

    @Override
    public void flush() {
        engine.flush();
        row = 0;
        begin = 0;
    }

    @Override
    public void onUndecodable(Fault fault, DatagramBatch batch, int index) {
        minutes.undecodable(
                batch.v6(index),
                batch.sourceHi(index),
                batch.sourceLo(index),
                batch.timeNanos(index),
                batch.wireLength(index));
        row = begin;
        forget();
    }

    @Override
    public void endBatch() {
        flush();
        engine.endBatch();
    }

    @Override
    public void onPressure(int percent, long ticks) {
        engine.onPressure(percent, ticks);
    }

    @Override
    public void onTick(long nowNanos) {
        settleFrom = sequences.settle(settleFrom, PER_TICK, nowNanos);
        census.step(sequences, minutes, PER_TICK, nowNanos);
        newest = nowNanos;
        lookFrom = sequences.watch(lookFrom, PER_LOOK, watcher);
        health.onTick(nowNanos);
        minutes.onTick(nowNanos);
        flush();
        engine.onTick(nowNanos);
    }

    @Override
    public void end() {
        flush();
        health.end(newest);
        minutes.end();
        sequences.close();
        census.finish(sequences, minutes);
        engine.end();
    }
}
