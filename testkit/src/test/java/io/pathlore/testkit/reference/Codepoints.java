package io.pathlore.testkit.reference;

import io.pathlore.testkit.reference.ReferenceOptions.DscpMark;
import java.util.List;
import java.util.Set;

/** The codepoints the worked examples were made with [spec-notes 10]. */
final class Codepoints {
    private Codepoints() {}

    static ReferenceOptions strict() {
        return ReferenceOptions.strictDefaults()
                .withIntUdpPorts(Set.of(5555))
                .withDscp(List.of(new DscpMark(0x17, 0x3F)))
                .withGreEtherType(0x88B6)
                .withProbeMarker(0x0123456789ABCDEFL);
    }

    static ReferenceOptions lenient() {
        return ReferenceOptions.lenientDefaults()
                .withIntUdpPorts(Set.of(5555, 555))
                .withGreEtherType(0x88B6)
                .withProbeMarker(0x0123456789ABCDEFL);
    }

    /** D1 and D2: class 0x00AB and GPE value 0x05 as INT of June 2016. */
    static ReferenceOptions june2016(ReferenceOptions options) {
        return options.withJune2016(true).withGeneveClasses(Set.of(0x0103, 0x00AB));
    }

    static ReferenceOptions of(String vector, boolean strict) {
        ReferenceOptions options = strict ? strict() : lenient();
        return vector.equals("D1") || vector.equals("D2") ? june2016(options) : options;
    }
}
