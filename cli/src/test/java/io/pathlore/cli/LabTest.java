package io.pathlore.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.cli.Program.Ended;
import io.pathlore.cli.config.ScenarioFiles;
import io.pathlore.dataplane.report.AttackKey;
import io.pathlore.dataplane.scenario.Scenario;
import io.pathlore.dataplane.topology.Topology;
import io.pathlore.dataplane.traffic.AttackFact;
import io.pathlore.model.IpText;
import io.pathlore.testkit.Json;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class LabTest {
    private static final int PATIENCE_MILLIS = 10_000;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private Ended lab(String... args) {
        String[] all = new String[args.length + 1];
        all[0] = "lab";
        System.arraycopy(args, 0, all, 1, args.length);
        return new Program().in(directory).with(all);
    }

    private static void assertFine(Ended ended) {
        assertThat(ended.err()).isEmpty();
        assertThat(ended.status()).isZero();
    }

    static List<String> shipped() {
        return ScenarioFiles.shipped();
    }

    @Test
    void theListExplainsEachScenarioInALine() {
        Ended ended = lab("list");
        assertFine(ended);
        assertThat(ended.lines())
                .hasSameSizeAs(ScenarioFiles.shipped())
                .allSatisfy(line -> assertThat(line).matches("[a-z-]+ +[A-Z].*"));
        assertThat(lab("list", "quiet").out()).startsWith("description: ").contains("topology:");
        assertThat(lab("list", "quite").err())
                .isEqualTo("pathlore: there is no scenario 'quite'; did you mean 'quiet'?\n");
    }

    @ParameterizedTest
    @MethodSource("shipped")
    void everyScenarioRunsAndItsReportsDecode(String name) {
        Ended ended = lab("run", name, "--duration", "1s", "--pcap", "r.pcap", "-o", "json");
        assertFine(ended);
        Map<String, Object> summary = Json.object(ended.out());
        assertThat(summary).containsEntry("scenario", name);
        long reports = (Long) map(summary, "datagrams").getOrDefault("delivered", 0L); // each holds one
        Ended decoded = new Program().in(directory).with("decode", "-o", "json", "r.pcap");
        assertFine(decoded);
        assertThat(decoded.lines()).hasSize((int) reports).noneMatch(line -> line.contains("\"error\""));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Map<String, Object> of, String key) {
        return (Map<String, Object>) Objects.requireNonNull(of.get(key));
    }

    @ParameterizedTest
    @CsvSource({"md,0.5", "md,1.0", "md,2.0", "mx,1.0", "mx,2.0", "xd,0.5", "xd,1.0", "xd,2.0"})
    void modeAndVersionAreAsAskedFor(String mode, String version) throws IOException {
        assertFine(lab(
                "run",
                "quiet",
                "--duration",
                "1s",
                "--mode",
                mode,
                "--report-version",
                version,
                "--pcap",
                "r.pcap",
                "--truth",
                "t.jsonl"));
        Map<String, Object> first =
                Json.object(Files.readAllLines(directory.resolve("t.jsonl")).getFirst());
        assertThat(first)
                .containsEntry("kind", "lab")
                .containsEntry("scenario", "quiet")
                .containsEntry("seed", 1L)
                .containsEntry("mode", mode)
                .containsEntry("reportVersion", version)
                .containsEntry("start", "2026-01-01T00:00:00.000000000Z");
        List<String> reports = new Program()
                .in(directory)
                .with("decode", "-o", "json", "r.pcap")
                .lines();
        assertThat(reports).isNotEmpty().allMatch(line -> line.contains("\"version\":\"" + version + "\""));
        boolean stacks = reports.stream().anyMatch(line -> line.contains("\"type\":\"md\""));
        assertThat(stacks).isEqualTo(mode.equals("md"));
    }

    @Test
    void theSameSeedGivesTheSameBytes() throws IOException {
        for (String run : List.of("a", "b")) {
            assertFine(lab(
                    "run",
                    "demo",
                    "--duration",
                    "3s",
                    "--seed",
                    "7",
                    "--pcap",
                    run + ".pcap",
                    "--truth",
                    run + ".jsonl",
                    "--inventory",
                    run + ".yaml"));
        }
        for (String kind : List.of(".pcap", ".jsonl", ".yaml")) {
            assertThat(directory.resolve("a" + kind)).hasSameBinaryContentAs(directory.resolve("b" + kind));
        }
        assertFine(lab("run", "demo", "--duration", "3s", "--seed", "8", "--pcap", "c.pcap"));
        assertThat(Files.mismatch(directory.resolve("a.pcap"), directory.resolve("c.pcap")))
                .isPositive();
    }

    @Test
    void theInventoryIsAConfiguration() throws IOException {
        assertFine(lab("run", "quiet", "--duration", "1s", "--pcap", "r.pcap", "--inventory", "net.yaml"));
        Ended decoded = new Program().in(directory).with("decode", "--config", "net.yaml", "-c", "5", "r.pcap");
        assertFine(decoded);
        assertThat(decoded.out()).contains("leaf-", "spine-");
        assertThat(Files.readString(directory.resolve("net.yaml"))).contains("sampling: 1", "clock: synchronised");
    }

    @Test
    void everyPacketIsInTheTruthOnDemand() throws IOException {
        Ended ended =
                lab("run", "acl-drops", "--duration", "12s", "--truth", "t.jsonl", "--truth-packets", "-o", "json");
        assertFine(ended);
        Map<String, Object> packets = map(Json.object(ended.out()), "packets");
        List<Map<String, Object>> lines = new ArrayList<>();
        for (String line : Files.readAllLines(directory.resolve("t.jsonl"))) {
            lines.add(Json.object(line));
        }
        assertThat(lines.stream().filter(line -> Boolean.TRUE.equals(line.get("delivered"))))
                .hasSize(((Long) packets.getOrDefault("delivered", 0L)).intValue())
                .allSatisfy(
                        line -> assertThat(line).containsEntry("reports", 1L).containsKeys("path", "flow"));
        assertThat(lines.stream().filter(line -> Boolean.FALSE.equals(line.get("delivered"))))
                .hasSize(((Long) packets.getOrDefault("dropped", 0L)).intValue());
        assertThat(lines).anyMatch(line -> "drops".equals(line.get("kind")) && line.containsKey("visibleAt"));
    }

    @Test
    void thePcapMayGoToStdout() {
        byte[] capture = new Program().outOf("lab", "run", "quiet", "--duration", "1s", "--pcap", "-");
        Ended decoded = new Program().input(capture).with("decode", "-o", "json", "-");
        assertFine(decoded);
        assertThat(decoded.lines()).isNotEmpty();
    }

    @Test
    void moreTrafficWithScale() {
        long once = sent("run", "quiet", "--duration", "3s", "-o", "json");
        assertThat(sent("run", "quiet", "--duration", "3s", "-o", "json", "--scale", "4"))
                .isGreaterThan(2 * once);
    }

    private long sent(String... args) {
        return (Long) map(Json.object(lab(args).out()), "packets").getOrDefault("sent", 0L);
    }

    /** The network's controller is told of a camera that floods; the camera is blocked, and drop reports say so. */
    @Test
    void aControllerBlocksADeviceOfALiveNetwork() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        try (DatagramSocket collector = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            collector.setSoTimeout(PATIENCE_MILLIS);
            Thread network = Thread.ofPlatform()
                    .start(() -> lab(
                            "run",
                            "ddos-udp-flood",
                            "--to",
                            "127.0.0.1:" + collector.getLocalPort(),
                            "--controller",
                            "127.0.0.1:" + port,
                            "--speed",
                            "10",
                            "--duration",
                            "60s"));
            byte[] octets = new byte[2048];
            DatagramPacket packet = new DatagramPacket(octets, octets.length);
            collector.receive(packet);
            Scenario scenario = ScenarioFiles.load("ddos-udp-flood", directory);
            Topology.Host camera = scenario.topology().hosts().stream()
                    .filter(host -> host.name().equals("camera-2"))
                    .findFirst()
                    .orElseThrow();
            AttackFact.Victim victim = scenario.traffic().stream()
                    .flatMap(entry ->
                            entry.source(scenario.topology()).attacks(scenario.topology(), 0, 1L << 40).stream())
                    .findFirst()
                    .orElseThrow()
                    .victim();
            String mac = HexFormat.ofDelimiter(":")
                    .formatHex(ByteBuffer.allocate(8).putLong(camera.mac()).array(), 2, 8);
            String event = "{\"event\":{\"src_mac\":\"" + mac + "\",\"ip_ver\":4,\"dst_ip\":\""
                    + IpText.of(false, 0, victim.low()) + "\",\"dst_port\":" + victim.port() + ",\"count\":100}}";
            HttpRequest post = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/aggAttack"))
                    .POST(HttpRequest.BodyPublishers.ofString(event))
                    .build();
            try (HttpClient client = HttpClient.newHttpClient()) {
                assertThat(client.send(post, HttpResponse.BodyHandlers.ofString())
                                .statusCode())
                        .isEqualTo(201);
            }
            long key = AttackKey.of(camera.mac(), victim.port(), false, 0, victim.low());
            long dropped = 0;
            while (dropped < 10_000) {
                packet.setLength(octets.length);
                collector.receive(packet);
                // Of a drop report: the count is at 28, the low half of the key at 40.
                ByteBuffer report = ByteBuffer.wrap(octets, 0, packet.getLength());
                if (packet.getLength() >= 48 && report.getLong(32) == 0 && report.getLong(40) == key) {
                    dropped = Integer.toUnsignedLong(report.getInt(28));
                }
            }
            network.join();
        }
        assertThat(lab("run", "quiet", "--controller", "127.0.0.1:1").err())
                .startsWith("pathlore lab run: --controller: only with --to");
    }

    @Test
    void liveEachSwitchHasItsOwnAddress() throws IOException {
        Assumptions.assumeTrue(System.getProperty("os.name").equals("Linux"), "127.0.0.0/8 is ours on Linux only");
        try (DatagramSocket receiver = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"))) {
            receiver.setReceiveBufferSize(8 << 20);
            receiver.setSoTimeout(PATIENCE_MILLIS);
            Ended ended = lab(
                    "run",
                    "quiet",
                    "--duration",
                    "400ms",
                    "--speed",
                    "20",
                    "-o",
                    "json",
                    "--to",
                    "127.0.0.1:" + receiver.getLocalPort(),
                    "--inventory",
                    "net.yaml",
                    "--pcap",
                    "live.pcap");
            assertFine(ended);
            long sent = (Long) map(Json.object(ended.out()), "live").getOrDefault("sent", 0L);
            assertThat(sent).isPositive();
            Set<String> addresses = new TreeSet<>();
            for (long i = 0; i < sent; i++) {
                DatagramPacket packet = new DatagramPacket(new byte[2048], 2048);
                receiver.receive(packet);
                addresses.add(packet.getAddress().getHostAddress());
                assertThat(packet.getData()[0] >> 4).isEqualTo(2);
            }
            assertThat(addresses).hasSizeGreaterThan(1).allMatch(address -> address.startsWith("127.255.0."));
            String inventory = Files.readString(directory.resolve("net.yaml"));
            assertThat(addresses).allMatch(inventory::contains);
        }
    }

    @Test
    void switchesFallToSeveralCollectorsInTurn() throws IOException {
        Assumptions.assumeTrue(System.getProperty("os.name").equals("Linux"), "127.0.0.0/8 is ours on Linux only");
        try (DatagramSocket one = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"));
                DatagramSocket other = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"))) {
            List<String> words = new ArrayList<>(
                    List.of("run", "quiet", "--duration", "400ms", "--speed", "20", "--mode", "xd", "-o", "json"));
            for (DatagramSocket each : List.of(one, other)) {
                each.setReceiveBufferSize(8 << 20);
                words.addAll(List.of("--to", "127.0.0.1:" + each.getLocalPort()));
            }
            Ended ended = lab(words.toArray(String[]::new));
            assertFine(ended);
            Set<String> ofOne = new TreeSet<>();
            Set<String> ofOther = new TreeSet<>();
            int received = waiting(one, ofOne) + waiting(other, ofOther);
            assertThat(map(Json.object(ended.out()), "live")).containsEntry("sent", (long) received);
            assertThat(ofOne).hasSizeGreaterThan(1).doesNotContainAnyElementsOf(ofOther);
            assertThat(ofOther).hasSizeBetween(ofOne.size() - 1, ofOne.size());
        }
    }

    /** How many lie there, and who sent them. */
    private static int waiting(DatagramSocket socket, Set<String> senders) throws IOException {
        socket.setSoTimeout(1);
        for (int count = 0; ; count++) {
            DatagramPacket packet = new DatagramPacket(new byte[2048], 2048);
            try {
                socket.receive(packet);
            } catch (SocketTimeoutException e) {
                return count;
            }
            senders.add(packet.getAddress().getHostAddress());
        }
    }

    @Test
    void whatIsWrongIsOneLine() throws IOException {
        Files.writeString(directory.resolve("bad.yaml"), "topology:\n  kind: star\n");
        assertThat(lab("run", "bad.yaml").err())
                .isEqualTo("pathlore: bad.yaml:2: topology.kind: 'star' is not one of line, ring, leaf-spine, fat-tree,"
                        + " access\n");
        assertThat(lab("run", "bad.yaml").status()).isEqualTo(2);
        assertThat(lab("run", "nothing.yaml").err()).isEqualTo("pathlore: nothing.yaml: no such file\n");
        assertThat(lab("run", "carpet-bombing", "--mode", "xd").err())
                .isEqualTo("pathlore: carpet-bombing: the Transparent Security dialect is one of mode md\n");
        assertThat(lab("run", "carpet-bombing", "--report-version", "1.0").status())
                .isEqualTo(2);
        Ended unwritable = lab("run", "quiet", "--duration", "1s", "--pcap", "no/such/dir.pcap");
        assertThat(unwritable.status()).isEqualTo(1);
        assertThat(unwritable.err()).isEqualTo("pathlore: cannot write no/such/dir.pcap: no such directory\n");
        assertMisused("pathlore lab: what should it do? Commands: list, run, score");
        assertMisused("pathlore lab run: name a scenario ('pathlore lab list' shows them) or a file", "run");
        assertMisused(
                "pathlore lab run: --speed: only with --to; without it, it runs as fast as it can",
                "run",
                "quiet",
                "--speed",
                "2");
        assertMisused("pathlore lab run: --truth-packets: only with --truth OUT", "run", "quiet", "--truth-packets");
        assertMisused("pathlore lab run: --mode: 'pd' is not one of md, mx, xd", "run", "quiet", "--mode", "pd");
        assertMisused(
                "pathlore lab run: --report-version: '3' is not one of 0.5, 1.0, 2.0",
                "run",
                "quiet",
                "--report-version",
                "3");
        assertMisused(
                "pathlore lab run: --duration: '5' is not a duration, like 200ms, 5s or 10m",
                "run",
                "quiet",
                "--duration",
                "5");
        assertMisused("pathlore lab run: --scale: 0.0 is not a positive number", "run", "quiet", "--scale", "0");
    }

    private void assertMisused(String message, String... args) {
        Ended ended = lab(args);
        assertThat(ended.status()).as(ended.err()).isEqualTo(2);
        assertThat(ended.err().lines().toList()).hasSize(2).first().isEqualTo(message);
    }

    @Test
    void theTruthScoresItselfInFull() throws IOException {
        assertFine(lab("run", "link-failure", "--duration", "25s", "--truth", "t.jsonl"));
        List<String> truth = Files.readAllLines(directory.resolve("t.jsonl"));
        List<String> events = truth.stream()
                .filter(line -> line.contains("\"visibleAt\""))
                .map(line -> line.replace("\"visibleAt\"", "\"detectedAt\""))
                .toList();
        Files.write(directory.resolve("e.jsonl"), events);
        Ended all = lab("score", "t.jsonl", "e.jsonl", "-o", "json");
        assertFine(all);
        assertThat(Json.object(all.out()))
                .containsEntry("false", 0L)
                .containsEntry("missed", 0L)
                .containsEntry("found", (long) events.size());

        Files.write(directory.resolve("e.jsonl"), events.subList(1, events.size()));
        Ended fewer = lab("score", "-v", "t.jsonl", "e.jsonl");
        assertFine(fewer);
        assertThat(fewer.lines().getFirst()).startsWith("KIND").endsWith("DELAY");
        assertThat(fewer.lines()).anyMatch(line -> line.startsWith("missed "));
    }

    @Test
    void filesThatAreNoEventsAreNamedWithTheirLine() throws IOException {
        Files.write(directory.resolve("t.jsonl"), List.of("{\"kind\":\"lab\"}", "nonsense"));
        Files.write(directory.resolve("e.jsonl"), List.of());
        Ended ended = lab("score", "t.jsonl", "e.jsonl");
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.err()).isEqualTo("pathlore: t.jsonl:2: not a JSON object\n");
        assertThat(lab("score", "missing.jsonl", "e.jsonl").err()).isEqualTo("pathlore: missing.jsonl: no such file\n");
        assertThat(lab("score", "t.jsonl").status()).isEqualTo(2);
    }

    @Test
    void helpBeginsWithExamples() {
        for (String[] args : new String[][] {
            {"--help"}, {"list", "--help"}, {"run", "--help"}, {"score", "-h"},
        }) {
            Ended ended = lab(args);
            assertFine(ended);
            assertThat(ended.out().indexOf("Examples:"))
                    .as(Arrays.toString(args))
                    .isPositive()
                    .isLessThan(ended.out().indexOf("Usage:"));
            assertThat(ended.out()).contains("Exit codes:");
        }
    }
}
