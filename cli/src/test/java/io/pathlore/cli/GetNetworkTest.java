package io.pathlore.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.cli.Program.Ended;
import io.pathlore.cli.service.LiveCollector;
import io.pathlore.model.FlowKey;
import io.pathlore.model.LatencyHistogram;
import io.pathlore.store.tables.Row;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Lists and explanations as people read them, of a collector whose tables are filled by hand. */
@Timeout(120)
class GetNetworkTest {
    private static final long ABSENT = Row.ABSENT;
    private static final long SECOND = LiveCollector.SECOND;
    private static final long MINUTE = 60 * SECOND;
    private static final long START = LiveCollector.START;
    private static final FlowKey FLOW = FlowKey.ipv4(0x0A000101, 0x0A000202, 6, 45678, 80);
    private static final FlowKey OTHER = FlowKey.ipv4(0x0A000303, 0x0A000202, 17, 5000, 6000);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path directory;

    @SuppressWarnings("NullAway.Init")
    private static LiveCollector collector;

    @BeforeAll
    static void start() throws Exception {
        Files.writeString(directory.resolve("pathlore.yaml"), """
                inventory:
                  - { node: 1, name: leaf-1 }
                  - { node: 5, name: spine-5 }
                  - { node: 3, name: leaf-3 }
                """);
        collector = new LiveCollector(directory);
        List<Row> rows = new ArrayList<>();
        for (int minute = 1; minute <= 60; minute++) {
            rows.add(hop(true, START - minute * MINUTE, 1, 2, 300, 0));
            rows.add(hop(true, START - minute * MINUTE, 5, 3, 300, 0));
            rows.add(hop(true, START - minute * MINUTE, 3, 4, 300, 0));
        }
        rows.add(hop(false, START, 1, 2, 300, 40));
        rows.add(hop(false, START, 5, 3, 12_287, 90_000));
        rows.add(hop(false, START, 3, 4, 300, 40));
        rows.add(new Row.Node(1, "leaf-1", new Row.Address(false, 0, 0x0A000001L), "2.0", START - MINUTE, START));
        rows.add(new Row.Flow(START, FLOW, 50, 5_000, "p", 13_000, 20_000, 0));
        rows.add(new Row.Flow(START, OTHER, 70, 7_000, null, ABSENT, ABSENT, 3));
        rows.add(new Row.Path("p", List.of(1L, 5L, 3L), true, START));
        rows.add(new Row.Link(START, 1, 2, 5, 1, 50, 700L, 20, ABSENT));
        rows.add(new Row.Link(START, 5, 3, 3, 1, 50, null, ABSENT, ABSENT));
        rows.add(new Row.Drop(START, 5, 3, 0, 71, 12, ABSENT));
        rows.add(new Row.Event("congestion", "c1", START, ABSENT, START, "warning", Double.NaN, 5, 3, 0, null, """
                {"kind":"congestion","id":"c1","start":"2026-11-15T18:00:00.250000000Z","severity":"warning","node":5,\
                "interface":3,"queue":0,"peakOccupancy":90000,"culprits":[{"flow":{"id":"x","source":"10.0.3.3",\
                "destination":"10.0.2.2","protocol":17,"sourcePort":5000,"destinationPort":6000},"share":0.61}]}"""));
        collector.store(START + MINUTE, rows.toArray(Row[]::new));
    }

    @AfterAll
    static void stop() {
        collector.close();
    }

    private static Row.Hop hop(boolean minute, long time, long node, long out, long latency, long occupancy) {
        LatencyHistogram histogram = new LatencyHistogram();
        for (int i = 0; i < 100; i++) {
            histogram.record(latency);
        }
        return new Row.Hop(
                minute,
                time,
                node,
                out,
                0,
                100,
                latency,
                latency,
                latency,
                latency,
                histogram.encode(),
                occupancy,
                ABSENT,
                0,
                0.972);
    }

    private static Ended run(String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--server", collector.url()));
        return Program.run(all.toArray(String[]::new));
    }

    /** Without ages, which change while one looks, and the room they take. */
    private static List<String> table(String... args) {
        Ended ended = run(args);
        assertThat(ended.status()).as(ended.err()).isZero();
        return ended.lines().stream()
                .map(line -> line.replaceAll(" *(2026-11-15 18:0[01]|[0-9.]+ (s|min|h|d) ago) *", " AGE ")
                        .replaceAll("LAST SEEN +", "LAST SEEN ")
                        .stripTrailing())
                .toList();
    }

    // Lists
    // --------------------------------------------------------------------------------------------------------------

    @Test
    void nodesAreAsSlowAsTheirHistogramsTogether() {
        assertThat(table("get", "nodes", "--sort", "p99"))
                .containsExactly(
                        "NODE  NAME     STATE   LAST SEEN REPORTS     P50      P99      MAX  OCCUPANCY  DROPS  COMPLETE  EXPORTER",
                        "   5  spine-5  silent AGE 500  303 ns  12.3 us  12.3 us     90,000      0   97.20 %  -",
                        "   1  leaf-1   silent AGE 500  300 ns   300 ns   300 ns         40      0   97.20 %  10.0.0.1",
                        "   3  leaf-3   silent AGE 500  300 ns   300 ns   300 ns         40      0   97.20 %  -");
    }

