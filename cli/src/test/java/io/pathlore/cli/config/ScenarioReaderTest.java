package io.pathlore.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.dataplane.fault.Fault;
import io.pathlore.dataplane.inband.Mode;
import io.pathlore.dataplane.scenario.Scenario;
import io.pathlore.dataplane.scenario.TrafficEntry;
import io.pathlore.dataplane.watch.Sampling;
import io.pathlore.wire.decode.ReportVersion;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ScenarioReaderTest {
    private static final Path NOWHERE = Path.of("/nonexistent");

    private static Scenario read(String text) {
        return ScenarioReader.read("test", text, "test.yaml");
    }

    static List<String> shipped() {
        return ScenarioFiles.shipped();
    }

    @ParameterizedTest
    @MethodSource("shipped")
    void everyShippedScenarioIsReadAndExplained(String name) {
        Scenario scenario = ScenarioFiles.load(name, NOWHERE);
        assertThat(scenario.name()).isEqualTo(name);
        assertThat(scenario.description()).isNotBlank().hasLineCount(1).hasSizeLessThan(140);
        assertThat(scenario.description()).isEqualTo(ScenarioFiles.description(name));
        assertThat(scenario.durationNanos()).isBetween(10_000_000_000L, 120_000_000_000L);
        assertThat(scenario.traffic()).isNotEmpty();
        assertThat(scenario.scaled(2000).traffic()).hasSameSizeAs(scenario.traffic());
        for (ReportVersion version : ReportVersion.values()) {
            if (!scenario.telemetry().reporting().transparentSecurity()) {
                scenario.telemetry().reporting().withVersion(version).format(7);
            }
        }
        for (Mode mode : Mode.values()) {
            if (!scenario.telemetry().reporting().transparentSecurity()) {
                assertThat(scenario.telemetry().withMode(mode).watchlist())
                        .allSatisfy(entry -> assertThat(entry.task())
                                .satisfies(task -> assertThat(
                                                Objects.requireNonNull(task).mode())
                                        .isEqualTo(mode)));
            }
        }
    }

    @Test
    void anEmptyFileIsANetworkWithoutTraffic() {
        Scenario scenario = read("");
        assertThat(scenario.topology().name()).isEqualTo("leaf-spine-4x2");
        assertThat(scenario.durationNanos()).isEqualTo(30_000_000_000L);
        assertThat(scenario.traffic()).isEmpty();
        assertThat(scenario.telemetry().mode()).isEqualTo(Mode.MD);
        assertThat(scenario.telemetry().watchlist()).hasSize(1);
    }

    @Test
    void everyPartOfAScenarioIsRead() {
        Scenario scenario = read("""
                description: all
                duration: 1.5m
                topology:
                  kind: line
                  switches: 4
                  links: { trunk: { rate: 40Gbps, delay: 2us, mtu: 4000 } }
                  without-int: [s2]
                network: { queue: 64KiB, classes: 4, pipeline: 500ns, convergence: 1s, link-loss: 0.1% }
                clocks: { offset: 1ms, drift: 50ppm }
                management: { delay: 1ms, jitter: 2ms, loss: 1%, duplicates: 2%, reordered: 3%, reordered-by: 4ms }
                telemetry:
                  mode: mx
                  carrier: geneve
                  instructions: [node-id, queue, buffer]
                  report: { version: 2.0, truncate: 128, coalesce: 1ms, collector: 192.0.2.9, port: 556, tlv: true }
                  flows: { report: on-change, latency-quantum: 10us, refresh: 5s }
                  queues: { threshold: 10KB }
                  drops: { interval: 1s }
                  watch:
                    - { name: web, destination: b1, destination-ports: 443, sampling: 4, by: identity, mode: xd }
                    - { source: 10.0.0.0/8, protocol: tcp, source-ports: 1000..2000, flows: false, priority: 3 }
                traffic:
                  - { kind: ping, from: a1, to: b1, period: 10ms }
                  - kind: short-flows
                    name: uploads
                    from: [a1, b1]
                faults:
                  - { kind: link-down, link: [s1, s2], start: 1s, duration: 2s }
                  - { kind: slow-hop, node: s3, towards: s4, delay: 5us }
                  - { kind: acl-drop, node: s1, source: a1, protocol: udp, destination-port: 53 }
                """);
        assertThat(scenario.durationNanos()).isEqualTo(90_000_000_000L);
        assertThat(scenario.topology().switches().get(1).speaksInt()).isFalse();
        assertThat(scenario.topology().links().getFirst().mtu()).isEqualTo(4000);
        assertThat(scenario.options().queueBytes()).isEqualTo(65_536);
        assertThat(scenario.options().clockDriftPerBillion()).isEqualTo(50_000);
        assertThat(scenario.options().linkLossPerBillion()).isEqualTo(1_000_000);
        assertThat(scenario.options().management().reorderPerBillion()).isEqualTo(30_000_000);
        var telemetry = scenario.telemetry();
        assertThat(telemetry.mode()).isEqualTo(Mode.MX);
        assertThat(telemetry.queueRules().resetBytes()).isEqualTo(5_000);
        assertThat(telemetry.dropIntervalNanos()).isEqualTo(1_000_000_000L);
        assertThat(telemetry.reporting().destination().port()).isEqualTo(556);
        var web = telemetry.watchlist().getFirst();
        assertThat(web.sampling()).isEqualTo(new Sampling(Sampling.Method.IDENTITY, 4));
        assertThat(Objects.requireNonNull(web.task()).mode()).isEqualTo(Mode.XD);
        assertThat(telemetry.watchlist().get(1).task()).isNull();
        assertThat(scenario.traffic()).extracting(TrafficEntry::name).containsExactly("ping", "uploads");
        assertThat(scenario.faults())
                .hasSize(3)
                .element(1)
                .isEqualTo(new Fault.SlowHop(
                        0, Fault.FOREVER, 2, scenario.topology().interfaceTowards(2, 3), 5_000));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "topolgy: {}|1: unknown key 'topolgy'; did you mean 'topology'?",
                "topology:\\n  leafs: 3|2: unknown key 'topology.leafs'; did you mean 'leaves'?",
                "topology: { kind: ring, leaves: 3 }|1: unknown key 'topology.leaves'; known here: kind, switches,"
                        + " hosts-per-switch, links, without-int, first-node",
                "topology: { kind: leafspine }|1: topology.kind: 'leafspine' is not one of line, ring, leaf-spine,"
                        + " fat-tree, access; did you mean 'leaf-spine'?",
                "topology: { kind: fat-tree, k: 3 }|1: topology: a fat tree of 3 ports per switch: an even number is"
                        + " needed",
                "topology: { leaves: 0 }|1: topology.leaves: 0 is not in 1 to 10000",
                "topology: { links: { host: { rate: fast } } }|1: topology.links.host.rate: 'fast' is not a rate, like"
                        + " 100Mbps or 10Gbps",
                "topology: { without-int: [spine-9] }|1: topology.without-int: no switch is 'spine-9' in leaf-spine-4x2;"
                        + " did you mean 'spine-1'?",
                "duration: 0|1: duration: must be more than 0",
                "duration: ten|1: duration: 'ten' is not a duration, like 200ms, 5s or 10m",
                "management: { loss: 101% }|1: management.loss: more than 100%",
                "telemetry: { mode: mdd }|1: telemetry.mode: 'mdd' is not one of md, mx, xd; did you mean 'md'?",
                "telemetry: { instructions: [latency] }|1: telemetry.instructions: 'latency' is not an instruction of INT"
                        + " 2.x; there are node-id, interfaces, hop-latency, queue, ingress-timestamp, egress-timestamp,"
                        + " level-2-interfaces, tx-utilization, buffer, checksum-complement",
                "telemetry: { report: { version: 1.0, tlv: true } }|1: telemetry.report: only v2.0 has TLVs",
                "telemetry: { dialect: transparent-security, mode: xd }|1: telemetry.mode: the dialect"
                        + " transparent-security is one of mode md",
                "traffic:\\n  - { flows: 3 }|2: traffic: traffic needs 'kind': long-flows, short-flows,*",
                "traffic:\\n  - { kind: pong }|2: traffic.kind: 'pong' is not one of *; did you mean 'ping'?",
                "traffic:\\n  - kind: ping\\n    period: soon|3: traffic.period: 'soon' is not a duration*",
                "traffic:\\n  - { kind: ping, from: h9-9 }|2: traffic.from: no host is 'h9-9' in leaf-spine-4x2",
                "traffic:\\n  - kind: ping\\n    fps: 3|3: unknown key 'traffic.fps'*",
                "traffic:\\n  - kind: ping\\n  - kind: ping|3: traffic: there is other ping traffic: one of them needs a"
                        + " 'name'",
                "traffic: ping|1: traffic: expected a list, each item with a -",
                "faults:\\n  - { kind: link-down }|2: faults.link: expected the two ends of a link, like [leaf-1, spine-1]",
                "faults:\\n  - { kind: link-down, link: [leaf-1, leaf-2] }|2: faults.link: no link between leaf-1 and"
                        + " leaf-2",
                "faults:\\n  - { kind: slow-hop, node: leaf-1 }|2: faults: needs 'delay'",
                "faults:\\n  - { kind: slow-hop, node: leaf-1, delay: 1us, towards: h2-1 }|2: faults.towards: leaf-1 has"
                        + " no link to h2-1",
                "faults:\\n  - { kind: acl-drop, node: leaf-1 }|2: faults: needs at least one of device, source,"
                        + " destination, protocol, destination-port",
                "faults:\\n  - { kind: acl-drop, node: leaf-1, source: here }|2: faults.source: 'here' is neither an"
                        + " address nor a host of this network",
                "faults:\\n  - { kind: fire }|2: faults.kind: 'fire' is not one of *",
                "description: [|*not valid YAML*"
            })
    void whatIsWrongIsOneLineWithItsPlace(String text, String expected) {
        String yaml = text.replace("\\n", "\n");
        assertThatThrownBy(() -> read(yaml)).isInstanceOf(ConfigException.class).satisfies(e -> {
            String pattern = Arrays.stream(("test.yaml:" + expected).split("\\*", -1))
                    .map(Pattern::quote)
                    .collect(Collectors.joining(".*"));
            assertThat(e.getMessage()).matches(pattern).doesNotContain("\n");
        });
    }

    @Test
    void unknownScenariosAreNamed() {
        assertThatThrownBy(() -> ScenarioFiles.load("microbrust", NOWHERE))
                .hasMessage("there is no scenario 'microbrust'; did you mean 'microburst'?");
        assertThatThrownBy(() -> ScenarioFiles.load("xyzzy", NOWHERE))
                .hasMessage("there is no scenario 'xyzzy'; 'pathlore lab list' shows them");
        assertThatThrownBy(() -> ScenarioFiles.load("mine.yaml", NOWHERE)).hasMessage("mine.yaml: no such file");
    }
}
