package io.pathlore.dataplane.node;

import static io.pathlore.dataplane.node.Decoded.header;
import static io.pathlore.dataplane.node.Decoded.list;
import static io.pathlore.dataplane.node.Decoded.map;
import static io.pathlore.dataplane.node.Decoded.nodes;
import static io.pathlore.dataplane.node.Decoded.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.dataplane.inband.Carrier;
import io.pathlore.dataplane.inband.Codepoints;
import io.pathlore.dataplane.inband.Instructions;
import io.pathlore.dataplane.inband.IntTask;
import io.pathlore.dataplane.inband.Mode;
import io.pathlore.dataplane.node.NodeChain.Datagram;
import io.pathlore.dataplane.packet.Packet;
import io.pathlore.dataplane.report.OwnMetadata;
import io.pathlore.dataplane.report.ReportFormat;
import io.pathlore.dataplane.watch.Match;
import io.pathlore.dataplane.watch.Sampling;
import io.pathlore.dataplane.watch.WatchEntry;
import io.pathlore.testkit.Hex;
import io.pathlore.testkit.reference.ReferenceDecoder;
import io.pathlore.testkit.reference.ReferenceOptions;
import io.pathlore.testkit.reference.ReferenceOptions.DscpMark;
import io.pathlore.wire.decode.ReportVersion;
import io.pathlore.wire.inband.IntVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A path of three nodes in every mode, INT version, carrier and report version the specifications allow: what leaves the sink
 * is what entered the source, and what the reference decoder reads is what each node wrote.
 */
class EveryCombinationTest {
    /** Node id, ports, latency and queue: in every version. */
    private static final int BITMAP = 0xF000;

    record Case(Mode mode, IntVersion version, Carrier carrier, ReportVersion report, OwnMetadata own, String packet) {
        boolean june2016() {
            return version == IntVersion.JUNE_2016;
        }
    }

