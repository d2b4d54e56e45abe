package io.pathlore.cli.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.ingest.pcap.CaptureReader;
import io.pathlore.testkit.vectors.GoldenVectors;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportRoutesTest {
    /** Version 0.5, a drop by reason 80 at node 257. */
    private static final byte[] DROP = GoldenVectors.bytes("R2");

    /** Version 0.5, of node 257 too. */
    private static final byte[] LOCAL = GoldenVectors.bytes("R1");

    /** Version 2.0, three reports in one datagram. */
    private static final byte[] THREE = GoldenVectors.bytes("R11");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private static byte[][] many(int count, IntFunction<byte[]> each) {
        return IntStream.range(0, count).mapToObj(each).toArray(byte[][]::new);
    }

    private static List<String> ids(JsonNode answer) {
        List<String> ids = new ArrayList<>();
        answer.path("items").forEach(item -> ids.add(item.path("id").asText()));
        return ids;
    }

    @Test
    void reportsAreDecodedFromTheJournalWhileItIsWritten() throws Exception {
        try (ServedCollector collector = new ServedCollector(directory)) {
            assertThat(collector.get("/api/v1/reports").path("items")).isEmpty();
            collector.send(LOCAL, DROP);
            JsonNode answer = collector.get("/api/v1/reports");
            assertThat(answer.path("items")).hasSize(2);
            JsonNode drop = answer.path("items").path(1);
            assertThat(drop.path("metadata").path("dropReason").asInt()).isEqualTo(80);
            assertThat(drop.path("exporter").path("address").asText()).isEqualTo("127.0.0.1");
            assertThat(drop.has("frame")).isFalse();
            assertThat(drop.has("raw")).isFalse();
            assertThat(drop.path("id").asText()).matches("[0-9a-f]{16}-[0-9]+-0");
            assertThat(answer.path("scanned").path("datagrams").asInt()).isEqualTo(2);
            assertThat(answer.has("next")).isFalse();
        }
    }

    @Test
    void theyAreFilteredByTheLanguageOfFilters() throws Exception {
        try (ServedCollector collector = new ServedCollector(directory)) {
            collector.send(LOCAL, DROP, LOCAL, new byte[] {0x70, 1, 2, 3});
            JsonNode drops = collector.get(
                    "/api/v1/reports?filter=" + ServedCollector.encoded("dropped and drop.reason = acl_deny"));
            assertThat(drops.path("items")).hasSize(1);
            assertThat(drops.path("scanned").path("reports").asInt()).isEqualTo(4);
            JsonNode bad = collector.get("/api/v1/reports?filter=" + ServedCollector.encoded("error like TR_*"));
            assertThat(bad.path("items").path(0).path("error").asText()).isEqualTo("TR_UNKNOWN_VERSION");
            JsonNode slip = collector.get("/api/v1/reports?filter=" + ServedCollector.encoded("node = 3 and dropt"));
            assertThat(slip.path("status").asInt()).isEqualTo(400);
            assertThat(slip.path("detail").asText()).startsWith("filter: unknown field 'dropt'");
            assertThat(slip.path("place").asText()).isEqualTo("node = 3 and dropt\n             ^~~~~");
        }
    }

    @Test
    void aReportIsFoundByItsIdWithItsBytes() throws Exception {
        try (ServedCollector collector = new ServedCollector(directory)) {
            collector.send(LOCAL, THREE);
            List<String> ids = ids(collector.get("/api/v1/reports"));
            assertThat(ids).hasSize(4);
            assertThat(ids.get(3)).isEqualTo(ids.get(1).replaceAll("-0$", "-2"));
            for (String id : ids) {
                JsonNode report = collector.get("/api/v1/reports/" + id);
                assertThat(report.path("id").asText()).isEqualTo(id);
            }
            JsonNode last = collector.get("/api/v1/reports/" + ids.get(3));
            assertThat(last.path("report").path("index").asInt()).isEqualTo(2);
            assertThat(last.path("raw").asText()).isEqualTo(HexFormat.of().formatHex(THREE));
            assertThat(status(collector, "/api/v1/reports/" + ids.get(3).replaceAll("-2$", "-3")))
                    .isEqualTo(404);
            assertThat(status(collector, "/api/v1/reports/0123456789abcdef-0-0"))
                    .isEqualTo(404);
            assertThat(status(collector, "/api/v1/reports/17")).isEqualTo(400);
        }
    }

    /** Leaves as {@code offset+length name: value}. */
    private static List<String> leaves(JsonNode node) {
        List<String> leaves = new ArrayList<>();
        if (node.has("children")) {
            node.path("children").forEach(child -> leaves.addAll(leaves(child)));
        } else {
            leaves.add(node.path("offset").asInt() + "+" + node.path("length").asInt() + " "
                    + node.path("name").asText() + ": " + node.path("value").asText());
        }
        return leaves;
    }

    @Test
    void aReportComesAsATreeOfFieldsWithTheirBytesWhereItIsAskedFor() throws Exception {
        try (ServedCollector collector = new ServedCollector(directory)) {
            collector.send(DROP, THREE);
            List<String> ids = ids(collector.get("/api/v1/reports"));
            JsonNode drop = collector.get("/api/v1/reports/" + ids.get(0) + "?tree=true");
            assertThat(drop.path("metadata").path("dropReason").asInt()).isEqualTo(80);
            assertThat(drop.path("tree").path("name").asText()).isEqualTo("Telemetry Report");
            assertThat(drop.path("tree").path("length").asInt()).isEqualTo(DROP.length);
            assertThat(leaves(drop.path("tree"))).contains("12+4 Switch id: 257", "21+1 Drop reason: 80");
            JsonNode second = collector.get("/api/v1/reports/" + ids.get(2) + "?tree=true");
            assertThat(second.path("tree")
                            .path("children")
                            .path(1)
                            .path("value")
                            .asText())
                    .isEqualTo("report 2");
            for (String plain : List.of("", "?tree=false")) {
                assertThat(collector
                                .get("/api/v1/reports/" + ids.get(0) + plain)
                                .has("tree"))
                        .as(plain)
                        .isFalse();
            }
        }
    }

    private static List<String> marks(JsonNode node) {
        List<String> marks = new ArrayList<>();
        if (node.has("warning")) {
            marks.add(node.path("name").asText() + " at " + node.path("offset").asInt() + ", "
                    + node.path("warning").asText());
        }
        node.path("children").forEach(child -> marks.addAll(marks(child)));
        return marks;
    }

    /** Of O1: D, Q and F stand where RepMdBits reaches too, and D begins there. */
    @Test
    void whatWasNoticedStandsAtTheFieldThatBeginsThere() throws Exception {
        try (ServedCollector collector = new ServedCollector(directory)) {
            collector.send(GoldenVectors.bytes("O1"), GoldenVectors.bytes("T1"), LOCAL);
            List<String> ids = ids(collector.get("/api/v1/reports"));
            List<List<String>> marks = new ArrayList<>();
            for (String id : ids) {
                marks.add(marks(
                        collector.get("/api/v1/reports/" + id + "?tree=true").path("tree")));
            }
            assertThat(marks.get(0))
                    .containsExactly(
                            "D at 2, A-47: D, Q, F at bits 17-19 instead of 23-25",
                            "Ver at 62, A-48: INT 1.0 header with version 0");
            assertThat(marks.get(1))
                    .contains(
                            "Ver at 0, A-32: sequence number in the upper 16 of 22 bits",
                            "RepType at 8, A-28: RepType 0 with INT contents and constant lengths;"
                                    + " A-29: InType says IP, an Ethernet header is there",
                            "Length at 87, A-31: shim Length counts the shim")
                    .hasSize(4);
            assertThat(marks.get(2)).isEmpty();
        }
    }

    @Test
    void aRejectedReportShowsHowFarItWasUnderstood() throws Exception {
        byte[] overrun = THREE.clone();
        int third = third(overrun);
        overrun[third + 1] = (byte) 200; // Report Length, in words
        try (ServedCollector collector = new ServedCollector(directory)) {
            collector.send(overrun, new byte[] {0x70, 1, 2, 3});
            List<String> ids = ids(collector.get("/api/v1/reports"));
            JsonNode last = collector.get("/api/v1/reports/" + ids.get(2) + "?tree=true");
            assertThat(last.path("error").asText()).isEqualTo("TR20_REPORT_LENGTH_OVERRUN");
            JsonNode parts = last.path("tree").path("children");
            assertThat(parts).hasSize(3);
            assertThat(parts.path(0).path("name").asText()).isEqualTo("Telemetry Report");
            JsonNode wrong = parts.path(2);
            assertThat(wrong.path("name").asText()).isEqualTo("TR20_REPORT_LENGTH_OVERRUN");
            assertThat(wrong.path("offset").asInt())
                    .isEqualTo(last.path("offset").asInt());
            assertThat(wrong.path("offset").asInt() + wrong.path("length").asInt())
                    .isEqualTo(overrun.length);
            assertThat(wrong.path("warning").asText()).contains("Report Length reaches beyond the datagram");

            JsonNode unknown = collector.get("/api/v1/reports/" + ids.get(3) + "?tree=true");
            assertThat(leaves(unknown.path("tree")))
                    .containsExactly("0+4 TR_UNKNOWN_VERSION: TR 2.0 §3.2: the version is not 0, 1 or 2");
        }
    }

    /** Where the third of three reports begins: each says how many words follow its first. */
    private static int third(byte[] group) {
        int at = 8;
        for (int i = 0; i < 2; i++) {
            at += 4 + 4 * group[at + 1];
        }
        return at;
    }

    @Test
    void oneReportComesAsACaptureOfItsDatagram() throws Exception {
        try (ServedCollector collector = new ServedCollector(directory)) {
            collector.send(LOCAL, THREE);
            String id = ids(collector.get("/api/v1/reports")).get(2);
            HttpResponse<byte[]> answer =
                    collector.get("/api/v1/reports/" + id + "?format=pcap", BodyHandlers.ofByteArray());
            assertThat(frames(answer.body())).isEqualTo(1);
            assertThat(HexFormat.of().formatHex(answer.body()))
                    .contains(HexFormat.of().formatHex(THREE));
            for (String query : List.of("tree=yes", "format=csv", "tree=true&format=pcap", "raw=true")) {
                assertThat(status(collector, "/api/v1/reports/" + id + "?" + query))
                        .as(query)
                        .isEqualTo(400);
            }
            assertThat(status(collector, "/api/v1/reports/0123456789abcdef-0-0?format=pcap"))
                    .isEqualTo(404);
        }
    }

    @Test
    void pagesFollowEachOtherWithoutGapOrRepetitionFromEitherEnd() throws Exception {
        try (ServedCollector collector = new ServedCollector(directory)) {
            collector.send(many(300, i -> i % 3 == 0 ? THREE : DROP));
            List<String> all = ids(collector.get("/api/v1/reports"));
            assertThat(all).hasSize(500).doesNotHaveDuplicates();
            assertThat(pages(collector, "/api/v1/reports?limit=7")).isEqualTo(all);
            assertThat(pages(collector, "/api/v1/reports?order=newest&limit=7")).isEqualTo(all.reversed());
            assertThat(ids(collector.get("/api/v1/reports?order=newest&limit=2")))
                    .isEqualTo(all.reversed().subList(0, 2));
        }
    }

    @Test
    void theNewestComeFirstAlsoWhenNothingWasReceivedSinceTheStart() throws Exception {
        List<String> all;
        try (ServedCollector collector = new ServedCollector(directory)) {
            collector.send(LOCAL, THREE);
            all = ids(collector.get("/api/v1/reports"));
        }
        try (ServedCollector collector = new ServedCollector(directory)) {
            assertThat(ids(collector.get("/api/v1/reports?order=newest")))
                    .hasSize(4)
                    .isEqualTo(all.reversed());
        }
    }

    private static List<String> pages(ServedCollector collector, String first) throws IOException {
        List<String> ids = new ArrayList<>();
        JsonNode page = collector.get(first);
        while (true) {
            ids.addAll(ids(page));
            if (!page.has("next") || ids.size() > 10_000) {
                return ids;
            }
            page = collector.get(
                    "/api/v1/reports?limit=5&cursor=" + page.path("next").asText());
        }
    }

    /** A question that takes too much work is answered with where to go on, also where nothing was found yet. */
    @Test
    void anAnswerEndsWhenItWasTooMuchWork() throws Exception {
        try (ServedCollector collector = new ServedCollector(directory)) {
            collector.send(many(801, i -> i == 400 ? DROP : LOCAL));
            ReportRoutes routes =
                    new ReportRoutes(collector.process().collector(), new ReportPage.Budget(20_000, Long.MAX_VALUE));
            try (routes) {
                for (String order : List.of("oldest", "newest")) {
                    ReportPages pages = new ReportPages(routes, "dropped", order);
                    assertThat(pages.found).as(order).hasSize(1);
                    assertThat(pages.empty).as(order).isGreaterThan(1);
                }
            }
        }
    }

    /** All pages of one question. */
    private static final class ReportPages {
        private final Set<String> found = new HashSet<>();
        private int empty;

        ReportPages(ReportRoutes routes, String filter, String order) throws Exception {
            String cursor = "";
            for (int page = 0; page < 1_000; page++) {
                JsonNode answer = Asking.list(routes, filter, order, cursor);
                found.addAll(ids(answer));
                empty += answer.path("items").isEmpty() ? 1 : 0;
                cursor = answer.path("next").asText("");
                if (cursor.isEmpty()) {
                    return;
                }
            }
            throw new AssertionError("it does not end");
        }
    }

    @Test
    void aCaptureHasTheDatagramsOfTheReportsThatMatch() throws Exception {
        try (ServedCollector collector = new ServedCollector(directory)) {
            collector.send(LOCAL, DROP, LOCAL, DROP, DROP);
            HttpResponse<byte[]> answer =
                    collector.get("/api/v1/reports?format=pcap&filter=dropped&limit=2", BodyHandlers.ofByteArray());
            assertThat(answer.headers().firstValue("Content-Disposition").orElse(""))
                    .contains("reports.pcap");
            String next = answer.headers().firstValue("Pathlore-Next").orElse("");
            assertThat(frames(answer.body())).isEqualTo(2);
            HttpResponse<byte[]> rest = collector.get(
                    "/api/v1/reports?format=pcap&filter=dropped&cursor=" + next, BodyHandlers.ofByteArray());
            assertThat(frames(rest.body())).isEqualTo(1);
            assertThat(rest.headers().firstValue("Pathlore-Next")).isEmpty();
        }
    }

    private int frames(byte[] capture) throws Exception {
        Path file = directory.resolve("some.pcap");
        Files.write(file, capture);
        int frames = 0;
        try (CaptureReader reader = CaptureReader.open(file)) {
            while (reader.next()) {
                frames++;
            }
        }
        return frames;
    }

    @Test
    void spansOfTimeAreThoseOfReceiving() throws Exception {
        try (ServedCollector collector = new ServedCollector(directory)) {
            collector.send(LOCAL);
            JsonNode first = collector.get("/api/v1/reports").path("items").path(0);
            collector.send(DROP);
            String time = first.path("time").asText();
            assertThat(ids(collector.get("/api/v1/reports?until=" + time))).isEmpty();
            assertThat(ids(collector.get("/api/v1/reports?order=newest&until=" + time)))
                    .isEmpty();
            assertThat(ids(collector.get("/api/v1/reports?since=" + time))).hasSize(2);
            assertThat(ids(collector.get("/api/v1/reports?since=1h&until=now"))).hasSize(2);
            assertThat(ids(collector.get("/api/v1/reports?since=1h&until=30m"))).isEmpty();
        }
    }

    @Test
    void whatCannotBeUnderstoodIsRefused() throws Exception {
        try (ServedCollector collector = new ServedCollector(directory)) {
            for (String query : List.of(
                    "limit=0",
                    "limit=10001",
                    "cursor=x",
                    "cursor=o.1.0.0.0",
                    "raw=yes",
                    "format=csv",
                    "order=best",
                    "order=newest&format=pcap",
                    "since=yesterday",
                    "since=1m&until=2m",
                    "filter=kind%20%3D%20drops",
                    "what=1")) {
                assertThat(status(collector, "/api/v1/reports?" + query))
                        .as(query)
                        .isEqualTo(400);
            }
            for (String query : List.of("rate=0", "rate=1001", "limit=5", "filter=(")) {
                assertThat(status(collector, "/api/v1/stream/reports?" + query))
                        .as(query)
                        .isEqualTo(400);
            }
        }
    }

    @Test
    void withoutAJournalTheLineToChangeIsTold() throws Exception {
        try (ServedCollector collector = new ServedCollector(directory, "journal.enabled=false")) {
            for (String path : List.of("reports", "reports/0123456789abcdef-0-0", "stream/reports")) {
                JsonNode answer = collector.get("/api/v1/" + path);
                assertThat(answer.path("status").asInt()).as(path).isEqualTo(409);
                assertThat(answer.path("detail").asText()).contains("journal.enabled: true");
            }
        }
    }

    private static int status(ServedCollector collector, String path) throws IOException {
        return collector.get(path, BodyHandlers.discarding()).statusCode();
    }

    // Live
    // --------------------------------------------------------------------------------------------------------------

    @Test
    void aListenerIsToldOfReportsAsTheyComeAndOnceASecondHowMany() throws Exception {
        try (ServedCollector collector = new ServedCollector(directory)) {
            collector.send(DROP); // before anybody listens
            try (ServedCollector.Lines lines = collector.stream("/api/v1/stream/reports?filter=dropped")) {
                JsonNode quiet = lines.next("rate");
                assertThat(quiet.path("seen").asInt()).isZero();
                collector.send(LOCAL, DROP, LOCAL);
                JsonNode report = lines.next("report");
                assertThat(report.path("report").path("dropped").asBoolean()).isTrue();
                JsonNode rate = lines.next("rate");
                assertThat(rate.path("shown").asInt()).isEqualTo(1);
                assertThat(rate.path("matching").asInt()).isEqualTo(1);
                assertThat(rate.path("seen").asInt()).isEqualTo(3);
                assertThat(rate.path("behind").asDouble()).isZero();
                assertThat(rate.has("skipped")).isFalse();
                String id = report.path("id").asText();
                assertThat(collector.get("/api/v1/reports/" + id).path("id").asText())
                        .isEqualTo(id);
            }
        }
    }

    @Test
    void noMoreIsShownThanAskedFor() throws Exception {
        try (ServedCollector collector = new ServedCollector(directory);
                ServedCollector.Lines lines = collector.stream("/api/v1/stream/reports?rate=5")) {
            lines.next("rate");
            collector.send(many(200, i -> LOCAL));
            int matching = 0;
            while (matching < 200) {
                JsonNode rate = lines.next("rate");
                matching += rate.path("matching").asInt();
                assertThat(rate.path("shown").asInt()).isLessThanOrEqualTo(5);
            }
            assertThat(matching).isEqualTo(200);
        }
    }

    @Test
    void listenersAreFewAndTheirThreadsEndWithThem() throws Exception {
        try (ServedCollector collector = new ServedCollector(directory)) {
            List<ServedCollector.Lines> all = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                all.add(collector.stream("/api/v1/stream/reports"));
            }
            assertThat(status(collector, "/api/v1/stream/reports")).isEqualTo(503);
            assertThat(tails()).isEqualTo(8);
            for (ServedCollector.Lines lines : all) {
                lines.close();
            }
            ServedCollector.until(() -> tails() == 0);
        }
    }

    private static long tails() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("pathlore-report-tail"))
                .count();
    }
}
