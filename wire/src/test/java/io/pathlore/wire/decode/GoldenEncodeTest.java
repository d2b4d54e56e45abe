package io.pathlore.wire.decode;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.Hex;
import io.pathlore.testkit.vectors.GoldenVectors;
import io.pathlore.wire.Domains;
import io.pathlore.wire.inband.HopEncoder;
import io.pathlore.wire.inband.HopLayout;
import io.pathlore.wire.inband.HopValues;
import io.pathlore.wire.inband.IntHeader;
import io.pathlore.wire.inband.IntHeader.Flags;
import io.pathlore.wire.inband.IntShim;
import io.pathlore.wire.ioam.IoamEncoder;
import io.pathlore.wire.ioam.IoamNodeValues;
import io.pathlore.wire.ioam.IoamView;
import io.pathlore.wire.net.L4Checksum;
import io.pathlore.wire.net.PacketEncoder;
import io.pathlore.wire.net.TunnelEncoder;
import io.pathlore.wire.tr05.FixedHeader;
import io.pathlore.wire.tr10.ReportHeader;
import io.pathlore.wire.tr20.GroupHeader;
import io.pathlore.wire.tr20.IndividualReport;
import io.pathlore.wire.tr20.Tlv;
import io.pathlore.wire.tr20.TransparentSecurityReport;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The worked examples come out of the encoders byte for byte when their fields go in. */
class GoldenEncodeTest {
    private static final int ETHERTYPE_IPV4 = 0x0800;
    private static final int ETHERTYPE_VLAN = 0x8100;
    private static final int ETHERTYPE_IPV6 = 0x86DD;
    private static final int ETHERTYPE_QINQ = 0x88A8;
    private static final int ETHERTYPE_TRANSPARENT = 0x6558;
    private static final int ICMP = 1;
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int GRE = 47;
    private static final int HOP_BY_HOP = 0;
    private static final int INT_PORT = 5555;
    private static final int MARKED = 0x17 << 2;
    private static final int NODE_AND_QUEUE = 0x9000;

    private static final int HOST_1 = 0x0A00_0101;
    private static final int HOST_2 = 0x0A00_0202;
    private static final int OVERLAY_1 = 0x0A0A_0101;
    private static final int OVERLAY_2 = 0x0A0A_0202;
    private static final int TUNNEL_1 = 0xC0A8_0101;
    private static final int TUNNEL_2 = 0xC0A8_0202;
    private static final long DOCUMENTATION = 0x2001_0DB8_0000_0000L;

    /** Whatever an encoder leaves alone stays visible. */
    private final ByteBuffer out = dirty();

    private final HopLayout layout = new HopLayout();
    private final HopValues values = new HopValues();

    private static ByteBuffer dirty() {
        ByteBuffer buffer = ByteBuffer.allocate(2048);
        Arrays.fill(buffer.array(), (byte) 0xD1);
        return buffer;
    }

    private void assertWritten(String name, int end) {
        byte[] written = new byte[end];
        out.get(0, written);
        assertThat(Hex.text(written)).isEqualTo(Hex.text(GoldenVectors.bytes(name)));
    }

    // ---- reports of version 0.5

    @Test
    void writesR1() {
        int at = FixedHeader.encode(out, 0, FixedHeader.NPROTO_LOCAL, false, false, true, 1, 7, 0x1234_5678);
        at = FixedHeader.encodeLocal(out, at, 0x101, 9, 10, 3, 341, 0x1234_5A00);
        assertWritten("R1", framedUdp(at));
    }

    @Test
    void writesTheMetadataOfR1ByItsLayout() {
        FixedHeader.encode(out, 0, FixedHeader.NPROTO_LOCAL, false, false, true, 1, 7, 0);
        values.nodeId = 0x101;
        values.ingressInterface = 9;
        values.egressInterface = 10;
        values.queueId = 3;
        values.queueOccupancy = 341;
        values.ingressTimestamp = 0x1234_5678;
        values.egressTimestamp = 0x1234_5A00;
        layout.report05Local();
        assertWritten("R1", framedUdp(HopEncoder.encode(out, 0, layout, values)));
    }

