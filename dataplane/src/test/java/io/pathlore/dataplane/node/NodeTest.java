package io.pathlore.dataplane.node;

import static io.pathlore.dataplane.node.Decoded.header;
import static io.pathlore.dataplane.node.Decoded.map;
import static io.pathlore.dataplane.node.Decoded.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.dataplane.inband.Carrier;
import io.pathlore.dataplane.inband.Instructions;
import io.pathlore.dataplane.inband.IntTask;
import io.pathlore.dataplane.inband.NodeAbility;
import io.pathlore.dataplane.packet.Packet;
import io.pathlore.dataplane.report.ReportFormat;
import io.pathlore.dataplane.watch.FlowRules;
import io.pathlore.dataplane.watch.Match;
import io.pathlore.dataplane.watch.QueueRules;
import io.pathlore.dataplane.watch.Sampling;
import io.pathlore.dataplane.watch.WatchEntry;
import io.pathlore.testkit.Hex;
import io.pathlore.testkit.reference.ReferenceDecoder;
import io.pathlore.testkit.reference.ReferenceOptions;
import io.pathlore.wire.decode.ReportVersion;
import io.pathlore.wire.inband.IntVersion;
import io.pathlore.wire.net.PacketEncoder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What a node does with a packet beyond the plain way, in a chain of nodes from source to sink. */
class NodeTest {
    private static final int BITMAP = 0xF000;
    private static final IntTask MD = IntTask.md(Carrier.NEW_UDP, Instructions.of(BITMAP), 8);

    private final ReferenceDecoder decoder = new ReferenceDecoder(ReferenceOptions.strictDefaults()
            .withIntUdpPorts(Set.of(555))
            .withGeneveClasses(Set.of(0x0103, 0x00AB))
            .withGpe(Set.of(0x82), Set.of(0x08)));

    private static NodeChain chain(int length, IntTask task, UnaryOperator<NodeConfig> with) {
        return chain(length, task, Sampling.EVERY_PACKET, with);
    }

    private static NodeChain chain(int length, IntTask task, Sampling sampling, UnaryOperator<NodeConfig> with) {
        WatchEntry all = new WatchEntry("all", 0, Match.EVERYTHING, sampling, true, true, task);
        return new NodeChain(length, node -> {
            ReportFormat format = ReportFormat.of(ReportVersion.V2_0, node, NodeChain.COLLECTOR)
                    .withMaxFragmentBytes(600);
            Set<Integer> edges =
                    length == 1 ? Set.of(1, 2) : node == 1 ? Set.of(1) : node == length ? Set.of(2) : Set.of();
            return with.apply(NodeConfig.of(edges, List.of(all), format));
        });
    }

    private static NodeChain chain(int length, IntTask task) {
        return chain(length, task, UnaryOperator.identity());
    }

    private Map<String, Object> report(NodeChain chain, int index) {
        List<Map<String, Object>> read = decoder.decode(chain.reports.get(index).payload());
        assertThat(read).hasSize(1);
        assertThat(read.getFirst()).doesNotContainKeys("error", "warnings");
        return read.getFirst();
    }

    @Test
    void reportsAFlowWhenItIsNewAndWhenItsLatencyChanges() {
        NodeChain chain =
                chain(3, MD, config -> config.withRules(FlowRules.onChange(1000, 1_000_000_000), QueueRules.NONE, 0));
        for (int i = 0; i < 5; i++) {
            assertThat(chain.send(TestPackets.tcp(false, 50))).isTrue();
        }
        assertThat(chain.reports).hasSize(1);

        Packet slow = TestPackets.tcp(false, 50);
        chain.forward(1, slow);
        Passage passage = chain.passage(2);
        passage.egressTimestamp += 50_000;
        chain.nodes.get(1).forward(slow, passage, chain.output(2));
        chain.forward(3, slow);
        assertThat(chain.reports).hasSize(2);
    }

