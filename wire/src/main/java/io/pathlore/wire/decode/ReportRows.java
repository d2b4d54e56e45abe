package io.pathlore.wire.decode;

import io.pathlore.model.ReportRow;
import io.pathlore.wire.net.FlowView;
import java.nio.ByteBuffer;

/** From the faithful view of a report to the row that analysis reads. Hot path. */
public final class ReportRows {
    private ReportRows() {}

    /**
     * Writes {@link ReportRow#LENGTH} octets.
     *
     * @param exporterHigh of an IPv6 address, or of an IPv4 one mapped into it, as is {@code exporterLow}
     * @param seed of the flow's hash
     */
    public static void encode(
            ReportView report,
            long receivedNanos,
            long exporterHigh,
            long exporterLow,
            long seed,
            ByteBuffer out,
            int at) {
        int flags = (report.dropped() ? ReportRow.DROPPED : 0)
                | (report.congested() ? ReportRow.CONGESTED : 0)
                | (report.tracked() ? ReportRow.TRACKED : 0)
                | (report.intermediate() ? ReportRow.INTERMEDIATE : 0);
        ReportRow.begin(
                out, at, flags, version(report.version()), receivedNanos, exporterHigh, exporterLow, report.nodeId());
        FlowView flow = report.packet().flow();
        if (flow.known()) {
            boolean icmp = flow.icmpType() != FlowView.ABSENT;
            ReportRow.flow(
                    out,
                    at,
                    flow.v6(),
                    icmp,
                    flow.protocol(),
                    flow.sourceHigh(),
                    flow.sourceLow(),
                    flow.destinationHigh(),
                    flow.destinationLow(),
                    icmp ? flow.icmpType() : flow.sourcePort(),
                    icmp ? flow.icmpCode() : flow.destinationPort(),
                    flow.vni(),
                    seed);
        }
    }

    private static int version(ReportVersion version) {
        return switch (version) {
            case V0_5 -> 5;
            case V1_0 -> 10;
            case V2_0 -> 20;
        };
    }
}
