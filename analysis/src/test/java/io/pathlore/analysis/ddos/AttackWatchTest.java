package io.pathlore.analysis.ddos;

import static io.pathlore.analysis.ddos.Traffic.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.pathlore.analysis.Share;
import io.pathlore.analysis.ddos.Traffic.Watched;
import io.pathlore.analysis.event.AttackSecond;
import io.pathlore.analysis.event.AttackSource;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Details.Attack;
import io.pathlore.model.AttackVector;
import io.pathlore.model.Prefix;
import io.pathlore.model.ReportRow;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class AttackWatchTest {
    private static final long MAC = 0x0200_0000_0000L;
    private static final int SYN = ReportRow.SYN;
    private static final int ACK = ReportRow.ACK;

    private static List<String> devices(Attack attack) {
        return attack.sources().stream().map(AttackSource::device).toList();
    }

    @Test
    void tellsOfAFloodWithinASecond() {
        Watched host = Watched.usual();
        host.see(Traffic.udp(2_000).by(MAC + 1).at(10 * SECOND, 12 * SECOND));
        Event first = host.events.getFirst();
        assertThat(first.detectedAtNanos()).isBetween(10 * SECOND, 11 * SECOND);
        assertThat(first.startNanos()).isBetween(10 * SECOND, 10 * SECOND + SECOND / 5);
        assertThat(first.endNanos()).isEqualTo(Event.OPEN);
        Attack attack = host.last();
        assertThat(first.identity()).isEqualTo("udp-flood|198.51.100.1,80,17");
        assertThat(devices(attack)).containsExactly("02:00:00:00:00:01");
        assertThat(attack.perSecond()).isBetween(1_900L, 2_100L);
        assertThat(attack.packets()).isTrue();
        assertThat(attack.reporters()).containsExactly(2L);
        assertThat(attack.hops()).containsExactly(1L, 2L);
    }

    @Test
    void tellsEachSecondOfAnAttackOnceAndWhatWasJustBefore() {
        Watched host = new Watched(Rules.usual(1).withHold(5 * SECOND), node -> 1);
        host.see(
                Traffic.udp(400).at(7 * SECOND, 16 * SECOND),
                Traffic.udp(2_000).by(MAC + 1).at(10 * SECOND + SECOND / 2, 14 * SECOND));
        host.until(40 * SECOND);
        assertThat(host.seconds)
                .extracting(AttackSecond::attack)
                .containsOnly(host.events.getFirst().id());
        List<Long> begins = host.seconds.stream().map(AttackSecond::startNanos).toList();
        assertThat(begins).startsWith(7 * SECOND, 8 * SECOND, 9 * SECOND, 10 * SECOND);
        assertThat(begins).isSorted().doesNotHaveDuplicates();
        assertThat(begins.getLast()).isBetween(17 * SECOND, 20 * SECOND);
        Map<Long, Long> amounts =
                host.seconds.stream().collect(Collectors.toMap(one -> one.startNanos() / SECOND, AttackSecond::amount));
        assertThat(amounts).containsEntry(9L, 400L).containsEntry(11L, 2_400L).containsEntry(15L, 400L);
        assertThat(amounts.get(10L)).isBetween(1_350L, 1_450L);
        assertThat(amounts).containsEntry(17L, 0L);
        assertThat(host.seconds).allSatisfy(one -> assertThat(one.limit()).isEqualTo(1_000));
    }

    @Test
    void whatIsBelowTheLimitIsNoAttack() {
        assertThat(Watched.usual().see(Traffic.udp(900).at(0, 20 * SECOND)).events)
                .isEmpty();
    }

    @Test
    void ranksDevicesByTheirShareAndLeavesBystandersOut() {
        Watched host = Watched.usual();
        host.see(
                Traffic.udp(3_000).by(MAC + 1),
                Traffic.udp(1_000).by(MAC + 2),
                Traffic.udp(10).by(MAC + 3));
        Attack attack = host.last();
        assertThat(devices(attack)).containsExactly("02:00:00:00:00:01", "02:00:00:00:00:02");
        assertThat(attack.sources().getFirst().share()).isBetween(7_300, 7_600);
        assertThat(attack.devices()).isEqualTo(3);
    }

    @Test
    void isToldAgainWhenItGrowsAndWhenItIsOverUnderTheSameId() {
        Watched host = new Watched(Rules.usual(1).withHold(5 * SECOND), node -> 1);
        host.see(
                Traffic.udp(2_000).at(0, 6 * SECOND),
                Traffic.udp(8_000).by(MAC + 2).at(2 * SECOND, 6 * SECOND));
        host.until(20 * SECOND);
        assertThat(host.events)
                .extracting(Event::id)
                .containsOnly(host.events.getFirst().id());
        assertThat(host.attacks().getFirst().perSecond()).isLessThan(3_000);
        assertThat(host.last().perSecond()).isGreaterThan(7_000);
        Event over = host.events.getLast();
        assertThat(over.endNanos()).isBetween(6 * SECOND - SECOND / 10, 7 * SECOND);
        assertThat(host.events.subList(0, host.events.size() - 1))
                .extracting(Event::endNanos)
                .containsOnly(Event.OPEN);
    }

    /** Who acts without asking waits for that: not for the next time that it is told anyway. */
    @Test
    void isToldAgainAsSoonAsItIsNoAccidentAnyMore() {
        Watched host = Watched.usual();
        host.see(Traffic.udp(2_000).at(10 * SECOND, 12 * SECOND));
        assertThat(host.attacks()).extracting(Attack::windows).startsWith(1, Attack.SUSTAINED);
        assertThat(host.events).hasSizeLessThan(5);
        long told = host.attacks().get(1).lastNanos();
        assertThat(told).isLessThanOrEqualTo(11 * SECOND);
    }

    @Test
    void aPauseShorterThanTheHoldIsTheSameAttack() {
        Watched host = Watched.usual();
        host.see(Traffic.udp(2_000).at(0, 4 * SECOND), Traffic.udp(2_000).at(30 * SECOND, 34 * SECOND));
        host.until(200 * SECOND);
        assertThat(host.events)
                .extracting(Event::id)
                .containsOnly(host.events.getFirst().id());
        assertThat(host.events.getLast().endNanos()).isGreaterThan(33 * SECOND);
    }

    @Test
    void countsPacketsWhereSamplingIsKnownAndReportsWhereItIsNot() {
        Watched known = new Watched(Rules.usual(1), node -> 100);
        known.see(Traffic.udp(100));
        assertThat(known.last().packets()).isTrue();
        assertThat(known.last().perSecond()).isBetween(9_000L, 11_000L);
        assertThat(new Watched(Rules.usual(1), node -> Sampling.UNKNOWN).see(Traffic.udp(100)).events)
                .isEmpty();
        Watched unknown = new Watched(Rules.usual(1), node -> Sampling.UNKNOWN);
        unknown.see(Traffic.udp(2_000));
        assertThat(unknown.last().packets()).isFalse();
    }

    /** Eleven reports of a second stand for 1,100 packets, or for 700 by chance. */
    @Test
    void fewReportsAreLookedAtForLonger() {
        Watched host = new Watched(Rules.usual(1), node -> 100);
        host.see(Traffic.udp(20).at(0, 20 * SECOND));
        assertThat(host.events.getFirst().detectedAtNanos()).isBetween(SECOND, 4 * SECOND);
        assertThat(new Watched(Rules.usual(1), node -> 100).see(Traffic.udp(11)).events)
                .isEmpty();
    }

    @Test
    void whoAnswersIsInAConversation() {
        Traffic download = Traffic.udp(5_000);
        assertThat(Watched.usual().see(download, download.answered(500)).events).isEmpty();
    }

    @Test
    void whoIsInAConversationCanBeFloodedToo() {
        Traffic talk = Traffic.udp(600).at(0, 300 * SECOND);
        talk.destinationPort = 4_500;
        Traffic flood = Traffic.udp(8_000).by(MAC + 1).at(300 * SECOND, 303 * SECOND);
        Watched host = Watched.usual();
        host.see(talk, talk.answered(600));
        assertThat(host.events).isEmpty();
        Traffic goesOn = Traffic.udp(600).at(300 * SECOND, 303 * SECOND);
        goesOn.destinationPort = 4_500;
        host.see(goesOn, goesOn.answered(600), flood);
        assertThat(host.events.getFirst().identity()).isEqualTo("udp-flood|198.51.100.1,80,17");
        Watched samePort = Watched.usual();
        flood.destinationPort = 4_500;
        samePort.see(talk, talk.answered(600));
        samePort.see(goesOn, goesOn.answered(600), flood);
        assertThat(samePort.events.getFirst().startNanos()).isGreaterThanOrEqualTo(300 * SECOND);
    }

    @Test
    void aBurstOfAMomentIsNoFlood() {
        Traffic burst = Traffic.udp(50_000).at(SECOND, SECOND + SECOND / 10);
        assertThat(Watched.usual().see(burst, Traffic.udp(10).at(0, 5 * SECOND)).events)
                .isEmpty();
    }

    @Test
    void portsOfAllKindsAreAFloodOfTheAddress() {
        Watched host = Watched.usual();
        Traffic flood = Traffic.udp(3_000).at(0, 4 * SECOND);
        flood.everyPort = true;
        host.see(flood);
        host.end();
        assertThat(host.events.getFirst().identity()).isEqualTo("udp-flood|198.51.100.1,,17");
        assertThat(host.last().flowsPerSecond()).isGreaterThan(2_000);
    }

    @Test
    void theOnePortIsNamedEvenWhereTheAddressHasMore() {
        Watched host = Watched.usual();
        Traffic other = Traffic.udp(500).at(0, 10 * SECOND);
        other.destinationPort = 5_004;
        host.see(other, Traffic.udp(900).at(2 * SECOND, 10 * SECOND));
        assertThat(host.events.getFirst().identity()).isEqualTo("udp-flood|198.51.100.1,80,17");
        assertThat(host.events.getFirst().startNanos()).isGreaterThanOrEqualTo(2 * SECOND);
        host.last();
    }

    @Test
    void findsSynFloodsAndKnowsConnectionsFromThem() {
        Watched host = Watched.usual();
        Traffic flood = Traffic.tcp(2_000, SYN).by(MAC + 4).at(0, 2 * SECOND);
        flood.forged = true;
        host.see(flood);
        assertThat(host.events.getFirst().identity()).isEqualTo("syn-flood|198.51.100.1,443,6");
        assertThat(host.last().sources().getFirst().spoofed()).isGreaterThan(8_000);
        assertThat(host.last().sources().getFirst().address()).isNull();

        Traffic crowd = Traffic.tcp(2_000, SYN);
        Traffic itsData = Traffic.tcp(8_000, ACK);
        assertThat(Watched.usual().see(crowd, itsData).events).isEmpty();
    }

    /** Forty thousand acknowledgements a second are usual there, and no sign that new connections are meant. */
    @Test
    void aBusyServerCanBeFloodedToo() {
        Traffic usual = Traffic.tcp(4_000, ACK).at(0, 200 * SECOND);
        Traffic begun = Traffic.tcp(200, SYN).at(0, 200 * SECOND);
        Watched host = Watched.usual();
        host.see(usual, begun, Traffic.tcp(3_000, SYN).by(MAC + 9).at(195 * SECOND, 200 * SECOND));
        assertThat(host.events.getFirst().startNanos()).isBetween(195 * SECOND, 196 * SECOND);
    }

    @Test
    void findsFloodsOfIcmpAndFragments() {
        Watched icmp = Watched.usual();
        icmp.see(Traffic.icmp(2_000).sixth().at(0, 2 * SECOND));
        assertThat(icmp.events.getFirst().identity()).isEqualTo("icmp-flood|2001:db8::c633:6401,,58");
        Watched ping = Watched.usual();
        Traffic echo = Traffic.icmp(2_000);
        assertThat(ping.see(echo, echo.answered(2_000)).events).isEmpty();

        Traffic begin = Traffic.udp(1_000).at(0, 2 * SECOND);
        begin.marks = ReportRow.FRAGMENT;
        Traffic rest = Traffic.udp(1_000).at(0, 2 * SECOND);
        rest.marks = ReportRow.FRAGMENT | ReportRow.LATER_FRAGMENT;
        Watched fragments = Watched.usual();
        fragments.see(begin, rest);
        assertThat(fragments.events.getFirst().identity()).isEqualTo("fragment-flood|198.51.100.1,80,17");
        assertThat(fragments.last().perSecond()).isBetween(1_800L, 2_200L);
    }

    @Test
    void findsAnswersNobodyAskedFor() {
        Traffic answers = Traffic.udp(2_000).at(0, 2 * SECOND);
        answers.sourcePort = 53;
        answers.octets = 1_400;
        Watched host = Watched.usual();
        host.see(answers);
        assertThat(host.events.getFirst().identity()).isEqualTo("reflection|198.51.100.1,80,17");

        Traffic questions = answers.answered(2_000);
        questions.octets = 200;
        assertThat(Watched.usual().see(answers, questions).events).isEmpty();
    }

    @Test
    void findsWhatIsSpreadOverAPrefix() {
        Traffic carpet = Traffic.udp(4_000).at(0, 3 * SECOND);
        carpet.everyAddress = 8;
        carpet.everyPort = true;
        Watched host = Watched.usual();
        host.see(carpet);
        assertThat(host.events.getFirst().identity()).isEqualTo("carpet-bombing|198.51.100.0/24,,17");
        assertThat(host.events.getFirst().detectedAtNanos()).isLessThanOrEqualTo(SECOND);
        assertThat(devices(host.last())).containsExactly("1/7");

        Traffic wide = Traffic.udp(4_000).sixth().at(0, 3 * SECOND);
        wide.everyAddress = 16;
        wide.everyPort = true;
        Watched sixth = Watched.usual();
        sixth.see(wide);
        assertThat(sixth.events.getFirst().identity()).isEqualTo("carpet-bombing|2001:db8::c633:0/112,,17");
        sixth.last();
    }

    @Test
    void findsWhoAsksManyHostsAndKnowsItFromWhoTalksToMany() {
        Traffic scan = Traffic.tcp(20, SYN).by(MAC + 5).at(SECOND, 10 * SECOND);
        scan.everyAddress = 6;
        scan.destinationPort = 23;
        Watched host = Watched.usual();
        host.see(scan);
        assertThat(host.events.getFirst().identity()).isEqualTo("scan|198.51.100.0/26,23,6");
        assertThat(host.events.getFirst().startNanos()).isEqualTo(SECOND);
        assertThat(host.events.getFirst().detectedAtNanos()).isLessThan(5 * SECOND);
        assertThat(devices(host.last())).containsExactly("02:00:00:00:00:05");

        Traffic data = Traffic.tcp(60, ACK).by(MAC + 5).at(SECOND, 10 * SECOND);
        data.everyAddress = 6;
        data.destinationPort = 23;
        assertThat(Watched.usual().see(scan, data).events).isEmpty();

        Traffic oneHost = Traffic.tcp(100, SYN).at(0, 20 * SECOND);
        oneHost.everyPort = true;
        assertThat(Watched.usual().see(oneHost).events).isEmpty();
    }

    @Test
    void aPacketOfWhichEveryNodeReportsCountsOnce() {
        Traffic flood = Traffic.udp(2_000).at(0, 4 * SECOND);
        flood.postcards = true;
        flood.way = new long[] {4, 5, 6};
        Watched host = Watched.usual();
        host.see(flood);
        assertThat(host.last().perSecond()).isBetween(1_900L, 2_200L);
        assertThat(devices(host.last())).containsExactly("4/7");

        Traffic little = Traffic.udp(450).at(0, 20 * SECOND);
        little.postcards = true;
        little.way = new long[] {4, 5, 6};
        assertThat(Watched.usual().see(little).events).isEmpty();
    }

    @Test
    void nobodyIsAttackedByReportsOfStrangers() {
        Traffic forged = Traffic.udp(20_000);
        forged.reportFlags |= ReportRow.UNBOUND;
        assertThat(Watched.usual().see(forged).events).isEmpty();
    }

    @Test
    void transparentSecurityCountsByDevice() {
        Rules rules = Rules.usual(1).withPerDevice(Rules.TRANSPARENT_SECURITY);
        Watched host = new Watched(rules, node -> 1);
        host.see(
                Traffic.udp(150).by(MAC + 1).at(0, 3 * SECOND),
                Traffic.udp(40).by(MAC + 2).at(0, 3 * SECOND));
        assertThat(host.events.getFirst().identity()).isEqualTo("udp-flood|198.51.100.1,80,17");
        assertThat(host.events.getFirst().detectedAtNanos()).isLessThan(2 * SECOND);
        host.last();
        Watched many = new Watched(rules, node -> 1);
        assertThat(many.see(Traffic.udp(80).by(MAC + 1), Traffic.udp(80).by(MAC + 2)).events)
                .isEmpty();
        Watched sampled = new Watched(rules, node -> 10);
        assertThat(sampled.see(Traffic.udp(15).by(MAC + 1)).events).isNotEmpty();
    }

    @Test
    void aPrefixMayHaveLimitsOfItsOwn() {
        Limits more = Limits.USUAL.with(Map.of(AttackVector.UDP_FLOOD, 10_000L), 0, 0);
        Rules rules = Rules.usual(1)
                .withLimits(
                        Limits.USUAL, List.of(new Rules.PrefixLimits(new Prefix(false, 0, Traffic.VICTIM, 24), more)));
        assertThat(new Watched(rules, node -> 1).see(Traffic.udp(5_000).at(0, 2 * SECOND)).events)
                .isEmpty();
        Traffic elsewhere = Traffic.udp(5_000).at(0, 2 * SECOND);
        elsewhere.destination = 0xC633_6501L;
        assertThat(new Watched(rules, node -> 1).see(elsewhere).events).isNotEmpty();
    }

    @Test
    void octetsCanBeTooManyToo() {
        Rules rules = Rules.usual(1).withLimits(Limits.USUAL.with(Map.of(), 500_000, 0), List.of());
        Traffic large = Traffic.udp(600);
        large.octets = 1_400;
        assertThat(new Watched(rules, node -> 1).see(large).events).isNotEmpty();
        assertThat(new Watched(rules, node -> 1).see(Traffic.udp(600)).events).isEmpty();
    }

    @Test
    void whatIsUsualForAVictimIsNoAttack() {
        Watched host = Watched.usual();
        host.see(Traffic.udp(900).at(0, 300 * SECOND), Traffic.udp(600).at(200 * SECOND, 300 * SECOND));
        assertThat(host.events).isEmpty();
        host.see(Traffic.udp(6_000).at(300 * SECOND, 302 * SECOND));
        assertThat(host.events).isNotEmpty();
    }

    @Test
    void asManyDevicesAndNodesAsAskedForHaveToAgree() {
        Rules two = Rules.usual(1).withAgreement(2, 1);
        assertThat(new Watched(two, node -> 1).see(Traffic.udp(3_000).by(MAC + 1)).events)
                .isEmpty();
        assertThat(new Watched(two, node -> 1)
                        .see(Traffic.udp(3_000).by(MAC + 1), Traffic.udp(3_000).by(MAC + 2))
                        .events)
                .isNotEmpty();
        assertThat(new Watched(Rules.usual(1).withAgreement(1, 2), node -> 1).see(Traffic.udp(3_000)).events)
                .isEmpty();
    }

    @Test
    void isFoundAmongMoreAddressesThanThereIsRoomFor() {
        Traffic noise = Traffic.udp(200_000).at(0, 3 * SECOND);
        noise.everyAddress = 31;
        noise.everyPort = true;
        Watched host = new Watched(Rules.usual(1).withRoom(4_096, 64), node -> 1);
        host.see(noise, Traffic.udp(3_000).by(MAC + 1).at(SECOND, 3 * SECOND));
        assertThat(host.watch.keys()).isLessThanOrEqualTo(4_096);
        assertThat(host.watch.evicted()).isGreaterThan(100_000);
        assertThat(host.events).extracting(Event::identity).containsOnly("udp-flood|198.51.100.1,80,17");
    }

    @Test
    void theSameReportsGiveTheSameBytes() {
        Traffic[] first = {Traffic.udp(2_000).by(MAC + 1), Traffic.udp(3_000).by(MAC + 2)};
        Traffic[] second = {Traffic.udp(2_000).by(MAC + 1), Traffic.udp(3_000).by(MAC + 2)};
        assertThat(Watched.usual().see(first).events)
                .isNotEmpty()
                .isEqualTo(Watched.usual().see(second).events);
    }

    @Test
    void timeThatPassesWithoutReportsCostsNothing() {
        Watched host = Watched.usual();
        host.see(Traffic.udp(100).at(0, SECOND));
        host.until(1_000_000 * SECOND);
        assertThat(host.earliest()).isGreaterThan(1_000_000 * SECOND);
        host.see(Traffic.udp(2_000).at(1_000_001 * SECOND, 1_000_003 * SECOND));
        assertThat(host.events.getFirst().startNanos()).isGreaterThan(1_000_001 * SECOND);
    }

    @Test
    void allocatesNothingForAReport() {
        AttackWatch watch = new AttackWatch(Rules.usual(1), Share.ALL, node -> 1, sign -> {}, event -> {});
        ByteBuffer bytes = ByteBuffer.allocate(ReportRow.MAX_LENGTH);
        ReportRow row = new ReportRow();
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = 0;
        for (int round = 0; round < 400_000; round++) {
            if (round == 200_000) {
                before = threads.getCurrentThreadAllocatedBytes();
            }
            ReportRow.begin(bytes, 0, ReportRow.TRACKED, 20, 1_000, 0, 0, 2);
            ReportRow.flow(bytes, 0, false, false, round % 2 == 0 ? 17 : 6, 0, round, 0, round * 7L, 1, 2, -1, 7);
            ReportRow.packet(bytes, 0, round, 60, 100, ReportRow.ABSENT);
            ReportRow.marks(bytes, 0, ReportRow.SYN, ReportRow.TCP_FLAGS);
            ReportRow.hop(bytes, 0, 0, 2, 7, 8, -1, -1, -1, -1, -1, -1, 64);
            ReportRow.way(bytes, 0, 0, ReportRow.REPORTER, 1);
            watch.on(row.wrap(bytes, 0));
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(64 * 1024);
    }
}
