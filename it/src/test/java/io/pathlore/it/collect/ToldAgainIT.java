package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.pathlore.it.collect.RunningCollector.Setup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a collector told live, {@code analyse} tells of its journal again: the same events, with the same ids, though several threads
 * received the datagrams and the journal has them block by block.
 */
@EnabledOnOs(OS.LINUX)
@Tag("alone")
@Timeout(180)
class ToldAgainIT {
    private static final JsonMapper JSON = new JsonMapper();

    /** All that there are. */
    private static final List<String> KINDS = List.of(
            "path-change",
            "loop",
            "congestion",
            "latency",
            "drops",
            "link-down",
            "link-up",
            "report-loss",
            "exporter-restart",
            "exporter-silent",
            "spoof-suspected",
            "attack");

    /** Everything that can happen to a small fabric, in a few seconds. */
    private static final String FABRIC = """
            description: a bit of everything
            duration: 30s
            topology: { kind: leaf-spine, leaves: 4, spines: 2, hosts-per-leaf: 4 }
            telemetry:
              mode: md
              hop-limit: 12
              instructions: [node-id, interfaces, hop-latency, queue, ingress-timestamp, egress-timestamp]
              queues: { threshold: 100KB, reset: 50KB }
              report: { truncate: 512 }
            traffic:
              - { kind: request-response, name: web, flows: 10 }
              - { kind: backup, name: backup-1, from: h1-1, to: h3-1, rate: 4Mbps }
              - { kind: backup, name: backup-2, from: h1-3, to: h4-1, rate: 4Mbps }
              - { kind: backup, name: backup-3, from: h2-1, to: h1-1, rate: 4Mbps }
              - { kind: ping, name: pinger, from: [h1-1, h1-2, h1-3], to: h2-1, period: 100ms }
              - { kind: microburst, from: [h2-*, h3-*], to: h1-1, bytes: 60KB, period: 8s, start: 3s }
            faults:
              - { kind: link-down, link: [leaf-1, spine-1], start: 6s, duration: 14s }
              - { kind: report-loss, node: leaf-4, loss: 5%, start: 8s, duration: 3s }
              - { kind: slow-hop, node: spine-2, delay: 300us, start: 16s, duration: 6s }
              - { kind: forged-reports, node: leaf-2, address: 10.66.6.6, interval: 50ms, start: 9s, duration: 3s }
              - { kind: acl-drop, node: leaf-3, destination: h3-1, start: 20s, duration: 2s }
              - { kind: node-restart, node: leaf-4, start: 24s, duration: 500ms }
              - { kind: routing-loop, nodes: [leaf-1, spine-1], to: h2-1, start: 26s, duration: 2s }
              - { kind: silent-exporter, node: leaf-3, start: 22s, duration: 7s }
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path temp;

    @Test
    void analyseOfTheJournalTellsTheSameEvents() throws Exception {
        Files.writeString(temp.resolve("fabric.yaml"), FABRIC);
        run("lab", "run", "fabric.yaml", "--duration", "1ms", "--inventory", "inventory.yaml", "--to", "127.0.0.1:9");
        Setup setup = Setup.in(temp);
        setup = setup.set("listen.ports=" + setup.port(), "listen.workers=2", "analysis.shards=2")
                .set("analysis.silent-after=2s", "store.memory=128MiB")
                .with("--config", "inventory.yaml");
        try (RunningCollector collector = setup.start()) {
            String to = "127.0.0.1:" + collector.port();
            run("lab", "run", "fabric.yaml", "--to", to, "--speed", "2");
            run("lab", "run", "ddos-udp-flood", "--duration", "20s", "--to", to, "--speed", "5");
            collector.atRest(collector.api().ledger().accountedFor());
            assertThat(collector.stop().status()).isZero();
        }
        run(
                "analyse",
                setup.data().resolve("journal").toString(),
                "--config",
                "inventory.yaml",
                "--set",
                "analysis.silent-after=2s",
                "--events",
                "again.jsonl");

        Map<String, String> live = live(setup.data());
        Map<String, String> again = new TreeMap<>();
        for (String line : Files.readAllLines(temp.resolve("again.jsonl"))) {
            again.put(JSON.readTree(line).path("id").asText(), identity(line));
        }
        assertThat(again).isEqualTo(live);
        for (String kind : KINDS) {
            assertThat(live.values()).as(kind).anyMatch(one -> one.startsWith(kind + " "));
        }
    }

    private String run(String... arguments) throws IOException {
        JavaProcess.Ended ended = JavaProcess.start(
                        temp, List.of(), RunningCollector.JVM, RunningCollector.MAIN, List.of(arguments))
                .await();
        assertThat(ended.status()).as(ended.err()).isZero();
        return ended.out();
    }

    /** By id. When it ended depends on when the process did, and so does how much of it there was. */
    private Map<String, String> live(Path data) throws IOException {
        Map<String, String> events = new TreeMap<>();
        String rows = run(
                "query", "--store", data.toString(), "-o", "json", "SELECT CAST(json AS VARCHAR) AS json FROM events");
        for (JsonNode row : JSON.readTree(rows)) {
            String line = row.path("json").asText();
            events.put(JSON.readTree(line).path("id").asText(), identity(line));
        }
        return events;
    }

    private static String identity(String line) throws IOException {
        JsonNode event = JSON.readTree(line);
        return event.path("kind").asText() + " " + event.path("start").asText();
    }
}
