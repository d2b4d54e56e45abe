package io.pathlore.dataplane.inband;

import io.pathlore.testkit.reference.PacketStart;
import io.pathlore.testkit.reference.ReferenceDecoder;
import io.pathlore.testkit.reference.ReferenceOptions;
import io.pathlore.testkit.reference.ReferenceOptions.DomainItem;
import io.pathlore.testkit.reference.ReferenceOptions.DscpMark;
import io.pathlore.wire.Domains;
import io.pathlore.wire.inband.HopValues;
import io.pathlore.wire.inband.HopView;
import io.pathlore.wire.inband.IntVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** Random metadata of hops, and what the reference decoder should say of them: names and decimal values. */
final class Hops {
    static final int DOMAIN = 0x1234;
    static final Domains DOMAINS = new Domains(List.of(
            Domains.DEFAULT.all().getFirst(),
            new Domains.Domain(
                    DOMAIN,
                    List.of(
                            new Domains.Item(0, 1, false, "a"),
                            new Domains.Item(2, 2, true, "b"),
                            new Domains.Item(5, 1, false, "c"),
                            new Domains.Item(7, 1, true, "d")))));

    private Hops() {}

    static Codepoints codepoints(boolean beforeTcpOptions) {
        Codepoints base = Codepoints.DEFAULT;
        return new Codepoints(
                base.udpPort(),
                base.dscp(),
                base.probeMarker(),
                base.geneveClass(),
                base.oldGeneveClass(),
                base.gpe(),
                base.oldGpe(),
                base.greEtherType(),
                beforeTcpOptions,
                DOMAINS);
    }

    static ReferenceDecoder reference(Codepoints codepoints, boolean june2016, boolean lenient) {
        Map<Integer, List<DomainItem>> domains = new TreeMap<>();
        for (Domains.Domain domain : codepoints.domains().all()) {
            domains.put(
                    domain.id(),
                    domain.items().stream()
                            .map(item -> new DomainItem(item.bit(), item.words(), item.sourceOnly(), item.name()))
                            .toList());
        }
        return new ReferenceDecoder(ReferenceOptions.lenientDefaults()
                .withLenient(lenient)
                .withIntUdpPorts(Set.of(codepoints.udpPort()))
                .withDscp(List.of(new DscpMark(codepoints.dscp(), 0x3F)))
                .withProbeMarker(codepoints.probeMarker())
                .withGreEtherType(codepoints.greEtherType())
                .withGpe(Set.of(codepoints.gpe()), Set.of(codepoints.oldGpe()))
                .withGeneveClasses(Set.of(codepoints.geneveClass(), codepoints.oldGeneveClass()))
                .withBeforeTcpOptions(codepoints.beforeTcpOptions())
                .withJune2016(june2016)
                .withDomains(domains));
    }

    /** The INT headers that the reference decoder finds in a frame. */
    @SuppressWarnings("unchecked")
    static List<Map<String, Object>> ints(ReferenceDecoder reference, byte[] frame) {
        Map<String, Object> packet = reference.decodePacket(frame, PacketStart.ETHERNET);
        if (packet.containsKey("warnings")) {
            throw new AssertionError(packet);
        }
        return (List<Map<String, Object>>) packet.getOrDefault("int", List.of());
    }

    /** The hops of a header without checksum complements, their values as text. */
    @SuppressWarnings("unchecked")
    static List<Map<String, String>> hops(Map<String, Object> header) {
        List<Map<String, String>> hops = new ArrayList<>();
        for (Map<String, Object> hop : (List<Map<String, Object>>) header.getOrDefault("hops", List.of())) {
            Map<String, String> text = new TreeMap<>();
            hop.forEach((name, value) -> text.put(name, String.valueOf(value)));
            text.remove("checksumComplement");
            hops.add(text);
        }
        return hops;
    }

