package io.pathlore.dataplane.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.dataplane.inband.Carrier;
import io.pathlore.dataplane.inband.Codepoints;
import io.pathlore.dataplane.inband.Instructions;
import io.pathlore.dataplane.inband.IntTask;
import io.pathlore.dataplane.packet.Packet;
import io.pathlore.dataplane.report.InnerStart;
import io.pathlore.dataplane.report.OwnMetadata;
import io.pathlore.dataplane.report.ReportFormat;
import io.pathlore.dataplane.watch.Match;
import io.pathlore.dataplane.watch.Sampling;
import io.pathlore.dataplane.watch.WatchEntry;
import io.pathlore.testkit.Hex;
import io.pathlore.testkit.vectors.GoldenVectors;
import io.pathlore.wire.Domains;
import io.pathlore.wire.Domains.Domain;
import io.pathlore.wire.Domains.Item;
import io.pathlore.wire.decode.ReportVersion;
import io.pathlore.wire.inband.HopView;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Nodes configured as the worked examples describe send their reports, octet for octet. */
class WorkedReportsTest {
    private static final int[] OCCUPANCY = {5, 42, 256};
    private static final String ETHERNET = "000000000202 000000000101 0800 ";
    private static final String TCP_PACKET =
            ETHERNET + "45000028 00014000 400623cd 0a000101 0a000202 b26e0050 000003e8 000007d0 50182000 ba530000";
    private static final Domains DOMAINS = new Domains(List.of(
            Domains.DEFAULT.all().getFirst(),
            new Domain(0xABCD, List.of(new Item(0, 1, true, "sequence"), new Item(1, 1, true, "flow")))));

    private static NodeChain chain(
            int length, int sink, IntTask task, int udpPort, UnaryOperator<ReportFormat> format, long sequence) {
        WatchEntry all = new WatchEntry("all", 0, Match.EVERYTHING, Sampling.EVERY_PACKET, true, true, task);
        Codepoints base = Codepoints.DEFAULT;
        Codepoints codepoints = new Codepoints(
                udpPort,
                base.dscp(),
                base.probeMarker(),
                base.geneveClass(),
                base.oldGeneveClass(),
                base.gpe(),
                base.oldGpe(),
                base.greEtherType(),
                base.beforeTcpOptions(),
                DOMAINS);
        return new NodeChain(length, node -> {
            Set<Integer> edges = node == 1 ? Set.of(1) : node == sink ? Set.of(2) : Set.of();
            ReportFormat of = format.apply(ReportFormat.of(ReportVersion.V2_0, node, NodeChain.COLLECTOR)
                    .withMaxFragmentBytes(600)
                    .withInner(InnerStart.IP, false));
            return NodeConfig.of(edges, List.of(all), of)
                    .withCodepoints(codepoints, false)
                    .withEntropyPort(flow -> 33333)
                    .withFirstSequence(sequence);
        });
    }

    private static void forward(NodeChain chain, int node, Packet packet) {
        Passage passage = chain.passage(node);
        passage.queueId = 0;
        passage.queueOccupancy = OCCUPANCY[node - 1];
        chain.nodes.get(node - 1).forward(packet, passage, chain.output(node));
    }

    private static Packet packet(String hex) {
        Packet packet = new Packet(2000);
        packet.copyFrom(Hex.bytes(hex));
        return packet;
    }

    private static void expect(NodeChain chain, int node, String name) {
        List<byte[]> from = chain.reports.stream()
                .filter(datagram -> datagram.node() == node)
                .map(NodeChain.Datagram::payload)
                .toList();
        assertThat(from).hasSize(1);
        assertThat(Hex.text(from.getFirst())).isEqualTo(Hex.text(GoldenVectors.bytes(name)));
    }

    /** INT-XD: ports and queue of one node. */
    @Test
    void sendsThePostcardOfExampleR7() {
        NodeChain chain = chain(3, 3, IntTask.xd(Instructions.of(0x5000)), 5555, format -> format.withHwId(1), 5);
        forward(chain, 3, packet(TCP_PACKET));
        expect(chain, 3, "R7");
    }

