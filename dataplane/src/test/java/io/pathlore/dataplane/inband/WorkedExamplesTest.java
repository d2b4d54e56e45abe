package io.pathlore.dataplane.inband;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.dataplane.packet.Packet;
import io.pathlore.testkit.Hex;
import io.pathlore.testkit.vectors.GoldenVectors;
import io.pathlore.testkit.vectors.Start;
import io.pathlore.wire.Domains;
import io.pathlore.wire.Domains.Domain;
import io.pathlore.wire.Domains.Item;
import io.pathlore.wire.inband.HopValues;
import io.pathlore.wire.inband.IntVersion;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Nodes configured as the worked examples describe make their packets, octet for octet, and take INT out again. */
class WorkedExamplesTest {
    private static final int MTU = 1500;
    private static final String INNER =
            "00000000 02020000 00000101 08004500 001c0001 40004011 23ba0a0a 01010a0a 02020457" + " 08ae0008 dbc2";
    private static final String TCP_PACKET =
            "45000028 00014000 400623cd 0a000101 0a000202 b26e0050 000003e8 000007d0" + " 50182000 ba530000";
    private static final Domains DOMAINS = new Domains(List.of(
            Domains.DEFAULT.all().getFirst(),
            new Domain(0xABCD, List.of(new Item(0, 1, true, "sequence"), new Item(1, 1, true, "flow")))));
    private static final Codepoints CODEPOINTS = codepoints(5555);

