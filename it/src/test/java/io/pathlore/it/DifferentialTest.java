package io.pathlore.it;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.generate.Marks;
import io.pathlore.testkit.generate.ReportGenerator;
import io.pathlore.testkit.reference.ReferenceDecoder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The shipped decoder and the reference decoder, written from the texts without sight of each other, agree on every
 * report, valid, in a dialect, or broken.
 */
class DifferentialTest {
    private static final int QUICK = 12_500;
    private static final int SLOW = 250_000;

    @ParameterizedTest(name = "lenient {0}, June 2016 {1}")
    @CsvSource({"true, false", "false, false", "true, true", "false, true"})
    void agreesWithTheReferenceDecoder(boolean lenient, boolean june2016) {
        compare(lenient, june2016, QUICK);
    }

    @Tag("slow")
    @ParameterizedTest(name = "lenient {0}, June 2016 {1}")
    @CsvSource({"true, false", "false, false", "true, true", "false, true"})
    void agreesWithTheReferenceDecoderOnAMillion(boolean lenient, boolean june2016) {
        compare(lenient, june2016, SLOW);
    }

    private static void compare(boolean lenient, boolean june2016, int cases) {
        Production production = new Production(Production.options(lenient, june2016));
        ReferenceDecoder reference = new ReferenceDecoder(Marks.options(lenient, june2016));
        ReportGenerator generator = new ReportGenerator(june2016);
        forAll(
                cases,
                random -> random.nextBoolean() ? generator.datagram(random) : generator.mutate(random),
                datagram -> assertThat(Production.comparable(production.decode(datagram)))
                        .isEqualTo(Production.comparable(reference.decode(datagram))));
    }
}
