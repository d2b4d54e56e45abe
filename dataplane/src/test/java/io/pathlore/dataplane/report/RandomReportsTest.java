package io.pathlore.dataplane.report;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.dataplane.packet.Packet;
import io.pathlore.testkit.Hex;
import io.pathlore.testkit.generate.Marks;
import io.pathlore.testkit.reference.ReferenceDecoder;
import io.pathlore.wire.decode.ReportVersion;
import io.pathlore.wire.inband.HopValues;
import io.pathlore.wire.net.PacketEncoder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What a stream writes, a decoder that shares no code with it reads, whatever the version, place and form. */
class RandomReportsTest {
    private static final ReportDestination COLLECTOR = ReportDestination.ipv4(0x0A00_0001, 32_766);
    private static final long ABSENT = -1;
    private static final int ETHERNET = 14;
    private static final int PORTS_END = ETHERNET + 20 + 4;
    private static final int CASES = 4_000;

    private final ReferenceDecoder decoder = new ReferenceDecoder(Marks.options(false, false));

    private record Case(ReportFormat format, long sequence, ReportContent content, Packet packet, boolean v6) {
        @Override
        public String toString() {
            return format + " sequence " + sequence + " instructions " + Integer.toHexString(content.instructions)
                    + " stacked " + content.stacked + " packet " + packet.length();
        }
    }

    private static Case generate(RandomGenerator random) {
        ReportVersion version = ReportVersion.values()[random.nextInt(3)];
        boolean two = version == ReportVersion.V2_0;
        OwnMetadata own = OwnMetadata.values()[random.nextInt(two ? 4 : 3)];
        ReportFormat format = ReportFormat.of(version, random.nextLong(0xFFFF_FFFFL), COLLECTOR)
                .withHwId(random.nextInt(64))
                .withOwn(own)
                .withInner(
                        version != ReportVersion.V0_5 && random.nextBoolean() ? InnerStart.IP : InnerStart.ETHERNET,
                        two && random.nextBoolean())
                .withMaxFragmentBytes(random.nextInt(4) == 0 ? random.nextInt(1500) : 200)
                .withCoalescing(1452, two && random.nextBoolean() ? 1_000 : 0);
        boolean v6 = random.nextBoolean();
        long sequence = random.nextBoolean() ? random.nextLong() : -1;
        return new Case(format, sequence, content(random), packet(random, v6), v6);
    }

    private static ReportContent content(RandomGenerator random) {
        ReportContent content = new ReportContent();
        content.tracked = true;
        content.congested = random.nextBoolean();
        content.dropped = random.nextInt(3) == 0;
        content.intermediate = random.nextInt(4) == 0;
        content.stacked = random.nextBoolean();
        content.instructions = random.nextInt(0x1_0000);
        content.flowHash = random.nextLong();
        HopValues own = content.own;
        own.nodeId = maybe(random, 0xFFFF_FFFFL);
        own.ingressInterface = maybe(random, 0xFFFF);
        own.egressInterface = maybe(random, 0xFFFF);
        own.hopLatency = maybe(random, 0xFFFF_FFFFL);
        own.queueId = maybe(random, 0xFF);
        own.queueOccupancy = maybe(random, 0xFF_FFFF);
        own.ingressTimestamp = maybe(random, 0xFFFF_FFFFL);
        own.egressTimestamp = maybe(random, 0xFFFF_FFFFL);
        own.level2IngressInterface = maybe(random, 0xFFFF_FFFFL);
        own.level2EgressInterface = maybe(random, 0xFFFF_FFFFL);
        own.txUtilization = maybe(random, 0xFFFF_FFFFL);
        own.bufferId = maybe(random, 0xFF);
        own.bufferOccupancy = maybe(random, 0xFF_FFFF);
        own.dropQueueId = maybe(random, 0xFF);
        own.dropReason = maybe(random, 0xFF);
        own.checksumComplement = maybe(random, 0xFFFF);
        if (random.nextBoolean()) {
            content.domainId = 0xABCD;
            content.dsMdBits = 0xC000;
            content.dsMdStatus = random.nextInt(0x1_0000);
            own.domainWords = 2;
            own.domain[0] = random.nextInt();
            own.domain[1] = random.nextInt();
        }
        if (random.nextInt(3) == 0) {
            content.extensionWords = 1 + random.nextInt(3);
            content.extensionTemplate = 1 + random.nextInt(99);
            for (int i = 0; i < content.extensionWords; i++) {
                content.extension[i] = random.nextInt();
            }
        }
        return content;
    }