    private int framedUdp(int offset) {
        int ip = ethernet(offset, ETHERTYPE_IPV4);
        int udp = ipv4(ip, 0, UDP, HOST_1, HOST_2);
        int end = PacketEncoder.udp(out, udp, 5000, 6000);
        out.putInt(end, 0xDEAD_BEEF);
        end += 4;
        finishUdp(ip, udp, end);
        return end;
    }

    @Test
    void writesR2() {
        int at = FixedHeader.encode(out, 0, FixedHeader.NPROTO_DROP, true, false, false, 0, 0xFFFF_FFFFL, 100);
        at = FixedHeader.encodeDrop(out, at, 0x101, 9, 0, 0, 80);
        assertWritten("R2", tcpPacket(ethernet(at, ETHERTYPE_IPV4)));
    }

    @Test
    void writesTheMetadataOfR2ByItsLayout() {
        FixedHeader.encode(out, 0, FixedHeader.NPROTO_DROP, true, false, false, 0, 0xFFFF_FFFFL, 0);
        values.nodeId = 0x101;
        values.ingressInterface = 9;
        values.egressInterface = 0;
        values.dropQueueId = 0;
        values.dropReason = 80;
        values.ingressTimestamp = 100;
        layout.report05Drop();
        int at = HopEncoder.encode(out, 0, layout, values);
        assertWritten("R2", tcpPacket(ethernet(at, ETHERTYPE_IPV4)));
    }

    @Test
    void writesR3() {
        int at = FixedHeader.encode(out, 0, FixedHeader.NPROTO_ETHERNET, false, false, true, 5, 42, 0x0BAD_CAFE);
        int ip = ethernet(at, ETHERTYPE_IPV4);
        int tcp = ipv4(ip, MARKED, TCP, HOST_1, HOST_2);
        at = PacketEncoder.tcp(out, tcp, 45678, 22, 1000, 2000, 0x18, 0x2000);
        at = IntShim.encodeOld(out, at, IntShim.TYPE_MD, 8, 0);
        at = IntHeader.encode05(out, at, Flags.NONE, 16, 2, NODE_AND_QUEUE);
        layout.int05(NODE_AND_QUEUE, 1);
        at = nodeAndQueue(at, 2, 0, 42);
        at = nodeAndQueue(at, 1, 0, 5);
        at = IntShim.encodeTail(out, at, TCP, 22, 0);
        at = text(at, "SSH-");
        PacketEncoder.finishIpv4(out, ip, at);
        L4Checksum.writeTcp(out, ip, tcp, at);
        assertWritten("R3", at);
    }

    // ---- reports of version 1.0

    @Test
    void writesR4() {
        int bits = ReportHeader.MD_INTERFACES
                | ReportHeader.MD_LATENCY
                | ReportHeader.MD_QUEUE
                | ReportHeader.MD_EGRESS_TIMESTAMP
                | ReportHeader.MD_UTILIZATION;
        ReportHeader.encode(out, 0, ReportHeader.NPROT_IPV4, bits, false, true, true, 2, 0x202, 16, 0);
        values.ingressTimestamp = 0x1_0000;
        values.ingressInterface = 1;
        values.egressInterface = 2;
        values.hopLatency = 300;
        values.queueId = 1;
        values.queueOccupancy = 20;
        values.egressTimestamp = 0x1_012C;
        values.txUtilization = 10_000;
        layout.report10(bits);
        int ip = HopEncoder.encode(out, 0, layout, values);
        int udp = ipv4(ip, 0, UDP, HOST_1, HOST_2);
        int end = PacketEncoder.udp(out, udp, 5000, 6000);
        finishUdp(ip, udp, end);
        assertWritten("R4", end);
    }

    @Test
    void writesR5() {
        int bits = ReportHeader.MD_INTERFACES | ReportHeader.MD_DROP;
        ReportHeader.encode(out, 0, ReportHeader.NPROT_ETHERNET, bits, true, false, true, 0, 0x202, 17, 0);
        values.ingressTimestamp = 0x2_0000;
        values.ingressInterface = 1;
        values.egressInterface = 0;
        values.dropQueueId = 7;
        values.dropReason = 71;
        layout.report10(bits);
        int at = HopEncoder.encode(out, 0, layout, values);
        at = ethernet(at, ETHERTYPE_QINQ);
        at = PacketEncoder.vlan(out, at, 0, 100, ETHERTYPE_VLAN);
        int ip = PacketEncoder.vlan(out, at, 0, 200, ETHERTYPE_IPV4);
        int icmp = ipv4(ip, 0, ICMP, HOST_1, HOST_2);
        int end = PacketEncoder.icmpEcho(out, icmp, 8, 0x1234, 1);
        L4Checksum.writeIcmp(out, icmp, end);
        PacketEncoder.finishIpv4(out, ip, end);
        assertWritten("R5", end);
    }

