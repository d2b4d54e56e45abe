package io.pathlore.dataplane.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.Hex;
import io.pathlore.testkit.vectors.GoldenVectors;
import io.pathlore.wire.decode.ReportVersion;
import io.pathlore.wire.net.PacketStart;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The worked examples come out of a stream byte for byte when their fields and packets go in. */
class GoldenReportsTest {
    private static final ReportDestination COLLECTOR = ReportDestination.ipv4(0x0A00_0001, 32_766);
    private static final int INTERFACES = 0x4000;
    private static final int LATENCY = 0x2000;
    private static final int QUEUE = 0x1000;
    private static final int INGRESS_TIMESTAMP = 0x0800;
    private static final int EGRESS_TIMESTAMP = 0x0400;
    private static final int UTILIZATION = 0x0100;
    private static final int BUFFER = 0x0080;

    private final Datagrams out = new Datagrams();
    private final ReportContent content = new ReportContent();

    private static ReportFormat format(ReportVersion version, long nodeId) {
        return ReportFormat.of(version, nodeId, COLLECTOR);
    }

    private static ReportFormat fromIp(ReportVersion version, long nodeId) {
        return format(version, nodeId).withInner(InnerStart.IP, false);
    }

    private void add(ReportStream stream, String name, int from, int end, PacketStart start) {
        stream.add(content, ByteBuffer.wrap(GoldenVectors.bytes(name)), from, end, start, 0, out);
    }

    /** With the packet that runs from {@code from} to the end of the example. */
    private void writes(String name, ReportFormat format, long sequence, int from, PacketStart start) {
        byte[] expected = GoldenVectors.bytes(name);
        add(new ReportStream(format, sequence), name, from, expected.length, start);
        assertThat(Hex.text(out.only())).isEqualTo(Hex.text(expected));
    }

    private void interfaces(int ingress, int egress) {
        content.instructions |= INTERFACES;
        content.own.ingressInterface = ingress;
        content.own.egressInterface = egress;
    }

    private void queue(int id, int occupancy) {
        content.instructions |= QUEUE;
        content.own.queueId = id;
        content.own.queueOccupancy = occupancy;
    }

    private void drop(int queue, int reason) {
        content.dropped = true;
        content.own.dropQueueId = queue;
        content.own.dropReason = reason;
    }

    @Test
    void writesR1() {
        content.tracked = true;
        interfaces(9, 10);
        queue(3, 341);
        content.own.ingressTimestamp = 0x1234_5678;
        content.own.egressTimestamp = 0x1234_5A00;
        writes("R1", format(ReportVersion.V0_5, 0x101).withHwId(1), 7, 28, PacketStart.ETHERNET);
    }

    @Test
    void writesR2() {
        interfaces(9, 0);
        drop(0, 80);
        content.own.ingressTimestamp = 100;
        writes("R2", format(ReportVersion.V0_5, 0x101), 0xFFFF_FFFFL, 24, PacketStart.ETHERNET);
    }

    @Test
    void writesR3() {
        content.tracked = true;
        content.stacked = true;
        interfaces(1, 2);
        content.own.ingressTimestamp = 0x0BAD_CAFE;
        ReportFormat format = format(ReportVersion.V0_5, 2).withHwId(5).withOwn(OwnMetadata.STACK);
        writes("R3", format, 42, 12, PacketStart.ETHERNET);
    }

    @Test
    void writesR4() {
        content.congested = true;
        content.tracked = true;
        interfaces(1, 2);
        queue(1, 20);
        content.instructions |= LATENCY | EGRESS_TIMESTAMP | UTILIZATION;
        content.own.hopLatency = 300;
        content.own.ingressTimestamp = 0x1_0000;
        content.own.egressTimestamp = 0x1_012C;
        content.own.txUtilization = 10_000;
        writes("R4", fromIp(ReportVersion.V1_0, 0x202).withHwId(2), 16, 36, PacketStart.IPV4);
    }

    @Test
    void writesR5() {
        content.tracked = true;
        interfaces(1, 0);
        drop(7, 71);
        content.own.ingressTimestamp = 0x2_0000;
        writes("R5", format(ReportVersion.V1_0, 0x202), 17, 24, PacketStart.ETHERNET);
    }

    @Test
    void writesR6() {
        content.tracked = true;
        content.own.ingressTimestamp = 0x00AB_CDEF;
        writes("R6", format(ReportVersion.V1_0, 2), 0, 16, PacketStart.ETHERNET);
    }

