package io.pathlore.dataplane.report;

import io.pathlore.wire.decode.ReportVersion;

/**
 * How one subsystem of a node writes its reports to one destination.
 *
 * @param nodeId 32 bits; v0.5 shows it only in reports that have metadata of the node itself
 * @param hwId 6 bits, tells the subsystems of a node apart
 * @param maxFragmentBytes how much of the packet is copied, counted from where the copy starts; 0 copies nothing. In the
 *     Transparent Security dialect the limit is for the whole report, its header included
 * @param maxPayloadBytes no datagram is longer: packets are cut to fit, and so many octets are gathered
 * @param coalesceNanos how long a report may wait for others to share its datagram, 0 for not at all; v2.0 only
 * @param own where the node's own metadata goes when the packet carries a stack
 * @param tlv the packet stands in a TLV (InType 1), v2.0 only
 * @param sourcePort a fixed UDP source port, 0 included, or {@link #ENTROPY}
 * @param transparentSecurity tracked flows are reported as CableLabs' switches do
 */
public record ReportFormat(
        ReportVersion version,
        long nodeId,
        int hwId,
        ReportDestination destination,
        int maxFragmentBytes,
        int maxPayloadBytes,
        long coalesceNanos,
        OwnMetadata own,
        InnerStart inner,
        boolean tlv,
        int sourcePort,
        boolean transparentSecurity) {
    /** The source port is made of the flow's hash, so that reports spread over equal paths [TR 2.0 §3.1]. */
    public static final int ENTROPY = -1;

    public static final int DEFAULT_FRAGMENT_BYTES = 200;
    /** What an Ethernet link carries behind IPv6 and UDP. */
    public static final int DEFAULT_PAYLOAD_BYTES = 1452;

    private static final int MIN_PAYLOAD_BYTES = 128;
    /** What IPv4 can carry behind its header and that of UDP. */
    private static final int MAX_PAYLOAD_BYTES = 65_507;

    public ReportFormat {
        check(nodeId >>> 32 == 0, "node id " + nodeId + " is wider than 32 bits");
        check(hwId >>> 6 == 0, "hw_id " + hwId + " is wider than 6 bits");
        check(maxFragmentBytes >= 0, "a packet cut to " + maxFragmentBytes);
        check(
                maxPayloadBytes >= MIN_PAYLOAD_BYTES && maxPayloadBytes <= MAX_PAYLOAD_BYTES,
                "datagrams of " + maxPayloadBytes);
        check(coalesceNanos >= 0, "reports that wait " + coalesceNanos + " ns");
        check(sourcePort >= ENTROPY && sourcePort <= 0xFFFF, "source port " + sourcePort);
        if (version != ReportVersion.V2_0) {
            check(coalesceNanos == 0, "only v2.0 gathers reports");
            check(!tlv, "only v2.0 has TLVs");
            check(own != OwnMetadata.DS_EXTENSION, "only v2.0 has extension data");
            check(!transparentSecurity, "the Transparent Security dialect is one of v2.0");
        }
        check(version != ReportVersion.V0_5 || inner == InnerStart.ETHERNET, "packets in v0.5 start with Ethernet");
        check(
                !transparentSecurity || !tlv && coalesceNanos == 0 && inner == InnerStart.ETHERNET,
                "the Transparent Security dialect has one Ethernet frame per report and no TLVs");
    }

    private static void check(boolean right, String otherwise) {
        if (!right) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /** One report per datagram, 200 octets of the packet from Ethernet on, own metadata beside the stack. */
    public static ReportFormat of(ReportVersion version, long nodeId, ReportDestination destination) {
        return new ReportFormat(
                version,
                nodeId,
                0,
                destination,
                DEFAULT_FRAGMENT_BYTES,
                DEFAULT_PAYLOAD_BYTES,
                0,
                OwnMetadata.MAIN,
                InnerStart.ETHERNET,
                false,
                ENTROPY,
                false);
    }

    public ReportFormat withHwId(int hwId) {
        return new ReportFormat(
                version,
                nodeId,
                hwId,
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

    public ReportFormat withMaxFragmentBytes(int maxFragmentBytes) {
        return new ReportFormat(
                version,
                nodeId,
                hwId,
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

    public ReportFormat withCoalescing(int maxPayloadBytes, long coalesceNanos) {
        return new ReportFormat(
                version,
                nodeId,
                hwId,
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

    public ReportFormat withOwn(OwnMetadata own) {
        return new ReportFormat(
                version,
                nodeId,
                hwId,
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

    public ReportFormat withInner(InnerStart inner, boolean tlv) {
        return new ReportFormat(
                version,
                nodeId,
                hwId,
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

    public ReportFormat withSourcePort(int sourcePort) {
        return new ReportFormat(
                version,
                nodeId,
                hwId,
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

    /** Source port 0, one Ethernet frame per report: what CableLabs' switches send. */
    public ReportFormat withTransparentSecurity() {
        return new ReportFormat(
                version,
                nodeId,
                hwId,
                destination,
                maxFragmentBytes,
                maxPayloadBytes,
                0,
                OwnMetadata.STACK,
                InnerStart.ETHERNET,
                false,
                0,
                true);
    }
}