    // ---- reports of version 2.0

    private int tracked(int offset, int repType, int inType, int reportWords, int mdWords) {
        return IndividualReport.encode(out, offset, repType, inType, reportWords, mdWords, false, false, true, false);
    }

    private int interfacesAndQueue(int offset) {
        values.ingressInterface = 1;
        values.egressInterface = 2;
        values.queueId = 0;
        values.queueOccupancy = 256;
        layout.report20(0x5000, 0);
        return HopEncoder.encode(out, offset, layout, values);
    }

    @Test
    void writesR7() {
        int at = GroupHeader.encode(out, 0, 1, 5, 3);
        at = tracked(at, IndividualReport.TYPE_INT, IndividualReport.IN_IPV4, 14, 2);
        at = IndividualReport.encodeMain(out, at, 0x5000, 0, 0, 0);
        assertWritten("R7", tcpPacket(interfacesAndQueue(at)));
    }

    @Test
    void writesR8() {
        int at = GroupHeader.encode(out, 0, 1, 6, 3);
        at = tracked(at, IndividualReport.TYPE_INT, IndividualReport.IN_TLV, 19, 3);
        at = IndividualReport.encodeMain(out, at, 0x5000, 0x1234, 0x8000, 0);
        at = interfacesAndQueue(at);
        out.putInt(at, 0xCAFE_0001);
        at = Tlv.encode(out, at + 4, Tlv.DS_EXTENSION, 2, 1);
        out.putLong(at, 0x0011_2233_4455_6677L);
        at = Tlv.encode(out, at + 8, Tlv.IPV4, 10, 0);
        assertWritten("R8", tcpPacket(at));
    }

    @Test
    void writesR9() {
        int at = GroupHeader.encode(out, 0, 0, 0x3F_FFFF, 3);
        at = tracked(at, IndividualReport.TYPE_INT, IndividualReport.IN_IPV4, 23, 1);
        at = IndividualReport.encodeMain(out, at, 0x1000, 0, 0, 0);
        values.queueId = 0;
        values.queueOccupancy = 256;
        layout.report20(0x1000, 0);
        int ip = HopEncoder.encode(out, at, layout, values);
        int udp = ipv4(ip, 0, UDP, HOST_1, HOST_2);
        at = PacketEncoder.udp(out, udp, 33333, INT_PORT);
        at = IntShim.encode(out, at, IntShim.TYPE_MD, IntShim.NPT_IP_PROTOCOL, 7, TCP);
        at = IntHeader.encodeMd(out, at, Flags.NONE, 2, 6, NODE_AND_QUEUE, 0, 0, 0);
        int inner = twoHops2x(at);
        int end = tcpHeader(inner, ip);
        PacketEncoder.finishUdp(out, udp, end);
        PacketEncoder.finishIpv4(out, ip, end);
        assertWritten("R9", end);
    }

    @Test
    void writesR10() {
        int at = GroupHeader.encode(out, 0, 0, 9, 0xC0A8_0202L);
        int ip = tracked(at, IndividualReport.TYPE_INNER_ONLY, IndividualReport.IN_IPV4, 33, 0);
        int udp = ipv4(ip, 0, UDP, TUNNEL_1, TUNNEL_2);
        at = PacketEncoder.udp(out, udp, 56789, INT_PORT);
        at = IntShim.encode(out, at, IntShim.TYPE_MD, IntShim.NPT_UDP_PORT, 9, 4789);
        at = IntHeader.encodeMd(out, at, Flags.NONE, 2, 5, 0xC000, 0, 0, 0);
        layout.int2(0xC000, 2, 2, 0);
        at = nodeAndInterfaces(at, 3, 31, 32);
        at = nodeAndInterfaces(at, 2, 21, 22);
        at = nodeAndInterfaces(at, 1, 11, 12);
        at = TunnelEncoder.vxlan(out, at, 0x123);
        int inner = ethernet(at, ETHERTYPE_IPV4);
        int tcp = ipv4(inner, 0, TCP, OVERLAY_1, OVERLAY_2);
        int end = PacketEncoder.tcp(out, tcp, 40000, 443, 7, 8, 0x10, 0x200);
        PacketEncoder.finishIpv4(out, inner, end);
        L4Checksum.writeTcp(out, inner, tcp, end);
        PacketEncoder.finishUdp(out, udp, end);
        PacketEncoder.finishIpv4(out, ip, end);
        out.putShort(end, (short) 0);
        assertWritten("R10", end + 2);
    }

