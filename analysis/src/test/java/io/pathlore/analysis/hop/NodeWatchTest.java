package io.pathlore.analysis.hop;

import static io.pathlore.analysis.Rows.drop;
import static io.pathlore.analysis.Rows.hop;
import static io.pathlore.analysis.Rows.key;
import static io.pathlore.analysis.Rows.stack;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.pathlore.analysis.Host;
import io.pathlore.analysis.Relay;
import io.pathlore.analysis.Rows;
import io.pathlore.analysis.Rows.Hop;
import io.pathlore.analysis.Share;
import io.pathlore.analysis.event.Burst;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Culprit;
import io.pathlore.analysis.event.Event.Details;
import io.pathlore.analysis.event.Event.LinkEnd;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.analysis.path.FlowPaths;
import io.pathlore.analysis.path.Move;
import io.pathlore.analysis.rollup.Arrivals;
import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeWatchTest {
    private static final long MILLI = 1_000_000L;
    private static final long START = 1_700_000_000_000_000_000L;
    private static final int ACL = 80;

    private final List<Event> events = new ArrayList<>();
    private final List<Burst> bursts = new ArrayList<>();
    private final EventSink sink = new EventSink() {
        @Override
        public void on(Event event) {
            events.add(withoutReplay(event));
        }

        @Override
        public void on(Burst burst) {
            bursts.add(burst);
        }
    };
    private final LinkWatch links = new LinkWatch(sink);
    private final NodeWatch nodes = new NodeWatch(1_000, Share.ALL, node -> 0, links::sign, sink);
    private final Host host = new Host(nodes);

    private static Event withoutReplay(Event event) {
        return event.details() instanceof Details.Congestion it
                ? new Event(
                        event.startNanos(),
                        event.endNanos(),
                        event.detectedAtNanos(),
                        new Details.Congestion(
                                it.node(),
                                it.interfaceId(),
                                it.queue(),
                                it.peakOccupancy(),
                                it.culprits(),
                                it.victims()))
                : event;
    }

    private static long ms(long millis) {
        return START + millis * MILLI;
    }

    /** The last word on each event, in the order they were first told. */
    private List<Event> last() {
        List<Event> last = new ArrayList<>();
        for (Event event : events) {
            last.removeIf(earlier -> earlier.id().equals(event.id()));
            last.add(event);
        }
        return last;
    }

    private List<Event> last(Class<? extends Details> kind) {
        return last().stream().filter(event -> kind.isInstance(event.details())).toList();
    }

    // ---- queues

    private static Rows queued(long millis, int flow, long occupancy) {
        return hop(ms(millis), flow, new Hop(3, 1, 2, -1, 0, occupancy));
    }

    private static Event congestion(long start, long end, long found, long peak, List<Culprit> culprits) {
        return new Event(start, end, found, new Details.Congestion(3, 2, 0, peak, culprits, List.of()));
    }

    @Test
    void tellsOfAQueueThatItsNodeCallsCongested() {
        host.on(queued(0, 1, 500).congested(), queued(20, 1, 900).congested()).until(ms(100));
        assertThat(events)
                .containsExactly(congestion(ms(0), Event.OPEN, ms(100), 900, List.of(new Culprit(key(1), 10_000))));
    }

    /** The reports came in another order than the packets left the queue. */
    @Test
    void aQueueThatWasFullCanBeReplayedInTheOrderOfItsNode() {
        Hop hop = new Hop(3, 1, 2, 800, 0, 500);
        host.on(
                        hop(ms(0), 1, hop.at(1_000, 1_800)).congested(),
                        hop(ms(1), 2, hop.at(900, 1_700)).congested(),
                        hop(ms(2), 1, hop.at(2_000, 2_800)).congested())
                .until(ms(700));
        assertThat(bursts).hasSize(1);
        Burst burst = bursts.getFirst();
        assertThat(burst.event().id()).isEqualTo(last().getFirst().id());
        assertThat(burst.flows()).containsExactly(key(1), key(2));
        assertThat(burst.packets())
                .extracting(Burst.Packet::nanos, Burst.Packet::flow)
                .containsExactly(tuple(ms(0) - 100, 1), tuple(ms(0), 0), tuple(ms(0) + 1_000, 0));
        assertThat(burst.seen()).isEqualTo(3);
    }

    /** No bit, and nobody says how much its queues hold: up to 3,000 is usual, below 4,096, so that 65,536 is too much. */
    @Test
    void whereNobodySaysWhatIsTooMuchItIsLearned() {
        host.on(queued(0, 1, 300_000)); // who knows
        for (int i = 1; i < 12_000; i += 5) {
            host.on(queued(i, 1, i % 3_000));
        }
        host.on(queued(12_000, 1, 65_535), queued(12_500, 1, 65_536), queued(12_510, 1, 40))
                .until(ms(13_000));
        assertThat(last())
                .containsExactly(
                        congestion(ms(12_500), ms(12_500), ms(12_600), 65_536, List.of(new Culprit(key(1), 10_000))));
    }

    @Test
    void aQueueThatIsAlwaysEmptyTeachesNothing() {
        for (int i = 0; i < 20_000; i += 5) {
            host.on(queued(i, 1, 0));
        }
        host.on(queued(20_000, 1, 1_000_000)).until(ms(21_000));
        assertThat(events).isEmpty();
    }

    @Test
    void ofALongEpisodeTheFirstPacketsAreKept() {
        for (int i = 0; i < 5_000; i++) {
            host.on(queued(i, i, 500).congested());
        }
        host.until(ms(6_000));
        assertThat(bursts).hasSize(1);
        assertThat(bursts.getFirst().packets()).hasSize(2_048);
        assertThat(bursts.getFirst().seen()).isEqualTo(5_000);
    }

    @Test
    void halfOfTheCapacityIsTheLimitWhereTheNodeNeverSetsTheBit() {
        List<Event> found = new ArrayList<>();
        NodeWatch told = new NodeWatch(100, Share.ALL, node -> node == 3 ? 1_000 : 0, sign -> {}, found::add);
        new Host(told).on(queued(0, 1, 499), queued(1, 1, 500)).until(ms(200));
        assertThat(found).extracting(Event::startNanos).containsExactly(ms(1));
    }

    @Test
    void aQueueThatSaysItIsCalmIsOver() {
        host.on(queued(0, 1, 500).congested(), queued(50, 1, 500).congested(), queued(90, 1, 10))
                .until(ms(400));
        assertThat(last())
                .containsExactly(congestion(ms(0), ms(50), ms(100), 500, List.of(new Culprit(key(1), 10_000))));
    }

    @Test
    void aQueueOfWhichNothingIsHeardIsOverAfterHalfASecond() {
        host.on(queued(0, 1, 500).congested()).until(ms(499));
        assertThat(last()).extracting(Event::endNanos).containsExactly(Event.OPEN);
        host.until(ms(500));
        assertThat(last()).extracting(Event::endNanos).containsExactly(ms(0));
    }

    @Test
    void episodesLessThanATenthOfASecondApartAreOne() {
        host.on(
                queued(0, 1, 500).congested(),
                queued(40, 1, 10),
                queued(99, 1, 500).congested());
        host.on(queued(110, 1, 10), queued(300, 1, 600).congested()).until(ms(2_000));
        assertThat(last()).extracting(Event::startNanos).containsExactly(ms(0), ms(300));
        assertThat(last()).extracting(Event::endNanos).containsExactly(ms(99), ms(300));
    }

    @Test
    void fromTheLeastOccupancyThatWasCalledCongestedOthersAreJudged() {
        host.on(queued(0, 1, 500).congested(), queued(10, 1, 10)).until(ms(1_000));
        Rows stacked = stack(ms(1_000), 2, 1, 3, 5)
                .withHops(List.of(
                        new Hop(1, 99, 3, -1, 0, 900), // never said from where on its queues are congested
                        new Hop(3, 1, 4, -1, 7, 500),
                        new Hop(5, 3, 99, -1, 0, 900)));
        host.on(stacked).until(ms(1_100));
        assertThat(last(Details.Congestion.class)).extracting(Event::identity).containsExactly("3|2|0", "3|4|7");
    }

    @Test
    void longQueuesThatNobodyCallsCongestedAreNoEvent() {
        for (int i = 0; i < 100; i++) {
            host.on(queued(i * 10L, 1, 1_000_000));
        }
        host.until(ms(5_000)).end();
        assertThat(events).isEmpty();
    }

    @Test
    void aNodeSpeaksOnlyOfItsOwnQueueAsCongested() {
        Rows report = stack(ms(0), 1, 1, 3).congested();
        host.on(report.withHops(List.of(new Hop(1, 99, 3, -1, 0, 50), new Hop(3, 1, 99, -1, 0, 60))));
        host.until(ms(100));
        assertThat(events).extracting(Event::identity).containsExactly("3|99|0");
    }

    @Test
    void withoutAQueueThereIsNoCongestion() {
        host.on(hop(ms(0), 1, new Hop(3, 1, 2, -1, -1, 500)).congested());
        host.on(hop(ms(0), 1, new Hop(3, 1, -1, -1, 0, 500)).congested());
        host.until(ms(1_000)).end();
        assertThat(events).isEmpty();
    }

    @Test
    void culpritsHaveAShareOfFivePercentAndVictimsLess() {
        for (int i = 0; i < 100; i++) {
            host.on(queued(0, i < 60 ? 1 : i < 96 ? 2 : 3, 500).congested());
        }
        host.until(ms(100));
        assertThat(events)
                .extracting(Event::details)
                .containsExactly(new Details.Congestion(
                        3,
                        2,
                        0,
                        500,
                        List.of(new Culprit(key(1), 6_000), new Culprit(key(2), 3_600)),
                        List.of(key(3))));
    }

    @Test
    void flowsWithEqualSharesHaveAnOrderOfTheirOwn() {
        host.on(
                queued(0, 2, 500).congested(),
                queued(1, 1, 500).congested(),
                queued(2, 3, 500).congested());
        host.until(ms(100));
        List<Culprit> thirds =
                List.of(new Culprit(key(1), 3_333), new Culprit(key(2), 3_333), new Culprit(key(3), 3_333));
        assertThat(events)
                .extracting(Event::details)
                .containsExactly(new Details.Congestion(3, 2, 0, 500, thirds, List.of()));
    }

    @Test
    void peakThatNobodyToldIsAbsent() {
        host.on(queued(0, 1, -1).congested()).until(ms(100));
        assertThat(events)
                .extracting(Event::details)
                .first()
                .satisfies(details -> assertThat(((Details.Congestion) details).peakOccupancy())
                        .isEqualTo(-1));
    }

    // ---- drops

    @Test
    void dropsLessThanFiveSecondsApartAreOneEvent() {
        host.on(drop(ms(0), 1, 3, ACL), drop(ms(4_000), 2, 3, ACL), drop(ms(8_000), 1, 3, ACL))
                .until(ms(12_999));
        assertThat(last()).extracting(Event::endNanos).containsExactly(Event.OPEN);
        host.until(ms(13_100));
        assertThat(last())
                .extracting(Event::startNanos, Event::endNanos, Event::details)
                .containsExactly(tuple(ms(0), ms(8_000), new Details.Drops(3, ACL, List.of(key(1), key(2)), 3)));
    }

    @Test
    void dropsFurtherApartAreTwoEvents() {
        host.on(drop(ms(0), 1, 3, ACL)).until(ms(5_000));
        host.on(drop(ms(5_001), 1, 3, ACL)).until(ms(20_000));
        assertThat(last()).extracting(Event::startNanos).containsExactly(ms(0), ms(5_001));
    }

    @Test
    void dropsFurtherApartInOneBatchAreTwoEventsToo() {
        host.on(drop(ms(0), 1, 3, ACL), drop(ms(6_000), 1, 3, ACL)).until(ms(20_000));
        assertThat(last())
                .extracting(Event::startNanos, Event::endNanos)
                .containsExactly(tuple(ms(0), ms(0)), tuple(ms(6_000), ms(6_000)));
    }

    @Test
    void eachNodeAndReasonHasItsOwnDrops() {
        host.on(drop(ms(0), 1, 3, ACL), drop(ms(0), 1, 4, ACL), drop(ms(0), 1, 3, ACL + 1))
                .until(ms(100));
        assertThat(events).extracting(Event::identity).containsExactly("3|80", "3|81", "4|80");
    }

    @Test
    void dropsWithoutANodeOrAReasonAreNoEvent() {
        host.on(drop(ms(0), 1, -1, ACL), drop(ms(0), 1, 3, -1)).until(ms(1_000)).end();
        assertThat(events).isEmpty();
    }

    @Test
    void whoCountsDropsIsGivenTimeToCountAgain() {
        host.on(
                        drop(ms(0), 1, 3, ACL).withCount(40),
                        drop(ms(10_000), 1, 3, ACL).withCount(2))
                .until(ms(24_999));
        assertThat(last()).extracting(Event::endNanos).containsExactly(Event.OPEN);
        host.until(ms(25_100));
        assertThat(last()).extracting(Event::details).containsExactly(new Details.Drops(3, ACL, List.of(key(1)), 42));
        assertThat(last()).extracting(Event::endNanos).containsExactly(ms(10_000));
    }

    @Test
    void forgedReportsSayNothing() {
        host.on(drop(ms(0), 1, 3, ACL).withFlags(ReportRow.UNBOUND));
        host.on(queued(0, 1, 500).congested().withFlags(ReportRow.UNBOUND))
                .until(ms(1_000))
                .end();
        assertThat(events).isEmpty();
    }

    // ---- latencies

    /** Of packets through interface 2 of node 3, one every 10 ms. */
    private void latencies(long fromMillis, long toMillis, long latency, long occupancy) {
        for (long at = fromMillis; at < toMillis; at += 10) {
            // Every fifth one differs a little, so that there is a spread.
            host.on(hop(ms(at), 1, new Hop(3, 1, 2, latency + at % 50 * 2, 0, occupancy)));
        }
    }

    @Test
    void tellsOfAHopThatGoesOnBeingSlowerFromTheFirstSlowPacketOn() {
        latencies(0, 3_000, 10_000, 5);
        latencies(3_000, 5_000, 40_000, 5);
        assertThat(events).hasSize(1);
        Event slow = events.getFirst();
        assertThat(slow.startNanos()).isEqualTo(ms(3_000));
        assertThat(slow.endNanos()).isEqualTo(Event.OPEN);
        Details.Latency details = (Details.Latency) slow.details();
        assertThat(details.node()).isEqualTo(3);
        assertThat(details.interfaceId()).isEqualTo(2);
        assertThat(details.queue()).isZero();
        assertThat(details.baselineNanos()).isBetween(10_000L, 10_100L);
        assertThat(details.observedNanos()).isBetween(40_000L, 40_100L);
    }

    @Test
    void aHopThatIsAsFastAsBeforeIsNoLongerSlow() {
        latencies(0, 3_000, 10_000, 5);
        latencies(3_000, 5_000, 40_000, 5);
        latencies(5_000, 7_000, 10_000, 5);
        assertThat(last()).hasSize(1);
        assertThat(last().getFirst().startNanos()).isEqualTo(ms(3_000));
        // A block that began before the hop was fast again may still be slow.
        assertThat(last().getFirst().endNanos()).isBetween(ms(4_490), ms(5_600));
    }

    @Test
    void aQueueExplainsLatency() {
        latencies(0, 3_000, 10_000, 5);
        latencies(3_000, 6_000, 40_000, 500);
        host.end();
        assertThat(last(Details.Latency.class)).isEmpty();
    }

    @Test
    void aFewSlowPacketsAreNoShift() {
        latencies(0, 3_000, 10_000, 5);
        for (long at = 3_000; at < 6_000; at += 10) {
            host.on(hop(ms(at), 1, new Hop(3, 1, 2, at % 30 == 0 ? 10_000 : 40_000, 0, 5)));
        }
        host.end();
        assertThat(events).isEmpty();
    }

    @Test
    void whatIsSlowFromTheStartIsUsual() {
        latencies(0, 10_000, 40_000, 5);
        host.end();
        assertThat(events).isEmpty();
    }

    @Test
    void latenciesNoPacketCanHaveAreIgnoredAndCounted() {
        latencies(0, 3_000, 10_000, 5);
        latencies(3_000, 5_000, 4_000_000_000L, 5);
        host.on(hop(ms(5_000), 1, new Hop(3, 1, 2, -2, 0, 5)));
        host.end();
        assertThat(events).isEmpty();
        assertThat(nodes.implausibleLatencies()).isEqualTo(201);
    }

    @Test
    void absentLatenciesAreNeitherSlowNorCounted() {
        for (long at = 0; at < 3_000; at += 10) {
            host.on(hop(ms(at), 1, new Hop(3, 1, 2, -1, 0, 5)), hop(ms(at), 1, new Hop(3, 1, -1, 9, 0, 5)));
        }
        host.end();
        assertThat(events).isEmpty();
        assertThat(nodes.implausibleLatencies()).isZero();
    }

    // ---- links

    /** The lab's way to have both: ways of flows and what nodes say of them. */
    private Host withPaths() {
        FlowPaths.Rules rules = new FlowPaths.Rules(200 * MILLI, 1_000);
        Relay<Move> moves = new Relay<>(Move.ORDER, move -> {
            move.tell(nodes.moves());
            if (move instanceof Move.Moved moved) {
                links.moved(moved);
            }
        });
        Arrivals arrivals = new Arrivals(10, arrived -> links.newest(arrived.lastNanos()));
        FlowPaths paths = new FlowPaths(rules, (node, reason) -> false, Move.to(moves::add), unused -> {});
        return new Host(arrivals, paths, moves, nodes, links);
    }

    private static List<Rows> flow(int flow, long fromMillis, long toMillis, long... way) {
        List<Rows> rows = new ArrayList<>();
        for (long at = fromMillis; at < toMillis; at += 20) {
            rows.add(stack(ms(at), flow, way));
        }
        return rows;
    }

    @SafeVarargs
    private static List<Rows> merged(List<Rows>... flows) {
        List<Rows> all = new ArrayList<>();
        for (List<Rows> flow : flows) {
            all.addAll(flow);
        }
        all.sort(Comparator.comparingLong(Rows::nanos));
        return all;
    }

    private static Details down(long from, long to) {
        return new Details.LinkDown(new LinkEnd(from, to), new LinkEnd(to, from));
    }

    private static Details up(long from, long to) {
        return new Details.LinkUp(new LinkEnd(from, to), new LinkEnd(to, from));
    }

    /** Two flows lose the link 1-2, which is all they have in common; 5-2 and 2-3 go on being used by another. */
    private static List<Rows> failure() {
        return merged(
                flow(1, 0, 2_000, 1, 2, 3),
                flow(1, 2_000, 9_000, 1, 4, 3),
                flow(2, 0, 2_000, 1, 2, 5),
                flow(2, 2_000, 9_000, 1, 4, 5),
                flow(3, 0, 9_000, 5, 2, 3),
                flow(4, 0, 9_000, 3, 2, 5));
    }

    @Test
    void aLinkThatFlowsHaveLeftAndNobodyUsesIsDown() {
        Host all = withPaths();
        all.on(failure());
        assertThat(events).extracting(Event::details).containsExactly(down(1, 2));
        assertThat(events.getFirst().startNanos()).isEqualTo(ms(2_000));
        assertThat(events.getFirst().endNanos()).isEqualTo(Event.OPEN);
        assertThat(events.getFirst().detectedAtNanos()).isBetween(ms(3_500), ms(7_100));
    }

    @Test
    void aLinkThatIsUsedAgainIsNotDown() {
        Host all = withPaths();
        all.on(merged(failure(), flow(6, 0, 9_000, 1, 2, 3)));
        assertThat(events).isEmpty();
    }

    @Test
    void aLinkIsDownInBothDirectionsWhereBothWereLeft() {
        Host all = withPaths();
        all.on(merged(
                failure(),
                flow(7, 0, 2_000, 3, 2, 1),
                flow(7, 2_000, 9_000, 3, 4, 1),
                flow(8, 0, 2_000, 5, 2, 1),
                flow(8, 2_000, 9_000, 5, 4, 1)));
        assertThat(events).extracting(Event::details).containsExactlyInAnyOrder(down(1, 2), down(2, 1));
    }

    @Test
    void aLinkIsUpWithTheFirstPacketOnItAndThatIsTheEndOfItsBeingDown() {
        Host all = withPaths();
        all.on(failure());
        all.on(merged(
                flow(1, 9_000, 15_000, 1, 2, 3),
                flow(2, 9_000, 15_000, 1, 2, 5),
                flow(3, 9_000, 15_000, 5, 2, 3),
                flow(4, 9_000, 15_000, 3, 2, 5)));
        all.end();
        assertThat(last()).extracting(Event::details).containsExactly(down(1, 2), up(1, 2));
        assertThat(last()).extracting(Event::startNanos).containsExactly(ms(2_000), ms(9_000));
        assertThat(last()).extracting(Event::endNanos).containsExactly(ms(9_000), ms(9_000));
    }

    @Test
    void ofTwoLinksThatWouldBothExplainItOnlyTheOneWhoseSilenceIsStrangerIsDown() {
        Host all = withPaths();
        // One flow leaves 1-2 and 2-3; the second was used by another flow too, which has ended.
        all.on(merged(flow(1, 0, 2_000, 1, 2, 3), flow(1, 2_000, 12_000, 1, 4, 3), flow(2, 10, 2_000, 5, 2, 3)));
        all.end();
        assertThat(last(Details.LinkDown.class)).extracting(Event::details).containsExactly(down(2, 3));
        assertThat(events.getFirst().startNanos()).isEqualTo(ms(2_000));
        assertThat(events.getFirst().detectedAtNanos()).isBetween(ms(7_000), ms(7_200));
    }

    @Test
    void flowsThatStopSendingTakeNoLinkDown() {
        Host all = withPaths();
        all.on(merged(flow(1, 0, 2_000, 1, 2, 3), flow(2, 0, 9_000, 1, 4, 3)));
        all.end();
        assertThat(events).isEmpty();
    }

    /** Interfaces and queues that a node invents are not watched beyond what any node has; those of others are, as ever. */
    @Test
    void aNodeThatInventsPortsAndQueuesTurnsOutNobody() {
        NodeWatch small = new NodeWatch(NodeWatch.PORTS_A_NODE + 100, Share.ALL, node -> 0, sign -> {}, events::add);
        for (int i = 0; i < 10_000; i++) {
            hop(ms(0), 1, new Hop(1, Rows.HOST, 1_000 + i, 5, 0, 900))
                    .congested()
                    .giveTo(small);
            hop(ms(0), 1, new Hop(2, Rows.HOST, 7, 5, i, 900)).congested().giveTo(small);
        }
        hop(ms(0), 2, new Hop(3, Rows.HOST, 2, 5, 0, 900)).congested().giveTo(small);
        small.onWake(ms(100));
        assertThat(small.portsLeft()).isZero();
        assertThat(small.unwatched()).isEqualTo(10_000 - NodeWatch.PORTS_A_NODE);
        assertThat(events.stream().filter(event -> event.nodes().contains(1L))).hasSize(NodeWatch.PORTS_A_NODE);
        assertThat(events.stream().filter(event -> event.nodes().contains(2L))).hasSize(QueueWatch.QUEUES_A_NODE);
        assertThat(events.stream().filter(event -> event.nodes().contains(3L))).hasSize(1);
    }
}