    @Test
    void aCongestedQueueIsReportedByWhoeverHasIt() {
        NodeChain chain = chain(
                3,
                MD,
                config -> config.withRules(
                        FlowRules.onChange(1000, 1_000_000_000), QueueRules.occupancy(1500, 1000, 10), 0));
        chain.send(TestPackets.tcp(false, 50));
        assertThat(chain.reports).extracting(NodeChain.Datagram::node).containsExactly(2, 3);
        Map<String, Object> atTransit = report(chain, 0);
        assertThat(map(atTransit, "report")).containsEntry("congested", true).containsEntry("tracked", true);
        assertThat(map(atTransit, "metadata")).containsEntry("queueOccupancy", 2000L);
        assertThat(nodes(atTransit)).containsExactly(1L);
        Map<String, Object> atSink = report(chain, 1);
        assertThat(map(atSink, "report")).containsEntry("congested", true).containsEntry("tracked", true);
        assertThat(nodes(atSink)).containsExactly(1L, 2L);
    }

    @Test
    void packetsNobodyWatchesAreReportedFromACongestedQueueToo() {
        NodeChain chain = new NodeChain(
                1,
                node -> NodeConfig.of(
                                Set.of(), List.of(), ReportFormat.of(ReportVersion.V2_0, node, NodeChain.COLLECTOR))
                        .withRules(FlowRules.EVERY_PACKET, QueueRules.occupancy(500, 100, 10), 0));
        chain.send(TestPackets.udp(false, 20));
        assertThat(map(report(chain, 0), "report"))
                .containsEntry("congested", true)
                .containsEntry("tracked", false);
    }

    @Test
    void aDropIsReportedOncePerFlowAndIntervalWithTheWaySoFar() {
        NodeChain chain = chain(3, MD);
        for (int i = 0; i < 3; i++) {
            Packet packet = TestPackets.tcp(false, 50);
            chain.forward(1, packet);
            chain.drop(2, packet, 80);
        }
        assertThat(chain.reports).hasSize(1);
        Map<String, Object> report = report(chain, 0);
        assertThat(map(report, "report")).containsEntry("dropped", true).containsEntry("tracked", true);
        assertThat(map(report, "metadata")).containsEntry("dropReason", 80L).containsEntry("dropQueueId", 1L);
        assertThat(nodes(report)).containsExactly(1L);
    }

    @Test
    void whereThePacketWouldHaveGoneIsUnknownWhenItIsDroppedBefore() {
        NodeChain chain = chain(3, MD);
        Passage passage = chain.passage(1);
        passage.egressInterface = Passage.NOWHERE;
        chain.nodes.getFirst().drop(TestPackets.tcp(false, 50), passage, 26, chain.output(1));
        // Interfaces share a word: 0, which no interface has, keeps the one that is known.
        assertThat(map(report(chain, 0), "metadata"))
                .containsEntry("ingressInterface", 1L)
                .containsEntry("egressInterface", 0L)
                .doesNotContainKeys("hopLatency", "queueOccupancy", "egressTimestamp");
    }

    @Test
    void nodesBeyondTheHopLimitSetEAndAddNothing() {
        NodeChain chain = chain(4, IntTask.md(Carrier.NEW_UDP, Instructions.of(BITMAP), 2));
        chain.send(TestPackets.tcp(false, 50));
        Map<String, Object> report = report(chain, 0);
        assertThat(nodes(report)).containsExactly(1L, 2L);
        assertThat(header(report)).containsEntry("hopLimitExceeded", true).containsEntry("remainingHops", 0L);
    }

    @Test
    void aFullLinkKeepsNodesFromAddingAndTheySetM() {
        NodeChain chain = chain(4, MD);
        Packet packet = TestPackets.tcp(false, 50);
        chain.mtu = 90 + 24 + 16;
        chain.send(packet);
        Map<String, Object> report = report(chain, 0);
        assertThat(nodes(report)).containsExactly(1L);
        assertThat(header(report)).containsEntry("mtuExceeded", true);
    }

