package io.pathlore.analysis.rollup;

import static io.pathlore.analysis.Rows.drop;
import static io.pathlore.analysis.Rows.hop;
import static io.pathlore.analysis.Rows.stack;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.analysis.Host;
import io.pathlore.analysis.Operator;
import io.pathlore.analysis.Relay;
import io.pathlore.analysis.Rows;
import io.pathlore.analysis.Rows.Hop;
import io.pathlore.analysis.Share;
import io.pathlore.analysis.join.PacketJoin;
import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class HopRollupTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;

    /** Ten seconds before a full minute. */
    private static final long START = 1_700_000_030L * SECOND;

    private final List<String> told = new ArrayList<>();
    private final Completeness completeness = new Completeness(100, 100);
    private final Relay<Teller> tellers = new Relay<>(completeness::tells);
    private final HopRollup rollup = new HopRollup(
            1_000, Share.ALL, completeness, new Told(told), teller -> tellers.add(teller.nanos(), teller));
    private final Host host = new Host(new Arrivals(100, rollup::arrived), rollup, tellers);

    private record Told(List<String> told) implements RollupSink {
        @Override
        public void hopSecond(long startNanos, HopWindow window) {
            told.add("second " + seconds(startNanos) + " " + text(window));
        }

        @Override
        public void hopMinute(long startNanos, HopWindow window) {
            told.add("minute " + seconds(startNanos) + " " + text(window));
        }

        @Override
        public void dropSecond(long startNanos, DropWindow window) {
            told.add("drops " + seconds(startNanos) + " " + window.node() + "/" + window.interfaceId() + "/"
                    + window.queue() + " reason " + window.reason() + " reports " + window.reports());
        }

        @Override
        public void linkMinute(long startNanos, LinkWindow window) {
            told.add("link " + seconds(startNanos) + " " + window.link().fromNode() + "-"
                    + window.link().toNode() + " reports " + window.reports()
                    + (window.isMeasuredBothWays() ? " latency " + window.latency() : "")
                    + (window.hasDelays() ? " delay " + window.delay() : "")
                    + (window.hidden() == LinkWindow.UNKNOWN ? "" : " hidden " + window.hidden()));
        }

        @Override
        public void node(NodeSighting node) {
            told.add("node " + node.node() + (node.speaks() ? " speaks" : ""));
        }

        @Override
        public void complete(long untilNanos) {
            told.add("complete " + seconds(untilNanos));
        }

        private static String text(HopWindow window) {
            return window.node() + "/" + window.interfaceId() + "/" + window.queue() + " reports " + window.reports()
                    + " latency " + window.latencyMin() + ".." + window.latencyMax() + " of "
                    + window.latencies().total() + " occupancy " + window.occupancyMax() + " drops " + window.drops()
                    + " complete " + window.completeness();
        }
    }

    private static long seconds(long nanos) {
        assertThat(nanos % SECOND).isZero();
        return (nanos - START) / SECOND;
    }

    private static Rows queued(long millis, long latency, long occupancy) {
        return hop(START + millis * MILLI, 1, new Hop(3, 1, 2, latency, 0, occupancy));
    }

    @Test
    void aSecondIsToldASecondAfterItsEndAndAMinuteIsMadeOfItsSeconds() {
        host.on(queued(100, 500, 7), queued(900, 300, 9), queued(1_100, 800, 8)).until(START + 2_000 * MILLI - 1);
        assertThat(told).isEmpty();
        host.until(START + 2_000 * MILLI);
        assertThat(told)
                .containsExactly("second 0 3/2/0 reports 2 latency 300..500 of 2 occupancy 9 drops -1 complete NaN");
        told.clear();
        host.until(START + 60_000 * MILLI);
        assertThat(told)
                .containsExactly(
                        "second 1 3/2/0 reports 1 latency 800..800 of 1 occupancy 8 drops -1 complete NaN",
                        "minute -50 3/2/0 reports 3 latency 300..800 of 3 occupancy 9 drops -1 complete NaN",
                        "node 3 speaks",
                        "complete 10");
    }

    @Test
    void whatIsAbsentStaysAbsentAndALatencyThatCannotBeIsNone() {
        host.on(
                        hop(START, 1, new Hop(3, 1, 2, -1, -1, -1)),
                        hop(START + 1, 1, new Hop(3, 1, 2, 1_700_000_000_000L, -1, -1)))
                .until(START + 2 * SECOND);
        assertThat(told)
                .containsExactly("second 0 3/2/-1 reports 2 latency -1..-1 of 0 occupancy -1 drops -1 complete NaN");
    }

    /** A node that has told of a drop once would have told of others: from then on none is none. */
    @Test
    void dropsAreCountedByReasonAndNoneIsZeroWhereTheNodeTellsThem() {
        Rows dropped = drop(START, 1, 3, 80);
        host.on(dropped, dropped.at(START + 5), drop(START + 6, 1, 3, 71)).until(START + 2 * SECOND);
        host.on(hop(START + 2 * SECOND, 1, new Hop(3, 1, 2, 10, 0, 1))).until(START + 4 * SECOND);
        assertThat(told)
                .containsExactlyInAnyOrder(
                        "second 0 3/-1/-1 reports 3 latency -1..-1 of 0 occupancy -1 drops 3 complete NaN",
                        "drops 0 3/-1/-1 reason 80 reports 2",
                        "drops 0 3/-1/-1 reason 71 reports 1",
                        "second 2 3/2/0 reports 1 latency 10..10 of 1 occupancy 1 drops 0 complete NaN");
    }

    @Test
    void tellsHowMuchOfTheNumberedReportsArrived() {
        host.on(
                        queued(0, 1, 1).numbered(1, 0),
                        queued(10, 1, 1).numbered(1, 2),
                        queued(20, 1, 1).numbered(1, -1),
                        queued(1_000, 1, 1).numbered(1, 0))
                .until(START + 3 * SECOND);
        assertThat(told)
                .containsExactly(
                        "second 0 3/2/0 reports 3 latency 1..1 of 3 occupancy 1 drops -1 complete 0.75",
                        "second 1 3/2/0 reports 1 latency 1..1 of 1 occupancy 1 drops -1 complete 1.0");
        assertThat(completeness.of(3, START, START + 3 * SECOND)).isEqualTo(0.8);
        assertThat(completeness.of(4, START, START + 3 * SECOND)).isNaN();
    }

    /** Node 2's clock is 5 s ahead. From 1 to 2 it takes 400 ns, back 600: half of both is 500, and the truth is within as much. */
    @Test
    void theLatencyOfALinkIsHalfOfThereAndBackWhateverTheClocksShow() {
        long ahead = 5 * SECOND;
        Rows there = stack(START, 1, 1, 2);
        Rows back = stack(START + MILLI, 2, 2, 1);
        host.on(
                there.withHops(List.of(
                        there.hops().get(0).at(1_000, 2_000),
                        there.hops().get(1).at(ahead + 2_400, ahead + 3_000))),
                back.withHops(List.of(
                        back.hops().get(0).at(ahead + 1_000_000, ahead + 1_000_500),
                        back.hops().get(1).at(1_001_100, 1_002_000))));
        host.end();
        assertThat(told)
                .contains(
                        "link -50 1-2 reports 1 latency 500 delay " + (ahead + 400),
                        "link -50 2-1 reports 1 latency 500 delay " + (600 - ahead));
    }

    @Test
    void withoutTheWayBackTheLatencyOfALinkIsUnknown() {
        Rows there = stack(START, 1, 1, 2);
        host.on(there);
        host.end();
        assertThat(told).contains("link -50 1-2 reports 1").noneMatch(line -> line.contains("latency 0"));
    }

    /** Fabrics exist whose hops are no more than a name each. */
    @Test
    void neighboursAreLinkedThoughNobodyNamesPorts() {
        Rows there = stack(START, 1, 1, 2);
        long none = ReportRow.ABSENT;
        host.on(there.withHops(
                List.of(new Hop(1, none, none, none, none, none), new Hop(2, none, none, none, none, none))));
        host.end();
        assertThat(told).contains("link -50 1-2 reports 1");
    }

    @Test
    void theEndTellsEverythingAndCallsNoMinuteCompleteThatIsNot() {
        host.on(queued(0, 1, 1), queued(31_000, 1, 1));
        host.end();
        assertThat(told).filteredOn(line -> line.startsWith("minute")).hasSize(2);
        assertThat(told).filteredOn(line -> line.startsWith("complete")).containsExactly("complete 10");
    }

    @Test
    void whateverTheTimesEveryReportIsCountedOnce() {
        SplittableRandom random = new SplittableRandom(5);
        long now = START;
        int reports = 2_000;
        for (int i = 0; i < reports; i++) {
            now += random.nextInt(20) == 0 ? random.nextLong(90 * SECOND) : random.nextLong(SECOND);
            host.on(hop(now - random.nextLong(3 * SECOND), 1, new Hop(random.nextInt(3), 1, 2, 100, 0, 1)));
        }
        host.end();
        assertThat(sum("second")).isEqualTo(reports);
        assertThat(sum("minute")).isEqualTo(reports);
        assertThat(told).filteredOn(line -> line.startsWith("minute")).doesNotHaveDuplicates();
        assertThat(rollup.leftOut()).isZero();
    }

    private long sum(String window) {
        return told.stream()
                .filter(line -> line.startsWith(window))
                .mapToLong(line -> Long.parseLong(line.replaceAll(".* reports (\\d+) .*", "$1")))
                .sum();
    }

    // ---- packets that were put together

    private final PacketJoin join = new PacketJoin(200 * MILLI, 1_000, rollup::joined);

    private static List<Rows> cards(long nanos, long print, int flow, long... nodes) {
        return Rows.postcards(nanos, flow, nodes).stream()
                .map(card -> card.withPrint(print))
                .toList();
    }

    private List<String> links() {
        return told.stream().filter(line -> line.startsWith("link")).toList();
    }

    @Test
    void whatLiesBetweenPostcardsIsALink() {
        Host both = new Host(join, rollup);
        Hop out = new Hop(1, Rows.HOST, 2, 5, 0, ReportRow.ABSENT);
        Hop in = new Hop(2, 1, Rows.HOST, 5, 0, ReportRow.ABSENT);
        for (int i = 0; i < 3; i++) {
            long at = START + i * MILLI;
            // The clock of node 2 is 1,000 ahead; the way takes 70.
            both.on(
                    Rows.postcard(at, 1, 1, 63).withPrint(i + 1).withHops(List.of(out.at(100, 200))),
                    Rows.postcard(at, 1, 2, 62).withPrint(i + 1).withHops(List.of(in.at(1_270, 1_300))));
        }
        both.end();
        assertThat(links()).containsExactly("link -50 1-2 reports 3 delay 1070 hidden 0");
    }

    @Test
    void aHopThatNeverSpeaksIsHiddenAndOneThatWasLostIsNot() {
        Host both = new Host(join, rollup);
        for (int i = 1; i <= 10; i++) {
            long at = START + i * MILLI;
            // 5 never speaks; 2 does, but for one packet. Interfaces of node 1 tell the ways apart.
            List<Rows> lossy = cards(at, i, 1, 1, 2, 3);
            both.on(i == 4 ? List.of(lossy.get(0), lossy.get(2)) : lossy);
            List<Rows> hidden = cards(at, 100 + i, 2, 1, 5, 3);
            both.on(hidden.get(0), hidden.get(2));
        }
        both.end();
        assertThat(links())
                .containsExactlyInAnyOrder(
                        "link -50 1-2 reports 9 hidden 0",
                        "link -50 2-3 reports 9 hidden 0",
                        "link -50 1-3 reports 10 hidden 1");
    }

    @Test
    void theHopLimitsOfATraceShowWhoIsNotInIt() {
        Rows trace = Rows.stack(START, 1, 1, 2, 3);
        trace.giveTo(limited(64, 63, 60));
        trace.giveTo(limited(64, 62, 59)); // of packets that differ, the fewest count
        Rows.stack(START, 1, 4, 5).giveTo(rollup);
        rollup.end();
        assertThat(links())
                .containsExactlyInAnyOrder(
                        "link -50 1-2 reports 2 hidden 0", "link -50 2-3 reports 2 hidden 2", "link -50 4-5 reports 1");
    }

    /** As a trace of IOAM tells them. */
    private Operator limited(int... limits) {
        return new Operator() {
            @Override
            public void on(ReportRow report) {
                for (int i = 0; i < limits.length; i++) {
                    ReportRow.hopLimit(report.buffer(), report.offset(), i, limits[i]);
                }
                rollup.on(report);
            }

            @Override
            public long wakeAtNanos() {
                return NEVER;
            }

            @Override
            public void onWake(long nowNanos) {}

            @Override
            public void end() {}
        };
    }

    /** Queues that a node invents take room from itself alone, and what it says of them still counts. */
    @Test
    void aNodeThatInventsQueuesTurnsOutNobody() {
        HopRollup small = new HopRollup(HopRollup.PLACES_A_NODE + 100, new Told(told));
        SplittableRandom random = new SplittableRandom(4);
        for (int i = 0; i < 20_000; i++) {
            hop(START, 1, new Hop(1, Rows.HOST, random.nextInt(1 << 30), 5, random.nextInt(1 << 30), 7))
                    .giveTo(small);
            hop(START, 1, new Hop(2, Rows.HOST, i % 50, 5, 0, 7)).giveTo(small);
        }
        small.end();
        List<String> seconds =
                told.stream().filter(line -> line.startsWith("second")).toList();
        assertThat(seconds.stream().filter(line -> line.contains(" 1/"))).hasSize(HopRollup.PLACES_A_NODE + 1);
        assertThat(seconds)
                .anyMatch(line -> line.contains(" 1/-1/-1 reports " + (20_000 - HopRollup.PLACES_A_NODE) + " "));
        assertThat(seconds.stream().filter(line -> line.contains(" 2/")))
                .hasSize(50)
                .allMatch(line -> line.contains(" reports 400 "));
        assertThat(small.leftOut()).isZero();
    }

    /** However many queues share the places in front of the windows, and however far apart their latencies lie. */
    @Test
    void eachQueueIsAddedUpAsIfItWereAlone() {
        for (int queues : new int[] {3, 60, 400, 20_000}) {
            told.clear();
            HopRollup many = new HopRollup(65_536, new Told(told));
            SplittableRandom random = new SplittableRandom(queues);
            Map<String, long[]> plain = new TreeMap<>();
            long now = START;
            for (int i = 0; i < 60_000; i++) {
                now += random.nextLong(100_000);
                int queue = random.nextInt(queues);
                long latency = random.nextInt(10) == 0 ? random.nextLong(3_000_000_000L) : 400 + random.nextLong(900);
                long occupancy = random.nextLong(1L << 32) - 1;
                hop(now, 1 + random.nextInt(6), new Hop(queue % 7, 1, queue / 7, latency, queue % 3, occupancy))
                        .giveTo(many);
                String key = seconds(now - now % SECOND) + " " + queue % 7 + "/" + queue / 7 + "/" + queue % 3;
                long[] of = plain.computeIfAbsent(key, first -> new long[] {0, Long.MAX_VALUE, -1, -1});
                of[0]++;
                of[1] = Math.min(of[1], latency);
                of[2] = Math.max(of[2], latency);
                of[3] = Math.max(of[3], occupancy);
            }
            many.end();
            assertThat(told.stream().filter(line -> line.startsWith("second")))
                    .containsExactlyInAnyOrderElementsOf(plain.entrySet().stream()
                            .map(each -> "second %s reports %d latency %d..%d of %d occupancy %d drops -1 complete NaN"
                                    .formatted(
                                            each.getKey(),
                                            each.getValue()[0],
                                            each.getValue()[1],
                                            each.getValue()[2],
                                            each.getValue()[0],
                                            each.getValue()[3]))
                            .toList());
            assertThat(many.leftOut()).isZero();
        }
    }

    /** In which everything happens: ways in both directions, clocks, drops, numbers that are missing, postcards with and without who is hidden. */
    private static List<Rows> much(SplittableRandom random) {
        List<Rows> rows = new ArrayList<>();
        long now = START;
        for (int i = 0; i < 9_000; i++) {
            now += random.nextLong(15 * MILLI);
            long first = 1L + random.nextInt(7);
            long second = 1 + (first + random.nextInt(6)) % 7;
            long third = 1 + (second + random.nextInt(6)) % 7;
            int numbers = random.nextInt(3);
            int gap = numbers == 0 ? 0 : random.nextInt(2);
            if (i % 5 == 0) {
                boolean silent = random.nextBoolean();
                List<Rows> cards = cards(now, i, i % 40, first, silent ? 50 + second : second, third);
                rows.addAll(!silent && random.nextInt(9) > 0 ? cards : List.of(cards.get(0), cards.get(2)));
            } else if (i % 7 == 0) {
                rows.add(drop(now, i % 40, first, 80).numbered(numbers, gap));
            } else {
                Rows stack = stack(now, i % 40, first, second, third);
                List<Hop> hops = new ArrayList<>();
                for (Hop hop : stack.hops()) {
                    // Each clock is off by as much as the node's number; from hop to hop it takes 1,600.
                    long in = now + 1_000 * hop.node() + 2_000L * hops.size();
                    hops.add(hop.at(in, in + 400));
                }
                rows.add(stack.withHops(hops).numbered(numbers, gap));
            }
        }
        return rows;
    }

    /** What {@code parts} of the nodes are told to tell, each given what is about its nodes. */
    private static List<List<String>> told(List<Rows> rows, int parts) {
        List<List<String>> all = new ArrayList<>();
        List<HopRollup> rollups = new ArrayList<>();
        List<Operator> operators = new ArrayList<>();
        operators.add(new Arrivals(100, arrived -> rollups.forEach(each -> each.arrived(arrived))));
        operators.add(new PacketJoin(200 * MILLI, 1_000, packet -> rollups.forEach(each -> each.joined(packet))));
        for (int part = 0; part < parts; part++) {
            List<String> told = new ArrayList<>();
            HopRollup rollup = new HopRollup(
                    1_000, new Share(part, parts), new Completeness(100, 100), new Told(told), teller -> {});
            all.add(told);
            rollups.add(rollup);
            operators.add(rollup);
        }
        Host host = new Host(operators.toArray(Operator[]::new));
        host.on(rows);
        host.end();
        return all;
    }

    /** Behind a port there may be a switch that nobody hears of. Which packets of a link are looked at is a matter of those packets. */
    @Test
    void aPortThatLeadsToSeveralIsAsGoodAsOneThatLeadsToOne() {
        List<Rows> all = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(4);
        for (int i = 0; i < 3_000; i++) {
            Rows packet = stack(START + i * MILLI, 1, 1, 2);
            int next = random.nextInt(4, 7);
            all.add(packet.withHops(List.of(
                    new Hop(1, 1, 2, 10, 0, 1).at(1_000, 2_000),
                    new Hop(next, 1, 2, 10, 0, 1).at(2_000 + random.nextInt(5_000), 9_000))));
        }
        List<String> together = told(all, 1).getFirst();
        for (int next = 4; next < 7; next++) {
            long node = next;
            List<Rows> some =
                    all.stream().filter(row -> row.hops().get(1).node() == node).toList();
            String link = "link -50 1-" + next + " ";
            assertThat(together.stream().filter(line -> line.startsWith(link)))
                    .hasSize(1)
                    .containsExactlyElementsOf(told(some, 1).getFirst().stream()
                            .filter(line -> line.startsWith(link))
                            .toList());
        }
    }

    @Test
    void theSharesOfAllPartsAddUpToTheWhole() {
        List<Rows> rows = much(new SplittableRandom(9));
        List<String> whole = told(rows, 1).getFirst();
        assertThat(whole).anyMatch(line -> line.contains("latency") && line.startsWith("link"));
        assertThat(whole).anyMatch(line -> line.contains("hidden 1")).anyMatch(line -> line.contains("complete 0."));
        for (int parts : new int[] {2, 5, 30}) {
            List<List<String>> told = told(rows, parts);
            List<String> complete =
                    whole.stream().filter(line -> line.startsWith("complete")).toList();
            assertThat(told)
                    .as("who has no nodes says as well that it has told everything")
                    .allSatisfy(each -> assertThat(each.stream().filter(line -> line.startsWith("complete")))
                            .containsExactlyElementsOf(complete));
            assertThat(told.stream().flatMap(List::stream).filter(line -> !line.startsWith("complete")))
                    .containsExactlyInAnyOrderElementsOf(whole.stream()
                            .filter(line -> !line.startsWith("complete"))
                            .toList());
        }
    }
}
