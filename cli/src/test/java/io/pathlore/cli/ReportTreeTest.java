package io.pathlore.cli;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.model.Fault;
import io.pathlore.testkit.vectors.Captures;
import io.pathlore.testkit.vectors.GoldenVectors;
import io.pathlore.testkit.vectors.Start;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.decode.Exporter;
import io.pathlore.wire.decode.ReportDecoder;
import io.pathlore.wire.decode.ReportSink;
import io.pathlore.wire.decode.ReportView;
import io.pathlore.wire.net.PacketWalker;
import io.pathlore.wire.tree.ReportTree;
import io.pathlore.wire.tree.TreeNode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class ReportTreeTest {
    private static final int MARGIN = 7;

    private final ReportDecoder decoder = new ReportDecoder(
            DecodeOptions.lenient().withMarks(DecodeOptions.IntMarks.LENIENT.withUdpPorts(List.of(555, 5555))));

    /** In the middle of a larger buffer, so that a wrong origin shows. */
    private List<TreeNode> trees(byte[] datagram) {
        ByteBuffer buffer = ByteBuffer.allocate(datagram.length + 2 * MARGIN);
        buffer.put(MARGIN, datagram);
        List<TreeNode> trees = new ArrayList<>();
        decoder.decode(buffer, MARGIN, MARGIN + datagram.length, new Exporter(), new ReportSink() {
            @Override
            public void onReport(ReportView report) {
                trees.add(ReportTree.of(report));
            }

            @Override
            public void onRejected(Fault fault, int offset) {}
        });
        return trees;
    }

    private TreeNode packetTree(byte[] frame) {
        ByteBuffer buffer = ByteBuffer.allocate(frame.length + 2 * MARGIN);
        buffer.put(MARGIN, frame);
        decoder.decodePacket(buffer, MARGIN, MARGIN + frame.length, PacketWalker.Start.ETHERNET, new Exporter());
        return ReportTree.of(decoder.packet(), decoder.warnings());
    }

    /** {@code offset+length label: value} of every field below the named part. */
    private static List<String> fields(TreeNode node, String part) {
        List<String> fields = new ArrayList<>();
        for (TreeNode child : node.children()) {
            if (child.label().equals(part)) {
                child.children()
                        .forEach(field -> fields.add(
                                field.offset() + "+" + field.length() + " " + field.label() + ": " + field.value()));
                return fields;
            }
            fields.addAll(fields(child, part));
            if (!fields.isEmpty()) {
                return fields;
            }
        }
        return fields;
    }

    @Test
    void showsEveryFieldOfAReportWithItsBytes() {
        TreeNode tree = trees(GoldenVectors.bytes("R7")).getFirst();

        assertThat(fields(tree, "Group header"))
                .containsExactly("0+1 Ver: 2", "0+2 hw_id: 1", "1+3 Sequence Number: 5", "4+4 Node ID: 3");
        assertThat(fields(tree, "Individual report header"))
                .containsExactly(
                        "8+1 RepType: 1 (INT)",
                        "8+1 InType: 4 (ipv4)",
                        "9+1 Report Length: 14 (words behind this one)",
                        "10+1 MD Length: 2 (words of metadata)",
                        "11+1 D: 0",
                        "11+1 Q: 0",
                        "11+1 F: 1 (tracked flow)",
                        "11+1 I: 0",
                        "11+1 Rsvd: 0");
        assertThat(fields(tree, "Main contents"))
                .containsExactly(
                        "12+2 RepMdBits: 0x5000 (interfaces, queue)",
                        "14+2 Domain Specific ID: 0x0000",
                        "16+2 DSMdBits: 0x0000",
                        "18+2 DSMdstatus: 0x0000");
        assertThat(fields(tree, "Metadata"))
                .containsExactly(
                        "20+2 Level 1 ingress interface: 1",
                        "22+2 Level 1 egress interface: 2",
                        "24+1 Queue id: 0",
                        "25+3 Queue occupancy: 256");
        assertThat(fields(tree, "IPv4")).contains("40+4 Source: 10.0.1.1", "37+1 Protocol: 6 (TCP)");
        assertThat(fields(tree, "TCP")).contains("48+2 Source Port: 45678", "61+1 Flags: 0x18 (ACK, PSH)");
    }

    @Test
    void showsTheOlderReportHeaders() {
        TreeNode local = trees(GoldenVectors.bytes("R1")).getFirst();
        assertThat(fields(local, "Fixed header"))
                .contains(
                        "0+1 NProto: 2 (switch-local header)",
                        "1+3 Reserved: 0x0000",
                        "8+4 Ingress Timestamp: 305419896");
        assertThat(fields(local, "Switch-local header"))
                .contains("12+4 Switch id: 257", "20+1 Queue id: 3", "21+3 Queue occupancy: 341");
        assertThat(fields(trees(GoldenVectors.bytes("R2")).getFirst(), "Drop header"))
                .contains("21+1 Drop reason: 80");

        TreeNode v10 = trees(GoldenVectors.bytes("R4")).getFirst();
        assertThat(fields(v10, "Report header"))
                .contains(
                        "1+2 RepMdBits: 0x3d (ports, hop latency, queue, egress timestamp, TX utilization)",
                        "3+1 Q: 1 (congested queue)",
                        "3+1 F: 1 (tracked flow)",
                        "3+1 hw_id: 2");
        assertThat(fields(v10, "Metadata"))
                .containsExactly(
                        "16+2 Ingress port id: 1",
                        "18+2 Egress port id: 2",
                        "20+4 Hop latency: 300",
                        "24+1 Queue id: 1",
                        "25+3 Queue occupancy: 20",
                        "28+4 Egress timestamp: 65836",
                        "32+4 Egress port TX utilization: 10000");
    }

    @Test
    void showsAnIntStackNewestHopFirst() {
        TreeNode tree = trees(GoldenVectors.bytes("R9")).getFirst();

        assertThat(fields(tree, "INT shim"))
                .contains("52+1 NPT: 2 (another IP payload follows)", "55+1 IP protocol: 6 (TCP)");
        assertThat(fields(tree, "INT metadata header"))
                .contains("58+1 Hop ML: 2 (words each hop adds)", "60+2 Instruction Bitmap: 0x9000 (node id, queue)");
        assertThat(fields(tree, "Hop 2"))
                .containsExactly("68+4 Node id: 2", "72+1 Queue id: 0", "73+3 Queue occupancy: 42");
        assertThat(fields(tree, "Hop 1"))
                .containsExactly("76+4 Node id: 1", "80+1 Queue id: 0", "81+3 Queue occupancy: 5");
    }

    /** R6 has the timestamps of another version; the widths are found, not assumed. */
    @Test
    void showsItemsWithTheWidthsTheyHave() {
        assertThat(fields(trees(GoldenVectors.bytes("R6")).getFirst(), "Hop 1"))
                .containsExactly(
                        "94+4 Switch id: 1",
                        "98+2 Level 1 ingress interface: 4",
                        "100+2 Level 1 egress interface: 2",
                        "102+8 Ingress timestamp: 1700000000000001000",
                        "110+8 Egress timestamp: 1700000000000001300");
    }

    @Test
    void showsDialectsDomainsAndTlvs() {
        TreeNode tracked = trees(GoldenVectors.bytes("T1")).getFirst();
        assertThat(fields(tracked, "Hop 1")).contains("114+6 Source device: a6:1a:f6:b1:64:7d");
        assertThat(fields(tracked, "INT shim")).contains("87+1 Length: 9 (words with the shim)");
        TreeNode drop = trees(GoldenVectors.bytes("T2")).getFirst();
        assertThat(fields(drop, "Drop data"))
                .containsExactly(
                        "24+4 Timestamp: 1700000000 (seconds since 1970)",
                        "28+4 Drop count: 4242",
                        "32+16 Drop key: 0000000000000000fc2bc3f5d924da44");
        assertThat(fields(drop, "Trailer")).hasSize(1);
        TreeNode tlvs = trees(GoldenVectors.bytes("R8")).getFirst();
        assertThat(fields(tlvs, "Domain specific metadata")).containsExactly("28+4 Word 1: 0xcafe0001");
        assertThat(fields(tlvs, "TLV")).contains("32+1 TLVType: 0 (DS extension)", "36+8 Data: 0011223344556677");
        assertThat(fields(trees(GoldenVectors.bytes("I1")).getFirst(), "Node 1"))
                .contains("100+1 Hop_Lim: 63", "101+3 node_id: 1", "112+4 timestamp fraction: 400000");
    }

    @Test
    void aFieldOfAllOnesIsUnavailable() {
        byte[] frame = Start.VXLAN_GPE.frame(GoldenVectors.bytes("D3"));
        assertThat(fields(packetTree(frame), "Hop 1"))
                .contains("78+4 Level 2 ingress interface: unavailable (all ones)");
    }

    @Test
    void showsWhatIsLeftOfAHeaderThatWasCut() {
        TreeNode ip = trees(Arrays.copyOf(GoldenVectors.bytes("R2"), 50)).getFirst();
        assertThat(fields(ip, "IPv4"))
                .contains("46+1 TTL: 64", "47+1 Protocol: 6 (TCP)")
                .hasSize(12);
        byte[] cut = Arrays.copyOf(GoldenVectors.bytes("I1"), 104);
        cut[9] = 23; // words that are still there
        assertThat(fields(trees(cut).getFirst(), "Node 1")).contains("85+3 node_id: 2");
    }

    @Test
    void everyByteOfAGoodReportIsInSomeField() {
        for (GoldenVectors.Vector vector : GoldenVectors.all()) {
            List<TreeNode> trees = vector.start() == Start.REPORT
                    ? trees(vector.bytes())
                    : List.of(packetTree(vector.start().frame(vector.bytes())));
            assertThat(trees).as(vector.name()).isNotEmpty();
            boolean[] shown = new boolean[trees.getFirst().length()];
            trees.forEach(tree -> leaves(tree, shown));
            for (int i = 0; i < shown.length; i++) {
                assertThat(shown[i]).as(vector.name() + " byte " + i).isTrue();
            }
        }
    }

    private static void leaves(TreeNode node, boolean[] shown) {
        if (node.children().isEmpty()) {
            Arrays.fill(shown, node.offset(), node.end(), true);
        }
        node.children().forEach(child -> leaves(child, shown));
    }

    @Test
    void neverThrowsAndStaysInsideTheDatagram() {
        List<byte[]> seeds = new ArrayList<>();
        GoldenVectors.all().forEach(vector -> seeds.add(vector.bytes()));
        for (String name : Captures.names()) {
            Captures.frames(name).forEach(frame -> seeds.add(frame.bytes()));
        }
        forAll(r -> mutated(r, seeds.get(r.nextInt(seeds.size()))), bytes -> {
            trees(bytes).forEach(tree -> assertInside(tree, tree.length()));
            TreeNode packet = packetTree(bytes);
            assertInside(packet, bytes.length);
        });
    }

    private static byte[] mutated(RandomGenerator random, byte[] seed) {
        byte[] bytes = Arrays.copyOf(seed, random.nextInt(seed.length + 1));
        for (int i = random.nextInt(4); i > 0 && bytes.length > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return bytes;
    }

    private static void assertInside(TreeNode node, int size) {
        assertThat(node.offset()).as(node.label()).isBetween(0, size);
        assertThat(node.end()).as(node.label()).isBetween(node.offset(), size);
        for (TreeNode child : node.children()) {
            if (node.length() > 0 && child.length() > 0) {
                assertThat(child.offset()).as(child.label()).isGreaterThanOrEqualTo(node.offset());
                assertThat(child.end()).as(node.label() + " / " + child.label()).isLessThanOrEqualTo(node.end());
            }
            assertInside(child, size);
        }
    }
}