    @Test
    void linksHaveBothEndsByName() {
        assertThat(table("get", "links"))
                .containsExactly(
                        "FROM       TO         STATE  REPORTS  LATENCY  ERROR      P99  OCCUPANCY  DROPS  LAST SEEN",
                        "leaf-1/2   spine-5/1  up          50   700 ns  20 ns   300 ns         40      0 AGE",
                        "spine-5/3  leaf-3/1   up          50        ?      ?  12.3 us     90,000      0 AGE");
        assertThat(table("get", "links", "--filter", "hop.node = leaf-3")).hasSize(2);
    }

    @Test
    void flowsComeInTheOrderOfTheServer() {
        String header = "FLOW                               ID                REPORTS  DROPS  LATENCY    WORST  PATH";
        String udp = "10.0.3.3:5000 > 10.0.2.2:6000 udp  8d66a61376ece723       70      3        ?        ?  -";
        String tcp =
                "10.0.1.1:45678 > 10.0.2.2:80 tcp   63d04c9c1d4df139       50      0  13.0 us  20.0 us  leaf-1 > spine-5"
                        + " > leaf-3";
        assertThat(table("get", "flows")).containsExactly(header, udp, tcp);
        assertThat(table("get", "flows", "--sort", "latency")).containsExactly(header, tcp, udp);
        Ended first = run("get", "flows", "--limit", "1", "-o", "csv", "--no-header");
        assertThat(first.lines())
                .containsExactly(
                        "8d66a61376ece723,10.0.3.3,10.0.2.2,17,5000,6000,,2026-11-15T18:00:00.000000000Z,70,7000,"
                                + "3,,,,,2026-11-15T18:01:00.000000000Z");
        assertThat(run("get", "flows", "--limit", "1").err())
                .contains("pathlore: the first 1 flow shown, --limit shows more\n");
        assertThat(run("get", "flows", "--sort", "colour").err())
                .startsWith("pathlore get flows: --sort: there is no 'colour'; there are reports, drops, latency\n");
    }

    @Test
    void pathsDropsAndQueuesAreListed() {
        assertThat(table("get", "paths"))
                .containsExactly(
                        "PATH                       WHOLE  FLOWS  REPORTS  SHARE  OF  IMBALANCE  LAST SEEN",
                        "leaf-1 > spine-5 > leaf-3  yes        1       50  100 %   1       1.00 AGE");
        assertThat(table("get", "drops"))
                .containsExactly(
                        "WHERE      QUEUE  REASON  NAME             CAUSE  REPORTS  PACKETS  LAST SEEN",
                        "spine-5/3      0      71  traffic manager  queue       12        ? AGE");
        assertThat(table("get", "queues", "--sort", "occupancy", "--limit", "1"))
                .containsExactly(
                        "WHERE      QUEUE  REPORTS  OCCUPANCY     P50      P99      MAX  DROPS  EPISODES  CONGESTED",
                        "spine-5/3      0      500     90,000  303 ns  12.3 us  12.3 us      0         1  yes");
        assertThat(run("get", "queues", "-o", "csv", "--filter", "node = leaf-1")
                        .lines())
                .containsExactly(
                        "node,name,interface,queue,reports,occupancy_max,latency_ns_p50,latency_ns_p99,latency_ns_max,"
                                + "utilization_max,drops,episodes,congested,burst,completeness",
                        "1,leaf-1,2,0,500,40,300,300,300,,0,0,false,,0.972");
    }

    @Test
    void whatItIsOfIsSaidWhereItMatters() {
        String err = run("get", "nodes").err();
        assertThat(err)
                .contains("pathlore: 97.20 % of the reports of that time arrived\n")
                .contains("pathlore: this is what was known at 2026-11-15T18:01:00Z, ");
        assertThat(run("get", "nodes", "-o", "json").err()).isEmpty();
        assertThat(run("get", "drops", "--until", "2026-11-15T17:00:00Z").err())
                .contains("pathlore: no drop was reported in that time; --since looks further back\n")
                .doesNotContain("this is what was known");
    }

    /** The server reads them; what it finds wrong is shown like what this program finds wrong. */
    @Test
    void aWrongFilterOrTimeIsMisuse() {
        Ended filter = run("get", "flows", "--filter", "src = 10.0.0.1 and hop.latncy > 5us");
        assertThat(filter.status()).isEqualTo(2);
        assertThat(filter.err()).isEqualTo("""
                pathlore get flows: --filter: unknown field 'hop.latncy'; did you mean 'hop.latency'?
                  src = 10.0.0.1 and hop.latncy > 5us
                                     ^~~~~~~~~~
                Try 'pathlore get flows --help'.
                """);
        Ended time = run("get", "nodes", "--since", "banana");
        assertThat(time.status()).isEqualTo(2);
        assertThat(time.err())
                .startsWith("pathlore get nodes: --since: a time like 5m (before the end) or 2026-11-15T18:00:00Z\n");
        Ended events = run("get", "events", "--since", "1h", "--filter", "severity >= warnig");
        assertThat(events.status()).isEqualTo(2);
        assertThat(events.err()).startsWith("pathlore get events: --filter: ").contains("  severity >= warnig\n");
        assertThat(run("get", "events", "--since", "1h", "--filter", "node = leaf-1")
                        .status())
                .isZero();
        Ended name = run("get", "nodes", "--filter", "node = leaf-9");
        assertThat(name.status()).isEqualTo(2);
        assertThat(name.err()).startsWith("pathlore get nodes: --filter: ").contains("  node = leaf-9\n");
    }

