package io.pathlore.engine;

import io.pathlore.model.ReportRow;
import java.nio.ByteBuffer;

/** Makes report rows for tests: flow number {@code n} is UDP from 10.0.0.0 + n. */
final class Rows {
    private static final long SEED = 42;

    private Rows() {}

    static ByteBuffer row(long flow, int flags, long timeNanos) {
        ByteBuffer row = ByteBuffer.allocate(ReportRow.LENGTH);
        write(row, 0, flow, flags, timeNanos);
        return row;
    }

    static void write(ByteBuffer out, int at, long flow, int flags, long timeNanos) {
        ReportRow.begin(out, at, flags, 20, timeNanos, 0, ReportRow.mapped(1), 3);
        ReportRow.flow(out, at, false, false, 17, 0, 0x0A00_0000L + flow, 0, 0x0B00_0001, 1_000, 53, -1, SEED);
    }

    static ByteBuffer withoutFlow(long timeNanos) {
        ByteBuffer row = ByteBuffer.allocate(ReportRow.LENGTH);
        ReportRow.begin(row, 0, 0, 20, timeNanos, 0, ReportRow.mapped(1), 3);
        return row;
    }
}
