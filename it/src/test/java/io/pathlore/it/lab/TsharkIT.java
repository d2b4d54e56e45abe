package io.pathlore.it.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pathlore.cli.config.ScenarioFiles;
import io.pathlore.dataplane.inband.Carrier;
import io.pathlore.dataplane.inband.Instructions;
import io.pathlore.dataplane.inband.IntTask;
import io.pathlore.dataplane.inband.Mode;
import io.pathlore.dataplane.lab.LabListener;
import io.pathlore.dataplane.node.IntProcessor;
import io.pathlore.dataplane.node.NodeOutput;
import io.pathlore.dataplane.node.Passage;
import io.pathlore.dataplane.node.Verdict;
import io.pathlore.dataplane.packet.Packet;
import io.pathlore.dataplane.scenario.Scenario;
import io.pathlore.dataplane.scenario.ScenarioNodes;
import io.pathlore.dataplane.scenario.ScenarioRun;
import io.pathlore.dataplane.scenario.Telemetry;
import io.pathlore.dataplane.scenario.TrafficEntry;
import io.pathlore.dataplane.scenario.WorldTime;
import io.pathlore.dataplane.topology.Topology;
import io.pathlore.dataplane.traffic.TrafficKinds;
import io.pathlore.dataplane.traffic.TrafficParameters;
import io.pathlore.dataplane.watch.Match;
import io.pathlore.dataplane.watch.Sampling;
import io.pathlore.dataplane.watch.WatchEntry;
import io.pathlore.ingest.pcap.CaptureWriter;
import io.pathlore.wire.inband.IntVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the lab puts on its wires, read by somebody else: headers and checksums are right with INT in the packet and without. */
class TsharkIT {
    private static final long DURATION_NANOS = 1_000_000_000;
    private static final int INSTRUCTIONS = 0xF000;
    private static final String GOOD = "1";
    /** 2 and 3 are neither: cut, or none at all, as UDP may have it. */
    private static final String BAD = "0";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path temp;

