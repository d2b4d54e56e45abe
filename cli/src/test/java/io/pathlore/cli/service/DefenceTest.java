package io.pathlore.cli.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.pathlore.analysis.event.AttackSource;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.EventJson;
import io.pathlore.cli.config.ConfigException;
import io.pathlore.cli.config.ConfigLoader;
import io.pathlore.cli.config.Service;
import io.pathlore.mitigate.ledger.Answer;
import io.pathlore.mitigate.ledger.BlastRadius;
import io.pathlore.mitigate.ledger.Mitigation;
import io.pathlore.mitigate.ledger.Mode;
import io.pathlore.mitigate.ledger.Operator;
import io.pathlore.mitigate.ledger.Orphan;
import io.pathlore.mitigate.ledger.State;
import io.pathlore.mitigate.notice.Grouping;
import io.pathlore.mitigate.notice.Notice;
import io.pathlore.model.AttackVector;
import io.pathlore.model.JsonLine;
import io.pathlore.model.Prefix;
import io.pathlore.model.RuleMatch;
import io.pathlore.serve.metrics.MetricWriter;
import io.pathlore.testkit.controller.ScriptedController;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** From what the configuration says to a rule that somebody was told of. */
@Timeout(60)
class DefenceTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private static final Defence.Stopped STOPPED = (rule, from, until, packets) -> {};

    private Service service(String defend) throws IOException {
        Path file = Files.writeString(directory.resolve("pathlore.yaml"), "data: data\n" + defend);
        return new ConfigLoader(directory, directory, Map.of("HOME", directory.toString()))
                .loadService(file, List.of());
    }

    private static Notes quiet() {
        return new Notes(new PrintWriter(Writer.nullWriter()), () -> 0L);
    }

    private static Mitigation await(Defence defence, Predicate<Mitigation> wanted) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (System.nanoTime() < deadline) {
            for (Mitigation one : defence.mitigations().view().mitigations()) {
                if (wanted.test(one)) {
                    return one;
                }
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        throw new AssertionError("not seen: " + defence.mitigations().view());
    }

    @Test
    void nothingIsDoneUnlessSomebodySaysSo() throws Exception {
        try (ScriptedController controller = new ScriptedController();
                Defence defence = Defence.start(
                        service("defend: { profile: transparent-security, enforcers: [ { name: c, kind:"
                                + " transparent-security, url: '" + controller.uri() + "' } ] }"),
                        rule -> BlastRadius.UNKNOWN,
                        STOPPED,
                        quiet())) {
            assertThat(defence.mitigations().view().mode()).isEqualTo(Mode.OBSERVE);
            defence.on(flood(3, 0x0200_0000_0001L));
            Mitigation observed = await(defence, _ -> true);
            assertThat(observed.state()).isEqualTo(State.OBSERVED);
            assertThat(observed.wanted()).isFalse();
            assertThat(defence.mitigations().approve(observed.id(), observed.revision(), Operator.named("night-shift")))
                    .isInstanceOf(Answer.Refused.class);
            assertThat(defence.mitigations().view().mitigations())
                    .extracting(Mitigation::state)
                    .containsExactly(State.OBSERVED);
            assertThat(controller.calls()).isEmpty();
        }
    }

    /** M-08: nothing is done, who asks is told why, and so is who asks later. */
    @Test
    void whatMustNeverBeBlockedIsRefusedAndWrittenDown() throws Exception {
        try (ScriptedController controller = new ScriptedController();
                Defence defence = Defence.start(
                        service(
                                "defend: { mode: auto, never-block: ['destination 198.51.100.0/24'], profile: transparent-security,"
                                        + " enforcers: [ { name: c, kind: transparent-security, url: '"
                                        + controller.uri() + "' } ] }"),
                        rule -> BlastRadius.UNKNOWN,
                        STOPPED,
                        quiet())) {
            Event attack = flood(3, 0x0200_0000_0001L);
            defence.on(attack);
            defence.on(attack);
            String why = "never-block: it would stop packets to 198.51.100.0/24";
            Mitigation refused = await(defence, one -> one.state() == State.REFUSED);
            assertThat(refused.trouble()).isEqualTo(why);
            assertThat(refused.wanted()).isFalse();
            assertThat(defence.planned(attack.id()).refusals()).containsExactly("02:00:00:00:00:01: " + why);
            assertThat(defence.decisions(attack.id()))
                    .singleElement()
                    .asString()
                    .contains("\"refusal\":\"" + why + "\"", "\"mayActAlone\":false");
            assertThat(defence.audit().tail(100, Long.MAX_VALUE, attack.id().toString(), refused.id()))
                    .singleElement()
                    .asString()
                    .contains("\"what\":\"refused\"", why);
            Answer answer = defence.mitigations().approve(refused.id(), refused.revision(), Operator.named("late"));
            assertThat(answer).isInstanceOf(Answer.Refused.class);
            assertThat(controller.calls()).isEmpty();
        }
    }

    /** Only learned is the address of whoever spoke first; and a switch that was taken over speaks for itself. */
    @Test
    void aDropReportIsBelievedOfTheRulesNodeAndFromItsAddresses() throws Exception {
        try (ScriptedController controller = new ScriptedController();
                Defence defence = Defence.start(
                        service("inventory: [ { node: 3, addresses: [192.0.2.3] }, { node: 4, addresses: [192.0.2.4] },"
                                + " { node: 5 } ]\n"
                                + "defend: { mode: propose, profile: transparent-security, enforcers: [ { name: c, kind:"
                                + " transparent-security, url: '" + controller.uri() + "' } ] }"),
                        rule -> BlastRadius.UNKNOWN,
                        STOPPED,
                        quiet())) {
            defence.on(flood(3, 0x0200_0000_0001L));
            Mitigation proposed = await(defence, one -> one.state() == State.PROPOSED);
            defence.mitigations().approve(proposed.id(), proposed.revision(), Operator.named("night-shift"));
            await(defence, Mitigation::sent);
            long key =
                    HexFormat.fromHexDigitsToLong(controller.keys().iterator().next());
            defence.dropped(3, key, 10, false);
            defence.dropped(4, key, 10, true);
            defence.dropped(5, key, 10, true);
            defence.dropped(5, 0xBEEF, 10, true);
            defence.dropped(4, 0xFACE, 10, true);
            awaitOrphan(defence);
            assertThat(defence.mitigations().view().disbelievedDropReports()).isEqualTo(4);
            assertThat(defence.mitigations().view().mitigations()).allMatch(one -> !one.proven());
            assertThat(defence.mitigations().view().orphans())
                    .extracting(Orphan::key)
                    .containsExactly(0xFACEL);
            defence.dropped(3, key, 10, true);
            await(defence, Mitigation::proven);

            assertThat(defence.removeOrphan(0xBEEF, Operator.named("night-shift")))
                    .isInstanceOf(Answer.Unknown.class);
            assertThat(defence.removeOrphan(0xFACE, Operator.named("night-shift")))
                    .isInstanceOf(Answer.Asked.class);
            await(defence, _ -> controller.calls().stream().anyMatch(call -> call.contains("000000000000face")));
            assertThat(controller.keys()).hasSize(1);
        }
    }

    @Test
    void isToldInNumbers() throws Exception {
        EventBook events = new EventBook(EventJson.ReasonNames.NONE);
        try (ScriptedController controller = new ScriptedController();
                Defence defence = Defence.start(
                        service("defend: { mode: propose, profile: transparent-security, enforcers: [ { name: c, kind:"
                                + " transparent-security, url: '" + controller.uri() + "' } ] }"),
                        rule -> BlastRadius.UNKNOWN,
                        STOPPED,
                        quiet())) {
            controller.manner(ScriptedController.Manner.ERROR);
            Event attack = flood(3, 0x0200_0000_0001L);
            events.add(attack);
            events.add(attack);
            defence.on(attack);
            Mitigation proposed = await(defence, one -> one.state() == State.PROPOSED);
            defence.mitigations().approve(proposed.id(), proposed.revision(), Operator.named("night-shift"));
            await(defence, one -> !one.trouble().isEmpty());
            defence.dropped(3, 1, 10, false);
            await(defence, _ -> defence.mitigations().view().disbelievedDropReports() == 1);
            MetricWriter out = new MetricWriter();
            new DefenceMetrics(defence, events).write(out);
            assertThat(out.finish())
                    .contains("pathlore_attacks_total{vector=\"udp-flood\"} 1\n")
                    .contains("pathlore_attacks_total{vector=\"scan\"} 0\n")
                    .contains("pathlore_defend_mode{mode=\"propose\"} 1\n")
                    .contains("pathlore_defend_mode{mode=\"auto\"} 0\n")
                    .contains("pathlore_mitigations{state=\"approved\"} 1\n")
                    .contains("pathlore_mitigations{state=\"proven\"} 0\n")
                    .containsPattern("pathlore_mitigation_errors_total\\{enforcer=\"c\"} [1-9]")
                    .contains("pathlore_drop_reports_disbelieved_total 1\n");
        }
    }

    private static void awaitOrphan(Defence defence) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (defence.mitigations().view().orphans().isEmpty()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    @Test
    void whatTheConfigurationCannotMeanIsRefusedWithItsLine() throws IOException {
        assertThatThrownBy(() -> service("defend: { enforcers: [ { name: a, kind: telepathy } ] }"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("pathlore.yaml:2")
                .hasMessageContaining("telepathy");
        assertThatThrownBy(() -> service("defend: { enforcers: [ { name: a, kind: webhook, url: 'http://h/' } ] }"))
                .hasMessageContaining("secret-file");
        assertThatThrownBy(() -> service(
                        "defend: { enforcers: [ { name: a, kind: transparent-security, urll: 'http://h/' } ] }"))
                .hasMessageContaining("did you mean 'url'");
        assertThatThrownBy(() -> service("notify: [ { kind: webhook, url: 'gopher://h/' } ]"))
                .hasMessageContaining("not an address");
        String inside = "notify: [ { kind: webhook, url: 'http://127.0.0.1:9093/', allow-private: ";
        assertThatThrownBy(() -> service(inside + "false } ]"))
                .hasMessageContaining("the private address 127.0.0.1; set allow-private to call it");
        assertThat(service(inside + "true } ]").defend().notices()).hasSize(1);
        for (String metadata : List.of("169.254.169.254", "[fd00:ec2::254]")) {
            assertThatThrownBy(() -> service(
                            "notify: [ { kind: webhook, url: 'http://" + metadata + "/', allow-private: true } ]"))
                    .hasMessageContaining("which is never called");
            assertThatThrownBy(
                            () -> service("defend: { enforcers: [ { name: a, kind: transparent-security, url: 'http://"
                                    + metadata + ":9998' } ] }"))
                    .hasMessageContaining("which is never called");
        }
        assertThatThrownBy(() -> service("notify: [ { kind: webhook, url: 'http://h/', filter: 'dst = 10.0.0.1' } ]"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("pathlore.yaml:2")
                .hasMessageContaining("severity >= warning");
    }

    @Test
    void whoIsToldMayWantToKnowOfWhatMattersOnly() throws Exception {
        var critical = service("notify: [ { kind: webhook, url: 'http://h/', filter: severity >= critical } ]")
                .defend()
                .notices()
                .getFirst()
                .filter();
        assertThat(critical.matches(new NoticeSubject(notice("critical")))).isTrue();
        assertThat(critical.matches(new NoticeSubject(notice("warning")))).isFalse();
        var all = service("notify: [ { kind: webhook, url: 'http://h/' } ]")
                .defend()
                .notices()
                .getFirst()
                .filter();
        assertThat(all.matches(new NoticeSubject(notice("info")))).isTrue();
    }

    private static Notice notice(String severity) {
        return new Notice("PathloreAttack", "a", Notice.Stage.OBSERVED, severity, "a flood", 0, JsonLine.NO_TIME);
    }

    @Test
    void whoIsToldWhatAndWhenNobodyIsIsReadWithItsLine() throws Exception {
        var defend = service("""
                        notify: [ { kind: webhook, url: 'http://h/', group-by: [alertname, stage], group-wait: 5s, group-interval: 5m } ]
                        maintenance:
                          - { name: upgrade, from: 2026-11-20T22:00:00Z, until: 2026-11-21T02:00:00Z }
                          - { name: backups, days: [sat, sunday], from: "23:00", until: "05:00", zone: Europe/Berlin, filter: severity <= warning }
                        """).defend();
        assertThat(defend.notices().getFirst().grouping())
                .isEqualTo(new Grouping(
                        Set.of(Grouping.Label.ALERTNAME, Grouping.Label.STAGE),
                        Duration.ofSeconds(5),
                        Duration.ofMinutes(5)));
        var upgrade = defend.maintenance().getFirst();
        assertThat(upgrade.times().openUntil(Instant.parse("2026-11-21T00:00:00Z")))
                .isEqualTo(Instant.parse("2026-11-21T02:00:00Z"));
        var backups = defend.maintenance().getLast();
        assertThat(backups.times().openUntil(Instant.parse("2026-11-22T03:00:00Z")))
                .as("early on Sunday, there")
                .isEqualTo(Instant.parse("2026-11-22T04:00:00Z"));
        assertThat(backups.filter().matches(new NoticeSubject(notice("critical"))))
                .isFalse();
        assertThatThrownBy(() -> service("notify: [ { kind: webhook, url: 'http://h/', group-by: [id] } ]"))
                .hasMessageContaining("pathlore.yaml:2")
                .hasMessageContaining("alertname, severity, stage");
        assertThatThrownBy(() -> service("maintenance: [ { name: x, from: '22:00', until: '23:00' } ]"))
                .hasMessageContaining("pathlore.yaml:2")
                .hasMessageContaining("2026-11-20T22:00:00Z");
        assertThatThrownBy(
                        () -> service("maintenance: [ { name: x, days: [someday], from: '22:00', until: '23:00' } ]"))
                .hasMessageContaining("'someday' is no day");
        assertThatThrownBy(() -> service(
                        "maintenance: [ { name: x, from: 2026-11-20T22:00:00Z, until: 2026-11-20T21:00:00Z } ]"))
                .hasMessageContaining("ends before it begins");
    }

    /** M-11: a thousand victims at once are a few messages, and one of them calls a person about the cap. */
    @Test
    void aThousandVictimsAreAFewMessages() throws Exception {
        BlockingQueue<String> messages = new LinkedBlockingQueue<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            messages.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        try (ScriptedController controller = new ScriptedController();
                Defence defence = Defence.start(
                        service("""
                                inventory: [ { node: 1, addresses: [192.0.2.1] }, { node: 3, addresses: [192.0.2.3], interfaces: { 2: { speed: 10G } } } ]
                                notify: [ { kind: webhook, url: 'http://127.0.0.1:%d/', allow-private: true, group-by: [alertname, severity] } ]
                                defend: { mode: auto, profile: transparent-security, enforcers: [ { name: c, kind: transparent-security, url: '%s' } ] }
                                """.formatted(server.getAddress().getPort(), controller.uri())),
                        rule -> BlastRadius.UNKNOWN,
                        STOPPED,
                        quiet())) {
            for (int i = 0; i < 1_000; i++) {
                defence.on(flood(3, 0x0200_0000_0001L, i, 1_000 + i));
            }
            await(defence, _ -> defence.mitigations().view().mitigations().size() == 1_000);
            await(defence, _ -> controller.keys().size() == 5);
            List<String> heard = new ArrayList<>();
            for (String one = messages.poll(10, TimeUnit.SECONDS);
                    one != null && !one.contains("\"id\":\"cap\"");
                    one = messages.poll(10, TimeUnit.SECONDS)) {
                heard.add(one);
            }
            assertThat(heard).as("before the one about the cap").hasSizeLessThan(40);
            List<String> later = new ArrayList<>();
            messages.drainTo(later);
            assertThat(later).noneMatch(one -> one.contains("\"id\":\"cap\""));
            assertThat(controller.keys()).as("the cap").hasSize(5);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void anApprovedRuleIsGivenToTheEnforcerThatServesItsNode() throws Exception {
        Path told = directory.resolve("told");
        Path program = Files.writeString(directory.resolve("block.sh"), "#!/bin/sh\ncat >> " + told + "\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Service service = service(
                "defend: { mode: propose, enforcers: [ { name: far, kind: command, command: [/bin/false], nodes: [9] },"
                        + " { name: near, kind: command, command: [" + program + "], nodes: [3] } ] }");
        try (Defence defence = Defence.start(service, rule -> 12, STOPPED, quiet())) {
            Event attack = flood(3, 0x0200_0000_0001L);
            defence.on(attack);
            Mitigation proposed = await(defence, one -> one.state() == State.PROPOSED && one.blastRadius() == 12);
            assertThat(proposed.enforcer()).isEqualTo("near");
            assertThat(proposed.rule().match().device()).isEqualTo(0x0200_0000_0001L);
            assertThat(proposed.wanted()).isFalse();
            assertThat(told).doesNotExist();

            Answer answer =
                    defence.mitigations().approve(proposed.id(), proposed.revision(), Operator.named("night-shift"));
            assertThat(answer).isInstanceOf(Answer.Done.class);
            await(defence, Mitigation::sent);
            assertThat(told).content().contains("\"order\":\"install\"", "02:00:00:00:00:01");
            assertThat(defence.mitigations().approve(proposed.id(), proposed.revision(), Operator.named("late")))
                    .isInstanceOf(Answer.Stale.class);

            defence.mitigations().withdrawAll(Operator.named("night-shift"));
            await(defence, one -> one.state() == State.WITHDRAWN);
            assertThat(told).content().contains("\"order\":\"withdraw\"");
            assertThat(defence.mitigations().view().mode().label()).isEqualTo("observe");
            assertThat(String.join("\n", defence.audit().tail(100))).contains("night-shift");
        }
    }

    @Test
    void aControllerThatKnowsNoProtocolsIsGivenARuleWithoutOne() throws Exception {
        Service service = service("defend: { mode: propose, profile: transparent-security, enforcers:"
                + " [ { name: c, kind: transparent-security, url: 'http://127.0.0.1:9' } ] }");
        try (Defence defence = Defence.start(service, rule -> BlastRadius.UNKNOWN, STOPPED, quiet())) {
            defence.on(flood(3, 0x0200_0000_0001L));
            Mitigation proposed = await(defence, one -> one.state() == State.PROPOSED);
            assertThat(proposed.rule().match().protocol()).isEqualTo(RuleMatch.ANY);
            assertThat(proposed.rule().match().destinationPort()).isEqualTo(80);
        }
    }

    static Event flood(long node, long mac) {
        return flood(node, mac, 0, 4_000);
    }

    private static Event flood(long node, long mac, int victim, long perSecond) {
        AttackSource camera = new AttackSource(mac, node, 2, null, 10_000, 0, AttackSource.Witness.SWITCH);
        return new Event(
                1_000_000_000L,
                Event.OPEN,
                2_000_000_000L,
                new Event.Details.Attack(
                        AttackVector.UDP_FLOOD,
                        Prefix.address(false, 0, 0xC633_6401L + victim),
                        80,
                        17,
                        List.of(camera),
                        1,
                        perSecond,
                        true,
                        Event.ABSENT,
                        1,
                        3,
                        List.of(1L),
                        List.of(node, 1L),
                        8_000,
                        2_000_000_000L));
    }
}
