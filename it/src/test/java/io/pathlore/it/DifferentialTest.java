package io.pathlore.it;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.generate.Marks;
import io.pathlore.testkit.generate.ReportGenerator;
import io.pathlore.testkit.reference.ReferenceDecoder;
import io.pathlore.testkit.reference.ReferenceOptions;
import io.pathlore.wire.DecodeOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest(name = "lenient {0}")
    @ValueSource(booleans = {true, false})
    void agreesWhereEverySettingIsNotTheDefault(boolean lenient) {
        DecodeOptions options = Production.options(lenient, false);
        ReferenceOptions same = Marks.options(lenient, false);
        compare(
                options.withMarks(options.marks().withBeforeTcpOptions(true))
                        .withOuterFlowKey(true)
                        .withLength255Literal(true)
                        .withMaxReports(2),
                same.withBeforeTcpOptions(true)
                        .withOuterFlowKey(true)
                        .withLiteral255(true)
                        .withMaxReports(2),
                new ReportGenerator(false),
                QUICK);
    }

    private static void compare(boolean lenient, boolean june2016, int cases) {
        compare(
                Production.options(lenient, june2016),
                Marks.options(lenient, june2016),
                new ReportGenerator(june2016),
                cases);
    }

    private static void compare(DecodeOptions options, ReferenceOptions same, ReportGenerator generator, int cases) {
        Production production = new Production(options);
        ReferenceDecoder reference = new ReferenceDecoder(same);
        forAll(
                cases,
                random -> random.nextBoolean() ? generator.datagram(random) : generator.mutate(random),
                datagram -> assertThat(Production.comparable(production.decode(datagram)))
                        .isEqualTo(Production.comparable(reference.decode(datagram))));
    }
}