    // Explaining
    // --------------------------------------------------------------------------------------------------------------

    private static final String EXPLANATION = """
            10.0.1.1:45678 > 10.0.2.2:80 tcp  63d04c9c1d4df139
            50 reports of 5,000 packets, 0 dropped, 13.0 us on its way; 2026-11-15T18:00:00Z to 2026-11-15T18:01:00Z

            Node spine-5 adds 95 % of the time, 41x its usual: queue 0 of interface 3 is congested since 18:00:00 by \
            10.0.3.3:5000 > 10.0.2.2:6000 udp (61 %).

            HOP      OUT     TIME    SHARE   USUAL  TIMES      P99      MAX  OCCUPANCY  DROPS
            leaf-1   2     296 ns   2.34 %  296 ns   1.00   300 ns   300 ns         40      0
            spine-5  3    12.0 us  95.31 %  296 ns  40.65  12.3 us  12.3 us     90,000      0
            leaf-3   ?     296 ns   2.34 %  296 ns   1.00   300 ns   300 ns         40      0

            DROPPED AT  REASON              REPORTS OF ALL FLOWS
            spine-5     71 traffic manager                    12

            WHEN                   LASTED  EVENT       WHAT
            2026-11-15T18:00:00Z  goes on  congestion  node 5, interface 3, queue 0, up to 90000, 61 % by \
            10.0.3.3:5000 > 10.0.2.2:6000 udp

            Not known:
            - leaf-3: the interface the flow leaves by is not known, its figures are of all
            - times of hops are those of all packets in these queues, not of this flow alone; the time on links is not in them
            - reports that were lost on their way: completeness is 97.20 %
            """;

    @Test
    void aFlowIsExplainedByItsIdOrItsAddresses() {
        for (String flow : List.of(
                "63d04c9c1d4df139",
                "10.0.1.1:45678 > 10.0.2.2:80",
                "10.0.1.1 -> 10.0.2.2 tcp",
                "10.0.1.1:45678>10.0.2.2:80 tcp")) {
            Ended ended = run("explain", "flow", flow, "--since", "1m");
            assertThat(ended.err()).isEmpty();
            assertThat(ended.out()).isEqualTo(EXPLANATION);
            assertThat(ended.status()).isZero();
        }
        assertThat(run("explain", "flow", "63d04c9c1d4df139", "--since", "1m", "-o", "json")
                        .out())
                .startsWith("{\"verdict\":\"Node spine-5 adds 95 % of the time, 41x its usual: ")
                .contains("\"flow\":{\"id\":\"63d04c9c1d4df139\"");
    }

    @Test
    void aFlowThatIsNotThereIsOneLine() {
        Ended unknown = run("explain", "flow", "10.0.9.9 > 10.0.2.2");
        assertThat(unknown.status()).isEqualTo(1);
        assertThat(unknown.err())
                .isEqualTo(
                        "pathlore: no flow '10.0.9.9 > 10.0.2.2' was stored in that time; --since looks further back, and"
                                + " a flow is stored when its minute is over\n");
        // Understood, by the server too.
        for (String flow : List.of("[2001:db8::1]:80 > [2001:db8::2]:443 tcp", "2001:db8::1 > 2001:db8::2")) {
            assertThat(run("explain", "flow", flow).err()).startsWith("pathlore: no flow '" + flow + "' was stored");
        }
        Ended nobody = run("explain", "flow", "0000000000000000");
        assertThat(nobody.status()).isEqualTo(1);
        assertThat(nobody.err())
                .contains("/api/v1/flows/0000000000000000/explain: 404: no report was stored of a flow");
        Ended nonsense = run("explain", "flow", "the slow one");
        assertThat(nonsense.status()).isEqualTo(2);
        assertThat(nonsense.err())
                .startsWith("pathlore explain flow: 'the slow one' is no flow; 63d04c9c1d4df139 and '10.0.1.1:45678 >"
                        + " 10.0.2.2:80 tcp' are\n");
        assertThat(run("explain", "flow", "x > 10.0.0.1").err())
                .startsWith("pathlore explain flow: 'x' is no address; 10.0.1.1:80 and [2001:db8::1]:80 are\n");
        assertThat(run("explain", "flow", "63d04c9c1d4df139", "--until", "soon").status())
                .isEqualTo(2);
        assertThat(Program.run("explain").out()).startsWith("flow          Why is this flow slow, or losing packets?");
    }
}