    @Test
    void writesR11() {
        int at = GroupHeader.encode(out, 0, 63, 1, 0xFFFF_FFFEL);
        at = IndividualReport.encode(out, at, 1, IndividualReport.IN_ETHERNET, 19, 3, true, false, true, false);
        at = IndividualReport.encodeMain(out, at, 0x0801, 0, 0, 0);
        values.ingressTimestamp = 1_700_000_000_000L;
        values.dropQueueId = 7;
        values.dropReason = 80;
        layout.report20(0x0801, 0);
        at = HopEncoder.encode(out, at, layout, values);
        at = tcpPacket(ethernet(at, ETHERTYPE_IPV4));
        out.putShort(at, (short) 0);
        at = IndividualReport.encode(out, at + 2, 1, IndividualReport.IN_IPV6, 16, 2, false, true, false, false);
        at = IndividualReport.encodeMain(out, at, 0x1080, 0, 0, 0);
        values.clear();
        values.queueId = 1;
        values.queueOccupancy = 900;
        values.bufferId = 0;
        values.bufferOccupancy = 1500;
        layout.report20(0x1080, 0);
        int ip = HopEncoder.encode(out, at, layout, values);
        int udp = PacketEncoder.ipv6(out, ip, 0, 0, UDP, 64, DOCUMENTATION, 1, DOCUMENTATION, 2);
        at = PacketEncoder.udp(out, udp, 5000, 6000);
        PacketEncoder.finishIpv6(out, ip, at);
        PacketEncoder.finishUdp(out, udp, at);
        L4Checksum.writeUdp(out, ip, udp, at);
        at = IndividualReport.encode(out, at, 1, IndividualReport.IN_NONE, 3, 1, false, false, true, true);
        at = IndividualReport.encodeMain(out, at, 0x4000, 0, 0, 0);
        values.clear();
        values.ingressInterface = 5;
        values.egressInterface = 6;
        layout.report20(0x4000, 0);
        assertWritten("R11", HopEncoder.encode(out, at, layout, values));
    }

    @Test
    void writesR12() {
        int at = GroupHeader.encode(out, 0, 0, 2, 3);
        at = tracked(at, IndividualReport.TYPE_INT, IndividualReport.IN_IPV4, 2 + 256, 0);
        int ip = IndividualReport.encodeMain(out, at, 0, 0, 0, 0);
        int udp = ipv4(ip, 0, UDP, HOST_1, HOST_2);
        at = PacketEncoder.udp(out, udp, 1, 2);
        int end = ip + 1192;
        for (int k = 0; at + k < end; k++) {
            out.put(at + k, (byte) k);
        }
        PacketEncoder.finishUdp(out, udp, end);
        PacketEncoder.finishIpv4(out, ip, end);
        assertWritten("R12", ip + 1021);
    }

    @Test
    void writesR13() {
        int at = GroupHeader.encode(out, 0, 0, 42, 2);
        at = tracked(at, IndividualReport.TYPE_INT, IndividualReport.IN_IPV4, 23, 3);
        at = IndividualReport.encodeMain(out, at, 0x1000, 0xABCD, 0xC000, 0);
        values.queueId = 0;
        values.queueOccupancy = 42;
        layout.report20(0x1000, 0);
        at = HopEncoder.encode(out, at, layout, values);
        out.putInt(at, 15).putInt(at + 4, 0x1234_5678);
        assertWritten("R13", mxPacket(at + 8));
    }

    // ---- data packets

    private void june2016Hop(int at, int node, int occupancy) {
        values.clear();
        values.nodeId = node;
        values.queueOccupancy = occupancy;
        HopEncoder.encode(out, at, layout, values);
    }

