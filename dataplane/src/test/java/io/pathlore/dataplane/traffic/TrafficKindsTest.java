package io.pathlore.dataplane.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.dataplane.topology.Topology;
import io.pathlore.wire.net.Layer;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TrafficKindsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Topology TOPOLOGY = FakeStage.topologyOfTwoEach();

    private static TrafficKind kind(String name) {
        TrafficKind kind = TrafficKinds.find(name);
        assertThat(kind).as(name).isNotNull();
        return kind;
    }

    /** Whatever the kind needs, at a rate that keeps the test short. */
    private static TrafficParameters parameters(TrafficKind kind) {
        TrafficParameters parameters = new TrafficParameters();
        if (kind.defaults().getOrDefault(Parameter.FROM, "").isEmpty()) {
            parameters.set("from", "camera");
        }
        if (kind.defaults().getOrDefault(Parameter.TO, "").isEmpty()) {
            parameters.set("to", "server-1");
        }
        if (kind.isAttack() && !kind.name().equals("scan")) {
            parameters.set("rate", "2000pps");
        } else if (kind.defaults().getOrDefault(Parameter.RATE, "").endsWith("Mbps")) {
            parameters.set("rate", "5Mbps");
        }
        return parameters;
    }

    private static FakeStage run(TrafficKind kind, TrafficParameters parameters, long seed) {
        return FakeStage.run(kind.create(parameters, TOPOLOGY), TrafficSource.seed(seed, kind.name()), SECOND);
    }

    private static String hash(FakeStage stage) throws NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (FakeStage.Sent sent : stage.sent) {
            ByteBuffer head = ByteBuffer.allocate(20);
            digest.update(head.putLong(sent.atNanos())
                    .putInt(sent.from())
                    .putInt(sent.to())
                    .putInt(sent.flow())
                    .array());
            digest.update(sent.bytes());
        }
        return HexFormat.of().formatHex(digest.digest(), 0, 8);
    }

    @Test
    void namesEveryKindOnce() {
        Set<String> names = new HashSet<>();
        TrafficKinds.all().forEach(kind -> assertThat(names.add(kind.name())).isTrue());
        assertThat(names)
                .contains("long-flows", "short-flows", "request-response", "video", "incast", "iot", "speed-test")
                .contains("backup", "flash-crowd", "port-scan", "game-update", "ping", "microburst", "udp-flood")
                .contains("syn-flood", "icmp-flood", "reflection", "fragment-flood", "carpet-bombing", "scan");
        assertThat(TrafficKinds.find("nonsense")).isNull();
    }

    @Test
    void sendsValidPacketsAndEndsItsFlows() {
        for (TrafficKind kind : TrafficKinds.all()) {
            for (String ip : List.of("4", "6")) {
                for (String tunnel : List.of("none", "vxlan", "geneve", "gre")) {
                    FakeStage stage = run(kind, parameters(kind).set("ip", ip).set("tunnel", tunnel), 1);
                    String what = kind + " over " + ip + " in " + tunnel;
                    assertThat(stage.openFlows).as(what).isEmpty();
                    assertThat(stage.sent).as(what).isNotEmpty();
                    for (FakeStage.Sent sent : stage.sent.subList(0, Math.min(200, stage.sent.size()))) {
                        assertThat(sent.from()).isNotEqualTo(sent.to());
                        Captured captured = new Captured(sent.bytes()).check();
                        assertThat(captured.view.flow().v6()).as(what).isEqualTo(ip.equals("6"));
                        assertThat(captured.is(Layer.VXLAN)).isEqualTo(tunnel.equals("vxlan"));
                        assertThat(captured.is(Layer.GENEVE)).isEqualTo(tunnel.equals("geneve"));
                        assertThat(captured.is(Layer.GRE)).isEqualTo(tunnel.equals("gre"));
                    }
                }
            }
        }
    }

    @Test
    void tellsAttacksFromTheRest() {
        for (TrafficKind kind : TrafficKinds.all()) {
            List<AttackFact> facts = kind.create(parameters(kind), TOPOLOGY).attacks(TOPOLOGY, 0, SECOND);
            assertThat(facts).as(kind.name()).hasSize(kind.isAttack() ? 1 : 0);
            facts.forEach(fact -> assertThat(fact.vector().label()).isEqualTo(kind.name()));
        }
    }

    /** A change here changes every recorded run: it must be meant. */
    @Test
    void sendsTheSameBytesOnEveryMachine() throws NoSuchAlgorithmException {
        List<String> hashes = new ArrayList<>();
        for (TrafficKind kind : TrafficKinds.all()) {
            hashes.add(kind + " " + hash(run(kind, parameters(kind), 42)));
        }
        assertThat(hashes)
                .containsExactly(
                        "long-flows 879edecd001b4b99",
                        "short-flows de1dfd9a0be4f3d2",
                        "request-response dd1a5ed6f0381b84",
                        "video bcb18c8c5fa594bf",
                        "incast 47d474949fa4e9b0",
                        "iot 62a7751be1d017bb",
                        "speed-test 7dddd4576194b51e",
                        "backup 7b15bde0bcb2d542",
                        "flash-crowd c4587ec8c9a69266",
                        "port-scan 80b799b932d1bbf2",
                        "game-update 396a050c40518166",
                        "cdn-fill c7f063130afb19c9",
                        "ping d5a85e5bdf1b00e3",
                        "microburst 4c83c7964a2a3461",
                        "udp-flood bf5e262d29797c71",
                        "syn-flood f8ecff85d36d1265",
                        "icmp-flood a55f2fcf884ca9f1",
                        "reflection 5a2a34874da1b7e8",
                        "fragment-flood ed876fdb96a74c0b",
                        "carpet-bombing 59c8cb49dd564c7d",
                        "scan d2d012df9d219988");
    }

    @Test
    void sendsOtherBytesWithAnotherSeed() throws NoSuchAlgorithmException {
        for (TrafficKind kind : TrafficKinds.all()) {
            assertThat(hash(run(kind, parameters(kind), 1)))
                    .as(kind.name())
                    .isEqualTo(hash(run(kind, parameters(kind), 1)))
                    .isNotEqualTo(hash(run(kind, parameters(kind), 2)));
        }
    }

    @Test
    void scalesRates() {
        TrafficKind kind = kind("udp-flood");
        int full = run(kind, parameters(kind), 1).sent.size();
        assertThat(run(kind, parameters(kind).set("scale", "0.25"), 1).sent).hasSize(full / 4);
        assertThat(run(kind, parameters(kind).set("scale", "0.5").scaled(500), 1).sent)
                .hasSize(full / 4);
    }

    @Test
    void sendsFramesAtTheirRate() {
        TrafficKind kind = kind("video");
        FakeStage stage = run(kind, parameters(kind).set("bytes", "5000").set("fps", "10"), 1);
        // Two cameras, ten frames, four packets each: 1372 octets of payload at most.
        assertThat(stage.sent).hasSize(2 * 10 * 4);
        assertThat(stage.sent.stream()
                        .mapToInt(sent -> sent.bytes().length - 42)
                        .sum())
                .isEqualTo(2 * 10 * 5_000);
    }

    @Test
    void burstsAtLinkRateOnce() {
        TrafficKind kind = kind("microburst");
        TrafficParameters parameters = new TrafficParameters()
                .set("from", "camera")
                .set("to", "0")
                .set("bytes", "14000")
                .set("start", "100ms");
        FakeStage stage = run(kind, parameters, 1);
        assertThat(stage.sent).hasSize(2 * 10);
        List<Long> times = stage.sent.stream()
                .filter(sent -> sent.from() == 4)
                .map(FakeStage.Sent::atNanos)
                .toList();
        for (int i = 0; i < times.size(); i++) {
            assertThat(times.get(i)).isEqualTo(100_000_000L + i * 1_414L * 8);
        }
    }

    @Test
    void pingsAndHearsBack() {
        TrafficKind kind = kind("ping");
        TrafficParameters parameters = new TrafficParameters()
                .set("from", "client")
                .set("to", "server")
                .set("period", "100ms");
        FakeStage stage = run(kind, parameters, 1);
        List<Integer> types = stage.sent.stream()
                .map(sent -> new Captured(sent.bytes()).view.flow().icmpType())
                .toList();
        assertThat(types.stream().filter(type -> type == 8)).hasSize(20);
        assertThat(types.stream().filter(type -> type == 0).count()).isBetween(19L, 20L);
    }

    @Test
    void asksAllAtOnce() {
        TrafficKind kind = kind("incast");
        FakeStage stage = run(kind, new TrafficParameters().set("to", "0").set("period", "500ms"), 1);
        List<FakeStage.Sent> syns = stage.sent.stream()
                .filter(sent -> sent.bytes()[47] == PacketWriter.SYN)
                .toList();
        assertThat(syns).hasSize(2 * 11).allMatch(sent -> sent.from() == 0);
        assertThat(syns).allMatch(sent -> sent.atNanos() % 500_000_000L <= 10_000);
    }

    @Test
    void standsForManyClients() {
        TrafficKind kind = kind("flash-crowd");
        FakeStage stage = run(kind, parameters(kind).set("ramp", "0s"), 1);
        Set<Long> clients = new HashSet<>();
        for (FakeStage.Sent sent : stage.sent) {
            if (sent.bytes()[47] == PacketWriter.SYN) {
                clients.add(new Captured(sent.bytes()).view.flow().sourceLow());
            }
        }
        assertThat(clients).hasSizeGreaterThan(150);
    }

    @Test
    void saysWhichParameterIsWrong() {
        assertWrong("video", "fps: 'often' is not a whole number", "fps", "often");
        assertWrong("video", "fps: must be from 1 to 1000", "fps", "0");
        assertWrong("video", "rate: video takes no such parameter", "rate", "1Mbps");
        assertWrong("video", "colour: no such parameter of traffic", "colour", "red");
        assertWrong("video", "from: no host is 'toaster' in two-each", "from", "toaster");
        assertWrong("video", "from: 'camera:3' wants 3 of 2 hosts", "from", "camera:3");
        assertWrong("video", "start: '5' is not a duration such as 200ms or 10s", "start", "5");
        assertWrong("video", "ip: must be 4, 6 or both", "ip", "5");
        assertWrong("video", "tunnel: must be none, vxlan, geneve or gre", "tunnel", "ipsec");
        assertWrong("video", "duration: must be more than 0", "duration", "0s");
        assertWrong("video", "dscp: 64 is not from 0 to 63", "dscp", "64");
        assertWrong("video", "size: 20 is not from 28 to 9000 octets", "size", "20");
        assertWrong("udp-flood", "from: is missing", "to", "0");
        assertWrong("udp-flood", "to: must be one host and not 2", "from", "camera", "to", "server");
        assertWrong("udp-flood", "to: a host must not send to itself", "from", "0", "to", "0");
        assertWrong("udp-flood", "shares: one of at least 1 for every sender", "from", "4", "to", "0", "shares", "1,2");
        assertWrong("udp-flood", "spoofed: must be from 0 to 100 percent", "from", "4", "to", "0", "spoofed", "101");
        assertWrong("udp-flood", "scale: must be more than 0", "from", "4", "to", "0", "scale", "0");
        assertWrong(
                "backup",
                "rate: must be in bits per second, such as 10Mbps, or link",
                "from",
                "0",
                "to",
                "1",
                "rate",
                "5pps");
        assertWrong("short-flows", "request: '2KB..1KB' ends before it begins", "request", "2KB..1KB");
    }

    private static void assertWrong(String kind, String message, String... keysAndTexts) {
        assertThatThrownBy(() -> {
                    TrafficParameters parameters = new TrafficParameters();
                    for (int i = 0; i < keysAndTexts.length; i += 2) {
                        parameters.set(keysAndTexts[i], keysAndTexts[i + 1]);
                    }
                    kind(kind).create(parameters, TOPOLOGY);
                })
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void findsHostsByKindNameIndexAndStart() {
        assertThat(HostSelector.parse("all").resolve(TOPOLOGY)).hasSize(12);
        assertThat(HostSelector.parse("camera, 0").resolve(TOPOLOGY)).containsExactly(4, 5, 0);
        assertThat(HostSelector.parse("sensor-2").resolve(TOPOLOGY)).containsExactly(7);
        assertThat(HostSelector.parse("cl*").resolve(TOPOLOGY)).containsExactly(2, 3);
        assertThat(HostSelector.parse("internet:1,internet").resolve(TOPOLOGY)).containsExactly(10, 11);
    }
}
