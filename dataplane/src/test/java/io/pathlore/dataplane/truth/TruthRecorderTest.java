package io.pathlore.dataplane.truth;

import static io.pathlore.dataplane.truth.ReportBytes.hop;
import static io.pathlore.dataplane.truth.ReportBytes.reportBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.dataplane.truth.Fact.AttackSource;
import io.pathlore.dataplane.truth.Fact.LinkEnd;
import io.pathlore.dataplane.truth.Fact.Prefix;
import io.pathlore.dataplane.truth.Fact.Victim;
import io.pathlore.dataplane.truth.ReportBytes.Hop;
import io.pathlore.model.FlowKey;
import io.pathlore.testkit.Property;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.net.PacketEncoder;
import io.pathlore.wire.tr05.FixedHeader;
import io.pathlore.wire.tr10.ReportHeader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class TruthRecorderTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long T = 1_794_765_600L * SECOND;
    private static final long MANAGEMENT = 0x0A00_0000L;
    private static final FlowKey FLOW = FlowKey.ipv4(0x0A00_0101, 0x0A00_0202, 17, 4000, 5000);
    private static final FlowKey OTHER = FlowKey.ipv4(0x0A00_0103, 0x0A00_0202, 17, 4001, 5000);
    private static final FlowKey THIRD = FlowKey.ipv4(0x0A00_0104, 0x0A00_0202, 17, 4002, 5000);
    private static final LinkEnd FROM = new LinkEnd(1, 2);
    private static final LinkEnd TO = new LinkEnd(2, 1);
    private static final long[] BEFORE = {1, 2, 3};
    private static final long[] AFTER = {1, 4, 3};

    private final TruthRecorder recorder = new TruthRecorder(TruthOptions.of(DecodeOptions.lenient()));
    private final int flow = recorder.flow(FLOW);

    TruthRecorderTest() {
        for (long node = 1; node <= 5; node++) {
            recorder.exporter(node, MANAGEMENT + node);
        }
    }

    /** Seconds after the start of the run. */
    private void deliver(double at, long node, ReportBytes report) {
        report.deliver(recorder, time(at), MANAGEMENT + node);
    }

    /** Who never heard of a flow cannot tell that it changed. */
    private void tellOfTheFlow() {
        deliver(0.5, 3, reportBy(3).stack(hop(1, 2), hop(2, 2), hop(3, 2)));
    }

    private static long time(double seconds) {
        return T + Math.round(seconds * SECOND);
    }

    private Fact only() {
        List<Fact> facts = recorder.facts(time(1000));
        assertThat(facts).hasSize(1);
        return facts.getFirst();
    }

    private void assertVisible(Fact fact, double at) {
        assertThat(fact.span().visibleAtNanos()).isEqualTo(time(at));
    }

    private static void assertInvisible(Fact fact) {
        assertThat(fact.span().isVisible()).isFalse();
    }

    @Test
    void aStackOnTheNewWayShowsAPathChange() {
        tellOfTheFlow();
        recorder.rerouted(time(1), flow, BEFORE, AFTER);
        deliver(1.1, 3, reportBy(3).stack(hop(1, 2), hop(2, 2), hop(3, 2)));
        assertInvisible(only());
        deliver(1.2, 3, reportBy(3).flow(OTHER).stack(hop(1, 2), hop(4, 2), hop(3, 2)));
        assertInvisible(only());
        deliver(1.3, 3, reportBy(3).stack(hop(1, 3), hop(4, 2), hop(3, 2)));
        deliver(1.4, 3, reportBy(3).stack(hop(1, 3), hop(4, 2), hop(3, 2)));
        Fact change = only();
        assertVisible(change, 1.3);
        assertThat(change)
                .isEqualTo(new Fact.PathChange(
                        new Span(time(1), time(1), time(1.3)), FLOW, List.of(1L, 2L, 3L), List.of(1L, 4L, 3L)));
    }

    @Test
    void aPostcardOfANewNodeShowsAPathChange() {
        tellOfTheFlow();
        recorder.rerouted(time(1), flow, BEFORE, AFTER);
        deliver(1.1, 1, reportBy(1).postcard(hop(1, 2)));
        deliver(1.2, 4, reportBy(4).flow(OTHER).postcard(hop(4, 2)));
        assertInvisible(only());
        deliver(1.3, 4, reportBy(4).postcard(hop(4, 2)));
        assertVisible(only(), 1.3);
    }

    @Test
    void aShorterWayShowsByItsNewLink() {
        tellOfTheFlow();
        recorder.rerouted(time(1), flow, BEFORE, new long[] {1, 3});
        deliver(1.1, 3, reportBy(3).mtuExceeded().stack(hop(1, 2), hop(3, 2)));
        assertInvisible(only());
        deliver(1.2, 3, reportBy(3).stack(hop(1, 4), hop(3, 2)));
        assertVisible(only(), 1.2);
    }

    @Test
    void aShorterWayShowsByAllPostcardsOfOnePacket() {
        tellOfTheFlow();
        recorder.rerouted(time(1), flow, BEFORE, new long[] {1, 3});
        deliver(1.1, 1, reportBy(1).packet(7, 60).postcard(hop(1, 2)));
        deliver(1.15, 2, reportBy(2).packet(7, 59).postcard(hop(2, 2)));
        deliver(1.2, 3, reportBy(3).packet(7, 58).postcard(hop(3, 2)));
        deliver(1.3, 1, reportBy(1).packet(8, 60).postcard(hop(1, 2)));
        assertInvisible(only());
        deliver(1.4, 3, reportBy(3).packet(8, 59).postcard(hop(3, 2)));
        assertVisible(only(), 1.4);
    }

    @Test
    void aRouteThatComesBackDoesNotShowAnOlderChange() {
        tellOfTheFlow();
        recorder.rerouted(time(1), flow, BEFORE, AFTER);
        recorder.rerouted(time(2), flow, AFTER, BEFORE);
        recorder.rerouted(time(3), flow, BEFORE, AFTER);
        deliver(3.1, 4, reportBy(4).postcard(hop(4, 2)));
        List<Fact> facts = recorder.facts(time(1000));
        assertInvisible(facts.get(0));
        assertInvisible(facts.get(1));
        assertVisible(facts.get(2), 3.1);
    }

    @Test
    void nobodyCanTellThatAFlowChangedWhoNeverHeardOfIt() {
        recorder.rerouted(time(1), flow, BEFORE, AFTER);
        deliver(1.1, 4, reportBy(4).postcard(hop(4, 2)));
        assertInvisible(only());
    }

    @Test
    void aWayNobodySawDoesNotMakeTheFormerOneNew() {
        tellOfTheFlow();
        recorder.rerouted(time(1), flow, BEFORE, AFTER);
        recorder.rerouted(time(2), flow, AFTER, BEFORE);
        deliver(2.1, 2, reportBy(2).postcard(hop(2, 2)));
        recorder.facts(time(3)).forEach(TruthRecorderTest::assertInvisible);
    }

    @Test
    void aLinkIsNotUpAgainForWhoDidNotKnowThatItWasDown() {
        recorder.linkDown(time(1), FROM, TO, new int[] {flow});
        recorder.linkUp(time(2), FROM, TO);
        deliver(2.2, 3, reportBy(3).stack(hop(1, 2), hop(2, 2), hop(3, 2)));
        recorder.facts(time(3)).forEach(TruthRecorderTest::assertInvisible);
    }

    @Test
    void sameWayForNodesThatSpeakIntIsNoChange() {
        recorder.rerouted(time(1), flow, BEFORE, BEFORE.clone());
        assertThat(recorder.facts(time(2))).isEmpty();
    }

    @Test
    void aStackThatNamesANodeTwiceShowsALoop() {
        int loop = recorder.loop(time(1), flow, new long[] {1, 2, 4, 1});
        deliver(1.1, 3, reportBy(3).stack(hop(1, 2), hop(2, 2), hop(3, 2)));
        assertInvisible(only());
        deliver(1.2, 3, reportBy(3).stack(hop(1, 2), hop(2, 2), hop(1, 2), hop(3, 2)));
        recorder.end(time(2), loop);
        assertVisible(only(), 1.2);
        assertThat(only().span().endNanos()).isEqualTo(time(2));
    }

    @Test
    void aDropForItsAgeShowsALoop() {
        recorder.loop(time(1), flow, new long[] {1, 2, 1});
        deliver(1.1, 2, reportBy(2).dropped(80).postcard(hop(2, 0)));
        assertInvisible(only());
        deliver(1.2, 2, reportBy(2).dropped(26).postcard(hop(2, 0)));
        assertVisible(only(), 1.2);
    }

    @Test
    void twoPostcardsOfOnePacketFromOneNodeShowALoop() {
        recorder.loop(time(1), flow, new long[] {1, 2, 1});
        deliver(1.1, 1, reportBy(1).packet(9, 60).postcard(hop(1, 2)));
        deliver(1.2, 1, reportBy(1).packet(9, 60).postcard(hop(1, 2))); // the datagram came twice
        deliver(1.3, 1, reportBy(1).packet(10, 58).postcard(hop(1, 2))); // another packet
        deliver(1.4, 2, reportBy(2).packet(9, 59).postcard(hop(2, 2)));
        assertInvisible(only());
        deliver(1.5, 1, reportBy(1).packet(9, 58).postcard(hop(1, 2)));
        assertVisible(only(), 1.5);
    }

    @Test
    void tellsWhoFilledAQueue() {
        int queue = recorder.queue(2, 3, 1, 1000, 500);
        int other = recorder.flow(OTHER);
        int third = recorder.flow(THIRD);
        recorder.enqueued(time(1), queue, other, 300);
        recorder.enqueued(time(1.1), queue, flow, 680);
        recorder.enqueued(time(1.2), queue, third, 20);
        recorder.enqueued(time(1.3), queue, flow, 1000);
        recorder.dequeued(time(1.4), queue);
        recorder.dequeued(time(1.5), queue);
        recorder.dequeued(time(1.6), queue);
        assertThat(((Fact.Congestion) only()).span().hasEnded()).isFalse();
        recorder.dequeued(time(1.7), queue);
        assertThat(only())
                .isEqualTo(new Fact.Congestion(
                        new Span(time(1.2), time(1.7), Span.ABSENT),
                        2,
                        3,
                        1,
                        2000,
                        2000,
                        List.of(new Fact.Culprit(FLOW, 8400), new Fact.Culprit(OTHER, 1500)),
                        List.of(THIRD)));
    }

    @Test
    void shortPausesDoNotEndACongestion() {
        int queue = recorder.queue(2, 3, 1, 1000, 500);
        recorder.enqueued(time(1), queue, flow, 1000);
        recorder.dequeued(time(1.01), queue);
        recorder.enqueued(time(1.05), queue, flow, 1200);
        recorder.dequeued(time(1.06), queue);
        recorder.enqueued(time(2), queue, flow, 1100);
        List<Fact> facts = recorder.facts(time(3));
        assertThat(facts).hasSize(2);
        assertThat(facts.get(0).span().endNanos()).isEqualTo(time(1.06));
        assertThat(((Fact.Congestion) facts.get(0)).peakOccupancy()).isEqualTo(1200);
        assertThat(facts.get(1).span().startNanos()).isEqualTo(time(2));
    }

    @Test
    void aQueueIsEmptiedOnlyOfWhatWasInIt() {
        int queue = recorder.queue(2, 3, 1, 1000, 500);
        assertThatThrownBy(() -> recorder.dequeued(time(1), queue)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void occupancyInAStackShowsACongestion() {
        congestion();
        deliver(1.1, 3, reportBy(3).stack(hop(1, 2), new Hop(2, 3, 1, 999), hop(3, 2)));
        deliver(1.2, 3, reportBy(3).stack(hop(1, 2), new Hop(2, 4, 1, 1000), hop(3, 2)));
        deliver(1.3, 3, reportBy(3).stack(hop(1, 2), new Hop(2, 3, 2, 1000), hop(3, 2)));
        deliver(1.4, 3, reportBy(3).stack(new Hop(1, 3, 1, 1000), hop(2, 3), hop(3, 2)));
        assertInvisible(only());
        deliver(1.5, 3, reportBy(3).stack(hop(1, 2), new Hop(2, 3, 1, 1000), hop(3, 2)));
        assertVisible(only(), 1.5);
    }

    @Test
    void aQueueReportShowsACongestion() {
        congestion();
        deliver(1.1, 2, reportBy(2).congested().postcard(new Hop(2, 3, 0, 10)));
        assertInvisible(only());
        deliver(1.2, 2, reportBy(2).congested().postcard(new Hop(2, 3, 1, 10)));
        assertVisible(only(), 1.2);
    }

    private void congestion() {
        int queue = recorder.queue(2, 3, 1, 1000, 500);
        recorder.enqueued(time(1), queue, flow, 1000);
    }

    @Test
    void latencyShowsWithTheTwentiethReport() {
        int slow = recorder.slower(time(1), 2, 3, Fact.ABSENT, 700, 90_000);
        for (int i = 1; i <= 19; i++) {
            deliver(1 + i / 100.0, 3, reportBy(3).stack(hop(1, 2), hop(2, 3), hop(3, 2)));
            deliver(1 + i / 100.0, 2, reportBy(2).postcard(hop(2, 4)));
        }
        assertInvisible(only());
        deliver(1.5, 2, reportBy(2).postcard(hop(2, 3)));
        recorder.end(time(2), slow);
        assertThat(only())
                .isEqualTo(new Fact.Latency(new Span(time(1), time(2), time(1.5)), 2, 3, Fact.ABSENT, 700, 90_000));
    }

    @Test
    void aLatencyThatEndedIsNoLongerShown() {
        int slow = recorder.slower(time(1), 2, 3, Fact.ABSENT, 700, 90_000);
        recorder.end(time(1.1), slow);
        for (int i = 0; i < 30; i++) {
            deliver(2, 2, reportBy(2).postcard(hop(2, 3)));
        }
        assertInvisible(only());
    }

    @Test
    void dropsCloseTogetherAreOneFact() {
        recorder.dropped(time(1), 2, 80, flow);
        recorder.dropped(time(5.9), 2, 80, flow);
        recorder.dropped(time(5.9), 2, 81, flow);
        recorder.dropped(time(6), 2, 80, TruthRecorder.NO_FLOW);
        recorder.dropped(time(11), 2, 80, recorder.flow(OTHER));
        List<Fact> facts = recorder.facts(time(12));
        assertThat(facts).hasSize(3);
        assertThat(facts.get(0))
                .isEqualTo(new Fact.Drops(new Span(time(1), time(6), Span.ABSENT), 2, 80, null, List.of(FLOW), 3));
        assertThat(facts.get(2))
                .isEqualTo(
                        new Fact.Drops(new Span(time(11), Span.ABSENT, Span.ABSENT), 2, 80, null, List.of(OTHER), 1));
    }

    @Test
    void aDropReportWithTheReasonShowsDrops() {
        recorder.dropped(time(1), 2, 80, flow);
        deliver(1.1, 1, reportBy(1).dropped(80).postcard(hop(1, 0)));
        deliver(1.2, 2, reportBy(2).dropped(81).postcard(hop(2, 0)));
        deliver(1.3, 2, reportBy(2).postcard(hop(2, 2)));
        assertInvisible(only());
        deliver(1.4, 2, reportBy(2).flow(OTHER).dropped(80).postcard(hop(2, 0)));
        assertVisible(only(), 1.4);
    }

    @Test
    void aFlowThatLeavesAnotherWayShowsALinkDown() {
        tellOfTheFlow();
        recorder.linkDown(time(1), FROM, TO, new int[] {flow});
        deliver(1.1, 1, reportBy(1).flow(OTHER).postcard(hop(1, 3)));
        deliver(1.2, 1, reportBy(1).postcard(hop(1, 2)));
        deliver(1.3, 1, reportBy(1).dropped(80).postcard(hop(1, 0)));
        assertInvisible(only());
        deliver(1.4, 1, reportBy(1).postcard(hop(1, 3)));
        assertThat(only()).isEqualTo(new Fact.LinkDown(new Span(time(1), Span.ABSENT, time(1.4)), FROM, TO));
    }

    @Test
    void aPathChangeOffTheLinkShowsALinkDown() {
        tellOfTheFlow();
        recorder.linkDown(time(1), FROM, TO, new int[0]);
        recorder.rerouted(time(1.5), flow, BEFORE, AFTER);
        deliver(1.6, 4, reportBy(4).postcard(hop(4, 2)));
        for (Fact fact : recorder.facts(time(2))) {
            assertVisible(fact, 1.6);
        }
    }

    @Test
    void aHopThroughTheInterfaceShowsALinkUp() {
        tellOfTheFlow();
        recorder.linkDown(time(1), FROM, TO, new int[] {flow});
        deliver(1.5, 3, reportBy(3).stack(hop(1, 3), hop(4, 2), hop(3, 2)));
        recorder.linkUp(time(2), FROM, TO);
        deliver(2.1, 3, reportBy(3).stack(hop(1, 3), hop(4, 2), hop(3, 2)));
        deliver(2.2, 3, reportBy(3).flow(OTHER).stack(hop(1, 2), hop(2, 2), hop(3, 2)));
        List<Fact> facts = recorder.facts(time(3));
        assertVisible(facts.get(0), 1.5);
        assertThat(facts.get(0).span().endNanos()).isEqualTo(time(2));
        assertThat(facts.get(1)).isEqualTo(new Fact.LinkUp(new Span(time(2), time(2), time(2.2)), FROM, TO));
    }

    @Test
    void theNextNumberOfTheStreamShowsALoss() {
        recorder.reportLost(time(1), 2, 1, 0x3F_FFFF);
        deliver(1.1, 2, reportBy(2).stream(1, 0x3F_FFFE).postcard(hop(2, 2))); // overtaken, not after the gap
        deliver(1.2, 2, reportBy(2).stream(0, 0).postcard(hop(2, 2)));
        deliver(1.3, 3, reportBy(3).stream(1, 0).postcard(hop(3, 2)));
        assertInvisible(only());
        recorder.reportLost(time(1.35), 2, 1, 0);
        deliver(1.4, 2, reportBy(2).stream(1, 1).postcard(hop(2, 2)));
        assertThat(only()).isEqualTo(new Fact.ReportLoss(new Span(time(1), time(1.35), time(1.4)), 2, 1, 2));
    }

    @Test
    void theNextDatagramOfTheStreamShowsARestart() {
        recorder.restarted(time(1), 2, 1);
        deliver(1.1, 2, reportBy(2).stream(0, 0).postcard(hop(2, 2)));
        assertInvisible(only());
        deliver(1.2, 2, reportBy(2).stream(1, 0).postcard(hop(2, 2)));
        assertThat(only()).isEqualTo(new Fact.ExporterRestart(new Span(time(1), time(1), time(1.2)), 2, 1));
    }

    @Test
    void silenceBeginsWithTheLastDatagram() {
        deliver(0.5, 2, reportBy(2).postcard(hop(2, 2)));
        int silent = recorder.silent(time(1), 2, 0);
        deliver(1.001, 2, reportBy(2).postcard(hop(2, 2))); // was on its way
        deliver(20, 3, reportBy(3).postcard(hop(3, 2)));
        recorder.end(time(40), silent);
        deliver(40.1, 2, reportBy(2).postcard(hop(2, 2)));
        assertThat(only()).isEqualTo(new Fact.ExporterSilent(new Span(time(1.001), time(40), time(1.001)), 2, 0));
    }

    @Test
    void silenceShorterThanTheTimeOutShowsToNobody() {
        deliver(0.5, 2, reportBy(2).postcard(hop(2, 2)));
        recorder.silent(time(1), 2, 0);
        assertThat(recorder.facts(time(30.4)).getFirst().span().isVisible()).isFalse();
        assertThat(recorder.facts(time(30.5)).getFirst().span().isVisible()).isTrue();
    }

    @Test
    void whoWasNeverHeardIsNotMissed() {
        recorder.silent(time(1), 2, 0);
        assertInvisible(only());
    }

    @Test
    void aReportFromAStrangerShowsASpoof() {
        recorder.forged(time(1), 2, new long[] {0xCB00_7109L, 0xCB00_7107L, 0xCB00_7107L});
        deliver(1.1, 2, reportBy(2).postcard(hop(2, 2)));
        reportBy(3).postcard(hop(3, 2)).deliver(recorder, time(1.2), 0xCB00_7107L);
        assertInvisible(only());
        reportBy(2).postcard(hop(2, 2)).deliver(recorder, time(1.3), 0xCB00_7107L);
        assertThat(only())
                .isEqualTo(new Fact.SpoofSuspected(
                        new Span(time(1), Span.ABSENT, time(1.3)), 2, List.of("203.0.113.7", "203.0.113.9")));
    }

    @Test
    void whatAForgerSaysShowsNothingElse() {
        recorder.dropped(time(1), 2, 80, flow);
        reportBy(2).dropped(80).postcard(hop(2, 0)).deliver(recorder, time(1.1), 0xCB00_7107L);
        assertInvisible(only());
    }

    @Test
    void aPacketOfTheAttackShowsIt() {
        Victim victim = new Victim(Prefix.ipv4(0x0A00_0202, 32), 5000, 17);
        List<AttackSource> sources = List.of(new AttackSource("02:00:00:00:00:01", 1, 10_000));
        recorder.attack(time(1), "udp-flood", victim, List.of(Prefix.ipv4(0x0A00_0102, 31)), sources, 50_000);
        deliver(1.1, 3, reportBy(3).flow(FLOW).stack(hop(1, 2), hop(3, 2)));
        deliver(
                1.2,
                3,
                reportBy(3)
                        .flow(FlowKey.ipv4(0x0A00_0103, 0x0A00_0202, 17, 1, 5001))
                        .postcard(hop(3, 2)));
        deliver(
                1.3,
                3,
                reportBy(3)
                        .flow(FlowKey.ipv4(0x0A00_0103, 0x0A00_0203, 17, 1, 5000))
                        .postcard(hop(3, 2)));
        assertInvisible(only());
        deliver(1.4, 3, reportBy(3).flow(OTHER).stack(hop(1, 2), hop(3, 2)));
        assertThat(only())
                .isEqualTo(new Fact.Attack(
                        new Span(time(1), Span.ABSENT, time(1.4)), "udp-flood", victim, sources, 50_000));
    }

    /** v0.5 without a sub-header names no node: the exporter's address does. */
    @Test
    void readsReportsOfVersion05() {
        tellOfTheFlow();
        recorder.rerouted(time(1), flow, BEFORE, AFTER);
        recorder.dropped(time(1), 4, 80, flow);
        congestion();
        ByteBuffer bytes = ByteBuffer.allocate(256);
        int plain = FixedHeader.encode(bytes, 0, FixedHeader.NPROTO_ETHERNET, false, false, true, 0, 1, 5);
        deliver(1.1, 4, bytes, frame(bytes, plain));
        int drop = FixedHeader.encode(bytes, 0, FixedHeader.NPROTO_DROP, true, false, false, 0, 2, 5);
        drop = FixedHeader.encodeDrop(bytes, drop, 4, 1, 2, 0, 80);
        deliver(1.2, 4, bytes, frame(bytes, drop));
        int local = FixedHeader.encode(bytes, 0, FixedHeader.NPROTO_LOCAL, false, true, false, 0, 3, 5);
        local = FixedHeader.encodeLocal(bytes, local, 2, 1, 3, 1, 10, 6);
        deliver(1.3, 2, bytes, frame(bytes, local));
        assertShown(1.1, 1.2, 1.3);
    }

    @Test
    void readsReportsOfVersion10() {
        tellOfTheFlow();
        recorder.rerouted(time(1), flow, BEFORE, AFTER);
        recorder.dropped(time(1), 4, 80, flow);
        congestion();
        ByteBuffer bytes = ByteBuffer.allocate(256);
        deliver(1.1, 4, bytes, report10(bytes, 0, false, false, new int[0]));
        deliver(1.2, 4, bytes, report10(bytes, ReportHeader.MD_DROP, true, false, new int[] {80 << 16}));
        int queue = ReportHeader.MD_INTERFACES | ReportHeader.MD_QUEUE;
        deliver(1.3, 2, bytes, report10(bytes, queue, false, true, new int[] {1 << 16 | 3, 1 << 24 | 10}));
        assertShown(1.1, 1.2, 1.3);
    }

    private static int report10(ByteBuffer bytes, int bits, boolean dropped, boolean congested, int[] words) {
        int at = ReportHeader.encode(
                bytes,
                0,
                ReportHeader.NPROT_ETHERNET,
                bits,
                dropped,
                congested,
                !dropped && !congested,
                0,
                congested ? 2 : 4,
                1,
                5);
        for (int word : words) {
            bytes.putInt(at, word);
            at += 4;
        }
        return frame(bytes, at);
    }

    private static int frame(ByteBuffer bytes, int at) {
        int ip = PacketEncoder.ethernet(bytes, at, 0x0200_0000_0002L, 0x0200_0000_0001L, 0x0800);
        int udp =
                PacketEncoder.ipv4(bytes, ip, 0, 1, false, 60, 17, (int) FLOW.sourceLow(), (int) FLOW.destinationLow());
        int end = PacketEncoder.udp(bytes, udp, FLOW.sourcePort(), FLOW.destinationPort()) + 12;
        PacketEncoder.finishUdp(bytes, udp, end);
        PacketEncoder.finishIpv4(bytes, ip, end);
        return end;
    }

    private void deliver(double at, long node, ByteBuffer bytes, int end) {
        recorder.onReport(time(at), MANAGEMENT + node, bytes, 0, end);
    }

    private void assertShown(double change, double drops, double congestion) {
        for (Fact fact : recorder.facts(time(2))) {
            switch (fact) {
                case Fact.PathChange shown -> assertVisible(shown, change);
                case Fact.Drops shown -> assertVisible(shown, drops);
                default -> assertVisible(fact, congestion);
            }
        }
    }

    @Test
    void prefixesContainWhatTheyShould() {
        assertThat(Prefix.ipv4(0x0A00_0000, 8).contains(false, 0, 0x0AFF_FFFFL)).isTrue();
        assertThat(Prefix.ipv4(0x0A00_0000, 8).contains(false, 0, 0x0B00_0000L)).isFalse();
        assertThat(Prefix.ipv4(0, 0).contains(false, 0, 0xFFFF_FFFFL)).isTrue();
        assertThat(Prefix.ipv4(0, 0).contains(true, 0, 0)).isFalse();
        Prefix v6 = new Prefix(true, 0x2001_0DB8_0000_0000L, 0x8000_0000_0000_0000L, 65);
        assertThat(v6.contains(true, 0x2001_0DB8_0000_0000L, -1)).isTrue();
        assertThat(v6.contains(true, 0x2001_0DB8_0000_0000L, 1)).isFalse();
        assertThat(v6).hasToString("2001:db8:0:0:8000::/65");
    }

    @Test
    void bytesThatAreNoReportShowNothing() {
        recorder.restarted(time(1), 2, 0);
        Property.forAll(
                random -> Property.random(random, random.nextInt(80)),
                (ByteBuffer bytes) -> recorder.onReport(time(2), MANAGEMENT + 9, bytes, 0, bytes.capacity()));
        assertInvisible(only());
    }

    /** Neither the numbers of flows nor the order of calls at one moment may leave a trace. */
    @Test
    void theOrderOfWhatHappensAtOnceDoesNotMatter() {
        String expected = run(0);
        for (int seed = 1; seed < 50; seed++) {
            assertThat(run(seed)).isEqualTo(expected);
        }
    }

    private static String run(int seed) {
        TruthRecorder recorder = new TruthRecorder(TruthOptions.of(DecodeOptions.lenient()));
        List<Consumer<TruthRecorder>> calls = new ArrayList<>(List.of(
                r -> r.rerouted(T, r.flow(FLOW), BEFORE, AFTER),
                r -> r.rerouted(T, r.flow(OTHER), BEFORE, AFTER),
                r -> r.dropped(T, 2, 80, r.flow(THIRD)),
                r -> r.dropped(T, 2, 80, r.flow(FLOW)),
                r -> r.dropped(T, 2, 80, r.flow(OTHER)),
                r -> r.dropped(T, 3, 80, r.flow(OTHER)),
                r -> r.loop(T, r.flow(THIRD), BEFORE),
                r -> r.linkDown(T, FROM, TO, new int[] {r.flow(FLOW)}),
                r -> r.linkUp(T, TO, FROM),
                r -> r.exporter(4, MANAGEMENT + 4),
                r -> r.restarted(T, 4, 0),
                r -> r.slower(T, 4, 1, 0, 1, 2),
                r -> r.forged(T, 4, new long[] {1})));
        if (seed > 0) {
            Collections.shuffle(calls, new Random(seed));
        }
        calls.forEach(call -> call.accept(recorder));
        reportBy(4).postcard(hop(4, 2)).deliver(recorder, T + 1, MANAGEMENT + 4);
        return new TruthWriter().write(new TruthWriter.Run("test", 1, "xd", "2.0", T), recorder.facts(T + 60 * SECOND));
    }
}