    /** INT-MD over a new UDP header, the sink's own queue beside the stack. */
    @Test
    void sendsTheSinksReportOfExampleR9() {
        IntTask task = IntTask.md(Carrier.NEW_UDP, Instructions.of(0x9000), 8);
        NodeChain chain = chain(3, 3, task, 5555, UnaryOperator.identity(), 0x3F_FFFF);
        Packet packet = packet(TCP_PACKET);
        for (int node = 1; node <= 3; node++) {
            forward(chain, node, packet);
        }
        expect(chain, 3, "R9");
        assertThat(Hex.text(packet.toByteArray())).isEqualTo(Hex.text(Hex.bytes(TCP_PACKET)));
    }

    /** INT-MX: node 2 repeats what the source inserted and leaves the packet alone. */
    @Test
    void sendsThePostcardOfExampleR13() {
        NodeChain chain =
                chain(3, 3, IntTask.mx(Carrier.NEW_UDP, Instructions.of(0x9000)), 5555, UnaryOperator.identity(), 42);
        String d7 = ETHERNET + Hex.text(GoldenVectors.bytes("D7"));
        Packet packet = packet(d7);
        forward(chain, 2, packet);
        expect(chain, 2, "R13");
        assertThat(Hex.text(packet.toByteArray())).isEqualTo(Hex.text(Hex.bytes(d7)));
    }

    /** Transparent Security: device id from the source, all three nodes in the stack, the 24-octet header. */
    @Test
    void sendsTheTrackedFlowOfExampleT1() {
        IntTask task = IntTask.md(Carrier.NEW_UDP, new Instructions(0x8000, 0x5453, 0x8000, 0x4000), 10)
                .withTransparentSecurity(true);
        long[] ids = {0x7B, 0xEA, 0x15B};
        WatchEntry all = new WatchEntry("all", 0, Match.EVERYTHING, Sampling.EVERY_PACKET, true, true, task);
        NodeChain chain = new NodeChain(
                3,
                node -> NodeConfig.of(
                                node == 1 ? Set.of(1) : node == 3 ? Set.of(2) : Set.of(),
                                List.of(all),
                                ReportFormat.of(ReportVersion.V2_0, ids[node - 1], NodeChain.COLLECTOR)
                                        .withTransparentSecurity())
                        .withEntropyPort(flow -> 0x1A18));
        String golden = Hex.text(GoldenVectors.bytes("T1")).replace(" ", "");
        // The original packet: Ethernet and IPv6 of the report, then TCP and its payload.
        String tcp = golden.substring(2 * (24 + 14 + 40 + 8 + 4 + 12 + 12 + 8));
        String head = golden.substring(2 * 24, 2 * (24 + 14 + 4)) + "%04x0640".formatted(tcp.length() / 2);
        String addresses = golden.substring(2 * (24 + 14 + 8), 2 * (24 + 14 + 40));
        Packet packet = packet(head + addresses + tcp);
        for (int node = 1; node <= 3; node++) {
            Passage passage = chain.passage(node);
            passage.queueOccupancy = HopView.ABSENT;
            chain.nodes.get(node - 1).forward(packet, passage, chain.output(node));
        }
        expect(chain, 3, "T1");
    }

    @Test
    void sendsTheSinksReportWithItsOwnHopOnTheStack() {
        IntTask task = IntTask.md(Carrier.NEW_UDP, Instructions.of(0x9000), 8);
        NodeChain chain = chain(3, 3, task, 5555, format -> format.withOwn(OwnMetadata.STACK), 0);
        Packet packet = packet(TCP_PACKET);
        for (int node = 1; node <= 3; node++) {
            forward(chain, node, packet);
        }
        String report = Hex.text(chain.reports.getFirst().payload()).replace(" ", "");
        assertThat(report)
                .contains("0000000300000100" + "000000020000002a" + "0000000100000005" + "b26e0050")
                .startsWith("2000000000000003" + "0416");
    }
}
