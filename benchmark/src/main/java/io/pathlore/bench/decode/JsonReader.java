package io.pathlore.bench.decode;

import io.pathlore.model.Fault;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.decode.Exporter;
import io.pathlore.wire.decode.ReportDecoder;
import io.pathlore.wire.decode.ReportSink;
import io.pathlore.wire.decode.ReportView;
import io.pathlore.wire.json.Origin;
import io.pathlore.wire.json.ReportJson;
import java.nio.ByteBuffer;

/** The whole decoder, and its reports as JSON text in memory. Hot path. */
final class JsonReader implements Reader, ReportSink {
    private static final long EXPORTER = 0x0A00_0001;
    private static final long COLLECTOR = 0x0A00_0002;

    private final Columns columns;
    private final ReportDecoder decoder = new ReportDecoder(DecodeOptions.lenient());
    private final Exporter exporter = new Exporter();
    private final ReportJson json = new ReportJson();
    private final Origin origin = new Origin();
    private long frame;

    JsonReader(Columns columns) {
        this.columns = columns;
    }

    @Override
    public Fault read(ByteBuffer buffer, int from, int end) {
        frame++;
        origin.at(frame, 1_790_000_000_000_000_000L + frame).between(false, 0, EXPORTER, 40_000, 0, COLLECTOR, 8555);
        return decoder.decode(buffer, from, end, exporter, this);
    }

    @Override
    public void onReport(ReportView report) {
        json.report(origin, report);
        columns.end(0, 0, 0, 0);
    }

    @Override
    public void onRejected(Fault fault, int offset) {
        // The caller counts.
    }
}
