package io.pathlore.testkit.generate;

import io.pathlore.testkit.reference.ReferenceOptions;
import io.pathlore.testkit.reference.ReferenceOptions.DscpMark;
import java.util.List;
import java.util.Set;

/** The codepoints generated packets use. A decoder that is to find their INT must be told them. */
public final class Marks {
    public static final int INT_UDP_PORT = 5555;
    public static final int TRANSPARENT_SECURITY_PORT = 555;
    public static final long PROBE_MARKER = 0x0123_4567_89AB_CDEFL;
    public static final int GRE_ETHERTYPE = 0x88B6;
    public static final int GENEVE_CLASS = 0x0103;
    public static final int OTHER_GENEVE_CLASS = 0x00AB;
    static final int DSCP = 0x17;
    static final int GEANT_DSCP = 0x20;

    private Marks() {}

    /** Everything the generators use; {@code june2016} as the generator was told. */
    public static ReferenceOptions options(boolean lenient, boolean june2016) {
        return ReferenceOptions.lenientDefaults()
                .withLenient(lenient)
                .withIntUdpPorts(Set.of(INT_UDP_PORT, TRANSPARENT_SECURITY_PORT))
                .withDscp(List.of(new DscpMark(DSCP, 0x3F), new DscpMark(GEANT_DSCP, 0x3F)))
                .withProbeMarker(PROBE_MARKER)
                .withGreEtherType(GRE_ETHERTYPE)
                .withGeneveClasses(Set.of(GENEVE_CLASS, OTHER_GENEVE_CLASS))
                .withJune2016(june2016);
    }

    static boolean isDscp(int dscp) {
        return dscp == DSCP || dscp == GEANT_DSCP;
    }
}
