package io.pathlore.dataplane.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.dataplane.packet.Packet;
import io.pathlore.testkit.generate.Marks;
import io.pathlore.testkit.reference.ReferenceDecoder;
import io.pathlore.wire.decode.ReportVersion;
import io.pathlore.wire.net.PacketEncoder;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReportStreamTest {
    private static final ReportDestination COLLECTOR = ReportDestination.ipv4(0x0A00_0001, 32_766);
    private static final ReportFormat V2 = ReportFormat.of(ReportVersion.V2_0, 7, COLLECTOR);
    private static final int HEADERS = 8 + 4 + 8;
    private static final long DELAY = 1_000;

    private final Datagrams out = new Datagrams();
    private final ReportContent content = tracked();
    private final ReferenceDecoder decoder = new ReferenceDecoder(Marks.options(false, false));

    private static ReportContent tracked() {
        ReportContent content = new ReportContent();
        content.tracked = true;
        return content;
    }

    private static Packet frame(int length) {
        return tagged(length, false);
    }

    private static Packet tagged(int length, boolean vlan) {
        Packet packet = new Packet(length);
        ByteBuffer bytes = packet.buffer();
        int ip = PacketEncoder.ethernet(bytes, packet.start(), 1, 2, vlan ? 0x8100 : 0x0800);
        ip = vlan ? PacketEncoder.vlan(bytes, ip, 0, 5, 0x0800) : ip;
        int udp = PacketEncoder.ipv4(bytes, ip, 0, 1, true, 64, 17, 1, 2);
        for (int at = PacketEncoder.udp(bytes, udp, 3, 4); at < packet.start() + length; at++) {
            bytes.put(at, (byte) 0xEE);
        }
        packet.setEnd(packet.start() + length);
        PacketEncoder.finishUdp(bytes, udp, packet.end());
        PacketEncoder.finishIpv4(bytes, ip, packet.end());
        return packet;
    }

    private int sequence(int datagram) {
        return ByteBuffer.wrap(out.payloads.get(datagram)).getInt() & 0x3F_FFFF;
    }

    private List<Map<String, Object>> decode(int datagram) {
        return decoder.decode(out.payloads.get(datagram));
    }

    // ---- numbers

    @Test
    void numbersOfVersion2WrapAfter22Bits() {
        ReportStream stream = new ReportStream(V2, 0x3F_FFFE);
        for (int i = 0; i < 4; i++) {
            stream.add(content, frame(60), 0, out);
        }
        assertThat(List.of(sequence(0), sequence(1), sequence(2), sequence(3)))
                .containsExactly(0x3F_FFFE, 0x3F_FFFF, 0, 1);
    }

    @ParameterizedTest
    @EnumSource(
            value = ReportVersion.class,
            names = {"V0_5", "V1_0"})
    void numbersOfOlderVersionsWrapAfter32Bits(ReportVersion version) {
        ReportStream stream = new ReportStream(ReportFormat.of(version, 7, COLLECTOR), 0xFFFF_FFFFL);
        stream.add(content, frame(60), 0, out);
        stream.add(content, frame(60), 0, out);
        int at = version == ReportVersion.V0_5 ? 4 : 8;
        assertThat(ByteBuffer.wrap(out.payloads.get(0)).getInt(at)).isEqualTo(-1);
        assertThat(ByteBuffer.wrap(out.payloads.get(1)).getInt(at)).isZero();
    }

    @Test
    void aRestartCountsFromZeroAndForgetsWhatWaits() {
        ReportStream stream = new ReportStream(V2.withCoalescing(1452, DELAY), 99);
        stream.add(content, frame(60), 0, out);
        stream.restart();
        assertThat(stream.flushAtNanos()).isEqualTo(ReportStream.NEVER);
        stream.flush(ReportStream.NEVER, out);
        stream.add(content, frame(60), 0, out);
        stream.flush(ReportStream.NEVER, out);
        assertThat(out.payloads).hasSize(1);
        assertThat(sequence(0)).isZero();
        assertThat(decode(0)).hasSize(1);
    }

    // ---- gathering

    @Test
    void gathersReportsUntilTheNextOneWouldNotFit() {
        int each = 4 + 8 + 60;
        ReportStream stream = new ReportStream(V2.withCoalescing(8 + 3 * each, DELAY));
        for (int i = 0; i < 7; i++) {
            stream.add(content, frame(60), i, out);
        }
        assertThat(out.payloads)
                .hasSize(2)
                .allSatisfy(payload -> assertThat(payload).hasSize(8 + 3 * each));
        stream.flush(6 + DELAY, out);
        assertThat(out.payloads.get(2)).hasSize(8 + each);
        assertThat(List.of(sequence(0), sequence(1), sequence(2))).containsExactly(0, 1, 2);
        assertThat(decode(0)).hasSize(3).noneMatch(report -> report.containsKey("error"));
    }

    @Test
    void sendsWhatHasWaitedLongEnough() {
        ReportStream stream = new ReportStream(V2.withCoalescing(1452, DELAY));
        assertThat(stream.flushAtNanos()).isEqualTo(ReportStream.NEVER);
        stream.add(content, frame(60), 50, out);
        stream.add(content, frame(60), 500, out);
        assertThat(stream.flushAtNanos()).isEqualTo(50 + DELAY);
        stream.flush(49 + DELAY, out);
        assertThat(out.payloads).isEmpty();
        stream.flush(50 + DELAY, out);
        assertThat(out.payloads).hasSize(1);
        assertThat(stream.flushAtNanos()).isEqualTo(ReportStream.NEVER);
    }

    @Test
    void aReportThatComesTooLateStartsAnotherDatagram() {
        ReportStream stream = new ReportStream(V2.withCoalescing(1452, DELAY));
        stream.add(content, frame(60), 0, out);
        stream.add(content, frame(60), DELAY, out);
        assertThat(out.payloads).hasSize(1);
        assertThat(stream.flushAtNanos()).isEqualTo(2 * DELAY);
    }

    @Test
    void aReportToTheEndIsTheLastOfItsDatagram() {
        ReportStream stream = new ReportStream(V2.withCoalescing(1452, DELAY).withMaxFragmentBytes(1500));
        stream.add(content, frame(61), 0, out);
        stream.add(content, frame(1301), 0, out);
        stream.add(content, frame(61), 0, out);
        stream.flush(ReportStream.NEVER, out);
        assertThat(out.payloads).hasSize(2);
        assertThat(out.payloads.get(0)).hasSize(HEADERS + 64 + 12 + 1301);
        assertThat(decode(0)).hasSize(2).noneMatch(report -> report.containsKey("error"));
        assertThat(decode(1)).hasSize(1);
    }

    // ---- lengths

    @Test
    void padsAWholePacketWithZeros() {
        new ReportStream(V2).add(content, frame(61), 0, out);
        assertThat(out.only()).hasSize(HEADERS + 64).endsWith(0xEE, 0, 0, 0);
    }

    @Test
    void cutsALongerPacketToWholeWords() {
        new ReportStream(V2.withMaxFragmentBytes(63)).add(content, frame(100), 0, out);
        assertThat(out.only()).hasSize(HEADERS + 60);
    }

    @ParameterizedTest
    @ValueSource(ints = {1004, 1005, 1006, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1016, 1017})
    void decodesAroundTheLongestExactLength(int length) {
        new ReportStream(V2.withMaxFragmentBytes(1500)).add(content, frame(length), 0, out);
        Map<String, Object> report = decode(0).getFirst();
        assertThat(report).doesNotContainKey("error").containsKey("flow");
        int words = (length + 3) / 4;
        assertThat(out.only()[8 + 1] & 0xFF).isEqualTo(Math.min(255, 2 + words));
        boolean exact = 2 + words <= 254 || 8 + length < 1020;
        assertThat(out.only()).hasSize(HEADERS + (exact ? 4 * words : length));
    }

    @Test
    void noDatagramIsLongerThanItMayBe() {
        for (ReportVersion version : ReportVersion.values()) {
            ReportFormat format = ReportFormat.of(version, 7, COLLECTOR)
                    .withMaxFragmentBytes(9000)
                    .withCoalescing(500, 0);
            new ReportStream(format).add(content, frame(1400), 0, out);
        }
        assertThat(out.payloads)
                .hasSize(3)
                .allSatisfy(payload -> assertThat(payload.length).isBetween(490, 500));
    }

    @Test
    void aPacketInATlvIsCutToWhatItsLengthCanSay() {
        new ReportStream(V2.withMaxFragmentBytes(1500).withInner(InnerStart.ETHERNET, true))
                .add(content, frame(1400), 0, out);
        assertThat(out.only()).hasSize(HEADERS + 4 + 4 * 255);
        assertThat(decode(0).getFirst()).doesNotContainKey("error").containsKey("flow");
    }

    @Test
    void startsAtIpBehindVlanTags() {
        new ReportStream(V2.withInner(InnerStart.IP, false)).add(content, tagged(60, true), 0, out);
        assertThat(out.only()[8] & 0xF).isEqualTo(4);
        assertThat(decode(0).getFirst()).containsKey("flow");
    }

    @Test
    void whatIsNotIpStartsWithEthernet() {
        Packet arp = new Packet(60);
        PacketEncoder.ethernet(arp.buffer(), arp.start(), -1, 2, 0x0806);
        arp.setEnd(arp.start() + 42);
        new ReportStream(V2.withInner(InnerStart.IP, false)).add(content, arp, 0, out);
        assertThat(out.only()[8] & 0xF).isEqualTo(3);
    }

    @Test
    void aReportWithoutAPacketSpeaksInItsMainContents() {
        content.stacked = true;
        content.instructions = 0x2000;
        content.own.hopLatency = 42;
        new ReportStream(V2.withOwn(OwnMetadata.STACK)).add(content, null, 0, out);
        assertThat(decode(0).getFirst().get("metadata")).isEqualTo(Map.of("hopLatency", 42L));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 4})
    void noReportIsEmpty(int copied) {
        content.stacked = true;
        new ReportStream(V2.withOwn(OwnMetadata.STACK).withMaxFragmentBytes(copied)).add(content, frame(60), 0, out);
        assertThat(decode(0).getFirst()).doesNotContainKey("error");
    }

    @Test
    void paddingStaysWithinTheDatagram() {
        for (int length = 60; length < 140; length++) {
            new ReportStream(V2.withCoalescing(129, 0)).add(content, frame(length), 0, out);
        }
        assertThat(out.payloads)
                .allSatisfy(payload -> assertThat(payload.length).isLessThanOrEqualTo(129));
    }

    // ---- source ports

    @Test
    void sourcePortsAreMadeOfTheFlow() {
        ReportStream stream = new ReportStream(V2);
        content.flowHash = 0x1234_5678_9ABC_DEF0L;
        stream.add(content, frame(60), 0, out);
        stream.add(content, frame(60), 0, out);
        content.flowHash = -1;
        stream.add(content, frame(60), 0, out);
        assertThat(out.sourcePorts).containsExactly(49_152 + 0x48D, 49_152 + 0x48D, 65_535);
    }

    @Test
    void sourcePortsAreFixedOnRequest() {
        new ReportStream(V2.withSourcePort(0)).add(content, frame(60), 0, out);
        assertThat(out.sourcePorts).containsExactly(0);
    }

    // ---- the dialect

    @Test
    void transparentSecurityLimitsTheWholeReport() {
        new ReportStream(V2.withTransparentSecurity()).add(content, frame(400), 0, out);
        assertThat(out.only()).hasSize(200);
    }

    @Test
    void transparentSecurityLeavesDropsToTheController() {
        content.dropped = true;
        new ReportStream(V2.withTransparentSecurity()).add(content, frame(400), 0, out);
        assertThat(out.payloads).isEmpty();
    }

    @Test
    void dropCountsBelongToTheDialect() {
        ReportStream stream = new ReportStream(V2);
        assertThatThrownBy(() -> stream.addDrops(0, 0, 0, out)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void refusesWhatAVersionCannotSay() {
        ReportFormat old = ReportFormat.of(ReportVersion.V0_5, 7, COLLECTOR);
        assertThatThrownBy(() -> old.withOwn(OwnMetadata.DS_EXTENSION)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> old.withInner(InnerStart.IP, false)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> old.withCoalescing(1452, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> V2.withHwId(64)).isInstanceOf(IllegalArgumentException.class);
    }
}
