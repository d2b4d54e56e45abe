package io.pathlore.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.analysis.event.AttackSource;
import io.pathlore.analysis.event.Event;
import io.pathlore.cli.Program.Ended;
import io.pathlore.cli.service.ServedCollector;
import io.pathlore.model.AttackVector;
import io.pathlore.model.Prefix;
import io.pathlore.model.TimeText;
import io.pathlore.testkit.vectors.GoldenVectors;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Attacks as people and programs see them. */
@Timeout(120)
class GetAttacksTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private static long now() {
        return Instant.now().getEpochSecond() * SECOND;
    }

    /** Of the destination that the reports of the examples are about. */
    private static Event attack(long start) {
        return new Event(
                start,
                Event.OPEN,
                start + SECOND / 2,
                new Event.Details.Attack(
                        AttackVector.SYN_FLOOD,
                        Prefix.address(false, 0, 0x0A00_0202L),
                        80,
                        6,
                        List.of(
                                new AttackSource(
                                        0x0200_0000_0001L, 3, 7, null, 7_500, 9_800, AttackSource.Witness.GATEWAY),
                                new AttackSource(
                                        AttackSource.ABSENT, 4, 2, null, 2_500, 0, AttackSource.Witness.PLACE)),
                        2,
                        3_000,
                        true,
                        120_000,
                        2_900,
                        5,
                        List.of(1L),
                        List.of(1L, 3L),
                        8_600,
                        start + 5 * SECOND));
    }

    private static Ended run(ServedCollector collector, String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--server", collector.url()));
        return Program.run(all.toArray(String[]::new));
    }

    private ServedCollector collector() throws Exception {
        Files.writeString(directory.resolve("pathlore.yaml"), "inventory: [{ node: 3, name: agg-1 }]\n");
        return new ServedCollector(directory);
    }

    @Test
    void listsWhoIsAttackedAndByWhom() throws Exception {
        try (ServedCollector collector = collector()) {
            Event attack = attack(now());
            collector.happens(attack);
            Ended list = run(collector, "get", "attacks", "--no-header");
            assertThat(list.status()).isZero();
            assertThat(list.lines()).hasSize(1);
            assertThat(list.lines().getFirst())
                    .contains(attack.id().toString())
                    .contains("syn-flood")
                    .contains("10.0.2.2 port 80 tcp")
                    .contains("3,000")
                    .endsWith("75 % 02:00:00:00:00:01 at agg-1, 25 % 4/2 at node 4");
            assertThat(run(collector, "get", "events", "--no-header").out())
                    .contains("syn-flood of 10.0.2.2 port 80, 75 % 02:00:00:00:00:01");
            assertThat(run(collector, "get", "attacks", "--filter", "dst = 10.9.9.9")
                            .out())
                    .isEmpty();
            assertThat(run(collector, "get", "attacks", "0123456789abcdef").out())
                    .isEmpty();
            assertThat(run(collector, "explain", "event", attack.id().toString())
                            .out())
                    .contains("3,000 packets/s from 2 devices; 75 % by 02:00:00:00:00:01")
                    .contains("--evidence");
        }
    }

    @Test
    void theApiSaysWhatToAskReportsFor() throws Exception {
        try (ServedCollector collector = collector()) {
            Event attack = attack(now());
            collector.happens(attack);
            JsonNode one = collector.get("/api/v1/attacks/" + attack.id());
            assertThat(one.path("names").path("3").asText()).isEqualTo("agg-1");
            assertThat(one.path("evidence").path("filter").asText())
                    .isEqualTo("dst = 10.0.2.2 and proto = 6 and dport = 80");
            assertThat(one.path("evidence").path("until").asText())
                    .isEqualTo(TimeText.of(attack.startNanos() + 6 * SECOND));
            assertThat(one.path("sources").path(0).path("spoofed").asDouble()).isEqualTo(0.98);
            assertThat(one.path("sources").path(1).path("witness").asText()).isEqualTo("place");
            assertThat(collector.get("/api/v1/attacks").path("items")).hasSize(1);
            assertThat(collector
                            .get("/api/v1/attacks/0123456789abcdef")
                            .path("status")
                            .asInt())
                    .isEqualTo(404);
            assertThat(collector.get("/api/v1/attacks/x").path("status").asInt())
                    .isEqualTo(400);
            assertThat(collector
                            .get("/api/v1/attacks?kind=drops")
                            .path("status")
                            .asInt())
                    .isEqualTo(400);
        }
    }

    @Test
    void writesTheReportsThatShowIt() throws Exception {
        try (ServedCollector collector = collector()) {
            collector.send(GoldenVectors.bytes("R2"));
            Event attack = attack(now() - SECOND);
            collector.happens(attack);
            Path file = directory.resolve("evidence.pcap");
            Ended written = run(collector, "get", "attacks", attack.id().toString(), "--evidence", file.toString());
            assertThat(written.status()).as(written.err()).isZero();
            Ended decoded = Program.run(
                    "decode",
                    "--port",
                    String.valueOf(collector.process().collector().port()),
                    file.toString());
            assertThat(decoded.lines()).hasSize(2); // the names of the columns, and one
            assertThat(decoded.out()).contains("10.0.2.2:80");
            Ended again = run(collector, "get", "attacks", attack.id().toString(), "--evidence", file.toString());
            assertThat(again.status()).isEqualTo(1);
            assertThat(again.err()).contains("is there already; --force replaces it");
            Ended unknown = run(collector, "get", "attacks", "0123456789abcdef", "--evidence", "x.pcap");
            assertThat(unknown.status()).isEqualTo(1);
            assertThat(unknown.err()).contains("no such attack");
        }
    }

    @Test
    void saysHowItIsUsed() {
        Ended nameless = Program.run("get", "attacks", "--evidence", "x.pcap");
        assertThat(nameless.status()).isEqualTo(2);
        assertThat(nameless.err()).contains("of which attack?");
        assertThat(Program.run("get", "attacks", "seven").err()).contains("16 hex digits");
    }
}