    private int june2016Stack(int offset) {
        int at = IntHeader.encode2016(out, offset, Flags.NONE, 16, 3, NODE_AND_QUEUE);
        layout.june2016(NODE_AND_QUEUE);
        june2016Hop(at, 3, 256);
        june2016Hop(at + 8, 2, 42);
        june2016Hop(at + 16, 1, 5);
        HopEncoder.markBottomOfStack(out, at + 20);
        return at + 24;
    }

    private int june2016Destination(int offset) {
        int at = IntHeader.encode2016(out, offset, Flags.NONE, 16, 3, 0x1000);
        layout.june2016(0x1000);
        june2016Hop(at, 0, 7);
        june2016Hop(at + 4, 0, 9);
        june2016Hop(at + 8, 0, 11);
        HopEncoder.markBottomOfStack(out, at + 8);
        return at + 12;
    }

    @Test
    void writesD1() {
        int at = TunnelEncoder.geneve(out, 0, 15, ETHERTYPE_TRANSPARENT, 0x123);
        at = TunnelEncoder.geneveOption(out, at, 0x00AB, IntShim.TYPE_MD, 8);
        at = june2016Stack(at);
        at = TunnelEncoder.geneveOption(out, at, 0x00AB, IntShim.TYPE_DESTINATION, 5);
        at = june2016Destination(at);
        assertWritten("D1", overlayUdp(at));
    }

    @Test
    void writesD2() {
        int at = TunnelEncoder.vxlanGpe(out, 0, 0x05, 0x123);
        at = IntShim.encodeOld(out, at, IntShim.TYPE_MD, 9, 0x05);
        at = june2016Stack(at);
        at = IntShim.encodeOld(out, at, IntShim.TYPE_DESTINATION, 6, 0x03);
        at = june2016Destination(at);
        assertWritten("D2", overlayUdp(at));
    }

    @Test
    void writesD3() {
        int at = TunnelEncoder.vxlanGpe(out, 0, 0x08, 0x123);
        at = IntShim.encodeOld(out, at, IntShim.TYPE_MD, 9, 0x03);
        at = IntHeader.encode10(out, at, Flags.NONE, 3, 6, 0x8200);
        layout.int10(0x8200, 1, 2);
        values.nodeId = 2;
        values.level2IngressInterface = 65538;
        values.level2EgressInterface = 65539;
        at = HopEncoder.encode(out, at, layout, values);
        values.clear();
        values.nodeId = 1;
        at = HopEncoder.encode(out, at, layout, values);
        assertWritten("D3", overlayUdp(at));
    }

    /** The source inserts INT and leaves the checksum of the original packet alone. */
    @Test
    void writesD4() {
        int udp = PacketEncoder.ipv6(out, 0, MARKED, 0, UDP, 64, DOCUMENTATION, 1, DOCUMENTATION, 2);
        int at = PacketEncoder.udp(out, udp, 1000, 2000);
        int end = text(at, "ping");
        PacketEncoder.finishUdp(out, udp, end);
        PacketEncoder.finishIpv6(out, 0, end);
        L4Checksum.writeUdp(out, 0, udp, end);
        assertThat(out.getShort(udp + 6)).isEqualTo((short) 0xB9D8);

        at = IntShim.encodeOld(out, at, IntShim.TYPE_MD, 5, 0);
        at = IntHeader.encode10(out, at, Flags.NONE, 2, 7, 0x8001);
        layout.int10(0x8001, 1, 2);
        values.nodeId = 1;
        values.checksumComplement = 0;
        int hop = at;
        end = text(HopEncoder.encode(out, hop, layout, values), "ping");
        PacketEncoder.finishUdp(out, udp, end);
        PacketEncoder.finishIpv6(out, 0, end);
        values.checksumComplement = L4Checksum.complement(out, 0, UDP, udp, end);
        assertThat(values.checksumComplement).isEqualTo(0x67CE);
        HopEncoder.encode(out, hop, layout, values);
        assertWritten("D4", end);
    }