    @Test
    void aNodeThatMayReportsAndClearsTheStackWhenTheLinkIsFull() {
        NodeChain chain =
                chain(4, MD, config -> config.withAbility(NodeAbility.DEFAULT.withIntermediateReports(true), false));
        Packet packet = TestPackets.tcp(false, 50);
        String before = Hex.text(packet.toByteArray());
        chain.mtu = 90 + 24 + 16;
        chain.send(packet);
        assertThat(Hex.text(packet.toByteArray())).isEqualTo(before);
        assertThat(chain.reports).extracting(NodeChain.Datagram::node).containsExactly(2, 3, 4);
        Map<String, Object> intermediate = report(chain, 0);
        assertThat(map(intermediate, "report"))
                .containsEntry("intermediate", true)
                .containsEntry("tracked", true);
        assertThat(nodes(intermediate)).containsExactly(1L);
        assertThat(nodes(report(chain, 1))).containsExactly(2L);
        assertThat(nodes(report(chain, 2))).containsExactly(3L);
        assertThat(map(report(chain, 2), "report")).containsEntry("intermediate", false);
    }

    @Test
    void theSinkReportsAndDiscardsAClone() {
        NodeChain chain = chain(3, MD.withDiscard(true));
        assertThat(chain.send(TestPackets.tcp(false, 50))).isFalse();
        assertThat(header(report(chain, 0))).containsEntry("discard", true);
    }

    @Test
    void replicasGoEveryWayAndEndAtTheSink() {
        IntTask task = IntTask.md(IntVersion.V1_0, Carrier.VXLAN_GPE, Instructions.of(0x8000), 8)
                .withReplicate(2);
        NodeChain chain = chain(3, task);
        Packet packet = TestPackets.vxlan();
        String before = Hex.text(packet.toByteArray());
        chain.forward(1, packet);
        Passage passage = chain.passage(2);
        passage.alternatives[0] = 7;
        passage.alternatives[1] = 8;
        passage.alternativeCount = 2;
        chain.nodes.get(1).forward(packet, passage, chain.output(2));
        assertThat(chain.made).hasSize(2);
        assertThat(chain.forward(3, packet)).isEqualTo(Verdict.FORWARD);
        assertThat(Hex.text(packet.toByteArray())).isEqualTo(before);
        for (byte[] bytes : List.copyOf(chain.made)) {
            Packet replica = new Packet(2000);
            replica.copyFrom(bytes);
            assertThat(chain.forward(3, replica)).isEqualTo(Verdict.DISCARD);
        }
        assertThat(chain.reports).hasSize(3);
        assertThat(chain.made).hasSize(2);
    }

    @Test
    void aSlowPathSendsItsMetadataAfterThePacket() {
        IntTask task = IntTask.md(IntVersion.V0_5, Carrier.VXLAN_GPE, Instructions.of(0x8000), 8);
        NodeChain chain = chain(
                3,
                task,
                config -> config.report().nodeId() == 2 ? config.withAbility(NodeAbility.DEFAULT, true) : config);
        Packet packet = TestPackets.vxlan();
        String before = Hex.text(packet.toByteArray());
        chain.send(packet);
        assertThat(Hex.text(packet.toByteArray())).isEqualTo(before);
        assertThat(nodes(report(chain, 0))).containsExactly(1L);
        assertThat(chain.made).hasSize(1);
        Packet followUp = new Packet(2000);
        followUp.copyFrom(chain.made.getFirst());
        assertThat(chain.forward(3, followUp)).isEqualTo(Verdict.DISCARD);
        Map<String, Object> late = report(chain, 1);
        assertThat(header(late)).containsEntry("type", "destination");
        assertThat(nodes(late)).containsExactly(1L, 2L);
    }

