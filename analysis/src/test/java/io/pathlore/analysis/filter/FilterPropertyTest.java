package io.pathlore.analysis.filter;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class FilterPropertyTest {
    private static final EnumSet<Field> ALL = EnumSet.allOf(Field.class);

    /** Pieces that a filter is made of, in an order that mostly makes none. */
    private static final List<String> PIECES = List.of(
            "(",
            ")",
            "{",
            "}",
            "[",
            "]",
            ",",
            "..",
            "=",
            "==",
            "!=",
            "<>",
            "<",
            "<=",
            ">",
            ">=",
            "!",
            "&&",
            "||",
            " and ",
            " or ",
            " not ",
            " in ",
            " like ",
            " ",
            "\n",
            "\"",
            "'",
            "\\",
            "*",
            "%",
            "/",
            ":",
            "::",
            ".",
            "-",
            "0x",
            "1",
            "10",
            "10.0.0.1",
            "10.0.0.0/8",
            "2001:db8::/32",
            "50us",
            "1.5",
            "KB",
            "Mbps",
            "tcp",
            "leaf-3",
            "core",
            "node",
            "src",
            "ip",
            "port",
            "path",
            "hop.latency",
            "dropped",
            "kind",
            "loop",
            "severity",
            "device",
            "02:00:00:00:00:01",
            "flow",
            "63d04c9c1d4df139",
            "drop.reason",
            "error",
            "TR_EMPTY",
            "version",
            "\u00b5s",
            "\u0000",
            "\ud83d",
            "$",
            "#",
            "ä");

    @Test
    void parsesWhatItPrints() {
        forAll(5_000, r -> Expressions.random(r, ALL), expression -> {
            Filter filter = Filter.parse(expression.toString(), Names.NONE);
            assertThat(filter.expression()).isEqualTo(expression);
            assertThat(filter).hasToString(expression.toString());
        });
    }

    @Test
    void anyTextIsAFilterOrHasAPlaceThatIsWrong() {
        forAll(20_000, FilterPropertyTest::text, text -> {
            try {
                Filter filter = Filter.parse(text, Network.NAMES);
                assertThat(Filter.parse(filter.toString(), Network.NAMES)).isEqualTo(filter);
                filter.matches(Facts.none());
            } catch (FilterException e) {
                assertThat(e.start()).isBetween(0, text.length());
                assertThat(e.end()).isBetween(e.start(), text.length());
                assertThat(e.render().lines().count()).isEqualTo(3);
            }
        });
    }

    /** Work, and not time, so that it says the same on every machine. */
    @Test
    void parsingTakesAsManyStepsAsThereAreCharacters() {
        forAll(
                5_000,
                FilterPropertyTest::text,
                text -> assertThat(steps(text)).isLessThanOrEqualTo(2L * text.length() + 2));
        for (String piece : PIECES) {
            String text = piece.repeat(Filter.MAX_LENGTH / piece.length());
            assertThat(steps(text)).isLessThanOrEqualTo(2L * text.length() + 2);
        }
    }

    private static long steps(String text) {
        Parser parser = new Parser(text, Network.NAMES);
        try {
            parser.parse();
        } catch (FilterException e) {
            // as far as it came
        }
        return parser.steps();
    }

    @Test
    void completingNeverThrows() {
        forAll(500, FilterPropertyTest::text, text -> {
            for (int cursor = -1; cursor <= Math.min(text.length(), 64) + 1; cursor++) {
                Completion completion = Completion.at(text, cursor, Network.NAMES);
                assertThat(completion.from()).isBetween(0, completion.to());
                assertThat(completion.to()).isLessThanOrEqualTo(text.length());
            }
        });
    }

    private static String text(RandomGenerator random) {
        StringBuilder text = new StringBuilder();
        if (random.nextInt(4) == 0) {
            text.append(Expressions.random(random, ALL)); // nearly right
        }
        List<String> pieces = new ArrayList<>();
        for (int i = random.nextInt(1, 24); i > 0; i--) {
            pieces.add(PIECES.get(random.nextInt(PIECES.size())));
        }
        text.insert(random.nextInt(text.length() + 1), String.join(random.nextBoolean() ? " " : "", pieces));
        return text.toString();
    }
}
