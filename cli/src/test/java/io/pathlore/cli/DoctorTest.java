package io.pathlore.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pathlore.cli.Program.Ended;
import io.pathlore.cli.doctor.Reason;
import io.pathlore.ingest.JournalDrop;
import io.pathlore.ingest.Rejection;
import io.pathlore.ingest.Shed;
import io.pathlore.model.Fault;
import io.pathlore.model.TimeText;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DoctorTest {
    /** What only the machine shows: tested with it. */
    private static final Set<Reason> OF_THE_MACHINE = EnumSet.of(
            Reason.UNREACHABLE,
            Reason.NOT_A_COLLECTOR,
            Reason.PORT_BUSY,
            Reason.PORT_NOT_BINDABLE,
            Reason.FAMILY_MISSING,
            Reason.HTTP_PORT_BUSY,
            Reason.DATA_NOT_WRITABLE,
            Reason.DISK_LOW,
            Reason.JOURNAL_LOCKED);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private static Ended doctor(CannedCollector collector, String... options) {
        return Program.run(Stream.concat(Stream.of("doctor", "--server", collector.url()), Stream.of(options))
                .toArray(String[]::new));
    }

    @Test
    void allIsGreenWithItsNumbers() throws Exception {
        try (CannedCollector collector = new CannedCollector(directory)) {
            collector
                    .addExporter("10.0.0.3")
                    .put("lastSeen", TimeText.of(CannedCollector.nowNanos() - 11_500_000_000L));
            Ended ended = doctor(collector);

            assertThat(ended.err()).isEmpty();
            assertThat(ended.status()).isZero();
            assertThat(ended.out()).matches("""
                    ok    collector   version 0\\.1\\.0, up 3 h
                    ok    port        0\\.0\\.0\\.0:8555 by recvmmsg
                    ok    packets     1,000 datagrams, 199 KiB; the last 1[1-9] s ago
                    ok    allowed     1,000 accepted
                    ok    decoded     1,000 reports in 1,000 datagrams
                    ok    journalled  1,000 datagrams; 256 MiB in /var/lib/pathlore/journal
                    ok    analysed    1,000 reports; 42 flows
                    """);
        }
    }

    @Test
    void theFirstZeroIsRedAndWhatFollowsIsNotReached() throws Exception {
        try (CannedCollector collector = new CannedCollector(directory)) {
            stopAt(collector, "accepted");
            set(collector.ledger, "rejected." + Rejection.ACL.label(), 1_000);
            refuse(collector, "203.0.113.5", 600);
            refuse(collector, "203.0.113.6", 400);
            Ended ended = doctor(collector);

            assertThat(ended.status()).isEqualTo(1);
            assertThat(ended.out()).endsWith("""
                    ok    packets     1,000 datagrams, 199 KiB
                    FAIL  allowed     all 1,000 datagrams came from addresses that listen.allow does not have: 203.0.113.5 (600), 203.0.113.6 (400)
                                      > to accept them: listen.allow: [private, 203.0.113.5, 203.0.113.6]
                    -     decoded     not reached
                    -     journalled  not reached
                    -     analysed    not reached
                    """);
        }
    }

    /** The terms of the ledger in the order of the way; all from this one on are 0. */
    private static void stopAt(CannedCollector collector, String term) {
        List<String> way =
                List.of("datagramsRead", "accepted", "decodedDatagrams", "reportsSeen", "reportsDecoded", "analysed");
        way.subList(way.indexOf(term), way.size()).forEach(each -> collector.ledger.put(each, 0));
        if (way.indexOf(term) < way.indexOf("decodedDatagrams")) {
            collector.ledger.put("journalled", 0);
        }
    }

    /** Sets what is there already, so that a name that is no longer used fails. */
    private static void set(ObjectNode json, String path, long value) {
        String[] keys = path.split("\\.", -1);
        ObjectNode at = json;
        for (int i = 0; i + 1 < keys.length; i++) {
            at = (ObjectNode) at.get(keys[i]);
        }
        assertThat(at.has(keys[keys.length - 1])).as(path).isTrue();
        at.put(keys[keys.length - 1], value);
    }

    private static void refuse(CannedCollector collector, String address, long datagrams) {
        collector
                .status
                .withObject("/refused")
                .withArray("sources")
                .addObject()
                .put("address", address)
                .put("datagrams", datagrams)
                .put("hint", "");
    }

    private static void journal(
            CannedCollector collector, String state, JournalDrop drop, long dropped, long journalled) {
        collector.status.withObject("/journal").put("state", state).put("detail", "No space left on device");
        set(collector.ledger, "journalDropped." + drop.label(), dropped);
        set(collector.ledger, "journalled", journalled);
    }

    private static void shed(CannedCollector collector, Shed reason, long count) {
        set(collector.ledger, "shed." + reason.label(), count);
        set(collector.ledger, "analysed", 1_000 - count);
    }

    record Case(Reason reason, String stage, boolean warning, Consumer<CannedCollector> change, List<String> words) {
        @Override
        public String toString() {
            return stage + " " + (warning ? "warns of " : "stops by ") + reason;
        }
    }

    private static Case stops(Reason reason, String stage, Consumer<CannedCollector> change, String... words) {
        return new Case(reason, stage, false, change, List.of(words));
    }

    private static Case warns(Reason reason, String stage, Consumer<CannedCollector> change, String... words) {
        return new Case(reason, stage, true, change, List.of(words));
    }

    static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        cases.add(warns(
                Reason.COLLECTOR_WARNS,
                "collector",
                collector -> collector.status.withArray("warnings").add("listen.gro is on"),
                "listen.gro is on"));
        cases.add(stops(
                Reason.NOT_LISTENING,
                "port",
                collector -> collector.status.putArray("listen"),
                "this process does not receive"));
        cases.add(warns(
                Reason.RECEIVE_BUFFER_CAPPED,
                "port",
                collector -> ((ObjectNode) collector.status.at("/listen/0")).put("receiveBufferGranted", 212_992),
                "208 KiB of the 16 MiB",
                "sysctl -w net.core.rmem_max=16777216"));
        cases.add(stops(
                Reason.NOTHING_ARRIVES,
                "packets",
                collector -> stopAt(collector, "datagramsRead"),
                "not one datagram",
                "tcpdump -ni any udp port 8555",
                "firewall",
                "address and port in the exporters",
                "--to 127.0.0.1:8555"));
        cases.add(stops(
                Reason.NOTHING_ARRIVES,
                "packets",
                collector -> {
                    stopAt(collector, "datagramsRead");
                    collector.status.putArray("listen").addObject().put("socket", "127.0.0.1:9555#0");
                    collector.status.withArray("listen").addObject().put("socket", "[::1]:9556#0");
                },
                "it listens on loopback only",
                "tcpdump -ni any udp port 9555 or udp port 9556"));
        cases.add(warns(
                Reason.SILENT,
                "packets",
                collector -> {
                    collector.addExporter("10.0.0.4");
                    collector
                            .addExporter("10.0.0.3")
                            .put("name", "leaf-3")
                            .put("lastSeen", TimeText.of(CannedCollector.nowNanos() - 305_000_000_000L));
                },
                "nothing has come for 5 min; the last was from leaf-3 (10.0.0.3)"));
        cases.add(warns(
                Reason.KERNEL_DROPS,
                "packets",
                collector -> collector.ledger.withObject("/kernelDropped").put("0.0.0.0:8555", 111),
                "111 datagrams (9.99 %)",
                "listen.receive-buffer"));
        cases.add(warns(
                Reason.SEQUENCE_LOSS,
                "packets",
                collector -> {
                    set(collector.ledger, "sequenceLost", 20);
                    collector.addExporter("10.0.0.3").put("lost", 5);
                    collector.addExporter("10.0.0.4").put("lost", 15).put("name", "leaf-4");
                    collector.addExporter("10.0.0.5");
                },
                "20 numbers never came: of leaf-4 (10.0.0.4) 15, 10.0.0.3 5; none was dropped on this machine"));
        cases.add(warns(
                Reason.SEQUENCE_LOSS,
                "packets",
                collector -> {
                    set(collector.ledger, "sequenceLost", 20);
                    collector.ledger.withObject("/kernelDropped").put("0.0.0.0:8555", 25);
                },
                "25 were dropped on this machine, which explains it"));
        cases.add(warns(
                Reason.SEQUENCE_LOSS,
                "packets",
                collector -> {
                    set(collector.ledger, "sequenceLost", 20);
                    set(collector.ledger, "rejected." + Rejection.RATE.label(), 7);
                },
                "at most 7 of them were dropped on this machine; the others"));
        cases.add(warns(
                Reason.SEQUENCE_LOSS,
                "packets",
                collector -> {
                    set(collector.ledger, "sequenceLost", 20);
                    ((ObjectNode) collector.status.at("/listen/0")).remove("kernelDropped");
                },
                "how many the kernel of this machine dropped is not known"));
        refusals(cases);
        decoding(cases);
        journalling(cases);
        publishing(cases);
        serving(cases);
        edges(cases);
        analysis(cases);
        return cases;
    }

    private static void refusals(List<Case> cases) {
        cases.add(warns(
                Reason.NOT_ALLOWED,
                "allowed",
                collector -> {
                    set(collector.ledger, "rejected." + Rejection.ACL.label(), 10);
                    for (int i = 1; i <= 5; i++) {
                        refuse(collector, "203.0.113." + i, i);
                    }
                    refuse(collector, "203.0.113.3", 1); // of another worker
                },
                "10 of 1,000 datagrams came from addresses that listen.allow does not have: 203.0.113.5 (5),"
                        + " 203.0.113.3 (4), 203.0.113.4 (4) and 2 others",
                "listen.allow: [private, 203.0.113.5, 203.0.113.3, 203.0.113.4]"));
        for (Rejection rejection : List.of(Rejection.RATE, Rejection.EMPTY, Rejection.OVERSIZE)) {
            Reason reason = rejection == Rejection.RATE ? Reason.OVER_RATE : Reason.valueOf(rejection.name());
            Consumer<CannedCollector> all = collector -> {
                stopAt(collector, "accepted");
                set(collector.ledger, "rejected." + rejection.label(), 1_000);
                collector.addExporter("10.0.0.3").put("overRate", 1_000);
            };
            cases.add(stops(reason, "allowed", all, "all 1,000 datagrams"));
        }
        cases.add(warns(
                Reason.OVER_RATE,
                "allowed",
                collector -> {
                    set(collector.ledger, "rejected." + Rejection.RATE.label(), 30);
                    collector.addExporter("10.0.0.3").put("overRate", 30);
                },
                "30 of 1,000 datagrams were more than listen.rate-limit lets an exporter send: of 10.0.0.3 30"));
        cases.add(stops(
                Reason.QUEUE_FULL,
                "allowed",
                collector -> {
                    stopAt(collector, "accepted");
                    set(collector.ledger, "queueDropped", 900);
                    set(collector.ledger, "rejected." + Rejection.EMPTY.label(), 100);
                },
                "900 of 1,000 datagrams were read and dropped"));
        cases.add(stops(
                Reason.STUCK,
                "allowed",
                collector -> {
                    stopAt(collector, "accepted");
                    set(collector.ledger, "inFlight", 1_000);
                },
                "1,000 wait between threads"));
    }

    private static void decoding(List<Case> cases) {
        String version = Fault.TR_UNKNOWN_VERSION.name();
        cases.add(stops(
                Reason.UNDECODABLE,
                "decoded",
                collector -> {
                    stopAt(collector, "decodedDatagrams");
                    collector
                            .ledger
                            .withObject("/undecodable")
                            .put(version, 990)
                            .put("TR_EMPTY", 10);
                    collector.addExporter("10.0.0.3").put("undecodable", 1_000);
                },
                "all 1,000 datagrams are no reports that can be read: 990 of them TR_UNKNOWN_VERSION, the version is not"
                        + " 0, 1 or 2 [TR 2.0 §3.2]; of 10.0.0.3 1,000",
                "tcpdump -ni any -c 100 -w reports.pcap udp port 8555",
                "pathlore check --port 8555 reports.pcap"));
        cases.add(warns(
                Reason.UNDECODABLE,
                "decoded",
                collector -> collector.ledger.withObject("/undecodable").put("TR99_OF_THE_FUTURE", 5),
                "5 (0.50 %) of 1,000 datagrams are no reports that can be read: TR99_OF_THE_FUTURE; the exporters"));
        cases.add(stops(
                Reason.REPORTS_REJECTED,
                "decoded",
                collector -> {
                    set(collector.ledger, "reportsDecoded", 0);
                    set(collector.ledger, "analysed", 0);
                    collector.ledger.withObject("/undecodable").put(version, 5);
                    collector.ledger.withObject("/reportsRejected").put(Fault.TR20_MD_LENGTH_MISMATCH.name(), 1_000);
                    collector.addExporter("10.0.0.3").put("rejectedReports", 1_000);
                },
                "all 1,000 reports were rejected: TR20_MD_LENGTH_MISMATCH, MD Length is not what the bitmaps ask for"
                        + " [TR 2.0 §3.3.1]; of 10.0.0.3 1,000",
                "pathlore check"));
    }

    private static void kafka(CannedCollector collector, String state, double behind, long missed) {
        collector
                .status
                .putObject("kafka")
                .put("bootstrap", "broker:9092")
                .putObject("datagrams")
                .put("topic", "pathlore.datagrams.v1")
                .put("state", state)
                .put("detail", "Topic pathlore.datagrams.v1 not present in metadata")
                .put("published", 990)
                .put("waiting", 10)
                .put("missed", missed)
                .put("behindSeconds", behind);
    }

    private static void publishing(List<Case> cases) {
        cases.add(stops(
                Reason.KAFKA_FAILS,
                "published",
                collector -> kafka(collector, "error", 0, 0),
                "nothing can be published to broker:9092: Topic pathlore.datagrams.v1 not present in metadata",
                "kafka-topics.sh --bootstrap-server broker:9092",
                "kafka.properties"));
        cases.add(stops(
                Reason.KAFKA_SILENT,
                "published",
                collector -> kafka(collector, "silent", 20, 0),
                "10 datagrams sent to broker:9092, and no broker says that they arrived"));
        cases.add(warns(
                Reason.KAFKA_CONNECTING,
                "published",
                collector -> kafka(collector, "connecting", 0, 0),
                "no broker has answered yet at broker:9092"));
        cases.add(warns(
                Reason.KAFKA_BEHIND,
                "published",
                collector -> kafka(collector, "ok", 90, 0),
                "what is published now was received 90 s ago"));
        cases.add(warns(
                Reason.KAFKA_MISSED,
                "published",
                collector -> kafka(collector, "ok", 0, 7),
                "7 could not be kept until they were published to pathlore.datagrams.v1",
                "journal.keep"));
    }

    private static void serves(CannedCollector collector, String state, long rejected, String tables) {
        collector.status.remove("listen");
        collector.status.put("serves", "/var/lib/pathlore-serve");
        collector
                .status
                .putObject("store")
                .put("directory", "/var/lib/pathlore-serve/store")
                .put("state", tables)
                .put("detail", "the disk is full");
        collector
                .status
                .putObject("kafka")
                .put("bootstrap", "broker:9092")
                .putObject("read")
                .put("state", state)
                .put("detail", "there is no topic pathlore.rollups.v1")
                .put("events", 3)
                .put("rollups", 4_000)
                .put("rejected", rejected)
                .put("missed", 0)
                .put("waiting", 7);
    }

    private static void serving(List<Case> cases) {
        cases.add(stops(
                Reason.KAFKA_FAILS,
                "read",
                collector -> serves(collector, "error", 0, "ok"),
                "nothing can be read from broker:9092: there is no topic pathlore.rollups.v1",
                "kafka-topics.sh --bootstrap-server broker:9092"));
        cases.add(stops(
                Reason.TABLES_FAIL,
                "stored",
                collector -> serves(collector, "ok", 0, "failed"),
                "the tables in /var/lib/pathlore-serve/store cannot be used now: the disk is full"));
        cases.add(warns(
                Reason.KAFKA_REJECTED,
                "read",
                collector -> serves(collector, "ok", 2, "ok"),
                "2 records read from broker:9092 are not known to this program"));
    }

    private static void servesEdges(CannedCollector collector, String... edges) {
        serves(collector, "ok", 0, "ok");
        ArrayNode all = collector.status.putArray("edges");
        for (String edge : edges) {
            all.add(CannedCollector.object(edge));
        }
    }

    private static void edges(List<Case> cases) {
        String good = "{\"name\":\"north\",\"url\":\"http://10.0.0.1:8080\",\"state\":\"ok\"}";
        cases.add(warns(
                Reason.EDGES_UNKNOWN,
                "reports",
                collector -> servesEdges(collector),
                "nobody has said where the collectors are",
                "edges: [{ name: …, url: …, token-file: … }]"));
        cases.add(stops(
                Reason.EDGE_FAILS,
                "reports",
                collector -> servesEdges(
                        collector,
                        good,
                        "{\"name\":\"south\",\"url\":\"http://10.0.0.2:8080\",\"state\":\"error\",\"detail\":\"no\"}"),
                "edge south cannot be asked: no",
                "pathlore doctor --server http://10.0.0.2:8080"));
        cases.add(stops(
                Reason.EDGE_CONNECTING,
                "reports",
                collector -> servesEdges(
                        collector, good, "{\"name\":\"south\",\"url\":\"http://10.0.0.2\",\"state\":\"connecting\"}"),
                "edge south has not answered yet",
                "ask again in a few seconds"));
    }

    private static void journalling(List<Case> cases) {
        cases.add(stops(
                Reason.JOURNAL_FULL,
                "journalled",
                collector -> journal(collector, "full", JournalDrop.FULL, 1_000, 0),
                "the disk of the journal is full (No space left on device); all 1,000 datagrams",
                "df -h /var/lib/pathlore/journal",
                "journal.keep-bytes"));
        cases.add(stops(
                Reason.JOURNAL_FULL,
                "journalled",
                collector -> {
                    set(collector.ledger, "journalDropped." + JournalDrop.SLOW.label(), 500);
                    journal(collector, "full", JournalDrop.FULL, 100, 400);
                },
                "is full (No space left on device); 100 (10.00 %) of 1,000 datagrams"));
        cases.add(warns(
                Reason.JOURNAL_FULL,
                "journalled",
                collector -> journal(collector, "ok", JournalDrop.FULL, 10, 990),
                "the disk of the journal was full; 10 (1.00 %) of 1,000"));
        cases.add(stops(
                Reason.JOURNAL_ERROR,
                "journalled",
                collector -> journal(collector, "error", JournalDrop.ERROR, 1_000, 0),
                "the journal cannot be written (No space left on device); all 1,000",
                "ls -ld /var/lib/pathlore/journal"));
        cases.add(stops(
                Reason.JOURNAL_SLOW,
                "journalled",
                collector -> journal(collector, "ok", JournalDrop.SLOW, 1_000, 0),
                "the disk was too slow for the journal; all 1,000"));
        cases.add(warns(
                Reason.JOURNAL_DAMAGED,
                "journalled",
                collector -> collector.status.withObject("/journal").put("damaged", 2),
                "2 places in the journal are damaged"));
    }

    private static void analysis(List<Case> cases) {
        cases.add(stops(
                Reason.SHED_OVERLOAD,
                "analysed",
                collector -> shed(collector, Shed.OVERLOAD, 1_000),
                "all 1,000 reports were not analysed",
                "analysis.shards"));
        cases.add(warns(
                Reason.SHED_OVERLOAD,
                "analysed",
                collector -> shed(collector, Shed.OVERLOAD, 1),
                "1 (0.10 %) of 1,000 reports"));
        cases.add(stops(
                Reason.SHED_LATE, "analysed", collector -> shed(collector, Shed.LATE, 1_000), "analysis.lateness"));
        cases.add(stops(
                Reason.SHED_BINDING,
                "analysed",
                collector -> shed(collector, Shed.BINDING, 1_000),
                "listen.binding is enforce",
                "{ node: N, addresses: [A, B] }"));
        cases.add(stops(
                Reason.SHED_SELF,
                "analysed",
                collector -> shed(collector, Shed.SELF, 1_000),
                "about the report packets themselves",
                "UDP port 8555"));
        cases.add(stops(
                Reason.ALL_DUPLICATES,
                "analysed",
                collector -> {
                    set(collector.ledger, "analysed", 0);
                    set(collector.ledger, "duplicates", 1_000);
                },
                "all 1,000 reports had been seen before"));
        cases.add(warns(
                Reason.FLOWS_EVICTED,
                "analysed",
                collector -> collector.status.withObject("/engine").put("flowsEvicted", 7),
                "7 flows had to make room"));
        cases.add(warns(
                Reason.OPERATORS_SKIPPED,
                "analysed",
                collector -> collector.status.withObject("/engine").put("operatorsSkipped", 5),
                "no events were looked for"));
        cases.add(warns(
                Reason.BINDING_VIOLATIONS,
                "analysed",
                collector -> {
                    collector.status.withObject("/binding").put("violations", 9);
                    collector.addExporter("10.0.0.66").put("suspected", true);
                },
                "9 datagrams spoke for a node that another address spoke for first; suspected: 10.0.0.66"));
        cases.add(warns(
                Reason.BINDING_VIOLATIONS,
                "analysed",
                collector -> collector.status.withObject("/binding").put("unknown", 9),
                "no room to remember"));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyReasonIsToldApart(Case wanted) throws Exception {
        try (CannedCollector collector = new CannedCollector(directory)) {
            wanted.change.accept(collector);
            Ended ended = doctor(collector, "-o", "json");
            JsonNode json = new JsonMapper().readTree(ended.out());

            assertThat(ended.status()).as(ended.err()).isEqualTo(wanted.warning ? 0 : 1);
            assertThat(json.path("server").asText()).isEqualTo(collector.url());
            assertThat(json.path("verdict").asText()).isEqualTo(wanted.warning ? "fine" : "trouble");
            JsonNode stage = stage(json, wanted.stage);
            JsonNode trouble = wanted.warning ? warning(stage, wanted.reason, wanted.words.getFirst()) : stage;
            assertThat(stage.path("state").asText()).isEqualTo(wanted.warning ? "green" : "red");
            assertThat(trouble.path("reason").asText()).isEqualTo(wanted.reason.label());
            assertThat(trouble.path("text").asText() + trouble.path("remedies")).contains(wanted.words);
            String text = doctor(collector).out();
            assertThat(text).contains("  " + trouble.path("text").asText() + "\n");
            trouble.path("remedies").forEach(remedy -> assertThat(text).contains("> " + remedy.asText() + "\n"));
            if (!wanted.warning && !wanted.stage.equals("journalled")) {
                assertGreyBehind(json, wanted.stage);
            }
        }
    }

    private static JsonNode stage(JsonNode json, String name) {
        for (JsonNode stage : json.path("stages")) {
            if (stage.path("stage").asText().equals(name)) {
                return stage;
            }
        }
        throw new AssertionError("no stage " + name + " in " + json);
    }

    private static JsonNode warning(JsonNode stage, Reason reason, String words) {
        for (JsonNode warning : stage.path("warnings")) {
            if (warning.path("reason").asText().equals(reason.label())
                    && warning.path("text").asText().contains(words)) {
                return warning;
            }
        }
        throw new AssertionError("no " + reason + " about " + words + " in " + stage);
    }

    private static void assertGreyBehind(JsonNode json, String name) {
        String state = "green";
        for (JsonNode stage : json.path("stages")) {
            boolean here = stage.path("stage").asText().equals(name);
            boolean after = state.equals("grey") && name.equals("read"); // what was stored is served all the same
            assertThat(stage.path("state").asText()).isEqualTo(here ? "red" : after ? "green" : state);
            state = here ? "grey" : state;
        }
        boolean served = name.equals("read") || name.equals("stored");
        int count = name.equals("reports") ? 4 : served ? 3 : name.equals("published") ? 8 : 7;
        assertThat(json.path("stages")).hasSize(count);
    }

    @Test
    void noReasonIsLeftUntested() {
        Set<Reason> tested = EnumSet.copyOf(OF_THE_MACHINE);
        cases().forEach(each -> tested.add(each.reason));
        assertThat(tested).isEqualTo(EnumSet.allOf(Reason.class));
    }

    @Test
    void thePageHasEveryReason() throws IOException {
        Path page = Path.of("..", "docs", "reference", "cli.md");
        assumeTrue(Files.exists(page));
        String text = Files.readString(page);
        assertThat(Reason.values()).allSatisfy(reason -> assertThat(text).contains("`" + reason.label() + "`"));
    }

    @Test
    void aJournalThatFailsDoesNotHideTheAnalysis() throws Exception {
        try (CannedCollector collector = new CannedCollector(directory)) {
            journal(collector, "full", JournalDrop.FULL, 1_000, 0);
            assertThat(doctor(collector).lines()).contains("ok    analysed    1,000 reports; 42 flows");
        }
    }

    @Test
    void aJournalThatIsOffIsFine() throws Exception {
        try (CannedCollector collector = new CannedCollector(directory)) {
            collector.status.withObject("/journal").put("enabled", false);
            collector.ledger.remove(List.of("journalled", "journalDropped"));
            Ended ended = doctor(collector);
            assertThat(ended.status()).isZero();
            assertThat(ended.lines())
                    .contains("ok    journalled  the journal is off: nothing is kept to look at again");
        }
    }

    /** The collector says both, and the doctor has words of its own. */
    @Test
    void nothingIsSaidTwice() throws Exception {
        try (CannedCollector collector = new CannedCollector(directory)) {
            collector
                    .status
                    .withArray("warnings")
                    .add(
                            "receive buffer of 0.0.0.0:8555 capped by the kernel: asked=1 granted=0; raise it with: sysctl -w"
                                    + " net.core.rmem_max=1")
                    .add(
                            "datagrams from 203.0.113.5 are refused; to accept them: listen.allow: [private, 203.0.113.5]");
            assertThat(doctor(collector).out()).doesNotContain("warn");
        }
    }

    @Test
    void greenAndRedAreColoursOnATerminal() throws Exception {
        try (CannedCollector collector = new CannedCollector(directory)) {
            stopAt(collector, "datagramsRead");
            String out = new Program()
                    .onTerminal()
                    .with("doctor", "--server", collector.url())
                    .out();
            assertThat(out)
                    .contains(
                            "\u001b[32mok\u001b[0m    port",
                            "\u001b[31mFAIL\u001b[0m  packets",
                            "\u001b[2m-\u001b[0m     ");
        }
    }

    @Test
    void whoeverAnswersOtherwiseIsNoCollector() throws Exception {
        for (String body : List.of("<html>", "{\"version\":\"1\"}", "{\"version\":\"1\",\"listen\":[]}")) {
            try (Stranger stranger = Stranger.saying(200, "text/html", body)) {
                Ended ended = new Program()
                        .in(directory)
                        .with(
                                "doctor",
                                "--server",
                                stranger.url(),
                                "-o",
                                "json",
                                "--set",
                                "data=" + directory,
                                "--set",
                                "http.port=" + stranger.port(),
                                "--set",
                                "listen.addresses=127.0.0.1",
                                "--set",
                                "listen.ports=" + freeUdpPort());
                JsonNode json = new JsonMapper().readTree(ended.out());

                assertThat(ended.status()).isEqualTo(1);
                assertThat(stage(json, "collector").path("reason").asText()).isEqualTo("not-a-collector");
                assertThat(json.path("machine").toString())
                        .contains(
                                "http-port-busy",
                                "(process " + ProcessHandle.current().pid() + ")");
            }
        }
        try (Stranger strict = Stranger.saying(403, "application/problem+json", "{\"detail\":\"not you\"}")) {
            Ended ended = Program.run("doctor", "--server", strict.url());
            assertThat(ended.status()).isEqualTo(4);
            assertThat(ended.out()).isEmpty();
            assertThat(ended.err()).isEqualTo("pathlore: " + strict.url() + ": not authorised: not you\n");
        }
    }

    private static int freeUdpPort() throws IOException {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0))) {
            return socket.getLocalPort();
        }
    }

    private static int freeTcpPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }

    @Test
    void withoutACollectorTheMachineIsLookedAt() throws Exception {
        int http = freeTcpPort();
        int udp = freeUdpPort();
        String[] args = {
            "doctor",
            "--set",
            "http.port=" + http,
            "--set",
            "listen.addresses=127.0.0.1",
            "--set",
            "listen.ports=" + udp,
            "--set",
            "data=" + directory
        };
        Ended free = new Program().in(directory).with(args);
        assertThat(free.status()).as(free.out()).isEqualTo(5);
        assertThat(free.lines())
                .startsWith(
                        "FAIL  collector   http://127.0.0.1:" + http + ": connection refused: nobody listens there",
                        "                  > nothing stands in its way here; start it: pathlore collect")
                .contains(
                        "-     analysed    not reached",
                        "This machine:",
                        "ok    udp port    " + udp + " is free",
                        "ok    http port   " + http + " is free",
                        "ok    data        " + directory,
                        "ok    journal     none yet in " + directory.resolve("journal"));

        try (DatagramSocket taken =
                new DatagramSocket(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), udp))) {
            assertThat(taken.isBound()).isTrue();
            Ended busy = new Program().in(directory).with(args);
            assertThat(busy.status()).isEqualTo(1);
            assertThat(busy.out())
                    .contains("                  > what this machine shows is below\n")
                    .containsPattern("FAIL  udp port    UDP port " + udp + " is taken by .*\\(process "
                            + ProcessHandle.current().pid() + "\\)");
        }
    }

    /** What is free or busy here explains nothing about another machine. */
    @Test
    void anotherMachineIsNotLookedForHere() {
        Ended ended = Program.run("doctor", "--server", "http://no-such-host.invalid:8080");
        assertThat(ended.status()).isEqualTo(5);
        assertThat(ended.lines())
                .startsWith(
                        "FAIL  collector   http://no-such-host.invalid:8080: there is no host of this name",
                        "                  > is the collector up, and does a firewall let TCP port 8080 through?");
        assertThat(ended.out()).doesNotContain("This machine:");
    }

    @Test
    void csvIsNotForADiagnosis() {
        assertThat(Program.run("doctor", "-o", "csv").err())
                .startsWith("pathlore doctor: --output: csv is not for a diagnosis; text or json is\n");
    }
}
