package io.pathlore.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.pathlore.cli.Program.Ended;
import io.pathlore.cli.config.ScenarioFiles;
import io.pathlore.store.tables.Queries;
import io.pathlore.store.tables.QueryLimits;
import io.pathlore.store.tables.TableOptions;
import io.pathlore.store.tables.TableReader;
import io.pathlore.testkit.vectors.GoldenVectors;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class AnalyseTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private Ended run(String... args) {
        return new Program().in(directory).set("HOME", "/nonexistent").with(args);
    }

    private JsonNode json(String... options) throws IOException {
        String[] args = new String[options.length + 3];
        args[0] = "analyse";
        args[1] = "-o";
        args[2] = "json";
        System.arraycopy(options, 0, args, 3, options.length);
        Ended ended = run(args);
        assertThat(ended.status()).as(ended.err()).isZero();
        return JSON.readTree(ended.out());
    }

    private JsonNode lab(String scenario, String... options) throws IOException {
        String[] args = new String[options.length + 7];
        String[] first = {"lab", "run", scenario, "--pcap", "lab.pcap", "-o", "json"};
        System.arraycopy(first, 0, args, 0, first.length);
        System.arraycopy(options, 0, args, first.length, options.length);
        Ended ended = run(args);
        assertThat(ended.status()).as(ended.err()).isZero();
        return JSON.readTree(ended.out());
    }

    private static long sum(JsonNode exporters, String key) {
        long sum = 0;
        for (JsonNode exporter : exporters) {
            sum += exporter.path(key).asLong();
        }
        return sum;
    }

    /** What the lab lost, doubled and reordered on the way is what the numbers tell, by two independent counts. */
    @Test
    void findsTheLossThatTheLabMade() throws IOException {
        JsonNode truth = lab("report-loss").path("datagrams");
        JsonNode answer = json("lab.pcap");
        JsonNode ledger = answer.path("ledger");
        assertThat(ledger.path("datagramsRead").asLong())
                .isEqualTo(truth.path("delivered").asLong());
        assertThat(truth.path("lost").asLong()).isPositive();
        assertThat(ledger.path("sequenceLost").asLong())
                .isEqualTo(truth.path("lost").asLong());
        assertThat(sum(answer.path("exporters"), "lost"))
                .isEqualTo(truth.path("lost").asLong());
        assertThat(ledger.path("duplicates").asLong())
                .isEqualTo(truth.path("duplicated").asLong());
        assertThat(ledger.path("analysed").asLong() + ledger.path("duplicates").asLong())
                .isEqualTo(ledger.path("reportsDecoded").asLong());
        assertThat(ledger.path("inFlight").asLong()).isZero();
    }

    @Test
    void tellsWhatHappenedForPeopleForProgramsAndInAFile() throws IOException {
        lab("acl-drops");
        JsonNode event =
                json("--events", "events.jsonl", "lab.pcap").path("events").path(0);
        assertThat(event.path("kind").asText()).isEqualTo("drops");
        assertThat(event.path("reasonName").asText()).isEqualTo("ACL deny");
        List<String> lines = Files.readAllLines(directory.resolve("events.jsonl"));
        assertThat(JSON.readTree(lines.getLast())).isEqualTo(event); // the last line counts
        assertThat(run("analyse", "lab.pcap").out()).contains("  drops  ", "reason 80");
    }

    /** The tables, the summary and the ledger count the same reports, each in its own way. */
    @Test
    void keepsTablesThatAgreeWithWhatItTells() throws Exception {
        lab("queue-buildup", "--inventory", "lab.yaml");
        JsonNode answer = json("--config", "lab.yaml", "--store", "tables", "lab.pcap");
        long reports = answer.path("ledger").path("analysed").asLong();
        long hops = sum(answer.path("hops"), "reports");
        long drops = sum(answer.path("drops"), "reports");
        assertThat(drops).isPositive();
        assertThat(sum(answer.path("paths"), "reports")).isPositive().isLessThanOrEqualTo(reports);
        try (TableReader tables = TableReader.open(directory.resolve("tables"), TableOptions.DEFAULT)) {
            Queries queries = tables.queries(QueryLimits.DEFAULT);
            assertThat(queries.ask("SELECT sum(reports)::BIGINT AS n FROM exporters_1m")
                            .rows())
                    .containsExactly("{\"n\":" + reports + "}");
            assertThat(queries.ask("SELECT sum(reports)::BIGINT AS n FROM flows_1m")
                            .rows())
                    .containsExactly("{\"n\":" + reports + "}");
            for (String table : List.of("hops_1s", "hops_1m")) {
                assertThat(queries.ask("SELECT sum(reports)::BIGINT AS n FROM " + table)
                                .rows())
                        .containsExactly("{\"n\":" + hops + "}");
            }
            assertThat(queries.ask("SELECT sum(reports)::BIGINT AS n FROM drops_1s")
                            .rows())
                    .containsExactly("{\"n\":" + drops + "}");
            assertThat(queries.ask("SELECT count(*) AS n FROM nodes WHERE name IS NULL")
                            .rows())
                    .containsExactly("{\"n\":0}");
            assertThat(queries.ask("SELECT count(*) > 0 AS links FROM links_1m").rows())
                    .containsExactly("{\"links\":true}");
            assertThat(queries.ask("SELECT json_extract_string(json, '$.packets[0].atNs') AS first FROM episodes"
                                    + " WHERE packets > 1 LIMIT 1")
                            .rows())
                    .containsExactly("{\"first\":\"0\"}");
        }
        Ended again = run("analyse", "--store", "tables", "lab.pcap");
        assertThat(again.status()).isEqualTo(1);
        assertThat(again.err())
                .isEqualTo("pathlore: tables " + directory.resolve("tables")
                        + ": there are some already; name another directory\n");
    }

    /** Each node speaks for itself; spine-2 does not, and is interface 2 of every leaf. Every report in fifty is lost. */
    @Test
    void linksOfPostcardsAreThoseThatWereCabled() throws Exception {
        Files.writeString(
                directory.resolve("lossy.yaml"), ScenarioFiles.text("hidden-hop") + "management: { loss: 2% }\n");
        lab("lossy.yaml", "--mode", "xd", "--duration", "5s", "--inventory", "lab.yaml");
        json("--config", "lab.yaml", "--store", "tables", "lab.pcap");
        try (TableReader tables = TableReader.open(directory.resolve("tables"), TableOptions.DEFAULT)) {
            Queries queries = tables.queries(QueryLimits.DEFAULT);
            assertThat(queries.ask("SELECT DISTINCT from_interface AS out, hidden_hops AS hidden FROM links_1m"
                                    + " WHERE from_node < 5 ORDER BY ALL")
                            .rows())
                    .containsExactly("{\"out\":1,\"hidden\":0}", "{\"out\":2,\"hidden\":1}");
            assertThat(queries.ask("SELECT from_node AS leaf, to_node AS spine FROM links_1m"
                                    + " WHERE from_node < 5 AND from_interface = 1 ORDER BY ALL")
                            .rows())
                    .containsExactly(
                            "{\"leaf\":1,\"spine\":5}",
                            "{\"leaf\":2,\"spine\":5}",
                            "{\"leaf\":3,\"spine\":5}",
                            "{\"leaf\":4,\"spine\":5}");
            assertThat(queries.ask("SELECT count(*) AS n FROM links_1m WHERE latency IS NULL")
                            .rows())
                    .containsExactly("{\"n\":0}");
            assertThat(queries.ask("SELECT count(*) > 10 AS some FROM flows_1m JOIN paths USING (path_id)"
                                    + " WHERE latency_p50 > 0 AND len(nodes) = 3")
                            .rows())
                    .containsExactly("{\"some\":true}");
        }
    }

    @Test
    void aPlaceWhereNoEventsCanBeWrittenIsOneLine() throws IOException {
        lab("acl-drops");
        Ended ended = run("analyse", "--events", "missing/events.jsonl", "lab.pcap");
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.err()).isEqualTo("pathlore: cannot write missing/events.jsonl: no such directory\n");
    }

    /** The analysis is told all the same. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aFullDiskIsOneLineToo() throws IOException {
        lab("acl-drops");
        Ended ended = run("analyse", "--events", "/dev/full", "lab.pcap");
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.err()).isEqualTo("pathlore: cannot write /dev/full: No space left on device\n");
        assertThat(ended.out()).contains("reason 80");
    }

    @Test
    void countsDropsOfFlows() throws IOException {
        JsonNode truth = lab("acl-drops");
        JsonNode answer = json("--top", "100000", "lab.pcap");
        assertThat(truth.path("reports").path("dropped").asLong()).isPositive();
        assertThat(sum(answer.path("flows"), "drops"))
                .isEqualTo(truth.path("reports").path("dropped").asLong());
        assertThat(sum(answer.path("flows"), "reports"))
                .isEqualTo(truth.path("reports").path("all").asLong());
        assertThat(answer.path("flows")).hasSize(answer.path("flowCount").asInt());
        long before = Long.MAX_VALUE;
        for (JsonNode flow : answer.path("flows")) {
            assertThat(flow.path("drops").asLong()).isLessThanOrEqualTo(before);
            before = flow.path("drops").asLong();
        }
    }

    @Test
    void sameInputSameAnswer() throws IOException {
        lab("microburst", "--duration", "6s");
        Ended first = run("analyse", "lab.pcap");
        assertThat(first.out()).contains("EXPORTER").contains("FLOW");
        assertThat(run("analyse", "lab.pcap").out()).isEqualTo(first.out());
        assertThat(run("analyze", "-o", "json", "lab.pcap").out())
                .isEqualTo(run("analyse", "-o", "json", "lab.pcap").out());
    }

    @Test
    void readsAJournalAsItReadsACapture() throws IOException {
        new JournalFolder(directory.resolve("data/journal"))
                .datagram(3, GoldenVectors.bytes("R9"))
                .datagramV6(2, GoldenVectors.bytes("R7"))
                .datagram(4, new byte[] {1, 2, 3})
                .close();
        Ended exported = run("export", "reports", "--from", "data", "--out", "x.pcap");
        assertThat(exported.status()).as(exported.err()).isZero();
        JsonNode answer = json("data");
        assertThat(answer).isEqualTo(json("x.pcap"));
        assertThat(answer.path("ledger")
                        .path("undecodable")
                        .path("TR_TRUNCATED_HEADER")
                        .asLong())
                .isEqualTo(1);
        assertThat(answer.path("exporters")).hasSize(3);
        assertThat(answer.path("exporters").get(0).path("address").asText()).isEqualTo("10.0.0.3");
    }

    /** Who does not count has no completeness: it is absent, not 1 and not 0. */
    @Test
    void sayNothingOfLossWhereNothingIsNumbered() throws IOException {
        lab("ddos-udp-flood", "--duration", "5s");
        JsonNode exporter = json("--set", "inventory=[{addresses: [10.255.0.1], sequence: none}]", "lab.pcap")
                .path("exporters")
                .get(0);
        assertThat(exporter.path("address").asText()).isEqualTo("10.255.0.1");
        assertThat(exporter.has("completeness")).isFalse();
        assertThat(run("analyse", "lab.pcap", "--set", "inventory=[{addresses: [10.255.0.1], sequence: none}]")
                        .out())
                .containsPattern("10\\.255\\.0\\.1 .* -  ");
    }

    /** The API of a collector, about what is over: in its own time, with the attack that is in it. */
    @Test
    void showsItInThePage() throws Exception {
        JsonNode _ = lab("ddos-udp-flood", "--duration", "20s", "--inventory", "network.yaml");
        Shown shown = new Shown();
        Program program = new Program()
                .in(directory)
                .set("HOME", "/nonexistent")
                .set("TMPDIR", directory.toString())
                .interruptedBy(shown);
        AtomicReference<@Nullable Ended> ended = new AtomicReference<>();
        Thread thread = Thread.ofPlatform()
                .start(() -> ended.set(
                        program.with("analyse", "-o", "json", "--ui", "--config", "network.yaml", "lab.pcap")));
        try {
            Pattern open = Pattern.compile("open (http://127.0.0.1:\\d+/) {3}Ctrl-C ends\n");
            while (!open.matcher(program.errors()).find()) {
                assertThat(thread.isAlive()).as(program.errors()).isTrue();
                Thread.onSpinWait();
            }
            Matcher found = open.matcher(program.errors());
            assertThat(found.find()).isTrue();
            String api = found.group(1) + "api/v1/";
            JsonNode recording = get(api + "status").path("recording");
            assertThat(recording.path("name").asText()).isEqualTo("lab.pcap");
            Instant from = Instant.parse(recording.path("from").asText());
            Instant to = Instant.parse(recording.path("to").asText());
            assertThat(Duration.between(from, to)).isBetween(Duration.ofSeconds(15), Duration.ofSeconds(25));
            String span = "?since=" + from + "&until=" + to;
            assertThat(get(api + "topology" + span).path("nodes").size()).isPositive();
            JsonNode reports = get(api + "reports" + span + "&limit=2").path("items");
            assertThat(reports.size()).isEqualTo(2);
            assertThat(get(api + "reports/" + reports.path(0).path("id").asText() + "?tree=true")
                            .has("tree"))
                    .isTrue();
            JsonNode attack = get(api + "attacks" + span).path("items").path(0);
            assertThat(attack.path("vector").asText()).isEqualTo("udp-flood");
            assertThat(get(api + "attacks/" + attack.path("id").asText() + "/traffic")
                            .path("arrived"))
                    .isNotEmpty();
            JsonNode ledger = get(api + "ledger");
            assertThat(ledger.path("journalled").asLong())
                    .isPositive()
                    .isEqualTo(ledger.path("accepted").asLong());
            assertThat(ledger.path("inFlight").asLong()).isZero();
        } finally {
            shown.end();
            thread.join();
        }
        Ended last = Objects.requireNonNull(ended.get());
        assertThat(last.status()).as(last.err()).isZero();
        assertThat(JSON.readTree(last.out()).path("events")).isNotEmpty();
        try (var kept = Files.list(directory)) {
            assertThat(kept.map(path -> path.getFileName().toString())).noneMatch(name -> name.startsWith("pathlore-"));
        }
    }

    private static JsonNode get(String url) throws IOException {
        try (InputStream in = URI.create(url).toURL().openStream()) {
            return JSON.readTree(in);
        }
    }

    /** Ctrl-C, when somebody has seen enough. */
    private static final class Shown implements Interruption {
        private volatile @Nullable Runnable stop;

        @Override
        public Watch onInterrupt(Runnable then) {
            stop = then;
            return () -> {};
        }

        void end() {
            Runnable now = stop;
            if (now != null) {
                now.run();
            }
        }
    }

    @Test
    void thePageHasItsOwnTablesAndAPort() {
        assertThat(run("analyse", "--ui", "--store", "tables", "lab.pcap").err())
                .contains("--ui: has tables of its own");
        assertThat(run("analyse", "--http-port", "80", "lab.pcap").err()).contains("--http-port: is for the page");
        assertThat(run("analyse", "--ui", "--http-port", "0", "lab.pcap").err()).contains("0 is not in 1 to 65535");
    }

    @Test
    void nothingFoundIsSaid() {
        Ended ended = run("analyse", "nowhere.pcap");
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.err()).contains("nowhere.pcap");
        assertThat(run("analyse").status()).isEqualTo(2);
        assertThat(run("analyse", "--top", "-1", "x").status()).isEqualTo(2);
        assertThat(run("analyse", "-o", "csv", "x").status()).isEqualTo(2);
    }

    @Test
    void ofAFileThatIsNotThereOnlyThatIsSaid() throws Exception {
        Ended ended = run("analyse", "nowhere.pcap");
        assertThat(ended.status()).isEqualTo(ExitCode.RUNTIME);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err())
                .startsWith("pathlore: ")
                .contains("nowhere.pcap")
                .hasLineCount(1);
    }
}
