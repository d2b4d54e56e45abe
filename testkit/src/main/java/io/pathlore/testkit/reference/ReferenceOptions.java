package io.pathlore.testkit.reference;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a decoder must be told [docs/reference/configuration.md, decode].
 *
 * @param lenient keep what can be decoded and warn, else reject by name
 * @param intUdpPorts UDP destination ports that mark INT
 * @param dscp DSCP values that mark INT
 * @param probeMarker 64 bits behind the L4 header that mark INT
 * @param geneveClasses option classes that hold INT
 * @param gpeNew VXLAN-GPE next protocols of the INT 2.x shim
 * @param gpeOld VXLAN-GPE next protocols of the shim before that
 * @param greEtherType GRE protocol type of the INT shim
 * @param beforeTcpOptions INT stands before the TCP options, else behind them
 * @param june2016 GPE next protocol 5 and Geneve classes other than 0x0103 are INT of June 2016
 * @param domains domain specific items by Domain Specific ID
 * @param maxReports cap on individual reports, and on TLVs, of one datagram
 * @param outerFlowKey {@code flow} is the outermost 5-tuple
 * @param profile pinned dialect: {@code spec}, {@code p4-int}, {@code geant}, …; null finds it by rule
 * @param literal255 Report Length 255 means 255 words and not the rest of the datagram
 */
