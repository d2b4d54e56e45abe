package io.pathlore.dataplane.inband;

import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.DecodeOptions.Dscp;
import io.pathlore.wire.DecodeOptions.IntMarks;
import io.pathlore.wire.Domains;
import java.util.List;

/**
 * How the nodes of one INT domain mark packets that carry INT; most values were never assigned and are the operator's choice.
 *
 * @param geneveClass of INT 2.x; earlier versions use {@code oldGeneveClass}
 * @param gpe VXLAN-GPE next protocol of 2.x; {@code oldGpe} of 1.0, 0.5 and June 2016
 * @param beforeTcpOptions INT stands between the fixed TCP header and its options
 */
public record Codepoints(
        int udpPort,
        int dscp,
        long probeMarker,
        int geneveClass,
        int oldGeneveClass,
        int gpe,
        int oldGpe,
        int greEtherType,
        boolean beforeTcpOptions,
        Domains domains) {
    public static final Codepoints DEFAULT = new Codepoints(
            555, 0x17, 0x0123_4567_89AB_CDEFL, 0x0103, 0x00AB, 0x82, 0x08, 0x88B6, false, Domains.DEFAULT);

    /** How a collector, or the next node, finds INT of this domain. */
    public DecodeOptions decodeOptions(boolean june2016) {
        IntMarks marks = new IntMarks(
                List.of(udpPort),
                List.of(new Dscp(dscp, 0x3F)),
                probeMarker,
                List.of(geneveClass, oldGeneveClass),
                List.of(gpe),
                List.of(oldGpe),
                greEtherType,
                beforeTcpOptions,
                june2016);
        return DecodeOptions.strictly().withMarks(marks).withDomains(domains);
    }
}
