package io.pathlore.dataplane.inband;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.dataplane.packet.Packet;
import io.pathlore.testkit.Hex;
import io.pathlore.testkit.Property;
import io.pathlore.testkit.reference.ReferenceDecoder;
import io.pathlore.wire.Domains;
import io.pathlore.wire.inband.HopValues;
import io.pathlore.wire.inband.IntVersion;
import io.pathlore.wire.net.PacketEncoder;
import io.pathlore.wire.net.PacketView;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class IntEditorTest {
    private static final int MTU = 1500;
    private static final Instructions NODE_AND_QUEUE = Instructions.of(0x9000);
    private static final Instructions DEVICE = new Instructions(0x8000, Domains.TRANSPARENT_SECURITY, 0x8000, 0x4000);

    private final RandomGenerator random = Property.random(Property.seed(), 1);
    private final Codepoints codepoints = Hops.codepoints(false);
    private final HopValues own = new HopValues();
    private final Packet packet = new Packet(2048);
    private IntEditor editor = new IntEditor(codepoints, false);

    private void june2016() {
        editor = new IntEditor(codepoints, true);
    }

    private Insertion insert(IntTask task, int mtu) {
        own.nodeId = 1;
        own.queueId = 0;
        own.queueOccupancy = 5;
        return editor.insert(packet, view(), task, own, new int[] {0xA61AF6B1, 0x647D0000, 0x00C0FFEE}, 7, mtu);
    }

    private Push push(long node, NodeAbility ability, int mtu) {
        own.nodeId = node;
        return editor.push(packet, view(), own, ability, mtu);
    }

    private Push push(long node) {
        return push(node, NodeAbility.DEFAULT, 9000);
    }

    private PacketView view() {
        return editor.parse(packet);
    }

    private Map<String, Object> header(boolean june2016) {
        return Hops.ints(Hops.reference(codepoints, june2016, false), packet.toByteArray())
                .getFirst();
    }

    private List<String> nodes() {
        return Hops.hops(header(false)).stream()
                .map(hop -> hop.getOrDefault("nodeId", "?"))
                .toList();
    }

    private void sound() {
        Soundness.check(view(), 0);
    }

    private byte[] build(Shape shape) {
        do {
            shape.build(packet, false, random);
        } while (packet.end() - packet.start() - 14 - 4 * view().vlans() != ipLength());
        return packet.toByteArray();
    }

    private int ipLength() {
        return Ripple.ipLength(view());
    }

    private void stripsTo(byte[] original) {
        assertThat(editor.strip(packet, view())).isTrue();
        assertThat(Hex.text(packet.toByteArray())).isEqualTo(Hex.text(original));
    }

    // ---- source

    @Test
    void leavesPacketsAloneThatHaveIntAlready() {
        build(Shape.TCP);
        IntTask task = IntTask.md(Carrier.NEW_UDP, NODE_AND_QUEUE, 8);
        assertThat(insert(task, MTU)).isEqualTo(Insertion.DONE);
        byte[] before = packet.toByteArray();
        assertThat(insert(task, MTU)).isEqualTo(Insertion.ALREADY_INT);
        assertThat(packet.toByteArray()).isEqualTo(before);
    }

    @Test
    void doesNothingInModeXd() {
        build(Shape.TCP);
        assertThat(insert(IntTask.xd(NODE_AND_QUEUE), MTU)).isEqualTo(Insertion.NOT_APPLICABLE);
    }

    @ParameterizedTest
    @EnumSource(Carrier.class)
    void insertsNothingWhereTheFixedHeaderDoesNotFit(Carrier carrier) {
        byte[] original = build(shapeFor(carrier));
        int fixed = fixedBytes(carrier);
        IntTask task = IntTask.md(carrier, NODE_AND_QUEUE, 8);
        assertThat(insert(task, ipLength() + fixed - 1)).isEqualTo(Insertion.NO_ROOM);
        assertThat(packet.toByteArray()).isEqualTo(original);
        assertThat(insert(task, ipLength() + fixed)).isEqualTo(Insertion.HEADER_ONLY);
        assertThat(header(false))
                .containsEntry("mtuExceeded", true)
                .containsEntry("remainingHops", 8L)
                .containsEntry("hops", List.of());
        sound();
        stripsTo(original);
        assertThat(insert(task, ipLength() + fixed + 8)).isEqualTo(Insertion.DONE);
        assertThat(header(false)).containsEntry("mtuExceeded", false).containsEntry("remainingHops", 7L);
    }

    private static Shape shapeFor(Carrier carrier) {
        return switch (carrier) {
            case DSCP, PROBE_MARKER, NEW_UDP, GRE -> Shape.TCP;
            case UDP_PORT -> Shape.UDP;
            case VXLAN_GPE -> Shape.VXLAN;
            case GENEVE -> Shape.GENEVE;
        };
    }

    private static int fixedBytes(Carrier carrier) {
        return switch (carrier) {
            case DSCP, UDP_PORT, VXLAN_GPE, GENEVE -> 16;
            case PROBE_MARKER, NEW_UDP -> 24;
            case GRE -> 40;
        };
    }

    @Test
    void laterFragmentsCarryNoInt() {
        build(Shape.UDP);
        ByteBuffer buffer = packet.buffer();
        int ip = view().layerOffset(IpPlace.outermost(view()));
        buffer.putShort(ip + 6, (short) 0x2000);
        PacketEncoder.finishIpv4(buffer, ip, packet.end());
        byte[] first = packet.toByteArray();
        assertThat(insert(IntTask.md(Carrier.DSCP, NODE_AND_QUEUE, 8), MTU)).isEqualTo(Insertion.DONE);
        stripsTo(first);
        ip = view().layerOffset(IpPlace.outermost(view()));
        buffer.putShort(ip + 6, (short) 185);
        for (Carrier carrier : List.of(Carrier.DSCP, Carrier.UDP_PORT, Carrier.NEW_UDP)) {
            assertThat(insert(IntTask.md(carrier, NODE_AND_QUEUE, 8), MTU)).isEqualTo(Insertion.NOT_APPLICABLE);
        }
    }

    @Test
    void marksNothingThatASinkCouldNotTellOrRestore() {
        build(Shape.UDP);
        int udp = view().layerOffset(view().layers() - 1);
        packet.buffer().putShort(udp + 2, (short) codepoints.udpPort());
        assertThat(insert(IntTask.md(Carrier.DSCP, NODE_AND_QUEUE, 8), MTU)).isEqualTo(Insertion.NOT_APPLICABLE);
        do {
            build(Shape.VXLAN);
            udp = view().layerOffset(IpPlace.outermost(view()) + 1);
        } while (packet.buffer().getShort(udp + 6) != 0);
        packet.buffer().putShort(udp + 2, (short) 8472);
        assertThat(insert(IntTask.md(Carrier.VXLAN_GPE, NODE_AND_QUEUE, 8), MTU))
                .isEqualTo(Insertion.NOT_APPLICABLE);
    }

    @Test
    void passesExtensionHeadersAndIpOptions() {
        String ports = "9c4101f9 000c0000 70696e67";
        byte[] v6 = Hex.bytes("000000000202 000000000101 86dd 60000000 001c0040 20010db8000000000000000000000001"
                + " 20010db8000000000000000000000002 3c00010400000000 1100010400000000 " + ports);
        byte[] v4 = Hex.bytes(
                "000000000202 000000000101 0800 46000024 00010000 4011618c 0a000101 0a000202 01010100" + ports);
        for (byte[] original : List.of(v6, v4)) {
            for (Carrier carrier : List.of(Carrier.DSCP, Carrier.UDP_PORT, Carrier.NEW_UDP, Carrier.GRE)) {
                packet.copyFrom(original);
                assertThat(insert(IntTask.md(carrier, NODE_AND_QUEUE, 8), MTU)).isEqualTo(Insertion.DONE);
                assertThat(push(2)).isEqualTo(Push.PUSHED);
                assertThat(nodes()).containsExactly("1", "2");
                stripsTo(original);
            }
        }
    }

    @Test
    void theFlowHashIsAPortOfTheDynamicRange() {
        build(Shape.TCP);
        int port = EntropyPort.FLOW_HASH.of(view().flow());
        assertThat(port).isBetween(0xC000, 0xFFFF);
        build(Shape.TCP);
        assertThat(EntropyPort.FLOW_HASH.of(view().flow())).isEqualTo(port);
    }

    // ---- transit

    @Test
    void setsEWhereNoHopsAreLeft() {
        byte[] original = build(Shape.TCP);
        insert(IntTask.md(Carrier.DSCP, NODE_AND_QUEUE, 1), MTU);
        assertThat(header(false)).containsEntry("hopLimitExceeded", false);
        for (int i = 0; i < 2; i++) {
            assertThat(push(2)).isEqualTo(Push.HOP_LIMIT);
            assertThat(header(false)).containsEntry("hopLimitExceeded", true).containsEntry("remainingHops", 0L);
            assertThat(nodes()).containsExactly("1");
            sound();
        }
        stripsTo(original);
    }

    @Test
    void setsMWhereTheMtuLeavesNoRoom() {
        build(Shape.TCP);
        insert(IntTask.md(Carrier.DSCP, NODE_AND_QUEUE, 8), MTU);
        assertThat(push(2, NodeAbility.DEFAULT, ipLength() + 7)).isEqualTo(Push.MTU);
        assertThat(header(false)).containsEntry("mtuExceeded", true).containsEntry("remainingHops", 7L);
        sound();
        assertThat(push(3, NodeAbility.DEFAULT, ipLength() + 8)).isEqualTo(Push.PUSHED);
        assertThat(nodes()).containsExactly("1", "3");
    }

    @ParameterizedTest
    @CsvSource({"JUNE_2016, true", "V0_5, false"})
    void hasNoFlagForTheMtuBefore10(IntVersion version, boolean june2016) {
        editor = new IntEditor(codepoints, june2016);
        build(Shape.GENEVE);
        insert(IntTask.md(version, Carrier.GENEVE, NODE_AND_QUEUE, 8), MTU);
        byte[] before = packet.toByteArray();
        assertThat(push(2, NodeAbility.DEFAULT, ipLength() + 7)).isEqualTo(Push.MTU);
        assertThat(packet.toByteArray()).isEqualTo(before);
    }

    @Test
    void reportsAndClearsTheStackAtTheMtu() {
        byte[] original = build(Shape.UDP);
        insert(IntTask.md(Carrier.DSCP, NODE_AND_QUEUE, 8), MTU);
        push(2);
        NodeAbility ability = NodeAbility.DEFAULT.withIntermediateReports(true);
        int mtu = ipLength();
        byte[] before = packet.toByteArray();
        assertThat(push(3, ability, mtu)).isEqualTo(Push.REPORT_FIRST);
        assertThat(packet.toByteArray()).isEqualTo(before);
        assertThat(editor.clearStack(packet, view())).isTrue();
        assertThat(nodes()).isEmpty();
        sound();
        assertThat(push(3, ability, mtu)).isEqualTo(Push.PUSHED);
        assertThat(nodes()).containsExactly("3");
        assertThat(header(false)).containsEntry("remainingHops", 5L);
        sound();
        stripsTo(original);
    }

    @Test
    void anEmptyStackIsNotReportedAgain() {
        build(Shape.UDP);
        insert(IntTask.md(Carrier.DSCP, NODE_AND_QUEUE, 8).withSourcePushes(false), MTU);
        NodeAbility ability = NodeAbility.DEFAULT.withIntermediateReports(true);
        assertThat(push(2, ability, ipLength())).isEqualTo(Push.MTU);
        assertThat(editor.clearStack(packet, view())).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"NEW_UDP, TCP", "GENEVE, GENEVE", "VXLAN_GPE, VXLAN", "DSCP, UDP", "GRE, TCP"})
    void whatOnlyTheSourceWritesOutlivesAClearedStack(Carrier carrier, Shape shape) {
        byte[] original = build(shape);
        insert(IntTask.md(carrier, DEVICE, 8), MTU);
        push(2);
        assertThat(editor.clearStack(packet, view())).isTrue();
        assertThat(header(false)).containsEntry("sourceDevice", "a6:1a:f6:b1:64:7d");
        assertThat(nodes()).isEmpty();
        assertThat(push(3)).isEqualTo(Push.PUSHED);
        assertThat(push(4)).isEqualTo(Push.PUSHED);
        assertThat(header(false)).containsEntry("sourceDevice", "a6:1a:f6:b1:64:7d");
        assertThat(nodes()).containsExactly("3", "4");
        sound();
        stripsTo(original);
    }

    @Test
    void aHopBehindAClearedStackStandsAroundTheSourcesWords() {
        byte[] original = build(Shape.UDP);
        Instructions instructions = new Instructions(0x8001, Hops.DOMAIN, 0xA500, 0);
        insert(IntTask.md(Carrier.DSCP, instructions, 8).withComplement(true), MTU);
        assertThat(editor.clearStack(packet, view())).isTrue();
        sound();
        own.domainWords = 2;
        own.domain[0] = 0x11;
        own.domain[1] = 0x22;
        assertThat(push(3, NodeAbility.DEFAULT.withComplements(true), MTU)).isEqualTo(Push.PUSHED);
        assertThat(Hops.hops(header(false)))
                .containsExactly(Map.of("nodeId", "3", "domain", "[00000011, a61af6b1, 647d0000, 00000022, 00c0ffee]"));
        sound();
        stripsTo(original);
    }

    @Test
    void doesNotPushWhereItsWordsWouldBeReadAsTheSources() {
        build(Shape.TCP);
        insert(IntTask.md(Carrier.NEW_UDP, DEVICE, 8).withSourcePushes(false), MTU);
        assertThat(push(2)).isEqualTo(Push.UNABLE);
        assertThat(nodes()).isEmpty();
    }

    @Test
    void padsDomainsItDoesNotKnowOrAddsNothing() {
        build(Shape.TCP);
        insert(IntTask.md(Carrier.NEW_UDP, new Instructions(0x8000, Hops.DOMAIN, 0x8400, 0), 8), MTU);
        editor = new IntEditor(Codepoints.DEFAULT, false);
        own.domainWords = 2;
        byte[] before = packet.toByteArray();
        assertThat(push(2, NodeAbility.DEFAULT.withPadsUnknown(false), MTU)).isEqualTo(Push.UNABLE);
        assertThat(packet.toByteArray()).isEqualTo(before);
        assertThat(push(2)).isEqualTo(Push.PUSHED);
        assertThat(Hops.hops(header(false)).getLast()).containsEntry("domain", "[ffffffff, ffffffff]");
    }

    @Test
    void padsReservedInstructionsOrAddsNothing() {
        build(Shape.TCP);
        insert(IntTask.md(Carrier.NEW_UDP, NODE_AND_QUEUE, 8).withSourcePushes(false), MTU);
        int header = view().intHeader(0).headerOffset();
        packet.buffer().putShort(header + 2, (short) 0x0308).putShort(header + 4, (short) 0x9040);
        byte[] before = packet.toByteArray();
        assertThat(push(2, NodeAbility.DEFAULT.withPadsUnknown(false), MTU)).isEqualTo(Push.UNABLE);
        assertThat(packet.toByteArray()).isEqualTo(before);
        assertThat(push(2)).isEqualTo(Push.PUSHED);
        int stack = view().intHeader(0).stackOffset();
        assertThat(packet.buffer().getInt(stack + 8)).isEqualTo(-1);
        assertThat(view().intHeader(0).hops()).isEqualTo(1);
    }

    @Test
    void addsTheExactNumberOfOctetsOrNone() {
        build(Shape.TCP);
        insert(IntTask.md(Carrier.NEW_UDP, NODE_AND_QUEUE, 8), MTU);
        byte[] before = packet.toByteArray();
        assertThat(push(2, NodeAbility.DEFAULT.withMaxHopWords(1), MTU)).isEqualTo(Push.UNABLE);
        assertThat(packet.toByteArray()).isEqualTo(before);
        assertThat(push(2, NodeAbility.DEFAULT.withMaxHopWords(2), MTU)).isEqualTo(Push.PUSHED);
    }

    @Test
    void theSourceLimitsHopsToWhatAGeneveOptionHolds() {
        byte[] original = build(Shape.GENEVE);
        insert(IntTask.md(Carrier.GENEVE, NODE_AND_QUEUE, 200), MTU);
        for (int node = 2; node <= 14; node++) {
            assertThat(push(node)).isEqualTo(Push.PUSHED);
        }
        assertThat(push(15)).isEqualTo(Push.HOP_LIMIT);
        assertThat(nodes()).hasSize(14);
        sound();
        stripsTo(original);
    }

    @Test
    void otherGeneveOptionsTakeRoomToo() {
        byte[] original = build(Shape.GENEVE_OPTIONS);
        // 63 words less 4 of the other option, 4 of the destination option, 4 of option and header.
        insert(IntTask.md(Carrier.GENEVE, Instructions.of(0x8000), 200).withDestinationHeader(true), MTU);
        assertThat(header(false)).containsEntry("remainingHops", 27L);
        stripsTo(original);
    }

    @Test
    void aFullGeneveOptionBefore10IsLeftAlone() {
        june2016();
        byte[] original = build(Shape.GENEVE);
        insert(IntTask.md(IntVersion.JUNE_2016, Carrier.GENEVE, NODE_AND_QUEUE, 16), MTU);
        for (int node = 2; node <= 14; node++) {
            assertThat(push(node)).isEqualTo(Push.PUSHED);
        }
        byte[] full = packet.toByteArray();
        assertThat(push(15)).isEqualTo(Push.UNABLE);
        assertThat(packet.toByteArray()).isEqualTo(full);
        stripsTo(original);
    }

    @Test
    void aFullShimIsLeftAlone() {
        byte[] original = build(Shape.TCP);
        insert(IntTask.md(Carrier.NEW_UDP, Instructions.of(0xFF81), 255), MTU);
        for (int hops = 2; hops <= (255 - 3) / 13; hops++) {
            assertThat(push(hops)).isEqualTo(Push.PUSHED);
        }
        byte[] full = packet.toByteArray();
        assertThat(push(99)).isEqualTo(Push.UNABLE);
        assertThat(packet.toByteArray()).isEqualTo(full);
        sound();
        stripsTo(original);
    }

    @Test
    void dsFlagsMayChange() {
        build(Shape.TCP);
        insert(IntTask.md(Carrier.DSCP, DEVICE, 8), MTU);
        assertThat(editor.putDsFlags(packet, view(), 0x2000)).isTrue();
        assertThat(header(false)).containsEntry("dsFlags", 0x2000L);
        sound();
    }

    // ---- replicas, follow-up packets, destination headers

    @ParameterizedTest
    @CsvSource({"JUNE_2016, true", "V0_5, false", "V1_0, false"})
    void replicasAreMarkedAndNotForwarded(IntVersion version, boolean june2016) {
        editor = new IntEditor(codepoints, june2016);
        byte[] original = build(Shape.VXLAN_GPE);
        insert(IntTask.md(version, Carrier.VXLAN_GPE, NODE_AND_QUEUE, 8).withReplicate(2), MTU);
        assertThat(editor.replicate(view())).isEqualTo(2);
        assertThat(editor.discard(view())).isFalse();
        assertThat(editor.markReplica(packet, view())).isTrue();
        assertThat(editor.discard(view())).isTrue();
        assertThat(header(june2016)).containsEntry("replica", true);
        sound();
        stripsTo(original);
    }

    @Test
    void version2HasNoReplicas() {
        build(Shape.TCP);
        insert(IntTask.md(Carrier.DSCP, NODE_AND_QUEUE, 8), MTU);
        assertThat(editor.markReplica(packet, view())).isFalse();
        assertThat(editor.replicate(view())).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "JUNE_2016, GENEVE, GENEVE, true",
        "JUNE_2016, VXLAN_GPE, VXLAN, true",
        "V0_5, GENEVE, GENEVE_OPTIONS, false",
        "V0_5, VXLAN_GPE, VXLAN_GPE, false",
        "V0_5, UDP_PORT, UDP, false"
    })
    void aFollowUpPacketHoldsAllMetadataAndCausesNoMore(
            IntVersion version, Carrier carrier, Shape shape, boolean june2016) {
        editor = new IntEditor(codepoints, june2016);
        build(shape);
        insert(IntTask.md(version, carrier, NODE_AND_QUEUE, 8), MTU);
        push(2);
        own.nodeId = 3;
        Packet followUp = new Packet(2048);
        assertThat(editor.followUp(packet, own, followUp)).isTrue();
        ReferenceDecoder reference = Hops.reference(codepoints, june2016, false);
        Map<String, Object> header =
                Hops.ints(reference, followUp.toByteArray()).getFirst();
        assertThat(header).containsEntry("type", "destination").containsEntry("totalHops", 3L);
        assertThat(Hops.hops(header).stream().map(hop -> hop.get("nodeId"))).containsExactly("1", "2", "3");
        PacketView view = editor.parse(followUp);
        assertThat(editor.isFollowUp(view)).isTrue();
        assertThat(editor.discard(view)).isTrue();
        assertThat(editor.push(followUp, view, own, NodeAbility.DEFAULT, MTU)).isEqualTo(Push.UNABLE);
    }

    @Test
    void aFollowUpPacketQuotesTheOriginal() {
        june2016();
        build(Shape.GENEVE);
        packet.setEnd(packet.end() + 600);
        int ip = view().layerOffset(IpPlace.outermost(view()));
        PacketEncoder.finishIpv4(packet.buffer(), ip, packet.end());
        PacketEncoder.finishUdp(packet.buffer(), ip + 20, packet.end());
        packet.buffer().putShort(ip + 26, (short) 0);
        insert(IntTask.md(IntVersion.JUNE_2016, Carrier.GENEVE, NODE_AND_QUEUE, 8), MTU);
        Packet followUp = new Packet(2048);
        assertThat(editor.followUp(packet, own, followUp)).isTrue();
        assertThat(followUp.length()).isLessThan(250);
        PacketView view = editor.parse(followUp);
        assertThat(Ripple.ipLength(view)).isEqualTo(followUp.end() - view.layerOffset(IpPlace.outermost(view)));
    }

    @Test
    void noFollowUpPacketWhereNobodyWouldFindIt() {
        build(Shape.TCP);
        insert(IntTask.md(IntVersion.V0_5, Carrier.DSCP, NODE_AND_QUEUE, 8), MTU);
        assertThat(editor.followUp(packet, own, new Packet(2048))).isFalse();
        build(Shape.TCP);
        insert(IntTask.md(Carrier.NEW_UDP, NODE_AND_QUEUE, 8), MTU);
        assertThat(editor.followUp(packet, own, new Packet(2048))).isFalse();
    }

    @Test
    void aDestinationHeaderTellsOfLossAndOfSilentNodes() {
        build(Shape.VXLAN);
        insert(IntTask.md(Carrier.VXLAN_GPE, NODE_AND_QUEUE, 8).withDestinationHeader(true), MTU);
        push(2);
        DestinationHeader destination = new DestinationHeader();
        assertThat(destination.read(view())).isTrue();
        assertThat(destination.sequence()).isEqualTo(7);
        assertThat(destination.hiddenHops(64 - 3, 2)).isEqualTo(1);
        assertThat(DestinationHeader.lostBetween(7, 8)).isZero();
        assertThat(DestinationHeader.lostBetween(0xFFFF_FFFFL, 2)).isEqualTo(2);
        assertThat(DestinationHeader.lostBetween(8, 7)).isZero();
    }

    // ---- sink, dialect, configuration

    @Test
    void theSinkDiscardsPacketsMarkedD() {
        build(Shape.TCP);
        insert(IntTask.md(Carrier.DSCP, NODE_AND_QUEUE, 8).withDiscard(true), MTU);
        assertThat(editor.discard(view())).isTrue();
        assertThat(header(false)).containsEntry("discard", true);
    }

    @Test
    void noHeaderLeavesTheSinkEvenIfDomainsWereNested() {
        byte[] original = build(Shape.TCP);
        IntTask task = IntTask.md(Carrier.NEW_UDP, NODE_AND_QUEUE, 8);
        insert(task, MTU);
        Codepoints base = codepoints;
        Codepoints otherPort = new Codepoints(
                5555,
                base.dscp(),
                base.probeMarker(),
                base.geneveClass(),
                base.oldGeneveClass(),
                base.gpe(),
                base.oldGpe(),
                base.greEtherType(),
                false,
                base.domains());
        IntEditor outer = new IntEditor(otherPort, false);
        assertThat(outer.insert(packet, outer.parse(packet), task, own, MTU)).isEqualTo(Insertion.DONE);
        int udp = outer.parse(packet).intHeader(0).shimOffset() - 8;
        packet.buffer().putShort(udp + 2, (short) codepoints.udpPort());
        assertThat(view().ints()).isEqualTo(2);
        stripsTo(original);
    }

    @Test
    void stripsNothingWhereThereIsNothing() {
        byte[] original = build(Shape.TCP);
        stripsTo(original);
        assertThat(push(2)).isEqualTo(Push.UNABLE);
        assertThat(editor.clearStack(packet, view())).isFalse();
        assertThat(editor.discard(view())).isFalse();
        assertThat(editor.markReplica(packet, view())).isFalse();
    }

    @Test
    void theDialectOfTransparentSecurityIsReadWhateverTheDevice() {
        editor = new IntEditor(codepoints, false, true, EntropyPort.COPIED);
        IntTask task = IntTask.md(Carrier.NEW_UDP, DEVICE, 10).withTransparentSecurity(true);
        for (int i = 0; i < 500; i++) {
            Shape shape = Shape.values()[random.nextInt(5)];
            shape.build(packet, random.nextBoolean(), random);
            byte[] original = packet.toByteArray();
            own.nodeId = 1;
            int[] device = {random.nextInt() & 0xFFFF_0000, random.nextInt() & 0xFF00_0000};
            assertThat(editor.insert(packet, view(), task, own, device, 0, MTU)).isEqualTo(Insertion.DONE);
            int hops = random.nextInt(4);
            for (int hop = 0; hop < hops; hop++) {
                assertThat(push(hop + 2)).isEqualTo(Push.PUSHED);
            }
            assertThat(view().intHeader(0).hops()).isEqualTo(hops + 1);
            stripsTo(original);
        }
    }

    @Test
    void refusesTasksThatNoVersionAllows() {
        assertThatThrownBy(() -> IntTask.md(IntVersion.JUNE_2016, Carrier.DSCP, NODE_AND_QUEUE, 8))
                .hasMessageContaining("carrier");
        assertThatThrownBy(() -> IntTask.md(IntVersion.V1_0, Carrier.UDP_PORT, NODE_AND_QUEUE, 8))
                .hasMessageContaining("carrier");
        assertThatThrownBy(() -> IntTask.md(IntVersion.V1_0, Carrier.GRE, NODE_AND_QUEUE, 8))
                .hasMessageContaining("carrier");
        assertThatThrownBy(() -> IntTask.md(Carrier.DSCP, NODE_AND_QUEUE, 256)).hasMessageContaining("hop limit");
        assertThatThrownBy(() -> IntTask.md(Carrier.DSCP, NODE_AND_QUEUE, 0)).hasMessageContaining("hop limit");
        IntTask two = IntTask.md(Carrier.GENEVE, NODE_AND_QUEUE, 8);
        assertThatThrownBy(() -> two.withReplicate(1)).hasMessageContaining("Rep");
        assertThatThrownBy(() -> two.withComplement(true)).hasMessageContaining("bit 15");
        IntTask old = IntTask.md(IntVersion.V1_0, Carrier.GENEVE, NODE_AND_QUEUE, 8);
        assertThatThrownBy(() -> old.withDiscard(true)).hasMessageContaining("D is");
        assertThatThrownBy(() -> IntTask.md(Carrier.DSCP, NODE_AND_QUEUE, 8).withDestinationHeader(true))
                .hasMessageContaining("destination header");
        assertThatThrownBy(() -> IntTask.md(IntVersion.V1_0, Carrier.DSCP, DEVICE, 8))
                .hasMessageContaining("domain");
        assertThatThrownBy(() -> IntTask.md(Carrier.DSCP, Instructions.of(0x0040), 8))
                .hasMessageContaining("reserved");
    }

    @Test
    void refusesTasksThatThisDomainCannotExpress() {
        IntTask june = IntTask.md(IntVersion.JUNE_2016, Carrier.GENEVE, NODE_AND_QUEUE, 8);
        assertThatThrownBy(() -> editor.check(june)).hasMessageContaining("June 2016");
        IntTask unknown = IntTask.md(Carrier.DSCP, new Instructions(0x8000, 0x4321, 0x8000, 0), 8);
        assertThatThrownBy(() -> editor.check(unknown)).hasMessageContaining("domain");
        IntEditor juneEditor = new IntEditor(codepoints, true);
        juneEditor.check(june);
        assertThatThrownBy(() -> juneEditor.check(IntTask.md(IntVersion.V1_0, Carrier.GENEVE, NODE_AND_QUEUE, 8)))
                .hasMessageContaining("June 2016");
    }
}