public record ReferenceOptions(
        boolean lenient,
        Set<Integer> intUdpPorts,
        List<DscpMark> dscp,
        @Nullable Long probeMarker,
        Set<Integer> geneveClasses,
        Set<Integer> gpeNew,
        Set<Integer> gpeOld,
        @Nullable Integer greEtherType,
        boolean beforeTcpOptions,
        boolean june2016,
        Map<Integer, List<DomainItem>> domains,
        int maxReports,
        boolean outerFlowKey,
        @Nullable String profile,
        boolean literal255) {

    public static final int TRANSPARENT_SECURITY_DOMAIN = 0x5453;

    /** A packet is marked when {@code (dscp & mask) == value}. */
    public record DscpMark(int value, int mask) {}

    /** One bit of DS Instruction or DSMdBits, bit 0 first. Source-only items are pushed by the first hop alone. */
    public record DomainItem(int bit, int words, boolean sourceOnly, String name) {}

    public ReferenceOptions {
        intUdpPorts = Set.copyOf(intUdpPorts);
        dscp = List.copyOf(dscp);
        geneveClasses = Set.copyOf(geneveClasses);
        gpeNew = Set.copyOf(gpeNew);
        gpeOld = Set.copyOf(gpeOld);
        domains = Map.copyOf(domains);
    }

    /** The defaults of a collector. */
    public static ReferenceOptions lenientDefaults() {
        return new ReferenceOptions(
                true,
                Set.of(555),
                List.of(new DscpMark(0x17, 0x3F), new DscpMark(0x20, 0x3F)),
                null,
                Set.of(0x0103),
                Set.of(0x82, 0x80),
                Set.of(0x08),
                null,
                false,
                false,
                Map.of(TRANSPARENT_SECURITY_DOMAIN, List.of(new DomainItem(0, 2, true, "device"))),
                1024,
                false,
                null,
                false);
    }

    /** The defaults of a conformance test: no port and no DSCP is known to mark INT. */
    public static ReferenceOptions strictDefaults() {
        return lenientDefaults().withLenient(false).withIntUdpPorts(Set.of()).withDscp(List.of());
    }

    /** Rules with an A-number apply: lenient, and not pinned to the specification. */
    boolean quirks() {
        return lenient && !"spec".equals(profile);
    }

    public ReferenceOptions withLenient(boolean value) {
        return new ReferenceOptions(
                value,
                intUdpPorts,
                dscp,
                probeMarker,
                geneveClasses,
                gpeNew,
                gpeOld,
                greEtherType,
                beforeTcpOptions,
                june2016,
                domains,
                maxReports,
                outerFlowKey,
                profile,
                literal255);
    }

    public ReferenceOptions withIntUdpPorts(Set<Integer> value) {
        return new ReferenceOptions(
                lenient,
                value,
                dscp,
                probeMarker,
                geneveClasses,
                gpeNew,
                gpeOld,
                greEtherType,
                beforeTcpOptions,
                june2016,
                domains,
                maxReports,
                outerFlowKey,
                profile,
                literal255);
    }

    public ReferenceOptions withDscp(List<DscpMark> value) {
        return new ReferenceOptions(
                lenient,
                intUdpPorts,
                value,
                probeMarker,
                geneveClasses,
                gpeNew,
                gpeOld,
                greEtherType,
                beforeTcpOptions,
                june2016,
                domains,
                maxReports,
                outerFlowKey,
                profile,
                literal255);
    }

    public ReferenceOptions withProbeMarker(@Nullable Long value) {
        return new ReferenceOptions(
                lenient,
                intUdpPorts,
                dscp,
                value,
                geneveClasses,
                gpeNew,
                gpeOld,
                greEtherType,
                beforeTcpOptions,
                june2016,
                domains,
                maxReports,
                outerFlowKey,
                profile,
                literal255);
    }

    public ReferenceOptions withGeneveClasses(Set<Integer> value) {
        return new ReferenceOptions(
                lenient,
                intUdpPorts,
                dscp,
                probeMarker,
                value,
                gpeNew,
                gpeOld,
                greEtherType,
                beforeTcpOptions,
                june2016,
                domains,
                maxReports,
                outerFlowKey,
                profile,
                literal255);
    }

    public ReferenceOptions withGpe(Set<Integer> newStyle, Set<Integer> oldStyle) {
        return new ReferenceOptions(
                lenient,
                intUdpPorts,
                dscp,
                probeMarker,
                geneveClasses,
                newStyle,
                oldStyle,
                greEtherType,
                beforeTcpOptions,
                june2016,
                domains,
                maxReports,
                outerFlowKey,
                profile,
                literal255);
    }

    public ReferenceOptions withGreEtherType(@Nullable Integer value) {
        return new ReferenceOptions(
                lenient,
                intUdpPorts,
                dscp,
                probeMarker,
                geneveClasses,
                gpeNew,
                gpeOld,
                value,
                beforeTcpOptions,
                june2016,
                domains,
                maxReports,
                outerFlowKey,
                profile,
                literal255);
    }

    public ReferenceOptions withBeforeTcpOptions(boolean value) {
        return new ReferenceOptions(
                lenient,
                intUdpPorts,
                dscp,
                probeMarker,
                geneveClasses,
                gpeNew,
                gpeOld,
                greEtherType,
                value,
                june2016,
                domains,
                maxReports,
                outerFlowKey,
                profile,
                literal255);
    }

    public ReferenceOptions withJune2016(boolean value) {
        return new ReferenceOptions(
                lenient,
                intUdpPorts,
                dscp,
                probeMarker,
                geneveClasses,
                gpeNew,
                gpeOld,
                greEtherType,
                beforeTcpOptions,
                value,
                domains,
                maxReports,
                outerFlowKey,
                profile,
                literal255);
    }

    public ReferenceOptions withDomains(Map<Integer, List<DomainItem>> value) {
        return new ReferenceOptions(
                lenient,
                intUdpPorts,
                dscp,
                probeMarker,
                geneveClasses,
                gpeNew,
                gpeOld,
                greEtherType,
                beforeTcpOptions,
                june2016,
                value,
                maxReports,
                outerFlowKey,
                profile,
                literal255);
    }

    public ReferenceOptions withMaxReports(int value) {
        return new ReferenceOptions(
                lenient,
                intUdpPorts,
                dscp,
                probeMarker,
                geneveClasses,
                gpeNew,
                gpeOld,
                greEtherType,
                beforeTcpOptions,
                june2016,
                domains,
                value,
                outerFlowKey,
                profile,
                literal255);
    }

    public ReferenceOptions withOuterFlowKey(boolean value) {
        return new ReferenceOptions(
                lenient,
                intUdpPorts,
                dscp,
                probeMarker,
                geneveClasses,
                gpeNew,
                gpeOld,
                greEtherType,
                beforeTcpOptions,
                june2016,
                domains,
                maxReports,
                value,
                profile,
                literal255);
    }

    public ReferenceOptions withProfile(@Nullable String value) {
        return new ReferenceOptions(
                lenient,
                intUdpPorts,
                dscp,
                probeMarker,
                geneveClasses,
                gpeNew,
                gpeOld,
                greEtherType,
                beforeTcpOptions,
                june2016,
                domains,
                maxReports,
                outerFlowKey,
                value,
                literal255);
    }

    public ReferenceOptions withLiteral255(boolean value) {
        return new ReferenceOptions(
                lenient,
                intUdpPorts,
                dscp,
                probeMarker,
                geneveClasses,
                gpeNew,
                gpeOld,
                greEtherType,
                beforeTcpOptions,
                june2016,
                domains,
                maxReports,
                outerFlowKey,
                profile,
                value);
    }
}