    /** One in eight values is not known. */
    static void fill(HopValues own, RandomGenerator random) {
        own.clear();
        own.nodeId = value(random, 0x7FFF_FFFF);
        own.ingressInterface = value(random, 0xFFFF);
        own.egressInterface = value(random, 0xFFFF);
        own.hopLatency = value(random, 0x7FFF_FFFF);
        own.queueId = value(random, 0xFF);
        own.queueOccupancy = value(random, 0xFF_FFFF);
        own.queueCongestion = value(random, 0xFF_FFFF);
        own.ingressTimestamp = random.nextInt(8) == 0 ? HopView.ABSENT : random.nextLong() >>> 1;
        own.egressTimestamp = random.nextInt(8) == 0 ? HopView.ABSENT : random.nextLong() >>> 1;
        own.level2IngressInterface = value(random, 0x7FFF_FFFF);
        own.level2EgressInterface = value(random, 0x7FFF_FFFF);
        own.txUtilization = value(random, 0x7FFF_FFFF);
        own.bufferId = value(random, 0xFF);
        own.bufferOccupancy = value(random, 0xFF_FFFF);
        own.domainWords = 2;
        own.domain[0] = random.nextInt() >>> 1;
        own.domain[1] = random.nextInt() >>> 1;
    }

    private static long value(RandomGenerator random, int below) {
        return random.nextInt(8) == 0 ? HopView.ABSENT : random.nextInt(below);
    }

    static Map<String, String> expected(IntVersion version, int bitmap, HopValues own, List<String> domain) {
        Map<String, String> hop = new TreeMap<>();
        boolean june = version == IntVersion.JUNE_2016;
        boolean two = version == IntVersion.V2;
        long timestampMask = june ? 0x7FFF_FFFFL : two ? -1L : 0xFFFF_FFFFL;
        for (int bit = 0; bit < 9; bit++) {
            if ((bitmap & 0x8000 >> bit) == 0) {
                continue;
            }
            switch (bit) {
                case 0 -> put(hop, "nodeId", own.nodeId);
                case 1 -> {
                    if (june) {
                        put(hop, "ingressInterface", own.ingressInterface);
                    } else {
                        put(hop, "ingressInterface", own.ingressInterface, "egressInterface", own.egressInterface);
                    }
                }
                case 2 -> put(hop, "hopLatency", own.hopLatency);
                case 3 -> {
                    if (june) {
                        put(hop, "queueOccupancy", own.queueOccupancy);
                    } else {
                        put(hop, "queueId", own.queueId, "queueOccupancy", own.queueOccupancy);
                    }
                }
                case 4 -> timestamp(hop, "ingressTimestamp", own.ingressTimestamp, timestampMask);
                case 5 -> {
                    if (june) {
                        put(hop, "egressInterface", own.egressInterface);
                    } else {
                        timestamp(hop, "egressTimestamp", own.egressTimestamp, timestampMask);
                    }
                }
                case 6 -> {
                    if (june) {
                        put(hop, "queueCongestion", own.queueCongestion);
                    } else if (version == IntVersion.V0_5) {
                        put(hop, "queueId", own.queueId, "queueCongestion", own.queueCongestion);
                    } else {
                        put(
                                hop,
                                "l2IngressInterface",
                                own.level2IngressInterface,
                                "l2EgressInterface",
                                own.level2EgressInterface);
                    }
                }
                case 7 -> put(hop, "txUtilization", own.txUtilization);
                default -> put(hop, "bufferId", own.bufferId, "bufferOccupancy", own.bufferOccupancy);
            }
        }
        if (!domain.isEmpty()) {
            hop.put("domain", domain.toString());
        }
        return hop;
    }

    private static void timestamp(Map<String, String> hop, String name, long value, long mask) {
        put(hop, name, value == HopView.ABSENT ? value : value & mask);
    }

    private static void put(Map<String, String> hop, String name, long value) {
        if (value != HopView.ABSENT) {
            hop.put(name, Long.toString(value));
        }
    }

    private static void put(Map<String, String> hop, String first, long one, String second, long other) {
        if (one != HopView.ABSENT && other != HopView.ABSENT) {
            put(hop, first, one);
            put(hop, second, other);
        }
    }

    /** Domain words as the decoder shows them: of the source's hop all, of others those every hop has. */
    static List<String> domainWords(int domain, int ds, HopValues own, int[] sourceWords, boolean source) {
        List<String> words = new ArrayList<>();
        if (domain != DOMAIN) {
            return words;
        }
        int mine = 0;
        int sources = 0;
        for (int bit : new int[] {0, 2, 5, 7}) {
            if ((ds & 0x8000 >> bit) == 0) {
                continue;
            }
            if (bit == 0 || bit == 5) {
                words.add("%08x".formatted(own.domain[mine++]));
            } else {
                for (int i = 0; i < (bit == 2 ? 2 : 1); i++) {
                    int word = sourceWords[sources++];
                    if (source) {
                        words.add("%08x".formatted(word));
                    }
                }
            }
        }
        return words;
    }
}
