package io.pathlore.it.defend;

import static io.pathlore.it.collect.RunningCollector.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.bench.defend.GobgpRouter;
import io.pathlore.bench.defend.LiveNetwork;
import io.pathlore.dataplane.lab.LabListener;
import io.pathlore.dataplane.scenario.ScenarioNodes;
import io.pathlore.dataplane.scenario.ScenarioRun;
import io.pathlore.dataplane.scenario.WorldTime;
import io.pathlore.it.collect.JavaProcess;
import io.pathlore.it.collect.RunningCollector;
import io.pathlore.it.collect.RunningCollector.Setup;
import io.pathlore.it.collect.Sender;
import io.pathlore.model.TimeText;
import io.pathlore.testkit.Json;
import io.pathlore.testkit.controller.ScriptedController;
import io.pathlore.testkit.vectors.GoldenVectors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The closed loop with a collector in a process of its own, reports over UDP and orders over HTTP; and liars beside it
 * (M-01, M-02, M-04, M-05, M-06, M-10).
 */
@EnabledOnOs(OS.LINUX)
@Tag("alone")
@Timeout(180)
class DefendIT {
    private static final long SECOND = 1_000_000_000L;
    private static final String DEVICE = "camera-1";

    /** The controller tells of its rules every ten seconds, of its time. */
    private static final double SPEED = 1.3;

    private static final long DROP_REPORTS = 10 * SECOND;
    private static final long ATTACK = 2 * SECOND;
    private static final long ATTACK_ENDS = 11 * SECOND;
    private static final int RATE = 4_000;
    private static final int LIMIT = 1_000;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path temp;

    private Setup setup(String config) throws IOException {
        Path file = Files.writeString(temp.resolve("pathlore.yaml"), config);
        Setup setup = Setup.in(temp).small();
        return setup.with("--config", file.toString()).set("listen.ports=" + setup.port());
    }

    private static List<Map<String, Object>> items(RunningCollector collector, String path) throws IOException {
        List<Map<String, Object>> items = new ArrayList<>();
        if (Json.object(collector.api().good(path)).get("items") instanceof List<?> all) {
            for (Object one : all) {
                items.add(Json.object(Json.canonical(one)));
            }
        }
        return items;
    }

    private static long time(Map<String, Object> item, String key) {
        return Objects.requireNonNull(TimeText.parse(String.valueOf(item.get(key))), key);
    }

    private static long metric(RunningCollector collector, String name) throws IOException {
        Matcher value = Pattern.compile("^" + Pattern.quote(name) + " ([0-9]+)$", Pattern.MULTILINE)
                .matcher(collector.api().good("/metrics"));
        assertThat(value.find()).as(name).isTrue();
        return Long.parseLong(value.group(1));
    }