    @Test
    void writesD5() {
        int at = TunnelEncoder.geneve(out, 0, 10, ETHERTYPE_TRANSPARENT, 0x123);
        at = TunnelEncoder.geneveOption(out, at, 0x0103, IntShim.TYPE_MD, 9);
        at = IntHeader.encodeMd(out, at, Flags.NONE, 2, 5, NODE_AND_QUEUE, 0, 0, 0);
        layout.int2(NODE_AND_QUEUE, 2, 2, 0);
        at = nodeAndQueue(at, 3, 0, 256);
        assertWritten("D5", overlayUdp(twoHops2x(at)));
    }

    @Test
    void writesD6() {
        int at = ipv4(0, 0, GRE, TUNNEL_1, TUNNEL_2);
        at = TunnelEncoder.gre(out, at, 0x88B6, false, TunnelEncoder.NONE, TunnelEncoder.NONE);
        at = IntShim.encodeGre(out, at, IntShim.TYPE_MD, true, 7, ETHERTYPE_IPV4);
        at = IntHeader.encodeMd(out, at, Flags.NONE, 2, 6, NODE_AND_QUEUE, 0, 0, 0);
        int end = tcpPacket(twoHops2x(at));
        PacketEncoder.finishIpv4(out, 0, end);
        assertWritten("D6", end);
    }

    @Test
    void writesD7() {
        assertWritten("D7", mxPacket(0));
    }

    private int mxPacket(int ip) {
        int udp = ipv4(ip, 0, UDP, HOST_1, HOST_2);
        int at = PacketEncoder.udp(out, udp, 33333, INT_PORT);
        at = IntShim.encode(out, at, IntShim.TYPE_MX, IntShim.NPT_IP_PROTOCOL, 5, TCP);
        at = IntHeader.encodeMx(out, at, false, NODE_AND_QUEUE, 0xABCD, 0xC000, 0);
        out.putInt(at, 15).putInt(at + 4, 0x1234_5678);
        int end = tcpHeader(at + 8, ip);
        PacketEncoder.finishUdp(out, udp, end);
        PacketEncoder.finishIpv4(out, ip, end);
        return end;
    }

    @Test
    void writesD8() {
        int udp = ipv4(0, 0, UDP, HOST_1, HOST_2);
        int at = PacketEncoder.udp(out, udp, 33333, INT_PORT);
        at = IntShim.encode(out, at, IntShim.TYPE_MD, IntShim.NPT_IP_PROTOCOL, 8, TCP);
        at = IntHeader.encodeMd(out, at, Flags.NONE, 1, 5, 0x8000, Domains.TRANSPARENT_SECURITY, 0x8000, 0x4000);
        at = deviceStack(at, 0x102, 0x101, 0x64);
        int end = tcpHeader(at, 0);
        PacketEncoder.finishUdp(out, udp, end);
        PacketEncoder.finishIpv4(out, 0, end);
        assertWritten("D8", end);
    }

    /** Node ids newest first; the source's hop holds the device's address too. */
    private int deviceStack(int offset, int newest, int middle, int source) {
        layout.int2(0x8000, 2, 2, 0);
        values.nodeId = newest;
        int at = HopEncoder.encode(out, offset, layout, values);
        values.nodeId = middle;
        at = HopEncoder.encode(out, at, layout, values);
        layout.int2(0x8000, 2, 2, 2);
        values.nodeId = source;
        values.domain[0] = 0xA61A_F6B1;
        values.domain[1] = 0x647D_0000;
        values.domainWords = 2;
        return HopEncoder.encode(out, at, layout, values);
    }

    @Test
    void writesD9() {
        int at = TunnelEncoder.vxlanGpe(out, 0, 0x82, 0x123);
        at = IntShim.encodeGpe(out, at, IntShim.TYPE_MD, 10, true, 0x03);
        at = IntHeader.encodeMd(out, at, Flags.NONE, 7, 7, 0xCC80, 0, 0, 0);
        layout.int2(0xCC80, 2, 2, 0);
        values.nodeId = 9;
        values.ingressInterface = 1;
        values.egressInterface = 2;
        values.ingressTimestamp = 1_700_000_000_000_000_000L;
        values.egressTimestamp = 1_700_000_000_000_000_700L;
        values.bufferId = 2;
        values.bufferOccupancy = 4096;
        assertWritten("D9", overlayUdp(HopEncoder.encode(out, at, layout, values)));
    }

