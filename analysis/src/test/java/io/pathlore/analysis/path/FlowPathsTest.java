package io.pathlore.analysis.path;

import static io.pathlore.analysis.Rows.key;
import static io.pathlore.analysis.Rows.postcard;
import static io.pathlore.analysis.Rows.postcards;
import static io.pathlore.analysis.Rows.stack;
import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.pathlore.analysis.Host;
import io.pathlore.analysis.Rows;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Details;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.model.FlowKey;
import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FlowPathsTest {
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;
    private static final long START = 1_700_000_000L * SECOND;
    private static final long WINDOW = 200 * MILLI;
    private static final int TTL_ZERO = 26;

    private record Move(long nanos, List<Link> before, List<Link> after) {}

    private final List<Event> events = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();
    private final List<Move> moves = new ArrayList<>();
    private final FlowPaths paths = paths(1_000, events::add);
    private final Host host = new Host(paths);

    private FlowPaths paths(int flows, EventSink sink) {
        FlowPaths.Moves noted = new FlowPaths.Moves() {
            @Override
            public void seen(Link link) {
                links.add(link);
            }

            @Override
            public void moved(long nanos, FlowKey flow, List<Link> before, List<Link> after) {
                moves.add(new Move(nanos, before, after));
            }
        };
        return new FlowPaths(new FlowPaths.Rules(WINDOW, flows), (node, reason) -> reason == TTL_ZERO, noted, sink);
    }

    private static long ms(long millis) {
        return START + millis * MILLI;
    }

    private static Event change(long start, long found, int flow, List<Long> before, List<Long> after) {
        return new Event(start, start, found, new Details.PathChange(key(flow), before, after));
    }

    private static Event loop(long start, long end, long found, List<Long> path) {
        return new Event(start, end, found, new Details.Loop(key(1), path));
    }

    /** Packets of flow 1, a postcard of each node, every 10 ms. */
    private static List<Rows> packets(long fromMillis, long toMillis, long... nodes) {
        List<Rows> rows = new ArrayList<>();
        for (long at = fromMillis; at < toMillis; at += 10) {
            rows.addAll(postcards(ms(at), 1, nodes));
        }
        return rows;
    }

    // ---- stacks

    @Test
    void firstSightIsNoEvent() {
        host.on(stack(ms(0), 1, 1, 2, 3), stack(ms(10), 2, 1, 4, 3)).until(ms(10_000));
        host.end();
        assertThat(events).isEmpty();
        assertThat(paths.size()).isEqualTo(2);
    }

    @Test
    void tellsAChangeOnceTheWindowIsOver() {
        host.on(stack(ms(0), 1, 1, 2, 3), stack(ms(100), 1, 1, 4, 3), stack(ms(150), 1, 1, 4, 3));
        assertThat(events).isEmpty();
        host.until(ms(1_000));
        assertThat(events).containsExactly(change(ms(100), ms(300), 1, List.of(1L, 2L, 3L), List.of(1L, 4L, 3L)));
        assertThat(moves)
                .containsExactly(new Move(
                        ms(100),
                        List.of(new Link(1, 2, 2, 1), new Link(2, 3, 3, 2), new Link(3, Rows.HOST, -1, -1)),
                        List.of(new Link(1, 4, 4, 1), new Link(4, 3, 3, 4), new Link(3, Rows.HOST, -1, -1))));
    }

    @Test
    void tellsAChangeAndTheChangeBack() {
        host.on(stack(ms(0), 1, 1, 2, 3), stack(ms(100), 1, 1, 4, 3), stack(ms(900), 1, 1, 2, 3));
        host.until(ms(2_000));
        assertThat(events)
                .containsExactly(
                        change(ms(100), ms(300), 1, List.of(1L, 2L, 3L), List.of(1L, 4L, 3L)),
                        change(ms(900), ms(1_100), 1, List.of(1L, 4L, 3L), List.of(1L, 2L, 3L)));
    }

    @Test
    void tellsAChangeThatTheEndCameToo() {
        host.on(stack(ms(0), 1, 1, 2, 3), stack(ms(100), 1, 1, 4, 3)).end();
        assertThat(events).containsExactly(change(ms(100), ms(100), 1, List.of(1L, 2L, 3L), List.of(1L, 4L, 3L)));
    }

    @Test
    void aPacketOfTheFormerWayThatWasOvertakenIsNoChangeBack() {
        host.on(
                stack(ms(0), 1, 1, 2, 3),
                stack(ms(100), 1, 1, 4, 3),
                stack(ms(101), 1, 1, 2, 3),
                stack(ms(102), 1, 1, 4, 3));
        host.until(ms(2_000));
        assertThat(events).containsExactly(change(ms(100), ms(300), 1, List.of(1L, 2L, 3L), List.of(1L, 4L, 3L)));
    }

    @Test
    void onePacketOnAnotherWayIsNoChange() {
        host.on(stack(ms(0), 1, 1, 2, 3), stack(ms(100), 1, 1, 4, 3), stack(ms(110), 1, 1, 2, 3));
        host.until(ms(2_000));
        assertThat(events).isEmpty();
    }

    @Test
    void sprayingPacketByPacketIsNoChange() {
        for (int i = 0; i < 1_000; i++) {
            host.on(stack(ms(10L * i), 1, 1, i % 2 == 0 ? 2 : 4, 3));
        }
        // The last packet may look like a change to whoever does not wait for the next.
        host.until(ms(10_000));
        assertThat(events).isEmpty();
    }

    @Test
    void whatIsNotTheWholeWayIsNoChange() {
        host.on(stack(ms(0), 1, 1, 2, 3));
        Rows other = stack(ms(100), 1, 1, 4, 3);
        Rows unnamed = other.withHops(List.of(
                new Rows.Hop(1, -1, -1, -1, -1, -1),
                new Rows.Hop(-1, -1, -1, -1, -1, -1),
                new Rows.Hop(3, -1, -1, -1, -1, -1)));
        host.on(
                other.withWay(ReportRow.GAPS),
                other.withWay(ReportRow.PARTIAL),
                other.withWay(ReportRow.REPLICA),
                other.withFlags(ReportRow.INTERMEDIATE),
                other.withFlags(ReportRow.UNBOUND),
                other.withFlags(ReportRow.DROPPED),
                other.withoutReporter(),
                unnamed);
        host.until(ms(2_000)).end();
        assertThat(events).isEmpty();
        assertThat(moves).isEmpty();
    }

    @Test
    void showsTheLinksOfAWayItSeesFirst() {
        host.on(stack(ms(0), 1, 1, 2, 3));
        assertThat(links).contains(new Link(1, 2, 2, 1), new Link(2, 3, 3, 2));
    }

    // ---- circles

    @Test
    void tellsOfACircleAtOnceAndWithItsPath() {
        host.on(stack(ms(0), 1, 1, 2, 3), stack(ms(100), 1, 1, 2, 4, 2, 4, 2));
        assertThat(events).containsExactly(loop(ms(100), Event.OPEN, ms(100), List.of(1L, 2L, 4L, 2L)));
    }

    @Test
    void aCircleEndsFiveSecondsAfterItsLastReport() {
        host.on(stack(ms(0), 1, 1, 2, 1), stack(ms(3_000), 1, 1, 2, 1)).until(ms(7_999));
        assertThat(events).hasSize(1);
        host.until(ms(20_000));
        assertThat(events)
                .containsExactly(
                        loop(ms(0), Event.OPEN, ms(0), List.of(1L, 2L, 1L)),
                        loop(ms(0), ms(3_000), ms(0), List.of(1L, 2L, 1L)));
    }

    @Test
    void aSecondCircleIsASecondEvent() {
        host.on(stack(ms(0), 1, 1, 2, 1)).until(ms(6_000));
        host.on(stack(ms(7_000), 1, 1, 2, 1));
        assertThat(events)
                .extracting(Event::startNanos, Event::endNanos)
                .containsExactly(tuple(ms(0), Event.OPEN), tuple(ms(0), ms(0)), tuple(ms(7_000), Event.OPEN));
    }

    @Test
    void aNodeThatSpeaksOfOnePacketWithTwoTtlsHasMetItTwice() {
        host.on(
                postcard(ms(0), 1, 2, 62).withPrint(77),
                postcard(ms(1), 1, 4, 61).withPrint(77));
        assertThat(events).isEmpty();
        host.on(postcard(ms(2), 1, 2, 60).withPrint(77));
        assertThat(events).containsExactly(loop(ms(2), Event.OPEN, ms(2), List.of()));
    }

    @Test
    void twoPacketsOrOneReportedTwiceAreNoCircle() {
        host.on(
                postcard(ms(0), 1, 2, 62).withPrint(77),
                postcard(ms(1), 1, 2, 62).withPrint(77),
                postcard(ms(2), 1, 2, 61).withPrint(78),
                postcard(ms(3), 1, 2, 60)); // without a packet
        assertThat(events).isEmpty();
    }

    @Test
    void packetsWhoseTtlRanOutAreACircleFromTheSecondOn() {
        host.on(Rows.drop(ms(0), 1, 2, TTL_ZERO), Rows.drop(ms(1), 1, 2, TTL_ZERO + 1));
        assertThat(events).isEmpty();
        host.on(Rows.drop(ms(2), 1, 2, TTL_ZERO));
        assertThat(events).containsExactly(loop(ms(2), Event.OPEN, ms(2), List.of()));
    }

    @Test
    void aCircleIsNoChange() {
        host.on(stack(ms(0), 1, 1, 2, 3), stack(ms(100), 1, 1, 2, 4, 2));
        host.on(stack(ms(110), 1, 1, 2, 4)); // left it half way round
        host.on(stack(ms(1_500), 1, 1, 2, 3)).until(ms(2_000));
        assertThat(events).extracting(Event::details).hasOnlyElementsOfType(Details.Loop.class);
    }

    // ---- postcards

    @Test
    void putsPostcardsTogetherAndTellsAChange() {
        host.on(packets(0, 500, 1, 2, 3)).on(packets(500, 1_000, 1, 4, 3)).until(ms(3_000));
        assertThat(events).hasSize(1);
        assertThat(events.getFirst().startNanos()).isEqualTo(ms(500));
        assertThat(events.getFirst().details())
                .isEqualTo(new Details.PathChange(key(1), List.of(1L, 2L, 3L), List.of(1L, 4L, 3L)));
    }

    @Test
    void aLostPostcardIsNoChange() {
        host.on(packets(0, 500, 1, 2, 3));
        for (long at = 500; at < 1_500; at += 10) {
            List<Rows> packet = new ArrayList<>(postcards(ms(at), 1, 1, 2, 3));
            packet.remove((int) (at / 10 % 3));
            host.on(packet);
        }
        host.until(ms(3_000)).end();
        assertThat(events).isEmpty();
    }

    @Test
    void oneMoreNodeThatNobodyContradictsIsNoChange() {
        host.on(postcard(ms(0), 1, 1, 63), postcard(ms(0), 1, 3, 61));
        host.on(packets(100, 500, 1, 2, 3)).until(ms(2_000)).end();
        assertThat(events).isEmpty();
    }

    @Test
    void aShorterWayIsAChange() {
        host.on(packets(0, 500, 1, 2, 4, 3)).on(packets(500, 1_500, 1, 4, 3)).until(ms(4_000));
        assertThat(events)
                .extracting(Event::details)
                .containsExactly(new Details.PathChange(key(1), List.of(1L, 2L, 4L, 3L), List.of(1L, 4L, 3L)));
    }

    @Test
    void aLongerWayIsAChange() {
        host.on(packets(0, 500, 1, 4, 3)).on(packets(500, 1_500, 1, 2, 4, 3)).until(ms(4_000));
        assertThat(events)
                .extracting(Event::details)
                .containsExactly(new Details.PathChange(key(1), List.of(1L, 4L, 3L), List.of(1L, 2L, 4L, 3L)));
    }

    @Test
    void theFormerWayKeepsTheInterfacesItHad() {
        host.on(packets(0, 500, 1, 2, 3)).on(packets(500, 1_000, 1, 4, 3)).until(ms(3_000));
        assertThat(moves).hasSize(1);
        assertThat(moves.getFirst().nanos).isEqualTo(ms(500));
        assertThat(moves.getFirst().before)
                .containsExactly(new Link(1, 2, 2, 1), new Link(2, 3, 3, 2), new Link(3, Rows.HOST, -1, -1));
        assertThat(moves.getFirst().after)
                .containsExactly(new Link(1, 4, 4, 1), new Link(4, 3, 3, 4), new Link(3, Rows.HOST, -1, -1));
    }

    @Test
    void postcardsWithoutATtlSayNothingOfTheWay() {
        for (int i = 0; i < 100; i++) {
            host.on(postcard(ms(10L * i), 1, i, -1));
        }
        host.until(ms(5_000)).end();
        assertThat(events).isEmpty();
    }

    // ---- bounds, orders, hosts

    @Test
    void forgetsFlowsForWhichThereIsNoRoomAndCountsThem() {
        FlowPaths few = paths(10, events::add);
        Host small = new Host(few);
        for (int flow = 0; flow < 25; flow++) {
            small.on(stack(ms(flow), flow, 1, 2, 3));
        }
        assertThat(few.size()).isEqualTo(10);
        assertThat(few.evicted()).isEqualTo(15);
        small.end();
        assertThat(events).isEmpty();
    }

    /** Some flows that change their way now and then, by stacks or by postcards, and what they report. */
    private static List<Rows> traffic(Random random) {
        long[][] ways = {{1, 2, 3}, {1, 4, 3}, {1, 2, 4, 3}, {1, 5, 6, 3}};
        List<Rows> rows = new ArrayList<>();
        for (int flow = 0; flow < 4; flow++) {
            boolean stacks = random.nextBoolean();
            int way = random.nextInt(ways.length);
            long until = 1_000L + random.nextInt(500);
            long step = 5L + random.nextInt(15);
            for (long at = random.nextInt(20); at < 4_500; at += step) {
                if (at > until) {
                    until += 1_500L + random.nextInt(500);
                    way = (way + 1 + random.nextInt(ways.length - 1)) % ways.length;
                }
                long nanos = ms(at) + random.nextInt(1_000);
                rows.addAll(stacks ? List.of(stack(nanos, flow, ways[way])) : postcards(nanos, flow, ways[way]));
            }
        }
        rows.sort(Comparator.comparingLong(Rows::nanos));
        return rows;
    }

    private static List<String> told(List<Event> events) {
        return events.stream().map(event -> event.id() + " " + event).sorted().toList();
    }

    private List<String> run(List<Rows> rows, Random shuffle) {
        List<Event> found = new ArrayList<>();
        Host one = new Host(paths(1_000, found::add));
        List<Rows> block = new ArrayList<>();
        for (Rows row : rows) {
            if (!block.isEmpty() && row.nanos() - block.getFirst().nanos() >= 50 * MILLI) {
                Collections.shuffle(block, shuffle);
                one.together(block);
                block.clear();
            }
            block.add(row);
        }
        one.together(block).until(ms(10_000)).end();
        return told(found);
    }

    @Test
    void saysTheSameInWhateverOrderReportsComeWithinAMoment() {
        forAll(60, random -> random.nextLong(), seed -> {
            List<Rows> rows = traffic(new Random(seed));
            List<String> expected = run(rows, new Random(1));
            assertThat(expected).isNotEmpty();
            assertThat(run(rows, new Random(seed))).isEqualTo(expected);
        });
    }

    @Test
    void saysTheSameHoweverFlowsAreSharedOut() {
        forAll(60, random -> random.nextLong(), seed -> {
            List<Rows> rows = traffic(new Random(seed));
            List<Event> alone = new ArrayList<>();
            Host one = new Host(paths(1_000, alone::add));
            one.on(rows).until(ms(10_000)).end();

            List<Event> shared = new ArrayList<>();
            List<Host> two = List.of(new Host(paths(1_000, shared::add)), new Host(paths(1_000, shared::add)));
            for (Rows row : rows) {
                two.get((row.flow() + (int) (seed & 1)) >> 1 & 1).on(row);
                two.forEach(host -> host.until(row.nanos()));
            }
            two.forEach(host -> host.until(ms(10_000)).end());
            assertThat(told(shared)).isEqualTo(told(alone)).isNotEmpty();
        });
    }
}
