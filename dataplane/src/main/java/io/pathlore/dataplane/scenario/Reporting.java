package io.pathlore.dataplane.scenario;

import io.pathlore.dataplane.report.InnerStart;
import io.pathlore.dataplane.report.OwnMetadata;
import io.pathlore.dataplane.report.ReportDestination;
import io.pathlore.dataplane.report.ReportFormat;
import io.pathlore.wire.decode.ReportVersion;

/** How all nodes write their reports; see {@link ReportFormat}. */
public record Reporting(
        ReportVersion version,
        ReportDestination destination,
        int maxFragmentBytes,
        int maxPayloadBytes,
        long coalesceNanos,
        OwnMetadata own,
        InnerStart inner,
        boolean tlv,
        int sourcePort,
        boolean transparentSecurity) {
    public Reporting {
        if (transparentSecurity && version != ReportVersion.V2_0) {
            throw new IllegalArgumentException("the Transparent Security dialect is one of report version 2.0");
        }
    }

    /** The format of one node. */
    public ReportFormat format(long nodeId) {
        ReportFormat format = ReportFormat.of(version, nodeId, destination).withMaxFragmentBytes(maxFragmentBytes);
        if (transparentSecurity) {
            return format.withTransparentSecurity();
        }
        return format.withCoalescing(maxPayloadBytes, coalesceNanos)
                .withOwn(own)
                .withInner(inner, tlv)
                .withSourcePort(sourcePort);
    }

    /** In another version; what that one lacks is left out. */
    public Reporting withVersion(ReportVersion version) {
        boolean v2 = version == ReportVersion.V2_0;
        return new Reporting(
                version,
                destination,
                maxFragmentBytes,
                maxPayloadBytes,
                v2 ? coalesceNanos : 0,
                own == OwnMetadata.DS_EXTENSION && !v2 ? OwnMetadata.MAIN : own,
                version == ReportVersion.V0_5 ? InnerStart.ETHERNET : inner,
                tlv && v2,
                sourcePort,
                transparentSecurity);
    }

    public Reporting withDestination(ReportDestination destination) {
        return new Reporting(
                version,
                destination,
                maxFragmentBytes,
                maxPayloadBytes,
                coalesceNanos,
                own,
                inner,
                tlv,
                sourcePort,
                transparentSecurity);
    }
}