    @Test
    void writesD10() {
        int tcp = ipv4(0, 10 << 2, TCP, HOST_1, HOST_2);
        int at = PacketEncoder.tcp(out, tcp, 45678, 80, 1000, 2000, 0x18, 0x2000);
        out.putLong(at, 0x0123_4567_89AB_CDEFL);
        at = IntShim.encode(out, at + 8, IntShim.TYPE_MD, IntShim.NPT_NONE, 4, 10 << 2);
        at = IntHeader.encodeMd(out, at, Flags.NONE, 1, 7, 0x8000, 0, 0, 0);
        layout.int2(0x8000, 2, 2, 0);
        values.nodeId = 1;
        int end = HopEncoder.encode(out, at, layout, values);
        PacketEncoder.finishIpv4(out, 0, end);
        L4Checksum.writeTcp(out, 0, tcp, end);
        assertWritten("D10", end);
    }

    // ---- Transparent Security

    /** As its sink sends it: the IP protocol restored, the shim counted, the INT headers still there. */
    @Test
    void writesT1() {
        long prefix = 0x2001_0DB8_0001_0000L;
        int at = TransparentSecurityReport.encodeTrackedFlow(out, 0, 0x15B, true, 9);
        assertThat(at).isEqualTo(TransparentSecurityReport.TRACKED_FLOW_LENGTH);
        int ip = PacketEncoder.ethernet(out, at, 0x0502, 0xA61A_F6B1_647DL, ETHERTYPE_IPV6);
        int udp = PacketEncoder.ipv6(out, ip, 0, 0, TCP, 64, prefix, 2, prefix, 0x29);
        at = PacketEncoder.udp(out, udp, 6680, 555);
        at = IntShim.encode(out, at, IntShim.TYPE_MD, IntShim.NPT_IP_PROTOCOL, 9, TCP);
        at = IntHeader.encodeMd(out, at, Flags.NONE, 1, 8, 0x8000, Domains.TRANSPARENT_SECURITY, 0x8000, 0x4000);
        int tcp = deviceStack(at, 0x15B, 0xEA, 0x7B);
        at = PacketEncoder.tcp(out, tcp, 6680, 5792, 0, 0, 0x02, 0x2000);
        int end = text(at, "hello transparent-security");
        L4Checksum.writeTcp(out, ip, tcp, end);
        PacketEncoder.finishUdp(out, udp, end);
        PacketEncoder.finishIpv6(out, ip, end);
        assertWritten("T1", end);
    }