    @Test
    void theSinkFindsLostPacketsAndNodesThatSayNothing() {
        IntTask task = IntTask.md(Carrier.VXLAN_GPE, Instructions.of(0x8000), 8).withDestinationHeader(true);
        NodeChain chain = chain(3, task);
        for (int i = 0; i < 4; i++) {
            Packet packet = TestPackets.vxlan();
            String before = Hex.text(packet.toByteArray());
            chain.forward(1, packet);
            if (i == 2) {
                continue;
            }
            chain.forward(2, packet);
            // Three hops decremented the TTL, two of them pushed: one does not speak INT.
            int ip = packet.start() + PacketEncoder.ETHERNET_LENGTH;
            packet.buffer().put(ip + 8, (byte) 61);
            chain.forward(3, packet);
            packet.buffer().put(packet.start() + PacketEncoder.ETHERNET_LENGTH + 8, (byte) 64);
            assertThat(Hex.text(packet.toByteArray())).isEqualTo(before);
        }
        SinkFindings findings = chain.nodes.get(2).findings();
        assertThat(findings.packets()).isEqualTo(3);
        assertThat(findings.lost()).isEqualTo(1);
        assertThat(findings.hiddenHops()).isEqualTo(1);
    }

    @Test
    void aDomainOfOneNodeReportsWithoutTouchingThePacket() {
        NodeChain chain = chain(1, MD);
        Packet packet = TestPackets.udp(true, 20);
        String before = Hex.text(packet.toByteArray());
        chain.send(packet);
        assertThat(Hex.text(packet.toByteArray())).isEqualTo(before);
        Map<String, Object> report = report(chain, 0);
        assertThat(report).doesNotContainKey("int");
        assertThat(map(report, "report")).containsEntry("tracked", true);
    }

    @Test
    void reportsOnTheirWayAreNotReported() {
        NodeChain chain = chain(
                1,
                IntTask.xd(Instructions.of(BITMAP)),
                config -> config.withRules(FlowRules.EVERY_PACKET, QueueRules.occupancy(100, 50, 10), 0));
        Packet report = TestPackets.udp(false, 100);
        int ip = report.start() + PacketEncoder.ETHERNET_LENGTH;
        report.buffer().putInt(ip + 16, (int) NodeChain.COLLECTOR.addressLow());
        report.buffer().putShort(ip + 22, (short) NodeChain.COLLECTOR.port());
        chain.send(report);
        chain.drop(1, report, 80);
        assertThat(chain.reports).isEmpty();
    }

    @Test
    void aSourceTakesOneInN() {
        NodeChain chain = chain(3, MD, new Sampling(Sampling.Method.COUNT, 10), UnaryOperator.identity());
        for (int i = 0; i < 100; i++) {
            chain.send(TestPackets.tcp(false, 50));
        }
        assertThat(chain.reports).hasSize(10);
    }

    @Test
    void aRestartForgetsFlowsAndNumbers() {
        NodeChain chain =
                chain(3, MD, config -> config.withRules(FlowRules.onChange(1000, 1_000_000_000), QueueRules.NONE, 0));
        chain.send(TestPackets.tcp(false, 50));
        chain.send(TestPackets.udp(false, 50));
        chain.nodes.forEach(Node::restart);
        chain.send(TestPackets.tcp(false, 50));
        assertThat(chain.reports).hasSize(3);
        assertThat(map(report(chain, 1), "report")).containsEntry("sequence", 1L);
        assertThat(map(report(chain, 2), "report")).containsEntry("sequence", 0L);
    }

    @Test
    void whatTheSinkTakesOutCountsForTheMtu() {
        NodeChain chain = chain(2, MD);
        Packet packet = TestPackets.tcp(false, 50);
        int original = packet.length() - PacketEncoder.ETHERNET_LENGTH;
        chain.forward(1, packet);
        Passage passage = chain.passage(2);
        passage.mtu = original;
        assertThat(chain.nodes.get(1).fits(packet, passage)).isTrue();
        passage.mtu = original - 1;
        assertThat(chain.nodes.get(1).fits(packet, passage)).isFalse();
        passage.egressInterface = 3;
        passage.mtu = original;
        assertThat(chain.nodes.get(1).fits(packet, passage)).isFalse();
    }
}