    private static long maybe(RandomGenerator random, long bound) {
        return random.nextInt(4) == 0 ? ABSENT : random.nextLong(bound);
    }

    private static Packet packet(RandomGenerator random, boolean v6) {
        Packet packet = new Packet(1600);
        ByteBuffer bytes = packet.buffer();
        int ip = PacketEncoder.ethernet(bytes, packet.start(), 0x0200_0000_0001L, 2, v6 ? 0x86DD : 0x0800);
        int udp = v6
                ? PacketEncoder.ipv6(bytes, ip, 0, 0, 17, 64, 1, 2, 3, 4)
                : PacketEncoder.ipv4(bytes, ip, 0, 1, true, 64, 17, 0x0A00_0101, 0x0A00_0202);
        int end = PacketEncoder.udp(bytes, udp, 5000, 6000) + random.nextInt(1400);
        PacketEncoder.finishUdp(bytes, udp, end);
        if (v6) {
            PacketEncoder.finishIpv6(bytes, ip, end);
        } else {
            PacketEncoder.finishIpv4(bytes, ip, end);
        }
        packet.setEnd(end);
        return packet;
    }

    @Test
    void areDecodedToWhatWasPutIn() {
        forAll(CASES, RandomReportsTest::generate, this::check);
    }

    private void check(Case test) {
        Datagrams out = new Datagrams();
        ReportStream stream = new ReportStream(test.format, test.sequence);
        stream.add(test.content, test.packet, 0, out);
        stream.flush(ReportStream.NEVER, out);
        List<Map<String, Object>> decoded = new ArrayList<>();
        long sequence = test.sequence & (test.format.version() == ReportVersion.V2_0 ? 0x3F_FFFF : 0xFFFF_FFFFL);
        for (byte[] payload : out.payloads) {
            assertThat(payload.length).isLessThanOrEqualTo(test.format.maxPayloadBytes());
            for (Map<String, Object> report : decoder.decode(payload)) {
                assertThat(report).doesNotContainKey("error");
                decoded.add(report);
                assertHead(test, part(report, "report"), sequence);
            }
            sequence = sequence + 1 & (test.format.version() == ReportVersion.V2_0 ? 0x3F_FFFF : 0xFFFF_FFFFL);
        }
        boolean withStack = test.content.stacked && test.format.maxFragmentBytes() >= 4;
        OwnMetadata own = withStack ? test.format.own() : OwnMetadata.MAIN;
        assertThat(decoded).hasSize(own == OwnMetadata.SEPARATE ? 2 : 1);
        assertPacket(test, decoded.getFirst());
        switch (test.format.version()) {
            case V0_5 -> assert05(test, own, decoded);
            case V1_0 -> assert10(test, own, decoded);
            case V2_0 -> assert20(test, own, decoded);
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> part(Map<String, Object> json, String name) {
        return (Map<String, Object>) json.getOrDefault(name, Map.of());
    }

    private static void assertHead(Case test, Map<String, Object> report, long sequence) {
        assertThat(report)
                .containsEntry("sequence", sequence)
                .containsEntry("hwId", (long) test.format.hwId())
                .containsEntry("version", test.format.version().label())
                .containsEntry("dropped", test.content.dropped)
                .containsEntry("congested", test.content.congested)
                .containsEntry("tracked", test.content.tracked);
        if (test.format.version() == ReportVersion.V2_0) {
            assertThat(report).containsEntry("intermediate", test.content.intermediate);
        }
        if (test.format.version() != ReportVersion.V0_5) {
            assertThat(report).containsEntry("nodeId", test.format.nodeId());
        }
    }

    /** As much of the packet as was wanted is there, or the report is full. */
    private static void assertPacket(Case test, Map<String, Object> json) {
        boolean fromIp = test.format.inner() == InnerStart.IP;
        int copied = Math.min(test.packet.length() - (fromIp ? ETHERNET : 0), test.format.maxFragmentBytes());
        int needed = PORTS_END + (test.v6 ? 20 : 0) - (fromIp ? ETHERNET : 0);
        if (copied >= needed + 3) {
            assertThat(part(json, "flow")).containsEntry("sourcePort", 5000L).containsEntry("destinationPort", 6000L);
        }
    }

    private static void pair(Map<String, Object> into, long a, String nameA, long b, String nameB) {
        if (a != ABSENT && b != ABSENT) {
            into.put(nameA, a);
            into.put(nameB, b);
        }
    }

    private static void each(Map<String, Object> into, long value, String name) {
        if (value != ABSENT) {
            into.put(name, name.endsWith("Timestamp") ? Long.toString(value) : (Object) value);
        }
    }

    private static void drop(Map<String, Object> into, ReportContent content) {
        if (content.dropped) {
            pair(into, content.own.dropQueueId, "dropQueueId", content.own.dropReason, "dropReason");
        }
    }

    private static void assert05(Case test, OwnMetadata own, List<Map<String, Object>> decoded) {
        HopValues values = test.content.own;
        Map<String, Object> fixed = new HashMap<>();
        each(fixed, values.ingressTimestamp, "ingressTimestamp");
        Map<String, Object> ports = new HashMap<>(fixed);
        each(ports, values.ingressInterface, "ingressInterface");
        each(ports, values.egressInterface, "egressInterface");
        Map<String, Object> drop = new HashMap<>(ports);
        each(drop, values.dropQueueId, "dropQueueId");
        each(drop, values.dropReason, "dropReason");
        Map<String, Object> local = new HashMap<>(ports);
        each(local, values.queueId, "queueId");
        each(local, values.queueOccupancy, "queueOccupancy");
        each(local, values.egressTimestamp, "egressTimestamp");
        Map<String, Object> first = part(decoded.getFirst(), "metadata");
        if (test.content.dropped && values.dropReason != ABSENT) {
            assertThat(first).isEqualTo(drop);
        } else if (own == OwnMetadata.MAIN && test.content.available() != 0) {
            assertThat(first).isEqualTo(local);
        } else {
            assertThat(first).isEqualTo(fixed);
        }
        if (own == OwnMetadata.SEPARATE) {
            assertThat(part(decoded.get(1), "metadata")).isEqualTo(local);
            assertThat(decoded.get(1)).doesNotContainKey("flow");
        }
    }

    private static void assert10(Case test, OwnMetadata own, List<Map<String, Object>> decoded) {
        HopValues values = test.content.own;
        int wanted = test.content.instructions;
        Map<String, Object> fixed = new HashMap<>();
        each(fixed, values.ingressTimestamp, "ingressTimestamp");
        Map<String, Object> all = new HashMap<>(fixed);
        if ((wanted & 0x4000) != 0) {
            pair(all, values.ingressInterface, "ingressInterface", values.egressInterface, "egressInterface");
        }
        if ((wanted & 0x2000) != 0) {
            each(all, values.hopLatency, "hopLatency");
        }
        if ((wanted & 0x1000) != 0) {
            pair(all, values.queueId, "queueId", values.queueOccupancy, "queueOccupancy");
        }
        if ((wanted & 0x0400) != 0) {
            each(all, values.egressTimestamp, "egressTimestamp");
        }
        if ((wanted & 0x0100) != 0) {
            each(all, values.txUtilization, "txUtilization");
        }
        drop(all, test.content);
        if (own == OwnMetadata.STACK) {
            drop(fixed, test.content);
        }
        Map<String, Object> first = part(decoded.getFirst(), "metadata");
        assertThat(first).isEqualTo(own == OwnMetadata.MAIN ? all : fixed);
        if (own == OwnMetadata.SEPARATE) {
            assertThat(part(decoded.get(1), "metadata")).isEqualTo(all);
        }
    }

    private static Map<String, Object> items20(ReportContent content, int wanted) {
        HopValues values = content.own;
        Map<String, Object> items = new HashMap<>();
        if ((wanted & 0x4000) != 0) {
            pair(items, values.ingressInterface, "ingressInterface", values.egressInterface, "egressInterface");
        }
        if ((wanted & 0x2000) != 0) {
            each(items, values.hopLatency, "hopLatency");
        }
        if ((wanted & 0x1000) != 0) {
            pair(items, values.queueId, "queueId", values.queueOccupancy, "queueOccupancy");
        }
        if ((wanted & 0x0800) != 0) {
            each(items, values.ingressTimestamp, "ingressTimestamp");
        }
        if ((wanted & 0x0400) != 0) {
            each(items, values.egressTimestamp, "egressTimestamp");
        }
        if ((wanted & 0x0200) != 0) {
            pair(
                    items,
                    values.level2IngressInterface,
                    "l2IngressInterface",
                    values.level2EgressInterface,
                    "l2EgressInterface");
        }
        if ((wanted & 0x0100) != 0) {
            each(items, values.txUtilization, "txUtilization");
        }
        if ((wanted & 0x0080) != 0) {
            pair(items, values.bufferId, "bufferId", values.bufferOccupancy, "bufferOccupancy");
        }
        return items;
    }

    private static void assert20(Case test, OwnMetadata own, List<Map<String, Object>> decoded) {
        ReportContent content = test.content;
        Map<String, Object> first = decoded.getFirst();
        Map<String, Object> drop = new HashMap<>();
        drop(drop, content);
        boolean inMain = own == OwnMetadata.MAIN || own == OwnMetadata.DS_EXTENSION;
        boolean isInt = inMain || content.extensionWords > 0;
        switch (own) {
            case MAIN -> {
                Map<String, Object> expected = items20(content, content.instructions);
                expected.putAll(drop);
                assertThat(part(first, "metadata")).isEqualTo(expected);
                assertDomain(content, first);
            }
            case STACK -> {
                assertThat(part(first, "metadata")).isEqualTo(drop);
                isInt |= !drop.isEmpty();
            }
            case SEPARATE -> {
                Map<String, Object> timestamp = items20(content, 0x0800);
                assertThat(part(first, "metadata")).isEqualTo(timestamp);
                isInt |= !timestamp.isEmpty();
                Map<String, Object> expected = items20(content, content.instructions | 0x0800);
                expected.putAll(drop);
                assertThat(part(decoded.get(1), "metadata")).isEqualTo(expected);
                assertThat(part(decoded.get(1), "report")).containsEntry("inner", "none");
                assertDomain(content, decoded.get(1));
            }
            case DS_EXTENSION -> {
                assertThat(part(first, "metadata")).isEqualTo(drop);
                assertOwnHop(test, extension(first, ReportStream.OWN_HOP_TEMPLATE));
            }
        }
        assertThat(part(first, "report")).containsEntry("type", isInt ? "int" : "inner-only");
        if (content.extensionWords > 0) {
            StringBuilder hex = new StringBuilder();
            for (int i = 0; i < content.extensionWords; i++) {
                hex.append(String.format("%08x", content.extension[i]));
            }
            assertThat(extension(first, content.extensionTemplate)).isEqualTo(hex.toString());
        }
    }

    private static void assertDomain(ReportContent content, Map<String, Object> json) {
        if (content.domainId == 0) {
            assertThat(json).doesNotContainKey("domain");
            return;
        }
        assertThat(part(json, "domain"))
                .containsEntry("id", (long) content.domainId)
                .containsEntry("bits", (long) content.dsMdBits)
                .containsEntry("status", (long) content.dsMdStatus)
                .containsEntry(
                        "words",
                        List.of(
                                String.format("%08x", content.own.domain[0]),
                                String.format("%08x", content.own.domain[1])));
    }

    /** Extension data that stands alone has no template. */
    private static String extension(Map<String, Object> json, long template) {
        if (json.get("extension") instanceof String alone) {
            return alone;
        }
        if (json.get("tlvs") instanceof List<?> tlvs) {
            for (Object tlv : tlvs) {
                Map<?, ?> fields = (Map<?, ?>) tlv;
                if (Long.valueOf(template).equals(fields.get("template"))) {
                    return String.valueOf(fields.get("data"));
                }
            }
        }
        throw new AssertionError("no extension data of template " + template + " in " + json);
    }

    private static void assertOwnHop(Case test, String hex) {
        ReportContent content = test.content;
        ByteBuffer hop = ByteBuffer.wrap(Hex.bytes(hex));
        int bits = hop.getShort() & 0xFFFF;
        boolean domain = content.domainId != 0;
        assertThat(hop.getShort() & 0xFFFF).isEqualTo(domain ? content.dsMdBits : 0);
        assertThat(Integer.toUnsignedLong(hop.getInt())).isEqualTo(test.format.nodeId());
        assertThat(bits & 0x8000).isNotZero();
        Map<String, Object> items = items20(content, content.instructions);
        assertThat((bits & 0x4000) != 0).isEqualTo(items.containsKey("ingressInterface"));
        if ((bits & 0x4000) != 0) {
            assertThat(hop.getShort() & 0xFFFFL).isEqualTo(content.own.ingressInterface);
            assertThat(hop.getShort() & 0xFFFFL).isEqualTo(content.own.egressInterface);
        }
        assertThat((bits & 0x2000) != 0).isEqualTo(items.containsKey("hopLatency"));
        if ((bits & 0x2000) != 0) {
            assertThat(Integer.toUnsignedLong(hop.getInt())).isEqualTo(content.own.hopLatency);
        }
        int words = Integer.bitCount(bits & 0x1FFF) + Integer.bitCount(bits & 0x0E00) + (domain ? 2 : 0);
        assertThat(hop.remaining()).isEqualTo(4 * words);
        if (domain) {
            assertThat(hop.getInt(hop.limit() - 4)).isEqualTo(content.own.domain[1]);
        }
    }
}
