package io.pathlore.dataplane.scenario;

import io.pathlore.dataplane.fault.Forgery;
import io.pathlore.dataplane.report.ReportContent;
import io.pathlore.dataplane.report.ReportFormat;
import io.pathlore.dataplane.report.ReportStream;
import java.nio.ByteBuffer;

/** What somebody would send in the name of a node: reports that look like its own, with numbers from elsewhere. */
final class ForgedReport implements Forgery {
    static final int SOURCE_PORT = 40_000;

    private static final int INSTRUCTIONS = 0x7000;
    private static final long FIRST_SEQUENCE = 2_000_000;

    private final ReportStream stream;
    private final ReportContent content = new ReportContent();

    ForgedReport(Reporting reporting, long node) {
        ReportFormat format = ReportFormat.of(reporting.version(), node, reporting.destination());
        stream = new ReportStream(format, FIRST_SEQUENCE);
        content.clear();
        content.tracked = true;
        content.instructions = INSTRUCTIONS;
        content.own.nodeId = node;
    }

    @Override
    public int write(ByteBuffer out, int number, long nowNanos) {
        int[] end = {0};
        content.own.ingressInterface = 1;
        content.own.egressInterface = 2;
        content.own.hopLatency = 1_000L + number;
        content.own.queueId = 0;
        content.own.queueOccupancy = 0;
        stream.add(content, null, nowNanos, (buffer, from, to, port) -> {
            out.put(0, buffer, from, to - from);
            end[0] = to - from;
        });
        stream.flush(ReportStream.NEVER, (buffer, from, to, port) -> {});
        return end[0];
    }
}