    private static Codepoints codepoints(int udpPort) {
        Codepoints base = Codepoints.DEFAULT;
        return new Codepoints(
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
    }

    private final HopValues own = new HopValues();
    private final Packet packet = new Packet(2048);
    private IntEditor editor = new IntEditor(CODEPOINTS, false, false, flow -> 33333);
    private int[] sourceWords = {};

    private void hop(Consumer<HopValues> values) {
        own.clear();
        values.accept(own);
    }

    private void source(byte[] original, IntTask task, Consumer<HopValues> values) {
        packet.copyFrom(original);
        hop(values);
        assertThat(editor.insert(packet, editor.parse(packet), task, own, sourceWords, 0, MTU))
                .isEqualTo(Insertion.DONE);
    }

    private void transit(Consumer<HopValues> values) {
        hop(values);
        assertThat(editor.push(packet, editor.parse(packet), own, NodeAbility.DEFAULT, MTU))
                .isEqualTo(Push.PUSHED);
    }

    private void expect(byte[] expected, byte[] original) {
        assertThat(Hex.text(packet.toByteArray())).isEqualTo(Hex.text(expected));
        assertThat(editor.strip(packet, editor.parse(packet))).isTrue();
        assertThat(Hex.text(packet.toByteArray())).isEqualTo(Hex.text(original));
    }

    private static Consumer<HopValues> queue(int node, int occupancy) {
        return hop -> {
            hop.nodeId = node;
            hop.queueId = 0;
            hop.queueOccupancy = occupancy;
        };
    }

    private static Consumer<HopValues> node(int node) {
        return hop -> hop.nodeId = node;
    }

    private static byte[] example(String name) {
        return GoldenVectors.vector(name).start().frame(GoldenVectors.bytes(name));
    }

    /** The packet inside a report: what starts at {@code from} and ends {@code pad} octets before the report does. */
    private static byte[] inside(String name, int from, int pad) {
        byte[] report = GoldenVectors.bytes(name);
        return Arrays.copyOfRange(report, from, report.length - pad);
    }

    private static byte[] original(Start start, String hex) {
        return start.frame(Hex.bytes(hex));
    }

    @Test
    void makesInt05OverTcpByDscp() {
        byte[] original = Hex.bytes("000000000202 000000000101 0800 4500002c 00014000 400623c9 0a000101 0a000202"
                + " b26e0016 000003e8 000007d0 50182000 1f090000 5353482d");
        IntTask task = IntTask.md(IntVersion.V0_5, Carrier.DSCP, Instructions.of(0x9000), 16);
        source(original, task, queue(1, 5));
        transit(queue(2, 42));
        expect(inside("R3", 12, 0), original);
    }

    @Test
    void makesInt21OverANewUdpHeader() {
        byte[] original = original(Start.IPV4, TCP_PACKET);
        source(original, IntTask.md(Carrier.NEW_UDP, Instructions.of(0x9000), 8), queue(1, 5));
        transit(queue(2, 42));
        expect(Start.IPV4.frame(inside("R9", 24, 0)), original);
    }

    @Test
    void makesInt21OnTheUdpPortOfVxlan() {
        byte[] original = original(
                Start.IPV4,
                "4500005a 00014000 4011b63e c0a80101 c0a80202 ddd512b5 00460000 08000000 00012300 00000000 0202"
                        + "0000 00000101 08004500 00280001 40004006 23b90a0a 01010a0a 02029c40 01bb0000 00070000"
                        + " 00085010 0200f8b3 0000");
        IntTask task = IntTask.md(Carrier.UDP_PORT, Instructions.of(0xC000), 8);
        source(original, task, ports(1, 11, 12));
        transit(ports(2, 21, 22));
        transit(ports(3, 31, 32));
        expect(Start.IPV4.frame(inside("R10", 12, 2)), original);
    }

    private static Consumer<HopValues> ports(int node, int ingress, int egress) {
        return hop -> {
            hop.nodeId = node;
            hop.ingressInterface = ingress;
            hop.egressInterface = egress;
        };
    }

    /** The example's second header holds results of the reverse path, which no node of ours sends back. */
    @Test
    void makesJune2016OverGeneve() {
        editor = new IntEditor(CODEPOINTS, true);
        byte[] original = original(Start.GENEVE, "00006558 00012300" + INNER);
        source(original, IntTask.md(IntVersion.JUNE_2016, Carrier.GENEVE, Instructions.of(0x9000), 16), queue(1, 5));
        transit(queue(2, 42));
        transit(queue(3, 256));
        String example = Hex.text(GoldenVectors.bytes("D1"));
        expect(original(Start.GENEVE, "09" + example.substring(2, 2 * 44) + example.substring(2 * 68)), original);
    }

    @Test
    void makesJune2016OverVxlanGpe() {
        editor = new IntEditor(CODEPOINTS, true);
        byte[] original = original(Start.VXLAN_GPE, "0c000003 00012300" + INNER);
        IntTask task = IntTask.md(IntVersion.JUNE_2016, Carrier.VXLAN_GPE, Instructions.of(0x9000), 16);
        source(original, task, queue(1, 5));
        transit(queue(2, 42));
        transit(queue(3, 256));
        String example = Hex.text(GoldenVectors.bytes("D2"));
        String behindFirstShim = example.substring(2 * 12, 2 * 44) + example.substring(2 * 68);
        expect(original(Start.VXLAN_GPE, example.substring(0, 2 * 11) + "03" + behindFirstShim), original);
    }

    @Test
    void makesInt10OverVxlanGpe() {
        byte[] original = original(Start.VXLAN_GPE, "0c000003 00012300" + INNER);
        source(original, IntTask.md(IntVersion.V1_0, Carrier.VXLAN_GPE, Instructions.of(0x8200), 8), node(1));
        transit(hop -> {
            hop.nodeId = 2;
            hop.level2IngressInterface = 65538;
            hop.level2EgressInterface = 65539;
        });
        expect(example("D3"), original);
    }

    @Test
    void writesTheChecksumComplement() {
        byte[] original = original(
                Start.IPV6,
                "60000000 000c1140 20010db8 00000000 00000000 00000001 20010db8 00000000 00000000 00000002 03e807d0"
                        + " 000cb9d8 70696e67");
        IntTask task = IntTask.md(IntVersion.V1_0, Carrier.DSCP, Instructions.of(0x8001), 8)
                .withComplement(true);
        source(original, task, node(1));
        expect(example("D4"), original);
    }

    @Test
    void makesInt21OverGeneve() {
        byte[] original = original(Start.GENEVE, "00006558 00012300" + INNER);
        source(original, IntTask.md(Carrier.GENEVE, Instructions.of(0x9000), 8), queue(1, 5));
        transit(queue(2, 42));
        transit(queue(3, 256));
        expect(example("D5"), original);
    }

    @Test
    void makesInt21OverGre() {
        byte[] original = original(Start.IPV4, TCP_PACKET);
        IntTask task = IntTask.md(Carrier.GRE, Instructions.of(0x9000), 8).withTunnel(0xC0A80101, 0xC0A80202);
        source(original, task, queue(1, 5));
        transit(queue(2, 42));
        expect(example("D6"), original);
    }

    @Test
    void makesInt21MxWithSourceInsertedWords() {
        byte[] original = original(Start.IPV4, TCP_PACKET);
        sourceWords = new int[] {15, 0x12345678};
        source(original, IntTask.mx(Carrier.NEW_UDP, new Instructions(0x9000, 0xABCD, 0xC000, 0)), node(1));
        expect(example("D7"), original);
    }

    @Test
    void makesTheSourceOnlyDeviceOfTransparentSecurity() {
        byte[] original = original(Start.IPV4, TCP_PACKET);
        sourceWords = new int[] {0xa61af6b1, 0x647d0000};
        Instructions instructions = new Instructions(0x8000, Domains.TRANSPARENT_SECURITY, 0x8000, 0x4000);
        source(original, IntTask.md(Carrier.NEW_UDP, instructions, 8), node(0x64));
        transit(node(0x101));
        transit(node(0x102));
        expect(example("D8"), original);
    }

    @Test
    void convertsPlainVxlan() {
        byte[] original = Hex.bytes("000000000202 000000000101 0800 45000000 00010000 40110000 c0a80101 c0a80202"
                + " c00012b5 003a 0000 08000000 00012300" + INNER);
        source(original, IntTask.md(Carrier.VXLAN_GPE, Instructions.of(0xCC80), 8), hop -> {
            hop.nodeId = 9;
            hop.ingressInterface = 1;
            hop.egressInterface = 2;
            hop.ingressTimestamp = 1_700_000_000_000_000_000L;
            hop.egressTimestamp = 1_700_000_000_000_000_700L;
            hop.bufferId = 2;
            hop.bufferOccupancy = 4096;
        });
        expect(example("D9"), original);
    }

    @Test
    void makesInt21BehindAProbeMarker() {
        byte[] original = original(
                Start.IPV4,
                "45280028 00014000 400623a5 0a000101 0a000202 b26e0050 000003e8 000007d0 50182000 ba530000");
        source(original, IntTask.md(Carrier.PROBE_MARKER, Instructions.of(0x8000), 8), node(1));
        expect(example("D10"), original);
    }

    /** In the report the sink has restored the next header already; on the way it is UDP. */
    @Test
    void speaksTheDialectOfTransparentSecurity() {
        editor = new IntEditor(codepoints(555), false, true, EntropyPort.COPIED);
        byte[] expected = inside("T1", 24, 0);
        expected[14 + 6] = 17;
        String text = Hex.text(expected);
        int payload = 90 - 8 - 4 - 12 - 12 - 8;
        byte[] original = Hex.bytes(text.substring(0, 2 * 18)
                + "%04x06".formatted(payload)
                + text.substring(2 * 21, 2 * 54)
                + text.substring(2 * (54 + 44)));
        sourceWords = new int[] {0xa61af6b1, 0x647d0000};
        Instructions instructions = new Instructions(0x8000, Domains.TRANSPARENT_SECURITY, 0x8000, 0x4000);
        IntTask task = IntTask.md(Carrier.NEW_UDP, instructions, 10).withTransparentSecurity(true);
        source(original, task, node(0x7B));
        transit(node(0xEA));
        transit(node(0x15B));
        expect(expected, original);
    }
}