    private static Map<String, Object> mitigation(RunningCollector collector, String state) throws IOException {
        List<Map<String, Object>> found = new ArrayList<>();
        until(state, () -> {
            found.clear();
            items(collector, "/api/v1/mitigations").stream()
                    .filter(one -> state.equals(one.get("state")))
                    .forEach(found::add);
            return !found.isEmpty();
        });
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    /** When something was done, as the audit has it; the last time, where it was done more than once. */
    private static long done(RunningCollector collector, String what) throws IOException {
        return items(collector, "/api/v1/audit").stream()
                .filter(line -> what.equals(line.get("what")))
                .mapToLong(line -> time(line, "time"))
                .max()
                .orElseThrow();
    }

    @Test
    void anAttackIsStoppedAndItsDeviceLetGoThoughTheCollectorIsKilledBetween() throws IOException {
        Network homes = Network.of(
                temp,
                "70s",
                "  - { kind: udp-flood, name: attack, from: %s, to: internet-1, rate: %dpps, start: %ds, duration: %ds }%n"
                        .formatted(DEVICE, RATE, ATTACK / SECOND, (ATTACK_ENDS - ATTACK) / SECOND));
        Setup setup = setup("");
        try (LiveNetwork network = new LiveNetwork(homes.scenario(), setup.port(), 1, SPEED);
                Relay relay = new Relay(network.controller());
                ScheduledExecutorService liars = Executors.newSingleThreadScheduledExecutor()) {
            Files.writeString(temp.resolve("pathlore.yaml"), homes.inventory() + """
                            defend:
                              mode: propose
                              profile: transparent-security
                              enforcers: [{ name: controller, kind: transparent-security, url: "%s" }]
                            """.formatted(relay.url()));
            String id;
            String attack;
            String install;
            String key;
            List<Map<String, Object>> listed;
            try (RunningCollector collector = setup.start()) {
                network.start();
                Map<String, Object> proposed = mitigation(collector, "proposed");
                id = String.valueOf(proposed.get("id"));
                List<Map<String, Object>> attacks = items(collector, "/api/v1/attacks");
                assertThat(attacks).hasSize(1);
                attack = String.valueOf(attacks.getFirst().get("id"));
                long threshold = network.at(ATTACK) + SECOND * LIMIT / RATE;
                assertThat(time(attacks.getFirst(), "detectedAt")).isBetween(network.at(ATTACK), threshold + SECOND);
                assertThat(proposed).containsEntry("attack", attack).containsEntry("wanted", false);
                assertThat(relay.calls()).as("nobody approved it").isEmpty();

                Map<?, ?> match = (Map<?, ?>) Objects.requireNonNull(proposed.get("match"));
                long port = ((Number) Objects.requireNonNull(match.get("destinationPort"))).longValue();
                key = homes.key(DEVICE, "internet-1", port);
                install =
                        "POST /aggAttack {\"event\":{\"src_mac\":\"%s\",\"ip_ver\":4,\"dst_ip\":\"%s\",\"dst_port\":%d,\"count\":100}}"
                                .formatted(homes.mac(DEVICE), homes.ipv4("internet-1"), port);
                var approved = collector
                        .api()
                        .post(
                                "/api/v1/mitigations/" + id + "/approve",
                                collector.adminToken(),
                                "{\"revision\":" + proposed.get("revision") + "}");
                assertThat(approved.status()).as(approved.body()).isEqualTo(200);
                until("it holds in the network", () -> network.inForce() == 1);
                assertThat(relay.calls()).containsExactly(install);
                collector.kill();
            }
            // Says that the attack is over: a switch that may speak for itself only, and somebody of no switch.
            long node = 2;
            try (Sender switch3 = Sender.from("127.255.0.3");
                    Sender nobody = Sender.from("127.0.0.9");
                    RunningCollector collector = setup.start()) {
                var lying = liars.scheduleAtFixedRate(
                        () -> {
                            try {
                                switch3.send(setup.port(), dropReport(3, key));
                                switch3.send(setup.port(), dropReport(node, key));
                                nobody.send(setup.port(), dropReport(node, key));
                            } catch (IOException e) {
                                throw new IllegalStateException(e);
                            }
                        },
                        0,
                        5_200,
                        TimeUnit.MILLISECONDS);
                Map<String, Object> proven = mitigation(collector, "proven");
                assertThat(proven).containsEntry("id", id).containsEntry("node", node);
                long installed = network.changes().getFirst().nanos();
                long interval = (long) (DROP_REPORTS / SPEED);
                assertThat(done(collector, "proven")).isGreaterThan(installed + interval - SECOND / 2);
                assertThat(network.changes()).as("one rule, told twice").hasSize(1);
                assertThat(relay.calls("POST")).hasSizeGreaterThan(1).containsOnly(install);

                Map<String, Object> withdrawn = mitigation(collector, "withdrawn");
                assertThat(withdrawn).containsEntry("id", id).containsEntry("ended", "the attack is over");
                until("nothing is left", () -> network.inForce() == 0);
                assertThat(network.changes()).hasSize(2);
                assertThat(network.changes().getLast().dropped()).isGreaterThan(RATE);
                assertThat(relay.calls("DELETE"))
                        .hasSize(2)
                        .contains("DELETE /aggAttack {\"event\":{\"dropKey\":\"" + key
                                + "\",\"dropCount\":0,\"count\":3}}")
                        .contains(install.replace("POST", "DELETE"));
                long end = network.at(ATTACK_ENDS);
                long third = installed + (Math.ceilDiv(end - installed, interval) + 2) * interval;
                assertThat(done(collector, "withdrawn"))
                        .as("not before the third equal report of the controller")
                        .isBetween(third - SECOND / 2, end + 35 * SECOND);
                assertThat(metric(collector, "pathlore_drop_reports_disbelieved_total"))
                        .isGreaterThan(6);
                assertThat(metric(collector, "pathlore_mitigations{state=\"withdrawn\"}"))
                        .isEqualTo(1);
                assertThat(metric(collector, "pathlore_mitigation_orphans")).isZero();
                listed = proposals(items(collector, "/api/v1/mitigations"));
                assertThat(listed).hasSize(1);
                assertThat(lying.isDone()).as("they lie on").isFalse();
                assertThat(network.failure()).isNull();
            }
            assertThat(proposals(rehearsed(setup, "proposals")))
                    .as("what was recorded, gone through again")
                    .containsExactlyElementsOf(listed);
        }
    }

    /** What is to be done about which attack, where and by whom: of a ledger, or of a dry run. */
    private static List<Map<String, Object>> proposals(List<Map<String, Object>> all) {
        List<Map<String, Object>> decisions = new ArrayList<>();
        for (Map<String, Object> one : all) {
            Map<String, Object> decision = new TreeMap<>(one);
            decision.keySet().retainAll(Set.of("attack", "match", "action", "node", "enforcer", "reason"));
            decisions.add(decision);
        }
        return decisions;
    }

    /** What would be decided about the journal of a collector that does not run. */
    private List<Map<String, Object>> rehearsed(Setup setup, String what) throws IOException {
        var ended = JavaProcess.start(
                        temp,
                        List.of(),
                        RunningCollector.JVM,
                        RunningCollector.MAIN,
                        List.of(
                                "analyse",
                                setup.data().toString(),
                                "--config",
                                temp.resolve("pathlore.yaml").toString(),
                                "-o",
                                "json"))
                .await();
        assertThat(ended.status()).as(ended.err()).isZero();
        List<Map<String, Object>> said = new ArrayList<>();
        if (Json.object(ended.out()).get(what) instanceof List<?> all) {
            all.forEach(one -> said.add(Json.object(Json.canonical(one))));
        }
        return said;
    }

    /** The worked example, of another node and rule. */
    private static byte[] dropReport(long node, String key) {
        byte[] report = GoldenVectors.bytes("T2");
        ByteBuffer.wrap(report).putInt(4, (int) node).putLong(40, HexFormat.fromHexDigitsToLong(key));
        return report;
    }

    /** A report of a flood that never was, or was: whose node it is said to be, and what it says. */
    private static List<byte[]> reports(Network homes) {
        List<byte[]> reports = new ArrayList<>();
        ScenarioRun run = new ScenarioRun(
                homes.scenario(),
                1,
                WorldTime.from(0),
                new ScenarioNodes(),
                LabListener.NOBODY,
                (time, address, port, destination, payload, from, end) -> {
                    byte[] bytes = new byte[end - from];
                    payload.get(from, bytes);
                    reports.add(bytes);
                });
        for (long until = SECOND; run.runUntil(until); until += SECOND) {}
        return reports;
    }

    private static void send(Sender from, int port, List<byte[]> reports, long node) throws IOException {
        long start = System.nanoTime();
        for (int i = 0; i < reports.size(); i++) {
            byte[] report = reports.get(i).clone();
            ByteBuffer.wrap(report).putInt(4, (int) node);
            from.send(port, report);
            LockSupport.parkNanos(start + i * (10 * SECOND / RATE) - System.nanoTime());
        }
    }

    @Test
    void liarsInstallNothing() throws IOException {
        Network[] floods = new Network[4];
        List<List<byte[]>> reports = new ArrayList<>();
        for (int i = 0; i < floods.length; i++) {
            floods[i] = Network.of(
                    temp,
                    "3s",
                    "  - { kind: udp-flood, name: attack, from: %s, to: internet-%d, rate: %dpps, start: 0s, duration: 3s }%n"
                            .formatted(DEVICE, i + 1, RATE));
            reports.add(reports(floods[i]));
        }
        List<Map<String, Object>> decided;
        try (ScriptedController controller = new ScriptedController()) {
            Setup setup = setup(floods[0].inventory() + """
                              - node: 9
                                addresses: ["127.255.0.9"]
                                profile: transparent-security
                                sampling: 100000
                            defend:
                              mode: auto
                              profile: transparent-security
                              enforcers: [{ name: controller, kind: transparent-security, url: "%s" }]
                            """.formatted(controller.uri()))
                    .set("listen.allow=127.255.0.0/16");
            try (RunningCollector collector = setup.start();
                    Sender outside = Sender.from("127.0.0.9");
                    Sender sink = Sender.from("127.255.0.1");
                    Sender other = Sender.from("127.255.0.3");
                    Sender compromised = Sender.from("127.255.0.9")) {
                send(outside, setup.port(), reports.get(0), 1);
                send(other, setup.port(), reports.get(1), 1);
                send(compromised, setup.port(), reports.get(2), 9);
                until(
                        "somebody is told of the last one",
                        () -> collector.errors().contains("waits for an operator"));
                // Who may say so, and says what can be, is believed: so the others were not.
                send(sink, setup.port(), reports.get(3), 1);
                until("a rule", () -> !controller.keys().isEmpty());

                assertThat(metric(collector, "pathlore_rejected_total{reason=\"acl\"}"))
                        .isEqualTo(reports.get(0).size());
                assertThat(items(collector, "/api/v1/events"))
                        .as("somebody speaks for another")
                        .anySatisfy(event -> assertThat(event).containsEntry("kind", "spoof-suspected"));
                assertThat(collector.errors()).containsPattern("bit/s are said to come in by node 2.* can carry");
                assertThat(items(collector, "/api/v1/attacks").stream()
                                .map(attack -> Json.canonical(attack.get("victim")))
                                .toList())
                        .hasSize(2)
                        .anyMatch(victim -> victim.contains(floods[2].ipv4("internet-3")))
                        .anyMatch(victim -> victim.contains(floods[3].ipv4("internet-4")));
                assertThat(controller.calls())
                        .as("the one rule of the one that is true")
                        .hasSize(1)
                        .allMatch(call -> call.contains("\"" + floods[3].ipv4("internet-4") + "\""));
                assertThat(items(collector, "/api/v1/mitigations"))
                        .hasSize(2)
                        .anySatisfy(one -> assertThat(one)
                                .containsEntry("state", "proposed")
                                .containsEntry("wanted", false)
                                .containsEntry("sent", false));
                decided = new ArrayList<>();
                for (Map<String, Object> attack :
                        items(collector, "/api/v1/attacks").reversed()) {
                    decided.addAll(decisions(collector, String.valueOf(attack.get("id"))));
                }
                collector.stop();
            }
            assertThat(decided)
                    .as("more than one each: the evidence grows")
                    .hasSizeGreaterThan(2)
                    .allSatisfy(one -> assertThat(one).containsKeys("time", "reason", "perSecond", "objections"));
            decided.sort(Comparator.comparingLong(one -> time(one, "time")));
            // A recording goes on for a moment after the last question to the collector.
            long asked = time(decided.getLast(), "time");
            assertThat(rehearsed(setup, "decisions"))
                    .as("what was recorded, gone through again")
                    .filteredOn(one -> time(one, "time") <= asked)
                    .containsExactlyElementsOf(decided);
        }
    }

    /** A prefix has no one address that a controller could keep a device from; a router drops by prefixes. */
    @Test
    void aCarpetIsStoppedByARouterThatIsToldOfIt() throws Exception {
        boolean there = GobgpRouter.isInstalled();
        assertThat(there || System.getenv("CI_NEEDS_ALL") == null)
                .as("gobgpd is installed")
                .isTrue();
        Assumptions.assumeTrue(there, "gobgpd is not installed (Debian: apt-get install gobgpd)");
        Network homes = Network.of(
                temp,
                "60s",
                "  - { kind: carpet-bombing, name: attack, from: %s, to: internet-1, rate: %dpps, start: 1s, duration: 3s }%n"
                        .formatted(DEVICE, RATE));
        Setup setup = setup("");
        try (GobgpRouter router = new GobgpRouter(temp);
                LiveNetwork network = new LiveNetwork(homes.scenario(), setup.port(), 1, SPEED, router::routes)) {
            Files.writeString(
                    temp.resolve("pathlore.yaml"),
                    homes.inventory()
                            + """
                            defend:
                              mode: auto
                              profile: transparent-security
                              expiry: 4s
                              enforcers:
                                - { name: controller, kind: transparent-security, url: "%s" }
                                - { name: router, kind: flowspec, peer: "127.0.0.1:%d", local-as: 65001, peer-as: 65002,
                                    router-id: 10.0.0.9, nodes: [1] }
                            """.formatted(
                                    network.controller(), router.address().getPort()));
            try (RunningCollector collector = setup.start()) {
                network.start();
                until("it holds in the network", () -> network.inForce() == 1);
                Map<String, Object> rule =
                        items(collector, "/api/v1/mitigations").getFirst();
                assertThat(rule)
                        .containsEntry("enforcer", "router")
                        .containsEntry("node", 1L)
                        .containsEntry("owner", "auto");
                assertThat(Json.canonical(rule.get("match")))
                        .contains("\"source\":\"" + homes.ipv4(DEVICE) + "\"", "/24\"")
                        .doesNotContain("device");
                assertThat(network.changes().getFirst().rule())
                        .satisfies(held ->
                                assertThat(String.valueOf(held.source())).isEqualTo(homes.ipv4(DEVICE)))
                        .satisfies(held -> assertThat(held.protocol()).isEqualTo(17));
                Map<String, Object> over = mitigation(collector, "expired");
                assertThat(over)
                        .containsEntry("id", rule.get("id"))
                        .containsEntry("proven", false)
                        .doesNotContainKey("expiresAt");
                until("nothing is left", () -> network.inForce() == 0);
                assertThat(network.changes().getLast().dropped())
                        .as("packets of the attack")
                        .isGreaterThan(RATE / 2);
                assertThat(metric(collector, "pathlore_mitigation_orphans")).isZero();
                assertThat(network.failure()).isNull();
                assertThat(router.trouble()).isEmpty();
            }
        }
    }

    private static List<Map<String, Object>> decisions(RunningCollector collector, String attack) throws IOException {
        List<Map<String, Object>> decisions = new ArrayList<>();
        if (Json.object(collector.api().good("/api/v1/attacks/" + attack)).get("decisions") instanceof List<?> all) {
            all.forEach(one -> decisions.add(Json.object(Json.canonical(one))));
        }
        return decisions;
    }
}
