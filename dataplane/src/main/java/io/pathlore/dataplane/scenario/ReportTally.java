package io.pathlore.dataplane.scenario;

import io.pathlore.model.Fault;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.decode.Exporter;
import io.pathlore.wire.decode.ReportDecoder;
import io.pathlore.wire.decode.ReportSink;
import io.pathlore.wire.decode.ReportView;
import java.nio.ByteBuffer;

/** Reports by what they are about. One may be about several things at once. */
public final class ReportTally implements ReportSink {
    private final ReportDecoder decoder;
    private final Exporter[] exporters;
    private long reports;
    private long tracked;
    private long congested;
    private long dropped;
    private long intermediate;
    private long unreadable;

    ReportTally(DecodeOptions options, int devices) {
        decoder = new ReportDecoder(options.withStrict(false));
        exporters = new Exporter[devices];
        for (int i = 0; i < devices; i++) {
            exporters[i] = new Exporter();
        }
    }

    void datagram(int device, ByteBuffer payload, int from, int end) {
        decoder.decode(payload, from, end, exporters[device], this);
    }

    @Override
    public void onReport(ReportView report) {
        reports++;
        // The Transparent Security dialect has no flags; its drop reports have a form of their own.
        boolean drop = report.dropped() || report.dropOffset() >= 0;
        boolean flagged = drop || report.congested() || report.intermediate();
        tracked += report.tracked() || !flagged ? 1 : 0;
        congested += report.congested() ? 1 : 0;
        dropped += drop ? 1 : 0;
        intermediate += report.intermediate() ? 1 : 0;
    }

    @Override
    public void onRejected(Fault fault, int offset) {
        unreadable++;
    }

    public long reports() {
        return reports;
    }

    public long tracked() {
        return tracked;
    }

    public long congested() {
        return congested;
    }

    public long dropped() {
        return dropped;
    }

    public long intermediate() {
        return intermediate;
    }

    /** Not by our own decoder: a bug. */
    public long unreadable() {
        return unreadable;
    }
}
