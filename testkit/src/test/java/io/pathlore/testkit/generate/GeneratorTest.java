package io.pathlore.testkit.generate;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.Hex;
import io.pathlore.testkit.Json;
import io.pathlore.testkit.Property;
import io.pathlore.testkit.reference.PacketStart;
import io.pathlore.testkit.reference.ReferenceDecoder;
import io.pathlore.testkit.reference.ReferenceOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GeneratorTest {
    private static final int EACH = 20_000;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStrictDecoderFindsNothingWrongWithConformantReports(boolean june2016) {
        ReportGenerator generator = new ReportGenerator(june2016);
        ReferenceDecoder strict = new ReferenceDecoder(Marks.options(false, june2016));
        forAll(EACH, random -> generator.conformant(random), sample -> {
            List<Map<String, Object>> results = strict.decode(sample.bytes());
            String shown = Hex.text(sample.bytes()) + "\n" + Json.canonical(results);
            assertThat(results).as(shown).hasSize(sample.reports()).noneMatch(result -> result.containsKey("error"));
            if (sample.whole()) {
                for (int i = 0; i < results.size(); i++) {
                    Map<String, Object> result = results.get(i);
                    assertThat(result.get("warnings")).as(shown).isNull();
                    assertThat(result.get("cutAt")).as(shown).isNull();
                    assertThat(hops(result))
                            .as(shown)
                            .isEqualTo(sample.telemetry().get(i));
                }
            }
        });
    }

    /** Hops per INT header; -1 for a destination header, whether it could be read or not. */
    private static List<Integer> hops(Map<String, Object> result) {
        List<Integer> counts = new ArrayList<>();
        if (result.get("int") instanceof List<?> headers) {
            for (Object header : headers) {
                Map<?, ?> fields = (Map<?, ?>) header;
                if ("destination".equals(fields.get("type"))) {
                    counts.add(-1);
                } else {
                    counts.add(fields.get("hops") instanceof List<?> hops ? hops.size() : 0);
                }
            }
        }
        return counts;
    }

    @Test
    void lenientModeKeepsEveryReport() {
        ReportGenerator generator = new ReportGenerator(false);
        ReferenceDecoder lenient = new ReferenceDecoder(Marks.options(true, false));
        forAll(
                EACH,
                random -> generator.conformant(random),
                sample -> assertThat(lenient.decode(sample.bytes()))
                        .as(Hex.text(sample.bytes()))
                        .hasSize(sample.reports())
                        .noneMatch(result -> result.containsKey("error")));
    }

    @Test
    void everyDialectAndEveryLayerIsMet() {
        ReportGenerator generator = new ReportGenerator(false);
        ReferenceDecoder lenient = new ReferenceDecoder(Marks.options(true, false));
        Set<String> seen = new TreeSet<>();
        forAll(EACH, random -> generator.datagram(random), datagram -> {
            for (Map<String, Object> result : lenient.decode(datagram)) {
                collect(result, seen);
            }
        });
        assertThat(seen)
                .contains("transparent-security", "geant", "onos-basic", "p4-int")
                .contains("A-28", "A-29", "A-30", "A-31", "A-32", "A-33", "A-41", "A-42", "A-44", "A-47", "A-48")
                .contains("A-56", "A-57", "A-58", "A-59", "A-60", "A-61", "A-62", "A-67", "A-68")
                .contains("ethernet", "vlan", "mpls", "pppoe", "arp", "ipv4", "ipv6", "hop-by-hop", "routing")
                .contains("fragment", "destination-options", "mobility", "hip", "shim6", "ah", "esp", "tcp", "udp")
                .contains("udp-lite", "dccp", "sctp", "icmp", "icmpv6", "igmp", "vxlan", "vxlan-gpe", "geneve", "gtp-u")
                .contains("gre", "nsh", "ioam", "int", "preallocated-trace", "incremental-trace", "pot", "e2e", "dex")
                .contains("0.5", "1.0", "2.0", "2.x", "md", "mx", "destination", "INT_STACK_TRUNCATED");
    }

    private static void collect(Object value, Set<String> seen) {
        switch (value) {
            case Map<?, ?> map -> map.values().forEach(entry -> collect(entry, seen));
            case List<?> list -> list.forEach(entry -> collect(entry, seen));
            case String text -> seen.add(text);
            default -> {
                // numbers and flags
            }
        }
    }

    @Test
    void noOrdinaryPacketIsReadAsInt() {
        ReferenceDecoder lenient = new ReferenceDecoder(ReferenceOptions.lenientDefaults());
        forAll(
                EACH,
                OrdinaryPackets::report,
                datagram -> assertThat(lenient.decode(datagram))
                        .as(Hex.text(datagram))
                        .noneMatch(OrdinaryPackets::isReadAsInt));
    }

    @Test
    void neverThrowsWhateverTheBytes() {
        ReportGenerator generator = new ReportGenerator(true);
        List<ReferenceDecoder> decoders = new ArrayList<>();
        for (boolean lenient : new boolean[] {true, false}) {
            ReferenceOptions options = Marks.options(lenient, true);
            decoders.add(new ReferenceDecoder(options));
            decoders.add(new ReferenceDecoder(options.withBeforeTcpOptions(true)
                    .withOuterFlowKey(true)
                    .withLiteral255(true)
                    .withMaxReports(2)
                    .withProfile("p4-int")));
        }
        forAll(200_000, generator::mutate, datagram -> {
            ReferenceDecoder decoder = decoders.get(datagram.length % decoders.size());
            assertThat(decoder.decode(datagram)).isNotEmpty();
        });
    }

    @Test
    void neverThrowsOnPacketsWhateverTheBytes() {
        ReferenceDecoder lenient = new ReferenceDecoder(Marks.options(true, false));
        ReferenceDecoder strict = new ReferenceDecoder(Marks.options(false, false));
        ReportGenerator generator = new ReportGenerator(false);
        forAll(
                EACH,
                random -> random.nextBoolean()
                        ? Property.random(random, random.nextInt(80)).array()
                        : generator.mutate(random),
                bytes -> {
                    for (PacketStart start : PacketStart.values()) {
                        assertThat(lenient.decodePacket(bytes, start)).isNotNull();
                        assertThat(strict.decodePacket(bytes, start)).isNotNull();
                    }
                });
    }

    @Test
    void theSameSeedGivesTheSameDatagram() {
        ReportGenerator generator = new ReportGenerator(false);
        for (int number = 0; number < 100; number++) {
            assertThat(generator.datagram(Property.random(7, number)))
                    .isEqualTo(generator.datagram(Property.random(7, number)));
        }
    }
}
