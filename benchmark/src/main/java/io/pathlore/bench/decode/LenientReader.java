package io.pathlore.bench.decode;

import io.pathlore.model.Fault;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.decode.Exporter;
import io.pathlore.wire.decode.ReportDecoder;
import io.pathlore.wire.decode.ReportSink;
import io.pathlore.wire.decode.ReportView;
import io.pathlore.wire.inband.HopView;
import io.pathlore.wire.inband.IntHeaderView;
import io.pathlore.wire.net.FlowView;
import io.pathlore.wire.net.PacketView;
import java.nio.ByteBuffer;

/**
 * The whole decoder as a collector uses it: lenient, every datagram tested for version and dialect, from an exporter that
 * was seen before. Hot path.
 */
final class LenientReader implements Reader, ReportSink {
    private final Columns columns;
    private final ReportDecoder decoder = new ReportDecoder(DecodeOptions.lenient());
    private final Exporter exporter = new Exporter();
    private final HopView hop = new HopView();

    LenientReader(Columns columns) {
        this.columns = columns;
    }

    @Override
    public Fault read(ByteBuffer buffer, int from, int end) {
        return decoder.decode(buffer, from, end, exporter, this);
    }

    @Override
    public void onReport(ReportView report) {
        columns.begin(report.hwId() << 22 | (int) report.sequence(), (int) report.nodeId(), report.flags());
        columns.own(report.metadata());
        PacketView packet = report.packet();
        if (packet.ints() > 0) {
            IntHeaderView header = packet.intHeader(0);
            for (boolean more = header.firstHop(hop); more; more = header.nextHop(hop)) {
                columns.hop(hop);
            }
        }
        FlowView flow = packet.flow();
        columns.end(
                (int) flow.sourceLow(),
                (int) flow.destinationLow(),
                flow.sourcePort() << 16 | flow.destinationPort(),
                flow.protocol());
    }

    @Override
    public void onRejected(Fault fault, int offset) {
        // The caller counts.
    }
}
