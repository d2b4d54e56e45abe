package io.pathlore.it.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.pathlore.it.Production;
import io.pathlore.testkit.generate.Marks;
import io.pathlore.testkit.reference.ReferenceDecoder;
import org.junit.jupiter.params.provider.MethodSource;

/** Any datagram: no exception, JSON that parses, and what the reference decoder says. */
class ReportFuzzTest {
    private static final Production STRICT = new Production(Production.options(false, false));
    private static final Production LENIENT = new Production(Production.options(true, false));
    private static final ReferenceDecoder STRICT_REFERENCE = new ReferenceDecoder(Marks.options(false, false));
    private static final ReferenceDecoder LENIENT_REFERENCE = new ReferenceDecoder(Marks.options(true, false));

    @MethodSource("io.pathlore.it.fuzz.Seeds#datagrams")
    @FuzzTest(maxDuration = "10m")
    void decodesAnyDatagram(byte[] datagram) {
        Finding.reporting("datagrams", datagram, () -> {
            agree(STRICT, STRICT_REFERENCE, datagram);
            agree(LENIENT, LENIENT_REFERENCE, datagram);
        });
    }

    private static void agree(Production production, ReferenceDecoder reference, byte[] datagram) {
        assertThat(Production.comparable(production.decode(datagram)))
                .isEqualTo(Production.comparable(reference.decode(datagram)));
    }
}