    @BeforeAll
    static void tsharkIsInstalled() throws Exception {
        boolean there;
        try {
            there = new ProcessBuilder("tshark", "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException absent) {
            there = false;
        }
        assumeTrue(
                there, "tshark is not installed (Debian: apt-get install tshark): nobody else read the lab's packets");
    }

    record Case(Mode mode, IntVersion version, Carrier carrier, String ip) {}

    static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (IntVersion version : IntVersion.values()) {
            for (Carrier carrier : Carrier.values()) {
                if (IntTask.allows(version, carrier)) {
                    cases.add(new Case(Mode.MD, version, carrier, "4"));
                }
            }
        }
        for (Carrier carrier : List.of(Carrier.DSCP, Carrier.PROBE_MARKER, Carrier.UDP_PORT, Carrier.NEW_UDP)) {
            cases.add(new Case(Mode.MD, IntVersion.V2, carrier, "6"));
            cases.add(new Case(Mode.MX, IntVersion.V2, carrier, "6"));
        }
        return cases;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void headersAndChecksumsOnEveryLinkAreRight(Case tried) throws Exception {
        Path pcap = temp.resolve("packets.pcap");
        long[] frames = {0};
        try (CaptureWriter writer = CaptureWriter.create(pcap)) {
            run(scenario(tried), (packet, now) -> {
                frames[0]++;
                writer.writeFrame(now, packet.buffer(), packet.start(), packet.end());
            });
        }
        assertThat(frames[0]).isGreaterThan(100);

        List<String[]> rows = tshark(
                pcap,
                "ip.checksum.status",
                "tcp.checksum.status",
                "udp.checksum.status",
                "icmp.checksum.status",
                "frame.len",
                "ip.len",
                "ipv6.plen");

        assertThat(rows).hasSize((int) frames[0]);
        for (String[] row : rows) {
            for (int i = 0; i < 4; i++) {
                assertThat(row[i]).as("%s in %s", Arrays.toString(row), tried).doesNotContain(BAD);
            }
            long length = Long.parseLong(row[4]) - 14;
            if (!row[5].isEmpty()) {
                assertThat(first(row[5])).isEqualTo(length);
            } else {
                assertThat(first(row[6])).isEqualTo(length - 40);
            }
        }
        assertThat(rows).anyMatch(row -> row[1].contains(GOOD)).anyMatch(row -> row[2].contains(GOOD));
        assertThat(rows).allMatch(row -> tried.ip.equals("6") || row[0].contains(GOOD));
    }

    @Test
    void reportDatagramsAreRight() throws Exception {
        Path pcap = temp.resolve("reports.pcap");
        try (CaptureWriter writer = CaptureWriter.create(pcap)) {
            Scenario quiet = ScenarioFiles.load("quiet", temp).withDuration(DURATION_NANOS);
            new ScenarioRun(
                            quiet,
                            1,
                            WorldTime.from(0),
                            new ScenarioNodes(),
                            LabListener.NOBODY,
                            (time, address, port, destination, payload, from, end) -> {
                                try {
                                    writer.writeDatagram(
                                            time,
                                            false,
                                            0,
                                            Integer.toUnsignedLong(address),
                                            port,
                                            0,
                                            destination.addressLow(),
                                            destination.port(),
                                            payload,
                                            from,
                                            end);
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            })
                    .runUntil(DURATION_NANOS);
        }
        List<String[]> rows = tshark(pcap, "ip.checksum.status", "udp.checksum.status", "udp.dstport", "ip.flags.df");
        assertThat(rows).isNotEmpty().allSatisfy(row -> assertThat(row).containsExactly(GOOD, GOOD, "8555", "1"));
    }

    private interface Tap {
        void onPacket(Packet packet, long nowNanos) throws IOException;
    }

    /** Every packet as it leaves every switch. */
    private static void run(Scenario scenario, Tap tap) {
        ScenarioRun.NodeFactory nodes = (of, at) -> {
            IntProcessor node = new ScenarioNodes().node(of, at);
            return new IntProcessor() {
                @Override
                public Verdict forward(Packet packet, Passage passage, NodeOutput out) {
                    Verdict verdict = node.forward(packet, passage, out);
                    try {
                        tap.onPacket(packet, passage.nowNanos);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    return verdict;
                }

                @Override
                public void drop(Packet packet, Passage passage, int reason, NodeOutput out) {
                    node.drop(packet, passage, reason, out);
                }

                @Override
                public void tick(long nowNanos, NodeOutput out) {
                    node.tick(nowNanos, out);
                }

                @Override
                public long nextTickNanos() {
                    return node.nextTickNanos();
                }
            };
        };
        new ScenarioRun(
                        scenario,
                        1,
                        WorldTime.from(0),
                        nodes,
                        LabListener.NOBODY,
                        (time, address, port, destination, payload, from, end) -> {})
                .runUntil(DURATION_NANOS);
    }

    private Scenario scenario(Case tried) {
        Scenario quiet = ScenarioFiles.load("quiet", temp).withDuration(DURATION_NANOS);
        Telemetry telemetry = quiet.telemetry();
        IntTask task = tried.mode == Mode.MX
                ? IntTask.mx(tried.carrier, Instructions.of(INSTRUCTIONS))
                : IntTask.md(tried.version, tried.carrier, Instructions.of(INSTRUCTIONS), 8);
        if (tried.carrier == Carrier.GRE) {
            task = task.withTunnel(0xC0A8_0101, 0xC0A8_0202);
        }
        WatchEntry all = new WatchEntry("all", 0, Match.EVERYTHING, Sampling.EVERY_PACKET, true, true, task);
        Topology topology = quiet.topology();
        return new Scenario(
                quiet.name(),
                quiet.description(),
                DURATION_NANOS,
                topology,
                quiet.options(),
                new Telemetry(
                        tried.mode,
                        telemetry.codepoints(),
                        telemetry.reporting(),
                        List.of(all),
                        telemetry.flowRules(),
                        telemetry.queueRules(),
                        telemetry.dropIntervalNanos()),
                List.of(
                        traffic("request-response", tried, "flows", "20"),
                        traffic("iot", tried, "period", "100ms"),
                        traffic("ping", tried, "period", "100ms")),
                List.of(),
                List.of());
    }

    private static TrafficEntry traffic(String kind, Case tried, String key, String value) {
        TrafficParameters parameters = new TrafficParameters();
        parameters.set(key, value);
        if (kind.equals("iot")) {
            parameters.set("from", "all");
            parameters.set("to", "all");
        }
        String tunnel = switch (tried.carrier) {
            case VXLAN_GPE -> "vxlan";
            case GENEVE -> "geneve";
            default -> "none";
        };
        parameters.set("ip", tried.ip);
        parameters.set("tunnel", tunnel);
        return new TrafficEntry(kind, Objects.requireNonNull(TrafficKinds.find(kind)), parameters);
    }

    /** Of the outermost header, where there are several. */
    private static long first(String values) {
        int comma = values.indexOf(',');
        return Long.parseLong(comma < 0 ? values : values.substring(0, comma));
    }

    private static List<String[]> tshark(Path pcap, String... fields) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "tshark",
                "-n",
                "-r",
                pcap.toString(),
                "-o",
                "ip.check_checksum:TRUE",
                "-o",
                "tcp.check_checksum:TRUE",
                "-o",
                "udp.check_checksum:TRUE",
                "-T",
                "fields",
                "-E",
                "separator=;",
                "-E",
                "aggregator=,"));
        for (String field : fields) {
            command.addAll(List.of("-e", field));
        }
        Path out = pcap.resolveSibling("tshark.out");
        Path err = pcap.resolveSibling("tshark.err");
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(err)).isZero();
        return Files.readAllLines(out, StandardCharsets.UTF_8).stream()
                .map(line -> line.split(";", -1))
                .toList();
    }
}