    @Test
    void writesT2() throws Exception {
        byte[] flow = "a6:1a:f6:b1:64:7d|5792|192.168.1.10|::".getBytes(StandardCharsets.US_ASCII);
        long key = ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(flow))
                .getLong();
        int end = TransparentSecurityReport.encodeDrop(out, 0, 123, 1_700_000_000, 4242, key);
        assertThat(end).isEqualTo(TransparentSecurityReport.DROP_LENGTH + TransparentSecurityReport.TRAILER_LENGTH);
        assertWritten("T2", end);
    }

    // ---- IOAM

    @Test
    void writesI1() {
        long prefix = 0x2001_0DB8_0001_0000L;
        int at = GroupHeader.encode(out, 0, 0, 3, 7);
        int ip = tracked(at, IndividualReport.TYPE_INNER_ONLY, IndividualReport.IN_IPV6, 28, 0);
        int header = PacketEncoder.ipv6(out, ip, 0, 0, HOP_BY_HOP, 64, prefix, 2, prefix, 0x29);
        at = IoamEncoder.optionsHeader(out, header, UDP);
        at = IoamEncoder.option(out, at, IoamEncoder.OPTION_MAY_CHANGE, IoamView.PREALLOCATED_TRACE, 56);
        at = IoamEncoder.trace(out, at, 123, 0xF0_0000, false, false, false, 4);
        at = IoamEncoder.free(out, at, 4);
        at = traceNode(at, 62, 2, 21, 22, 1_700_000_000, 500_000);
        at = traceNode(at, 63, 1, 11, 12, 1_699_999_999, 400_000);
        int udp = IoamEncoder.finishOptionsHeader(out, header, at);
        int end = PacketEncoder.udp(out, udp, 1000, 2000);
        PacketEncoder.finishUdp(out, udp, end);
        PacketEncoder.finishIpv6(out, ip, end);
        L4Checksum.writeUdp(out, ip, udp, end);
        assertWritten("I1", end);
    }

    private int traceNode(int offset, int hopLimit, int nodeId, int in, int eg, long seconds, long fraction) {
        IoamNodeValues node = new IoamNodeValues();
        node.hopLimit = hopLimit;
        node.nodeId = nodeId;
        node.ingressInterface = in;
        node.egressInterface = eg;
        node.timestampSeconds = seconds;
        node.timestampFraction = fraction;
        return IoamEncoder.node(out, offset, 0xF0_0000, node);
    }

    @Test
    void writesI2() {
        IoamNodeValues node = new IoamNodeValues();
        node.hopLimit = 60;
        node.nodeId = 5;
        node.timestampSeconds = 1_700_000_001;
        node.transitDelay = 77;
        int at = IoamEncoder.trace(out, 0, 1, 0xA8_0000, true, false, false, 10);
        assertWritten("I2", IoamEncoder.node(out, at, 0xA8_0000, node));
    }

    @Test
    void writesI3() {
        int type = IoamEncoder.E2E_SEQUENCE_32 | IoamEncoder.E2E_SECONDS | IoamEncoder.E2E_FRACTION;
        assertWritten("I3", IoamEncoder.edgeToEdge(out, 0, 1, type, 99, 1_700_000_002, 123_456_789));
    }

    @Test
    void writesI4() {
        int extensions = IoamEncoder.DEX_FLOW_ID | IoamEncoder.DEX_SEQUENCE;
        int at = IoamEncoder.option(out, 0, IoamEncoder.OPTION_MUST_NOT_CHANGE, IoamView.DIRECT_EXPORT, 16);
        assertWritten("I4", IoamEncoder.directExport(out, at, 1, 0, extensions, 0xF0_0000, 0xABC, 41));
    }

    // ---- what the examples share

    private int ethernet(int offset, int etherType) {
        return PacketEncoder.ethernet(out, offset, 0x0202, 0x0101, etherType);
    }

    private int ipv4(int offset, int trafficClass, int protocol, int source, int destination) {
        return PacketEncoder.ipv4(out, offset, trafficClass, 1, true, 64, protocol, source, destination);
    }

    private void finishUdp(int ip, int udp, int end) {
        PacketEncoder.finishUdp(out, udp, end);
        PacketEncoder.finishIpv4(out, ip, end);
        L4Checksum.writeUdp(out, ip, udp, end);
    }

    private int tcpPacket(int ip) {
        int tcp = ipv4(ip, 0, TCP, HOST_1, HOST_2);
        int end = tcpHeader(tcp, ip);
        PacketEncoder.finishIpv4(out, ip, end);
        return end;
    }

    private int tcpHeader(int tcp, int ip) {
        int end = PacketEncoder.tcp(out, tcp, 45678, 80, 1000, 2000, 0x18, 0x2000);
        L4Checksum.writeTcp(out, ip, tcp, end);
        return end;
    }

    private int overlayUdp(int offset) {
        int ip = ethernet(offset, ETHERTYPE_IPV4);
        int udp = ipv4(ip, 0, UDP, OVERLAY_1, OVERLAY_2);
        int end = PacketEncoder.udp(out, udp, 1111, 2222);
        finishUdp(ip, udp, end);
        return end;
    }

    private int twoHops2x(int offset) {
        layout.int2(NODE_AND_QUEUE, 2, 2, 0);
        int at = nodeAndQueue(offset, 2, 0, 42);
        return nodeAndQueue(at, 1, 0, 5);
    }

    private int nodeAndQueue(int offset, int node, int queue, int occupancy) {
        values.clear();
        values.nodeId = node;
        values.queueId = queue;
        values.queueOccupancy = occupancy;
        return HopEncoder.encode(out, offset, layout, values);
    }

    private int nodeAndInterfaces(int offset, int node, int ingress, int egress) {
        values.clear();
        values.nodeId = node;
        values.ingressInterface = ingress;
        values.egressInterface = egress;
        return HopEncoder.encode(out, offset, layout, values);
    }

    private int text(int offset, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        out.put(offset, bytes);
        return offset + bytes.length;
    }
}