    static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (ReportVersion report : ReportVersion.values()) {
            for (OwnMetadata own : OwnMetadata.values()) {
                if (own == OwnMetadata.DS_EXTENSION && report != ReportVersion.V2_0) {
                    continue;
                }
                for (IntVersion version : IntVersion.values()) {
                    for (Carrier carrier : Carrier.values()) {
                        if (IntTask.allows(version, carrier)) {
                            for (String packet : packets(carrier)) {
                                cases.add(new Case(Mode.MD, version, carrier, report, own, packet));
                                if (version == IntVersion.V2) {
                                    cases.add(new Case(Mode.MX, version, carrier, report, own, packet));
                                }
                            }
                        }
                    }
                }
                for (String packet : List.of("tcp4", "udp6", "vxlan", "geneve")) {
                    cases.add(new Case(Mode.XD, IntVersion.V2, Carrier.NEW_UDP, report, own, packet));
                }
            }
        }
        return cases;
    }

    private static List<String> packets(Carrier carrier) {
        return switch (carrier) {
            case DSCP, PROBE_MARKER, NEW_UDP -> List.of("tcp4", "tcp6", "udp4", "udp6");
            case UDP_PORT -> List.of("udp4", "udp6", "vxlan");
            case VXLAN_GPE -> List.of("vxlan");
            case GENEVE -> List.of("geneve");
            case GRE -> List.of("tcp4", "udp4");
        };
    }

    @ParameterizedTest
    @MethodSource("cases")
    void theSinkGivesBackWhatEnteredAndTheCollectorReadsWhatWasWritten(Case tried) {
        NodeChain chain = new NodeChain(3, node -> config(tried, node));
        Packet packet = packet(tried.packet);
        String before = Hex.text(packet.toByteArray());

        assertThat(chain.send(packet)).isTrue();

        assertThat(Hex.text(packet.toByteArray())).isEqualTo(before);
        ReferenceDecoder decoder = new ReferenceDecoder(options(tried));
        List<Map<String, Object>> reports = new ArrayList<>();
        for (Datagram datagram : chain.reports) {
            List<Map<String, Object>> read = decoder.decode(datagram.payload());
            assertThat(read).allSatisfy(report -> assertThat(report).doesNotContainKeys("error", "warnings"));
            reports.addAll(read);
        }
        if (tried.mode == Mode.MD) {
            checkStack(tried, reports);
        } else {
            checkPostcards(tried, reports);
        }
    }

    private static void checkStack(Case tried, List<Map<String, Object>> reports) {
        Map<String, Object> report = reports.getFirst();
        Map<String, Object> header = header(report);
        assertThat(header).containsEntry("version", tried.version.label()).containsEntry("type", "md");
        assertThat(nodes(report))
                .containsExactlyElementsOf(tried.own == OwnMetadata.STACK ? List.of(1L, 2L, 3L) : List.of(1L, 2L));
        assertThat(list(header, "hops"))
                .allSatisfy(hop -> assertThat(number(hop, "queueOccupancy")).isEqualTo(1000 * number(hop, "nodeId")));
        assertThat(reports).hasSize(tried.own == OwnMetadata.SEPARATE ? 2 : 1);
        if (tried.own == OwnMetadata.MAIN) {
            assertThat(map(report, "metadata")).containsEntry("queueOccupancy", 3000L);
        }
        if (tried.own == OwnMetadata.SEPARATE) {
            assertThat(reports.stream().filter(r -> r.containsKey("metadata")).map(r -> map(r, "metadata")))
                    .anySatisfy(metadata -> assertThat(metadata).containsEntry("queueOccupancy", 3000L));
        }
        assertThat(map(report, "report")).containsEntry("tracked", true);
    }

    private static void checkPostcards(Case tried, List<Map<String, Object>> reports) {
        assertThat(reports).hasSize(3);
        for (int node = 1; node <= 3; node++) {
            Map<String, Object> report = reports.get(node - 1);
            assertThat(map(report, "report"))
                    .containsEntry("nodeId", (long) node)
                    .containsEntry("tracked", true);
            assertThat(map(report, "metadata")).containsEntry("queueOccupancy", 1000L * node);
            assertThat(report.containsKey("int")).isEqualTo(tried.mode == Mode.MX);
            assertThat(report.get("flow")).isEqualTo(reports.getFirst().get("flow"));
        }
    }

    private static NodeConfig config(Case tried, int node) {
        IntTask task = switch (tried.mode) {
            case MD -> IntTask.md(tried.version, tried.carrier, Instructions.of(BITMAP), 8);
            case MX -> IntTask.mx(tried.carrier, Instructions.of(BITMAP));
            case XD -> IntTask.xd(Instructions.of(BITMAP));
        };
        if (tried.carrier == Carrier.GRE) {
            task = task.withTunnel(0xC0A8_0101, 0xC0A8_0202);
        }
        ReportFormat format = ReportFormat.of(tried.report, node, NodeChain.COLLECTOR)
                .withMaxFragmentBytes(600)
                .withOwn(tried.own);
        WatchEntry all = new WatchEntry("all", 0, Match.EVERYTHING, Sampling.EVERY_PACKET, true, true, task);
        Set<Integer> edges = node == 1 ? Set.of(1) : node == 3 ? Set.of(2) : Set.of();
        return NodeConfig.of(edges, List.of(all), format).withCodepoints(Codepoints.DEFAULT, tried.june2016());
    }

    private static ReferenceOptions options(Case tried) {
        Codepoints codepoints = Codepoints.DEFAULT;
        return ReferenceOptions.strictDefaults()
                .withIntUdpPorts(Set.of(codepoints.udpPort()))
                .withDscp(List.of(new DscpMark(codepoints.dscp(), 0x3F)))
                .withProbeMarker(codepoints.probeMarker())
                .withGeneveClasses(Set.of(codepoints.geneveClass(), codepoints.oldGeneveClass()))
                .withGpe(Set.of(codepoints.gpe()), Set.of(codepoints.oldGpe()))
                .withGreEtherType(codepoints.greEtherType())
                .withJune2016(tried.june2016());
    }

    private static Packet packet(String kind) {
        return switch (kind) {
            case "tcp4" -> TestPackets.tcp(false, 50);
            case "tcp6" -> TestPackets.tcp(true, 51);
            case "udp4" -> TestPackets.udp(false, 40);
            case "udp6" -> TestPackets.udp(true, 41);
            case "vxlan" -> TestPackets.vxlan();
            default -> TestPackets.geneve();
        };
    }
}