    @Test
    void writesR7() {
        content.tracked = true;
        interfaces(1, 2);
        queue(0, 256);
        writes("R7", fromIp(ReportVersion.V2_0, 3).withHwId(1), 5, 28, PacketStart.IPV4);
    }

    @Test
    void writesR8() {
        content.tracked = true;
        interfaces(1, 2);
        queue(0, 256);
        content.domainId = 0x1234;
        content.dsMdBits = 0x8000;
        content.own.domain[0] = 0xCAFE_0001;
        content.own.domainWords = 1;
        content.extension[0] = 0x0011_2233;
        content.extension[1] = 0x4455_6677;
        content.extensionWords = 2;
        content.extensionTemplate = 1;
        writes("R8", fromIp(ReportVersion.V2_0, 3).withHwId(1), 6, 48, PacketStart.IPV4);
    }

    /** Node id and checksum complement are asked for and have no place in a report. */
    @Test
    void writesR9() {
        content.tracked = true;
        content.stacked = true;
        queue(0, 256);
        content.instructions |= 0x8001;
        content.own.nodeId = 3;
        content.own.checksumComplement = 0;
        writes("R9", fromIp(ReportVersion.V2_0, 3), 0x3F_FFFF, 24, PacketStart.IPV4);
    }

    @Test
    void writesR10() {
        content.tracked = true;
        content.stacked = true;
        interfaces(31, 32);
        ReportFormat format = fromIp(ReportVersion.V2_0, 0xC0A8_0202L).withOwn(OwnMetadata.STACK);
        add(new ReportStream(format, 9), "R10", 12, 142, PacketStart.IPV4);
        assertThat(Hex.text(out.only())).isEqualTo(Hex.text(GoldenVectors.bytes("R10")));
    }

    @Test
    void writesR11() {
        ReportFormat format =
                format(ReportVersion.V2_0, 0xFFFF_FFFEL).withHwId(63).withCoalescing(1452, 1_000);
        ReportStream stream = new ReportStream(format, 1);

        content.tracked = true;
        content.instructions = INGRESS_TIMESTAMP;
        content.own.ingressTimestamp = 1_700_000_000_000L;
        drop(7, 80);
        add(stream, "R11", 32, 86, PacketStart.ETHERNET);

        content.clear();
        content.congested = true;
        queue(1, 900);
        content.instructions |= BUFFER;
        content.own.bufferId = 0;
        content.own.bufferOccupancy = 1500;
        add(stream, "R11", 108, 156, PacketStart.IPV6);

        content.clear();
        content.tracked = true;
        content.intermediate = true;
        interfaces(5, 6);
        stream.add(content, null, 0, out);

        assertThat(out.payloads).isEmpty();
        stream.flush(1_000, out);
        assertThat(Hex.text(out.only())).isEqualTo(Hex.text(GoldenVectors.bytes("R11")));
    }

    @Test
    void writesR12() {
        content.tracked = true;
        byte[] expected = GoldenVectors.bytes("R12");
        byte[] packet = Arrays.copyOf(Arrays.copyOfRange(expected, 20, expected.length), 1192);
        ReportFormat format = fromIp(ReportVersion.V2_0, 3).withMaxFragmentBytes(1021);
        new ReportStream(format, 2).add(content, ByteBuffer.wrap(packet), 0, packet.length, PacketStart.IPV4, 0, out);
        assertThat(Hex.text(out.only())).isEqualTo(Hex.text(expected));
    }

    @Test
    void writesR13() {
        content.tracked = true;
        queue(0, 42);
        content.domainId = 0xABCD;
        content.dsMdBits = 0xC000;
        content.own.domain[0] = 15;
        content.own.domain[1] = 0x1234_5678;
        content.own.domainWords = 2;
        writes("R13", fromIp(ReportVersion.V2_0, 2), 42, 32, PacketStart.IPV4);
    }

    @Test
    void writesT1() {
        content.tracked = true;
        content.stacked = true;
        content.shimLength = 9;
        ReportFormat format = format(ReportVersion.V2_0, 0x15B).withTransparentSecurity();
        writes("T1", format, 0, 24, PacketStart.ETHERNET);
        assertThat(out.sourcePorts).containsExactly(0);
    }

    @Test
    void writesT2() {
        long key = AttackKey.of(0xA61A_F6B1_647DL, 5792, false, 0, 0xC0A8_010AL);
        new ReportStream(format(ReportVersion.V2_0, 123).withTransparentSecurity())
                .addDrops(1_700_000_000L, 4242, key, out);
        assertThat(Hex.text(out.only())).isEqualTo(Hex.text(GoldenVectors.bytes("T2")));
    }
}
