package io.pathlore.dataplane.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.dataplane.topology.Topology;
import io.pathlore.wire.net.FlowView;
import io.pathlore.wire.net.Layer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AttackTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Topology TOPOLOGY = FakeStage.topologyOfTwoEach();
    private static final int VICTIM = 0;

    private static TrafficParameters parameters(String... keysAndTexts) {
        TrafficParameters parameters = new TrafficParameters();
        for (int i = 0; i < keysAndTexts.length; i += 2) {
            parameters.set(keysAndTexts[i], keysAndTexts[i + 1]);
        }
        return parameters;
    }

    private static TrafficSource source(String kind, String... keysAndTexts) {
        TrafficKind found = TrafficKinds.find(kind);
        assertThat(found).isNotNull();
        return found.create(parameters(keysAndTexts), TOPOLOGY);
    }

    private static AttackFact fact(TrafficSource source) {
        List<AttackFact> facts = source.attacks(TOPOLOGY, 0, 10 * SECOND);
        assertThat(facts).hasSize(1);
        return facts.get(0);
    }

    private static List<Captured> captured(FakeStage stage) {
        return stage.sent.stream()
                .map(sent -> new Captured(sent.bytes()).check())
                .toList();
    }

    @Test
    void sendsExactlyItsRateInItsTime() {
        TrafficSource flood = source(
                "udp-flood", "from", "camera,sensor", "to", "0", "rate", "1000pps", "start", "2s", "duration", "3s");
        FakeStage stage = FakeStage.run(flood, 1, 10 * SECOND);
        assertThat(stage.sent).hasSize(3_000);
        assertThat(stage.sent.getFirst().atNanos()).isGreaterThanOrEqualTo(2 * SECOND);
        assertThat(stage.sent.getLast().atNanos()).isLessThan(5 * SECOND);
        assertThat(stage.openFlows).isEmpty();
        AttackFact fact = fact(flood);
        assertThat(fact.vector().label()).isEqualTo("udp-flood");
        assertThat(fact.victim().text()).isEqualTo("10.0.0.1");
        assertThat(fact.victim().port()).isEqualTo(80);
        assertThat(fact.victim().protocol()).isEqualTo(17);
        assertThat(fact.startNanos()).isEqualTo(2 * SECOND);
        assertThat(fact.endNanos()).isEqualTo(5 * SECOND);
        assertThat(fact.sources()).hasSize(4).allMatch(share -> share.millionths() == 250_000);
    }

    @Test
    void sharesTheRateAsTold() {
        TrafficSource flood =
                source("udp-flood", "from", "camera,sensor-1", "to", "0", "rate", "1000pps", "shares", "1,6,3");
        FakeStage stage = FakeStage.run(flood, 1, SECOND);
        assertThat(stage.sent.stream().filter(sent -> sent.from() == 4)).hasSize(100);
        assertThat(stage.sent.stream().filter(sent -> sent.from() == 5)).hasSize(600);
        assertThat(stage.sent.stream().filter(sent -> sent.from() == 6)).hasSize(300);
        assertThat(fact(flood).sources())
                .containsExactly(
                        new AttackFact.Share(5, 600_000),
                        new AttackFact.Share(6, 300_000),
                        new AttackFact.Share(4, 100_000));
    }

    @Test
    void sendsHalfOfItWhileItRises() {
        TrafficSource flood = source("udp-flood", "from", "4", "to", "0", "rate", "1000pps", "ramp", "4s");
        FakeStage stage = FakeStage.run(flood, 1, 6 * SECOND);
        assertThat(stage.sent).hasSize(2_000 + 2_000);
        assertThat(stage.sent.stream()
                        .filter(sent -> sent.atNanos() < 2 * SECOND)
                        .count())
                .isBetween(499L, 501L);
    }

    @Test
    void forgesAsManyAddressesAsTold() {
        for (String ip : List.of("4", "6")) {
            TrafficSource flood =
                    source("syn-flood", "from", "camera", "to", "0", "rate", "10kpps", "spoofed", "30%", "ip", ip);
            FakeStage stage = FakeStage.run(flood, 1, SECOND);
            Set<Long> forged = new HashSet<>();
            int own = 0;
            for (FakeStage.Sent sent : stage.sent) {
                Captured captured = new Captured(sent.bytes()).check();
                assertThat(captured.tcpFlags()).isEqualTo(PacketWriter.SYN);
                assertThat(sent.bytes()[11]).as("the device's own MAC").isEqualTo((byte) (sent.from() + 1));
                FlowView flow = captured.view.flow();
                long expected = ip.equals("4") ? 0x0A00_0001L + sent.from() : 1L + sent.from();
                if (flow.sourceLow() == expected) {
                    own++;
                } else {
                    forged.add(flow.sourceLow());
                }
            }
            assertThat(stage.sent).hasSize(10_000);
            assertThat(own).isBetween(6_850, 7_150);
            assertThat(forged).hasSize(10_000 - own);
            assertThat(fact(flood).spoofedPercent()).isEqualTo(30);
        }
    }

    @Test
    void neverSendsTheLastFragment() {
        for (String ip : List.of("4", "6")) {
            TrafficSource flood = source("fragment-flood", "from", "4", "to", "0", "rate", "1000pps", "ip", ip);
            FakeStage stage = FakeStage.run(flood, 1, SECOND);
            int first = 0;
            for (Captured captured : captured(stage)) {
                int at = ip.equals("4") ? 14 + 6 : 54 + 2;
                int field = captured.buffer.getShort(at) & 0xFFFF;
                boolean more = ip.equals("4") ? (field & 0x2000) != 0 : (field & 1) != 0;
                assertThat(more).isTrue();
                if ((ip.equals("4") ? field & 0x1FFF : field >> 3) == 0) {
                    first++;
                }
            }
            assertThat(first).isEqualTo(500);
        }
    }

    @Test
    void bombsAllAddressesOfThePrefix() {
        TrafficSource flood = source("carpet-bombing", "from", "4", "to", "0", "rate", "10kpps", "prefix", "26");
        FakeStage stage = FakeStage.run(flood, 1, SECOND);
        Set<Long> hit = new HashSet<>();
        captured(stage).forEach(captured -> hit.add(captured.view.flow().destinationLow()));
        assertThat(hit).hasSize(64).allMatch(address -> address >>> 6 == 0x0A00_0000L >>> 6);
        assertThat(stage.sent).allMatch(sent -> sent.to() == VICTIM);
        assertThat(fact(flood).victim().text()).isEqualTo("10.0.0.0/26");
        assertThat(fact(flood).victim().port()).isEqualTo(AttackFact.ABSENT);
    }

    @Test
    void reflectsFromWellKnownPorts() {
        TrafficSource attack = source("reflection", "from", "4,5,6,7", "to", "0", "rate", "4000pps");
        FakeStage stage = FakeStage.run(attack, 1, SECOND);
        Set<Integer> ports = new HashSet<>();
        captured(stage).forEach(captured -> ports.add(captured.view.flow().sourcePort()));
        assertThat(ports).containsExactlyInAnyOrder(53, 123, 1900, 11_211);
        assertThat(stage.sent).hasSize(4_000);
        assertThat(stage.openFlows).isEmpty();
    }

    /** Requests carry the victim's address and the bot's MAC; answers come only for requests that arrived. */
    @Test
    void reflectsWhatBotsAskFor() {
        TrafficSource attack = source(
                "reflection", "from", "internet", "to", "0", "bots", "camera", "rate", "4000pps", "service", "dns");
        FakeStage stage = FakeStage.run(attack, 1, SECOND);
        long requests = 0;
        for (FakeStage.Sent sent : stage.sent) {
            FlowView flow = new Captured(sent.bytes()).check().view.flow();
            if (flow.destinationPort() == 53) {
                requests++;
                assertThat(flow.sourceLow()).isEqualTo(0x0A00_0001L);
                assertThat(sent.bytes()[11]).isEqualTo((byte) (sent.from() + 1));
            } else {
                assertThat(flow.sourcePort()).isEqualTo(53);
                assertThat(sent.to()).isEqualTo(VICTIM);
            }
        }
        assertThat(requests).isEqualTo(1_000);
        assertThat(stage.sent.size() - requests).isBetween(3_980L, 4_000L);
        assertThat(fact(attack).instigators()).containsExactly(4, 5);
        assertThat(stage.openFlows).isEmpty();
    }

    @Test
    void scansManyHostsForOnePort() {
        TrafficSource attack = source("scan", "from", "4", "to", "server,client", "ports", "22");
        FakeStage stage = FakeStage.run(attack, 1, 2 * SECOND);
        Set<Integer> victims = new HashSet<>();
        int answers = 0;
        for (FakeStage.Sent sent : stage.sent) {
            int flags = new Captured(sent.bytes()).check().tcpFlags();
            if (sent.from() == 4) {
                victims.add(sent.to());
            } else {
                assertThat(flags).isEqualTo(PacketWriter.SYN | PacketWriter.ACK);
                answers++;
            }
        }
        assertThat(victims).containsExactlyInAnyOrder(0, 1, 2, 3);
        assertThat(answers).isEqualTo(40);
        assertThat(fact(attack).victim().text()).isEqualTo("10.0.0.0/29");
        assertThat(fact(attack).victim().port()).isEqualTo(22);
        assertThat(stage.openFlows).isEmpty();
    }

    @Test
    void refusesClosedPortsAndIsNoAttackWhenBenign() {
        TrafficSource scan = source("port-scan", "from", "4", "to", "0", "ports", "78..81", "rate", "4pps");
        FakeStage stage = FakeStage.run(scan, 1, SECOND);
        assertThat(stage.sent.stream()
                        .filter(sent -> sent.from() == VICTIM)
                        .map(sent -> new Captured(sent.bytes()).tcpFlags()))
                .containsExactly(
                        PacketWriter.RST | PacketWriter.ACK,
                        PacketWriter.RST | PacketWriter.ACK,
                        PacketWriter.SYN | PacketWriter.ACK,
                        PacketWriter.RST | PacketWriter.ACK);
        assertThat(scan.attacks(TOPOLOGY, 0, SECOND)).isEmpty();
    }

    @Test
    void floodsWithEchoOfBothVersions() {
        for (String ip : List.of("4", "6")) {
            TrafficSource flood = source("icmp-flood", "from", "camera", "to", "0", "rate", "100pps", "ip", ip);
            FakeStage stage = FakeStage.run(flood, 1, SECOND);
            assertThat(captured(stage)).hasSize(100).allMatch(c -> c.is(ip.equals("4") ? Layer.ICMP : Layer.ICMPV6));
        }
    }
}
