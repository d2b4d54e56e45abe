package io.pathlore.dataplane.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.dataplane.report.ReportDestination;
import io.pathlore.dataplane.watch.Shape.Carrier;
import io.pathlore.wire.net.PacketView;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchlistTest {
    private static final int DSCP = 10;
    private static final int INGRESS = 4;
    private static final Match ANY = Match.EVERYTHING;

    private static WatchEntry entry(String name, int priority, Match match) {
        return new WatchEntry(name, priority, match, Sampling.EVERY_PACKET, true, false, null);
    }

    private static Watchlist watchlist(WatchEntry... entries) {
        return new Watchlist(List.of(entries), List.of(), false);
    }

    private static boolean matches(Match match, PacketView view) {
        return match.matches(view, DSCP, INGRESS);
    }

    private static boolean matches(Match match) {
        return matches(match, new Shape().view());
    }

    @Test
    void fieldsThatAreOpenMatchAnything() {
        assertThat(matches(ANY)).isTrue();
    }

    @Test
    void matchesPrefixes() {
        assertThat(matches(ANY.withSource(PrefixMatch.ipv4(0x0A00_01FF, 24)))).isTrue();
        assertThat(matches(ANY.withSource(PrefixMatch.ipv4(0x0A00_0201, 24)))).isFalse();
        assertThat(matches(ANY.withDestination(PrefixMatch.ipv4(0x0A00_0202, 32))))
                .isTrue();
        assertThat(matches(ANY.withDestination(PrefixMatch.ipv4(0, 0)))).isTrue();
        assertThat(matches(ANY.withDestination(PrefixMatch.ipv6(0, 0, 0)))).isFalse();
    }

    @Test
    void matchesPrefixesOfIpv6InEitherHalf() {
        PrefixMatch upper = PrefixMatch.ipv6(0x2001_0DB8_1234_0000L, -1, 48);
        assertThat(upper.contains(true, 0x2001_0DB8_1234_FFFFL, 5)).isTrue();
        assertThat(upper.contains(true, 0x2001_0DB8_1235_0000L, 5)).isFalse();
        assertThat(upper.contains(false, 0x2001_0DB8_1234_0000L, 5)).isFalse();
        PrefixMatch lower = PrefixMatch.ipv6(1, 0xFF00_0000_0000_0000L, 72);
        assertThat(lower.contains(true, 1, 0xFF12_0000_0000_0000L)).isTrue();
        assertThat(lower.contains(true, 1, 0xFE12_0000_0000_0000L)).isFalse();
        assertThat(lower.contains(true, 2, 0xFF12_0000_0000_0000L)).isFalse();
        PrefixMatch whole = PrefixMatch.ipv6(1, 2, 128);
        assertThat(whole.contains(true, 1, 2)).isTrue();
        assertThat(whole.contains(true, 1, 3)).isFalse();
        assertThat(PrefixMatch.ipv6(1, 2, 64).contains(true, 1, 99)).isTrue();
    }

    @Test
    void matchesPortsProtocolDscpAndInterface() {
        assertThat(matches(ANY.withDestinationPorts(new PortRange(400, 443)))).isTrue();
        assertThat(matches(ANY.withDestinationPorts(new PortRange(444, 500)))).isFalse();
        assertThat(matches(ANY.withSourcePorts(PortRange.of(40_000)))).isTrue();
        assertThat(matches(ANY.withProtocol(Shape.TCP))).isTrue();
        assertThat(matches(ANY.withProtocol(Shape.UDP))).isFalse();
        assertThat(matches(ANY.withDscp(DSCP))).isTrue();
        assertThat(matches(ANY.withDscp(DSCP + 1))).isFalse();
        assertThat(matches(ANY.withIngressInterface(INGRESS))).isTrue();
        assertThat(matches(ANY.withIngressInterface(INGRESS + 1))).isFalse();
    }

    @Test
    void aPacketWithoutPortsIsInNoRange() {
        Shape ping = new Shape();
        ping.protocol = Shape.ICMP;
        assertThat(matches(ANY.withSourcePorts(new PortRange(0, 0xFFFF)), ping.view()))
                .isFalse();
        assertThat(matches(ANY.withProtocol(Shape.ICMP), ping.view())).isTrue();
    }

    @Test
    void looksIntoTunnelsOrAtThem() {
        PacketView tunnel = new Shape().carrier(Carrier.VXLAN).view();
        Match inner = ANY.withDestination(PrefixMatch.ipv4(Shape.DESTINATION, 32));
        Match outer = ANY.withDestination(PrefixMatch.ipv4(Shape.TUNNEL_DESTINATION, 32));
        assertThat(matches(inner, tunnel)).isTrue();
        assertThat(matches(outer, tunnel)).isFalse();
        assertThat(matches(inner.withOuter(true), tunnel)).isFalse();
        assertThat(matches(outer.withOuter(true), tunnel)).isTrue();
        assertThat(matches(ANY.withVni(Shape.VNI), tunnel)).isTrue();
        assertThat(matches(ANY.withVni(1), tunnel)).isFalse();
        assertThat(matches(ANY.withVni(Shape.VNI))).isFalse();
    }

    @Test
    void anIntHeaderIsNoTunnel() {
        PacketView marked = new Shape().carrier(Carrier.NEW_UDP_MD).view();
        Match match = ANY.withProtocol(Shape.TCP).withDestinationPorts(PortRange.of(443));
        assertThat(matches(match, marked)).isTrue();
        assertThat(matches(match.withOuter(true), marked)).isTrue();
    }

    @Test
    void theHighestPriorityCountsThenTheFirst() {
        Watchlist list = watchlist(
                entry("low", 1, ANY),
                entry("other", 9, ANY.withProtocol(Shape.UDP)),
                entry("first", 5, ANY),
                entry("second", 5, ANY));
        assertThat(list.match(new Shape().view(), DSCP, INGRESS))
                .isNotNull()
                .extracting(WatchEntry::name)
                .isEqualTo("first");
    }

    @Test
    void anExclusionCountsLikeAnyEntry() {
        WatchEntry exclusion = new WatchEntry("not this", 5, ANY, Sampling.EVERY_PACKET, false, false, null);
        WatchEntry found = watchlist(entry("all", 1, ANY), exclusion).match(new Shape().view(), DSCP, INGRESS);
        assertThat(found).isEqualTo(exclusion);
        assertThat(exclusion.isExclusion()).isTrue();
    }

    @Test
    void reportsOnTheirWayAreExcluded() {
        ReportDestination collector = ReportDestination.ipv4(Shape.DESTINATION, 32_766);
        Watchlist list = new Watchlist(List.of(entry("all", 1, ANY)), List.of(collector), false);
        Shape report = new Shape();
        report.protocol = Shape.UDP;
        report.destinationPort = 32_766;
        for (Carrier carrier : List.of(Carrier.NONE, Carrier.NEW_UDP_MX, Carrier.UDP_PORT_MX, Carrier.VXLAN)) {
            assertThat(list.match(report.carrier(carrier).view(), DSCP, INGRESS))
                    .isNotNull()
                    .matches(WatchEntry::isExclusion);
        }
        report.destinationPort = 32_767;
        assertThat(list.match(report.view(), DSCP, INGRESS)).isNotNull().matches(WatchEntry::flows);
        assertThat(list.match(new Shape().view(), DSCP, INGRESS)).isNotNull().matches(WatchEntry::flows);
    }

    @Test
    void eachEntryCountsForItself() {
        WatchEntry tcp = new WatchEntry(
                "tcp", 1, ANY.withProtocol(Shape.TCP), new Sampling(Sampling.Method.COUNT, 3), true, false, null);
        WatchEntry udp = new WatchEntry(
                "udp", 1, ANY.withProtocol(Shape.UDP), new Sampling(Sampling.Method.COUNT, 2), true, false, null);
        Watchlist list = watchlist(tcp, udp);
        PacketView view = new Shape().view();
        int tcpTaken = 0;
        int udpTaken = 0;
        for (int i = 0; i < 600; i++) {
            tcpTaken += list.takes(tcp, view) ? 1 : 0;
            udpTaken += list.takes(udp, view) ? 1 : 0;
        }
        assertThat(tcpTaken).isEqualTo(200);
        assertThat(udpTaken).isEqualTo(300);
    }

    @Test
    void twoNodesChooseTheSamePackets() {
        WatchEntry entry =
                new WatchEntry("postcards", 1, ANY, new Sampling(Sampling.Method.IDENTITY, 4), true, false, null);
        Watchlist source = watchlist(entry);
        Watchlist sink = watchlist(entry);
        Shape shape = new Shape();
        int taken = 0;
        for (int i = 0; i < 400; i++) {
            shape.id = i;
            shape.ttl = 64;
            boolean atSource = source.takes(entry, shape.carrier(Carrier.NONE).view());
            shape.ttl = 60;
            assertThat(sink.takes(entry, shape.carrier(Carrier.NEW_UDP_MX).view()))
                    .isEqualTo(atSource);
            taken += atSource ? 1 : 0;
        }
        assertThat(taken).isBetween(70, 130);
    }

    @Test
    void refusesAnEntryOfAnotherList() {
        Watchlist list = watchlist();
        PacketView view = new Shape().view();
        assertThatThrownBy(() -> list.takes(entry("stranger", 1, ANY), view))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesImpossibleRanges() {
        assertThatThrownBy(() -> new PortRange(2, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PrefixMatch.ipv4(0, 33)).isInstanceOf(IllegalArgumentException.class);
    }
}
