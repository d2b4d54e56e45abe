package io.pathlore.analysis.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompletionTest {
    /** {@code |} stands for the cursor. */
    private static Completion at(String text) {
        return Completion.at(text.replace("|", ""), text.indexOf('|'), Network.NAMES);
    }

    private static List<String> texts(String text) {
        return at(text).suggestions().stream().map(Completion.Suggestion::text).toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "hop.l|                 ; hop.latency",
                "dropped and HOP.|      ; hop.node,hop.interface,hop.queue,hop.latency,hop.occupancy",
                "(not sr|               ; src",
                "node |                 ; =,!=,<,<=,>,>=,in,like",
                "src |                  ; =,!=,in",
                "latency |              ; =,!=,<,<=,>,>=,in",
                "node l|                ; like",
                "node not |             ; in,like",
                "src not |              ; in",
                "node = le|             ; leaf-3,leaf-4",
                "node = SP|             ; Spine-1",
                "node = r|              ; \"rack 7\"",
                "node = \"ra|           ; \"rack 7\"",
                "path = leaf-3 > s|     ; Spine-1",
                "hop.node in (core, l|  ; leaf-3,leaf-4",
                "hop.node in (core |    ; `,,)`",
                "drop.reason = a|       ; acl_deny",
                "kind = l|              ; loop,latency,link-down,link-up",
                "kind like link|        ; link-down,link-up",
                "severity >= |          ; info,warning,critical",
                "proto = u|             ; udp,udp-lite",
                "dropped = |            ; true,false",
                "hop.latency > 50|      ; 50ns,50us,50ms,50s",
                "hop.latency > 1.5m|    ; 1.5ms",
                "hop.occupancy > 64K|   ; 64KB,64KiB",
                "dropped |              ; and,or",
                "dropped a|             ; and",
                "(dropped |             ; `and,or,)`",
            })
    void suggestsWhatFits(String text, String suggestions) {
        assertThat(String.join(",", texts(text))).isEqualTo(suggestions);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {"nobody = 3 and |", "dropped $|", "src < |", "vni = |", "vni = 5|", "\"dropped|"})
    void suggestsNothingWhereNothingIsKnown(String text) {
        assertThat(texts(text)).isEmpty();
    }

    @Test
    void aFilterBeginsWithAFieldOrABracket() {
        assertThat(texts("|"))
                .hasSize(Field.values().length + 2)
                .startsWith("node")
                .endsWith("not", "(");
    }

    @Test
    void tellsWhatIsReplaced() {
        assertThat(at("dropped and hop.l| > 5")).returns(12, Completion::from).returns(17, Completion::to);
        assertThat(at("node = \"ra|")).returns(7, Completion::from).returns(10, Completion::to);
        assertThat(at("node |")).returns(5, Completion::from).returns(5, Completion::to);
    }

    @Test
    void tellsWhatASuggestionIs() {
        assertThat(at("hop.l|").suggestions())
                .containsExactly(new Completion.Suggestion("hop.latency", Completion.Kind.FIELD, "time in a hop"));
        assertThat(at("node = co|").suggestions())
                .containsExactly(new Completion.Suggestion("core", Completion.Kind.NAME, "201, 202"));
    }

    @Test
    void aLargeInventoryIsNotToldWhole() {
        Map<String, List<Long>> many =
                IntStream.range(0, 1_000).boxed().collect(Collectors.toMap(i -> "leaf-" + i, i -> List.of((long) i)));

        assertThat(Completion.at("node = l", 8, new Names(many, Map.of())).suggestions())
                .hasSize(Completion.MAX_SUGGESTIONS);
    }

    /** What is suggested must be right. */
    @Test
    void everySuggestionParsesInItsPlace() throws FilterException {
        for (Field field : Field.values()) {
            for (String value : texts(field.text() + " = |")) {
                assertThat(Filter.parse(field.text() + " = " + value, Network.NAMES)
                                .fields())
                        .containsExactly(field);
            }
        }
    }
}
