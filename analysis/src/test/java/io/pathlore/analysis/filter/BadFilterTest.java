package io.pathlore.analysis.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot be written, with the place and the reason as a user sees them. */
class BadFilterTest {
    private static FilterException refused(String text) {
        return catchThrowableOfType(FilterException.class, () -> Filter.parse(text, Network.NAMES));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                """
                hop.latncy > 50us
                ^~~~~~~~~~
                unknown field 'hop.latncy'; did you mean 'hop.latency'?""",
                """
                dropped and NODES = 3
                            ^~~~~
                unknown field 'NODES'; did you mean 'node'?""",
                """
                10.0.0.1
                ^~~~~~~~
                unknown field '10.0.0.1'; known: node, exporter, version, dialect, src, dst, ip, sport, dport, port,\
                 proto, vni, flow, path, hop.node, hop.interface, hop.queue, hop.latency, hop.occupancy, latency, dropped,\
                 congested, tracked, drop.reason, device, kind, severity, error""",
                // something is missing
                """
                node
                    ^
                expected an operator: =, !=, <, <=, >, >=, in, like""",
                """
                src 10.0.0.1
                    ^~~~~~~~
                expected an operator: =, !=, in, found '10.0.0.1'""",
                """
                node =
                      ^
                expected a node id or the name of a node""",
                """
                dropped and
                           ^
                expected a field""",
                """
                not
                   ^
                expected a field""",
                """
                dropped congested
                        ^~~~~~~~~
                expected 'and', 'or' or the end, found 'congested'""",
                """
                (dropped
                        ^
                expected 'and', 'or' or ')'""",
                """
                (dropped]
                        ^
                expected 'and', 'or' or ')', found ']'""",
                """
                dropped)
                       ^
                expected 'and', 'or' or the end, found ')'""",
                """
                ()
                 ^
                expected a field, found ')'""",
                """
                port in (80 443)
                            ^~~
                expected ',' or ')', found '443'""",
                """
                port in {80)
                           ^
                expected ',' or '}', found ')'""",
                """
                port in ()
                         ^
                expected a number, found ')'""",
                """
                node not = 3
                         ^
                expected 'in' or 'like' behind 'not', found '='""",
                """
                node = and
                       ^~~
                expected a node id or the name of a node, found 'and'""",
                """
                node = "leaf-3
                       ^
                this quote is not closed""",
                """
                node = $x
                       ^
                nothing begins with this sign""",
                """
                dropped & congested
                        ^
                nothing begins with this sign""",
                // what does not go together
                """
                src < 5
                    ^
                '<' does not fit: src is an address or prefix, like 10.0.0.1 or 10.0.0.0/8, and takes =, !=, in""",
                """
                latency like 5
                        ^~~~
                'like' does not fit: latency is a time, like 50us, and takes =, !=, <, <=, >, >=, in""",
                """
                dropped > 1
                        ^
                '>' does not fit: dropped is true or false, and takes =, !=""",
                """
                dropped = maybe
                          ^~~~~
                'maybe' is not true or false""",
                """
                src = 5
                      ^
                '5' is not an address or prefix, like 10.0.0.1 or 10.0.0.0/8""",
                """
                src in (10.0.0.1, 10.0.0.256)
                                  ^~~~~~~~~~
                '10.0.0.256' is not an address or prefix, like 10.0.0.1 or 10.0.0.0/8""",
                """
                src = 10.0.0.0/33
                      ^~~~~~~~~~~
                '10.0.0.0/33' is not an address or prefix, like 10.0.0.1 or 10.0.0.0/8""",
                """
                src in 10.0.0.9..10.0.0.1
                       ^~~~~~~~~~~~~~~~~~
                the range ends before it begins""",
                """
                src in 10.0.0.9..::1
                       ^~~~~~~~~~~~~
                a range has addresses of one family""",
                """
                src in 10.0.0.0/8..11.0.0.0
                       ^~~~~~~~~~~~~~~~~~~~
                a range goes from one address to another""",
                """
                port in 5..4
                        ^~~~
                the range ends before it begins""",
                """
                kind in loop..drops
                        ^~~~~~~~~~~
                kind has no ranges; it is a word""",
                // numbers
                """
                latency > 10Mbps
                          ^~~~~~
                '10Mbps' is a rate; latency is a time, like 50us""",
                """
                latency > 10KB
                          ^~~~
                '10KB' is an amount; latency is a time, like 50us""",
                """
                vni = 5ms
                      ^~~
                '5ms' is a time; vni is a number""",
                """
                vni = 5 ms
                        ^~
                expected 'and', 'or' or the end, found 'ms'""",
                """
                latency > 5 minutes
                            ^~~~~~~
                expected 'and', 'or' or the end, found 'minutes'""",
                """
                vni = 1.5
                      ^~~
                '1.5' is too large or too fine for vni""",
                """
                latency > 0.5ns
                          ^~~~~
                '0.5ns' is too large or too fine for latency""",
                """
                latency > 9999999999999s
                          ^~~~~~~~~~~~~~
                '9999999999999s' is too large or too fine for latency""",
                """
                latency > 1.2.3
                          ^~~~~
                '1.2.3' is not a time, like 50us""",
                """
                vni = -5
                      ^~
                '-5' is not a number""",
                """
                vni = 0xfg
                      ^~~~
                '0xfg' is not a hexadecimal number of at most 60 bits""",
                """
                vni = 0x
                      ^~
                '0x' is not a number""",
                """
                version = 3.0
                          ^~~
                '3.0' is not a version: 0.5, 1.0 or 2.0""",
                """
                proto = 256
                        ^~~
                '256' is not a protocol, like tcp or 17""",
                """
                proto = tpc
                        ^~~
                'tpc' is not a protocol, like tcp or 17; did you mean 'tcp'?""",
                // names and words
                """
                node = leaf-5
                       ^~~~~~
                'leaf-5' is not a node id or the name of a node; did you mean 'leaf-3'?""",
                """
                node like sleaf-*
                          ^~~~~~~
                no node has a name like 'sleaf-*'""",
                """
                node > core
                       ^~~~
                'core' stands for 2 numbers; write the one you mean""",
                """
                drop.reason = acl_denied
                              ^~~~~~~~~~
                'acl_denied' is not a drop reason, by number or name; did you mean 'acl_deny'?""",
                """
                kind = drop
                       ^~~~
                'drop' is not one of path-change, loop, congestion, latency, drops, link-down, link-up, report-loss,\
                 exporter-restart, exporter-silent, spoof-suspected, attack; did you mean 'drops'?""",
                """
                error = TR20_MD_LENGHT_MISMATCH
                        ^~~~~~~~~~~~~~~~~~~~~~~
                'TR20_MD_LENGHT_MISMATCH' is not one of TR_EMPTY, TR_UNKNOWN_VERSION, TR_TRUNCATED_HEADER, …;\
                 did you mean 'TR20_MD_LENGTH_MISMATCH'?""",
                """
                severity > bad
                           ^~~
                'bad' is not a severity: info, warning or critical""",
                """
                flow = 63d0
                       ^~~~
                '63d0' is not the id of a flow, 16 hex digits""",
                """
                device = 02:00:00
                         ^~~~~~~~
                '02:00:00' is not a MAC address, or NODE/INTERFACE""",
                // paths
                """
                path = 1 > * > 3
                           ^
                '*' is for like""",
                """
                path = 1 >
                          ^
                expected nodes in travel order, like 1 > 2 > 3""",
                """
                path = 1 > core
                           ^~~~
                'core' stands for 2 numbers; write the one you mean""",
                """
                path > 1
                     ^
                '>' does not fit: path is nodes in travel order, like 1 > 2 > 3, and takes =, !=, in, like""",
            })
    void showsThePlaceAndTheReason(String rendered) {
        String text = rendered.lines().findFirst().orElseThrow();

        assertThat(refused(text).render()).isEqualTo(rendered);
    }

    @Test
    void showsOnlyTheLineInQuestion() {
        assertThat(refused("dropped\n\tand node = nobody\nor tracked").render()).isEqualTo("""
                 and node = nobody
                            ^~~~~~
                'nobody' is not a node id or the name of a node""");
    }

    @Test
    void showsAPartOfALongLine() {
        String text = "dropped or ".repeat(30) + "nobody or " + "dropped or ".repeat(30) + "dropped";

        assertThat(refused(text).render()).startsWith("""
                …d or dropped or dropped or dropped or dropped or dropped or nobody or dropped or dropped or dropped …
                                                                             ^~~~~~
                unknown field 'nobody'; known: node,""");
    }

    @Test
    void nothingItShowsCanSteerATerminal() {
        String shown = refused("node = \"\u001b[31m\u0007\"").render();

        assertThat(shown).doesNotContain("\u001b", "\u0007").contains("node = \"?[31m?\"");
    }

    // Caps
    // --------------------------------------------------------------------------------------------------------------

    @Test
    void takesATextOfTheLargestSizeAndNoLonger() throws FilterException {
        String largest = "dropped" + " ".repeat(Filter.MAX_LENGTH - "dropped".length());

        assertThat(Filter.parse(largest, Names.NONE)).hasToString("dropped");
        assertThat(refused(largest + " "))
                .hasMessage("a filter has at most 4096 characters; this one has 4097")
                .returns(4096, FilterException::start);
    }

    @Test
    void takesTheDeepestNestingAndNoDeeper() throws FilterException {
        String deepest = "(".repeat(Filter.MAX_DEPTH) + "dropped" + ")".repeat(Filter.MAX_DEPTH);
        String negated = "not ".repeat(Filter.MAX_DEPTH) + "dropped";

        assertThat(Filter.parse(deepest, Names.NONE)).hasToString("dropped");
        assertThat(Filter.parse(negated, Names.NONE)).hasToString(negated);
        assertThat(refused("(" + deepest + ")"))
                .hasMessage("nested deeper than 64")
                .returns(64, FilterException::start);
        assertThat(refused("not " + negated))
                .hasMessage("nested deeper than 64")
                .returns(256, FilterException::start);
        assertThat(refused("(".repeat(Filter.MAX_LENGTH))).hasMessage("nested deeper than 64");
    }

    @Test
    void takesTheMostTermsAndNoMore() throws FilterException {
        String most = "dropped or ".repeat(Filter.MAX_TERMS - 1) + "dropped";
        String list = "port in (" + "1,".repeat(Filter.MAX_TERMS - 2) + "1)";

        assertThat(Filter.parse(most, Names.NONE).fields()).containsExactly(Field.DROPPED);
        assertThat(Filter.parse(list, Names.NONE).fields()).containsExactly(Field.PORT);
        assertThat(refused(most + " or dropped")).hasMessage("more than 256 comparisons and values");
        assertThat(refused(list.replace("1)", "1,1)"))).hasMessage("more than 256 comparisons and values");
        assertThat(refused("path = \"1" + ">1".repeat(Filter.MAX_TERMS) + "\""))
                .hasMessage("more than 256 comparisons and values");
        assertThat(refused("path = 1" + ">1".repeat(Filter.MAX_TERMS)))
                .hasMessage("more than 256 comparisons and values");
    }

    @Test
    void refusesToAskForWhatIsNotThere() throws FilterException {
        Filter filter = Filter.parse("node = 3 and kind = loop", Names.NONE);
        FilterException refused = catchThrowableOfType(
                FilterException.class, () -> filter.only(EnumSet.of(Field.SRC, Field.NODE), "reports"));

        assertThat(refused.render()).isEqualTo("""
                node = 3 and kind = loop
                             ^~~~
                reports have no 'kind'; they have node, src""");
        assertThat(filter.only(EnumSet.allOf(Field.class), "things")).isSameAs(filter);
        assertThat(Filter.parse("ip = ::1", Names.NONE).only(EnumSet.of(Field.SRC, Field.DST), "flows"))
                .isNotNull();
    }
}
