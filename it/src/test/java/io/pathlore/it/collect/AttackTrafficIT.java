package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.it.collect.RunningCollector.Setup;
import io.pathlore.testkit.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * What came in of an attack and what rules stopped of it is drawn alike by the collector that found it, after that was killed, from the data it
 * leaves, and elsewhere over Kafka.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(240)
class AttackTrafficIT {
    private static final String FLOOD = """
            description: a camera that does not stop
            duration: 600s
            topology: { kind: access, aggregations: 2, homes-per-aggregation: 4, devices-per-home: 4, internet-hosts: 1 }
            telemetry:
              dialect: transparent-security
              watch: [{ name: sampled, sampling: 10 }]
            traffic:
              - { kind: udp-flood, from: "camera:2", to: internet-1, rate: 4kpps, start: 1s, duration: 590s }
            """;

    /** Seconds that may not be in the tables yet, when somebody is killed. */
    private static final int UNSETTLED = 4;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path temp;

    private Setup setup(Broker broker, int controller) throws IOException {
        Setup setup = Setup.in(Files.createDirectory(temp.resolve("collector"))).small();
        Path file = Files.writeString(
                temp.resolve("pathlore.yaml"), String.format(Locale.ROOT, """
                listen: { ports: [%d] }
                decode:
                  int: { udp-ports: [555] }
                  domains: { 0x5453: [{ bit: 0, words: 2, source-only: true, name: device }] }
                inventory:
                  - { node: 1, name: core, addresses: [127.255.0.1], profile: transparent-security, sampling: 10 }
                  - { node: 2, name: left, addresses: [127.255.0.2], profile: transparent-security, sampling: 10 }
                  - { node: 3, name: right, addresses: [127.255.0.3], profile: transparent-security, sampling: 10 }
                defend:
                  mode: propose
                  profile: transparent-security
                  enforcers: [{ name: controller, kind: transparent-security, url: "http://127.0.0.1:%d" }]
                """, setup.port(), controller));
        return setup.with("--config", file.toString())
                .set("store.memory=128MiB", "journal.sync=20ms")
                .set("kafka.bootstrap=" + broker.bootstrap(), "kafka.publish=[events, rollups]");
    }

    private JavaProcess lab(int port, int controller) throws IOException {
        return JavaProcess.start(
                temp,
                List.of(),
                RunningCollector.JVM,
                RunningCollector.MAIN,
                List.of(
                        "lab",
                        "run",
                        Files.writeString(temp.resolve("flood.yaml"), FLOOD).toString(),
                        "--speed=2",
                        "--to=127.0.0.1:" + port,
                        "--controller=127.0.0.1:" + controller));
    }

    private static String attack(Api api) throws IOException {
        RunningCollector.until(
                "an attack is found", () -> !api.good("/api/v1/attacks").contains("\"items\":[]"));
        List<?> items = (List<?>)
                Objects.requireNonNull(Json.object(api.good("/api/v1/attacks")).get("items"));
        return String.valueOf(((Map<?, ?>) Objects.requireNonNull(items.getFirst())).get("id"));
    }

    /** Somebody says yes to a rule. */
    private static void approve(RunningCollector collector) throws IOException {
        List<Map<?, ?>> proposed = new ArrayList<>();
        RunningCollector.until("a rule is proposed", () -> {
            Object items =
                    Json.object(collector.api().good("/api/v1/mitigations")).get("items");
            for (Object item : (List<?>) Objects.requireNonNull(items)) {
                if (item instanceof Map<?, ?> rule && "proposed".equals(rule.get("state"))) {
                    proposed.add(rule);
                }
            }
            return !proposed.isEmpty();
        });
        Map<?, ?> rule = proposed.getFirst();
        var approved = collector
                .api()
                .post(
                        "/api/v1/mitigations/" + rule.get("id") + "/approve",
                        collector.adminToken(),
                        "{\"revision\":" + rule.get("revision") + "}");
        assertThat(approved.status()).as(approved.body()).isEqualTo(200);
    }

    private static String path(String attack) {
        return "/api/v1/attacks/" + attack + "/traffic";
    }

    private static List<?> values(String answer, String name) {
        return (List<?>) Objects.requireNonNull(Json.object(answer).get(name));
    }

    private static boolean isStopped(String answer) {
        return values(answer, "stopped").stream().anyMatch(each -> each instanceof Number some && some.longValue() > 0);
    }

    /** Where both tell of them, but for the last moments of the first. */
    private static void sameSeconds(String before, String after) {
        for (String name : List.of("first", "stepSeconds", "unit", "limit")) {
            assertThat(Json.object(after).get(name))
                    .as(name)
                    .isEqualTo(Json.object(before).get(name));
        }
        int settled = values(before, "arrived").size() - UNSETTLED;
        assertThat(settled).isPositive();
        assertThat(values(after, "arrived").subList(0, settled))
                .isEqualTo(values(before, "arrived").subList(0, settled));
    }

    @Test
    void isTheSameWhoeverIsAsked() throws Exception {
        int controller = RunningCollector.freeTcpPort();
        try (Broker broker = Broker.in(Files.createDirectory(temp.resolve("broker")))) {
            Setup setup = setup(broker, controller);
            String attack;
            String before;
            String stopped;
            JavaProcess lab = lab(setup.port(), controller);
            try (RunningCollector collector = setup.start()) {
                attack = attack(collector.api());
                String path = path(attack);
                approve(collector);
                RunningCollector.until(
                        "its first second is over",
                        () -> collector.api().get(path).status() == 200);
                RunningCollector.until(
                        "a rule stops it", () -> isStopped(collector.api().good(path)));
                String drawn = collector.api().good(path);
                stopped = "SELECT * FROM stopped WHERE attack_id = '" + attack + "' ORDER BY ALL";
                RunningCollector.until(
                        "what was stopped is in the tables",
                        () -> collector.api().query(stopped).contains("mitigation_id\":\""));
                before = collector.api().good(path);
                sameSeconds(drawn, before);
                collector.kill();
            } finally {
                lab.process().destroyForcibly();
            }
            String after;
            try (RunningCollector collector = setup.start()) {
                RunningCollector.until(
                        "the tables are open",
                        () -> collector.api().get(path(attack)).status() == 200);
                after = collector.api().good(path(attack));
                sameSeconds(before, after);
                assertThat(isStopped(after)).isTrue();
                // Who is stopped before publishes what it has when it is started next.
                RunningCollector.until("rows are published", () -> {
                    Object kafka =
                            Json.object(collector.api().good("/api/v1/status")).get("kafka");
                    Object rollups = ((Map<?, ?>) Objects.requireNonNull(kafka)).get("rollups");
                    return "ok".equals(((Map<?, ?>) Objects.requireNonNull(rollups)).get("state"));
                });
                assertThat(collector.stop().status()).isZero();
            }
            try (RunningServe left = RunningServe.start(temp, setup.data(), "memory=64MiB", "store.memory=128MiB");
                    RunningServe elsewhere = RunningServe.start(
                            temp,
                            temp.resolve("served"),
                            "memory=64MiB",
                            "store.memory=128MiB",
                            "kafka.bootstrap=" + broker.bootstrap())) {
                assertThat(left.api().good(path(attack))).isEqualTo(after);
                RunningCollector.until(
                        "all of it came over Kafka",
                        () -> elsewhere.api().query(stopped).equals(left.api().query(stopped))
                                && elsewhere.api().get(path(attack)).body().equals(after));
                assertThat(elsewhere.stop().status()).isZero();
                assertThat(left.stop().status()).isZero();
            }
        }
    }
}
