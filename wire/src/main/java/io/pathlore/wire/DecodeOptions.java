package io.pathlore.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a decoder must be told because no report says it: how telemetry is marked in the network's packets, how wide
 * domain specific items are, and how forgiving to be.
 *
 * @param strict reject with the named fault instead of keeping what can be decoded
 * @param outerFlowKey the flow is the outermost 5-tuple, not the innermost
 * @param maxReports individual reports, and TLVs, accepted from one datagram
 * @param length255Literal Report Length 255 means 255 words (May 2020), not "to the end of the datagram" (October 2020)
 */
public record DecodeOptions(
        boolean strict,
        boolean outerFlowKey,
        int maxReports,
        boolean length255Literal,
        IntMarks marks,
        Domains domains) {
    public static final int DEFAULT_MAX_REPORTS = 1024;

    public DecodeOptions {
        if (maxReports < 1) {
            throw new IllegalArgumentException("maxReports " + maxReports + " is not positive");
        }
    }

    /** For a collector: keep what can be decoded, look for INT by every mark known from the field. */
    public static DecodeOptions lenient() {
        return new DecodeOptions(false, false, DEFAULT_MAX_REPORTS, false, IntMarks.LENIENT, Domains.DEFAULT);
    }

    /** For conformance tests: every departure is a fault, and INT over TCP/UDP is found only where it is configured. */
    public static DecodeOptions strictly() {
        return new DecodeOptions(true, false, DEFAULT_MAX_REPORTS, false, IntMarks.STRICT, Domains.DEFAULT);
    }

    public DecodeOptions withMarks(IntMarks marks) {
        return new DecodeOptions(strict, outerFlowKey, maxReports, length255Literal, marks, domains);
    }

    public DecodeOptions withDomains(Domains domains) {
        return new DecodeOptions(strict, outerFlowKey, maxReports, length255Literal, marks, domains);
    }

    public DecodeOptions withStrict(boolean strict) {
        return new DecodeOptions(strict, outerFlowKey, maxReports, length255Literal, marks, domains);
    }

    public DecodeOptions withMaxReports(int maxReports) {
        return new DecodeOptions(strict, outerFlowKey, maxReports, length255Literal, marks, domains);
    }

    public DecodeOptions withOuterFlowKey(boolean outerFlowKey) {
        return new DecodeOptions(strict, outerFlowKey, maxReports, length255Literal, marks, domains);
    }

    public DecodeOptions withLength255Literal(boolean length255Literal) {
        return new DecodeOptions(strict, outerFlowKey, maxReports, length255Literal, marks, domains);
    }

    /** A DSCP value under a mask, six bits each. */
    public record Dscp(int value, int mask) {
        public Dscp {
            if (value < 0 || value > 0x3F || mask < 1 || mask > 0x3F || (value & ~mask) != 0) {
                throw new IllegalArgumentException("DSCP " + value + "/" + mask);
            }
        }
    }

    /**
     * How INT is announced in a packet; most codepoints were never assigned and are the operator's choice
     * [INT 2.1 §5.7].
     *
     * @param probeMarker the 64 bits behind the TCP or UDP header, or null
     * @param gpeNew VXLAN-GPE next protocols followed by the shim of INT 2.x; {@code gpeOld} by the shim before that
     * @param greEtherType GRE protocol type, or -1
     * @param beforeTcpOptions INT stands between the fixed TCP header and its options
     * @param june2016 Geneve classes other than 0x0103 and GPE next protocol 0x05 carry INT of June 2016
     */
    public record IntMarks(
            List<Integer> udpPorts,
            List<Dscp> dscp,
            @Nullable Long probeMarker,
            List<Integer> geneveClasses,
            List<Integer> gpeNew,
            List<Integer> gpeOld,
            int greEtherType,
            boolean beforeTcpOptions,
            boolean june2016) {
        public static final int GENEVE_CLASS = 0x0103;
        public static final int GPE_JUNE_2016 = 0x05;
        public static final int NO_ETHERTYPE = -1;

        public static final IntMarks STRICT = new IntMarks(
                List.of(),
                List.of(),
                null,
                List.of(GENEVE_CLASS),
                List.of(0x82, 0x80),
                List.of(0x08),
                NO_ETHERTYPE,
                false,
                false);
        public static final IntMarks LENIENT =
                STRICT.withUdpPorts(List.of(555)).withDscp(List.of(new Dscp(0x17, 0x3F), new Dscp(0x20, 0x3F)));

        public IntMarks {
            udpPorts = List.copyOf(udpPorts);
            dscp = List.copyOf(dscp);
            geneveClasses = List.copyOf(geneveClasses);
            gpeNew = List.copyOf(gpeNew);
            gpeOld = List.copyOf(gpeOld);
        }

        public IntMarks withUdpPorts(List<Integer> udpPorts) {
            return new IntMarks(
                    udpPorts,
                    dscp,
                    probeMarker,
                    geneveClasses,
                    gpeNew,
                    gpeOld,
                    greEtherType,
                    beforeTcpOptions,
                    june2016);
        }

        public IntMarks withDscp(List<Dscp> dscp) {
            return new IntMarks(
                    udpPorts,
                    dscp,
                    probeMarker,
                    geneveClasses,
                    gpeNew,
                    gpeOld,
                    greEtherType,
                    beforeTcpOptions,
                    june2016);
        }

        public IntMarks withProbeMarker(@Nullable Long probeMarker) {
            return new IntMarks(
                    udpPorts,
                    dscp,
                    probeMarker,
                    geneveClasses,
                    gpeNew,
                    gpeOld,
                    greEtherType,
                    beforeTcpOptions,
                    june2016);
        }

        public IntMarks withGreEtherType(int greEtherType) {
            return new IntMarks(
                    udpPorts,
                    dscp,
                    probeMarker,
                    geneveClasses,
                    gpeNew,
                    gpeOld,
                    greEtherType,
                    beforeTcpOptions,
                    june2016);
        }

        public IntMarks withBeforeTcpOptions(boolean beforeTcpOptions) {
            return new IntMarks(
                    udpPorts,
                    dscp,
                    probeMarker,
                    geneveClasses,
                    gpeNew,
                    gpeOld,
                    greEtherType,
                    beforeTcpOptions,
                    june2016);
        }

        public IntMarks withJune2016(List<Integer> geneveClasses) {
            return new IntMarks(
                    udpPorts, dscp, probeMarker, geneveClasses, gpeNew, gpeOld, greEtherType, beforeTcpOptions, true);
        }
    }
}
