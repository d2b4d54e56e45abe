package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.it.collect.RunningCollector.Setup;
import io.pathlore.testkit.Json;
import io.pathlore.testkit.journal.PlainJournal;
import io.pathlore.testkit.journal.PlainJournal.Datagram;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/** {@code serve} has no reports: it asks the edges that have them. No broker is needed for that, and here is none. */
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class EdgeReportsIT {
    private static final int EACH = 30;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path temp;

    private final Map<String, Setup> setups = new HashMap<>();
    private final Map<String, RunningCollector> edges = new LinkedHashMap<>();

    @SuppressWarnings("NullAway.Init") // set before each test
    private RunningServe serve;

    @BeforeEach
    void start() throws IOException {
        List<String> named = new ArrayList<>();
        for (String name : List.of("north", "south")) {
            Setup setup = Setup.in(Files.createDirectory(temp.resolve(name)))
                    .small()
                    .set("store.memory=128MiB", "journal.sync=20ms");
            setups.put(name, setup);
            edges.put(name, setup.start());
            named.add("{name: " + name + ", url: 'http://127.0.0.1:" + setup.httpPort() + "', timeout: 4s}");
        }
        serve = RunningServe.start(
                temp,
                temp.resolve("served"),
                "memory=64MiB",
                "store.memory=128MiB",
                "kafka.bootstrap=127.0.0.1:" + RunningCollector.freeTcpPort(),
                "edges=[" + String.join(",", named) + "]");
    }

    @AfterEach
    void end() {
        edges.values().forEach(RunningCollector::close);
        if (serve != null) {
            serve.close();
        }
    }

    private RunningCollector edge(String name) {
        return Objects.requireNonNull(edges.get(name));
    }

    /** To each in turn, and each when the one before has it. */
    private void send() throws IOException {
        try (Sender sender = Sender.from("127.0.0.2")) {
            for (int number = 1; number <= EACH; number++) {
                for (RunningCollector edge : edges.values()) {
                    sender.send(edge.port(), ReportBytes.v20(1, number, 1 + number % 2, number));
                    edge.untilRead(number);
                }
            }
        }
        for (RunningCollector edge : edges.values()) {
            RunningCollector.until(
                    "journalled",
                    () -> items(edge.api(), "/api/v1/reports?since=1h").size() == EACH);
        }
    }

    private static List<Map<?, ?>> items(Map<?, ?> answer) {
        List<Map<?, ?>> items = new ArrayList<>();
        ((List<?>) Objects.requireNonNull(answer.get("items"))).forEach(item -> items.add((Map<?, ?>) item));
        return items;
    }

    private static List<Map<?, ?>> items(Api api, String path) throws IOException {
        return items(Json.object(api.good(path)));
    }

    private static String text(Map<?, ?> item, String key) {
        return String.valueOf(item.get(key));
    }

    /** What each has by itself, in the order of time, with its name. */
    private List<Map<?, ?>> all(String parameters) throws IOException {
        List<Map<?, ?>> all = new ArrayList<>();
        for (Map.Entry<String, RunningCollector> edge : edges.entrySet()) {
            for (Map<?, ?> item : items(edge.getValue().api(), "/api/v1/reports?since=1h" + parameters)) {
                Map<Object, Object> named = new HashMap<>(item);
                named.put("edge", edge.getKey());
                all.add(named);
            }
        }
        all.sort(Comparator.comparing(item -> text(item, "time")));
        return all;
    }

    private List<Map<?, ?>> pages(String parameters) throws IOException {
        List<Map<?, ?>> all = new ArrayList<>();
        String cursor = "";
        do {
            Map<?, ?> answer = Json.object(serve.api().good("/api/v1/reports?limit=7" + parameters + cursor));
            assertThat(items(answer)).hasSizeLessThanOrEqualTo(7);
            assertThat(answer.containsKey("unreached")).isFalse();
            all.addAll(items(answer));
            cursor = answer.containsKey("next") ? "&cursor=" + text(answer, "next") : "";
        } while (!cursor.isEmpty());
        return all;
    }

    @Test
    void reportsOfAllEdgesAreOneList() throws IOException {
        send();
        assertThat(pages("&since=1h")).hasSize(2 * EACH).isEqualTo(all(""));
        assertThat(pages("&since=1h&order=newest")).isEqualTo(all("").reversed());
        String filter = "&filter=" + URLEncoder.encode("node = 2", StandardCharsets.UTF_8);
        assertThat(pages("&since=1h&raw=true" + filter)).hasSize(EACH).isEqualTo(all("&raw=true" + filter));
        Api.Answer wrong = serve.api().get("/api/v1/reports?filter=nod%20%3D%202");
        assertThat(wrong.status()).isEqualTo(400);
        assertThat(wrong.body()).contains("place");
        assertThat(serve.api().get("/api/v1/reports?cursor=o.0.1.0.0").status()).isEqualTo(400);
    }

    @Test
    void oneReportIsWithWhoHasIt() throws IOException {
        send();
        for (Map<?, ?> report : all("&raw=true")) {
            Map<?, ?> one = Json.object(serve.api().good("/api/v1/reports/" + text(report, "id")));
            assertThat(one).isEqualTo(report);
        }
        String id = text(all("").getLast(), "id");
        assertThat(serve.api().good("/api/v1/reports/" + id + "?tree=true")).contains("Group header");
        assertThat(serve.api()
                        .get("/api/v1/reports/" + id.replaceAll("-0$", "-9"))
                        .status())
                .isEqualTo(404);
        assertThat(serve.api().get("/api/v1/reports/0123456789abcdef-0-0").status())
                .isEqualTo(404);
    }

    @Test
    void nodesOfOnePacketMayReportToDifferentEdges() throws IOException {
        int node = 0;
        try (Sender sender = Sender.from("127.0.0.2")) {
            for (RunningCollector edge : edges.values()) {
                sender.send(edge.port(), ReportBytes.v20(1, 1, ++node, 77));
                edge.untilRead(1);
                RunningCollector.until(
                        "journalled",
                        () -> items(edge.api(), "/api/v1/reports?since=1h").size() == 1);
            }
        }
        for (Map<?, ?> report : all("")) {
            Map<?, ?> packet = Json.object(serve.api().good("/api/v1/reports/" + text(report, "id") + "/packet"));
            List<?> hops = (List<?>) Objects.requireNonNull(packet.get("hops"));
            assertThat(hops.stream().map(hop -> text((Map<?, ?>) hop, "node")).sorted())
                    .containsExactly("1", "2");
            assertThat(packet.containsKey("unreached")).isFalse();
        }
    }

    @Test
    void aCaptureHasTheDatagramsOfAll() throws IOException {
        send();
        RunningCollector any = edge("north");
        Path file = temp.resolve("all.pcap");
        any.command(
                "export",
                "reports",
                "--server",
                "http://127.0.0.1:" + serve.api().port(),
                "--out",
                file);
        String decoded = any.command(
                "decode",
                file,
                "--port",
                edge("north").port(),
                "--port",
                edge("south").port(),
                "-o",
                "jsonl");
        List<Map<?, ?>> expected = all("");
        List<String> lines = decoded.lines().toList();
        assertThat(lines).hasSize(2 * EACH);
        for (int i = 0; i < lines.size(); i++) {
            Map<?, ?> line = Json.object(lines.get(i));
            for (String key : List.of("time", "exporter", "collector", "report", "flow")) {
                assertThat(line.get(key)).as(key).isEqualTo(expected.get(i).get(key));
            }
        }
        // Several pages are one capture, too.
        Api.Answer page = serve.api().get("/api/v1/reports?since=1h&format=pcap&limit=7");
        assertThat(page.status()).isEqualTo(200);
        List<Datagram> kept = PlainJournal.read(any.journal()).datagrams();
        assertThat(kept).hasSize(EACH);
    }

    @Test
    void anEdgeThatIsDownIsNamed() throws IOException {
        send();
        String first = serve.api().good("/api/v1/reports?since=1h&limit=7");
        assertThat(edge("south").kill().status()).isNotZero();
        Map<?, ?> answer = Json.object(serve.api().good("/api/v1/reports?since=1h"));
        assertThat(items(answer).stream().map(item -> text(item, "edge")).distinct())
                .containsExactly("north");
        assertThat(items(answer)).hasSize(EACH);
        assertThat(text(answer, "unreached")).contains("edge=south").contains("connection refused");
        // A list that has begun goes on without it, and says so to its end.
        Map<?, ?> page = Json.object(first);
        List<Map<?, ?>> listed = new ArrayList<>(items(page));
        while (page.containsKey("next")) {
            page = Json.object(serve.api().good("/api/v1/reports?limit=7&cursor=" + text(page, "next")));
            assertThat(text(page, "unreached")).contains("edge=south");
            listed.addAll(items(page));
        }
        assertThat(listed.stream().filter(item -> text(item, "edge").equals("north")))
                .hasSize(EACH);
        assertThat(listed).isSortedAccordingTo(Comparator.comparing(item -> text(item, "time")));
        assertThat(listed).doesNotHaveDuplicates();
        RunningCollector.until(
                "status says so",
                () -> serve.api()
                        .good("/api/v1/status")
                        .matches(".*\"name\":\"south\",\"url\":\"[^\"]*\",\"state\":\"error\".*"));
        assertThat(serve.api().good("/metrics"))
                .contains("pathlore_edge_up{edge=\"south\"} 0", "pathlore_edge_up{edge=\"north\"} 1");
        JavaProcess.Ended doctor = JavaProcess.start(
                        temp,
                        List.of(),
                        RunningCollector.JVM,
                        RunningCollector.MAIN,
                        List.of(
                                "doctor",
                                "--server",
                                "http://127.0.0.1:" + serve.api().port()))
                .await();
        assertThat(doctor.status()).isEqualTo(1);
        assertThat(doctor.out()).contains("edge south cannot be asked");
        // Of nobody it is an error, and no empty list.
        assertThat(edge("north").kill().status()).isNotZero();
        Api.Answer nobody = serve.api().get("/api/v1/reports?since=1h");
        assertThat(nobody.status()).isEqualTo(503);
        assertThat(nobody.body()).contains("north", "south");
    }

    private static List<String> column(Page page) {
        return page.browser().findElements(By.cssSelector("tbody tr[data-id] td:last-child")).stream()
                .map(WebElement::getText)
                .toList();
    }

    /** A list that is shorter than it was says so, and where to ask again. */
    @Test
    void aPersonSeesWhoseReportsAreMissing() throws Exception {
        send();
        String missing = "[data-field=unreached]";
        String north =
                text(items(edge("north").api(), "/api/v1/reports?since=1h").getFirst(), "id");
        String south =
                text(items(edge("south").api(), "/api/v1/reports?since=1h").getFirst(), "id");
        try (Page page = new Page(serve.api().port())) {
            page.open("#/v1/reports?since=1h");
            page.await(() -> column(page).size() == 2 * EACH);
            assertThat(column(page)).containsOnly("north", "south");
            assertThat(page.has(missing)).isFalse();
            page.open("#/v1/reports?since=1h&report=" + south);
            page.await(() -> page.text(".inspector header").contains("received by south"));
            page.picture("edges");

            assertThat(edge("south").kill().status()).isNotZero();
            page.open("#/v1/reports?since=1h");
            page.await(() -> page.has(missing));
            assertThat(page.text(missing))
                    .contains("What south has is missing from this list. It cannot be asked (", "connection refused")
                    .contains("With each look it is asked again.");
            page.await(() -> column(page).size() == EACH);
            assertThat(column(page)).containsOnly("north");
            assertThat(page.shows("That is all there is in this time with those who could be asked."))
                    .isTrue();
            assertThat(page.barriers()).isEmpty();
            page.picture("edges-unreached");
            page.browser().executeScript("document.documentElement.classList.add('dark')");
            page.picture("edges-unreached-dark");
            page.open("#/v1/reports?since=1h&report=" + north);
            page.await(() -> page.has(".inspector " + missing));
            assertThat(page.text(".inspector " + missing)).contains("is missing from the way of this packet");
            page.open("#/v1/tail");
            page.await(() -> page.has(missing));
            assertThat(page.text(missing)).contains("is missing from this tail", "It is listened to again.");

            // What is not asked for by itself is asked for by who looks, also while one report is open.
            page.open("#/v1/reports?since=1h&until=" + Instant.now() + "&report=" + north);
            page.await(() -> page.has("[data-act=again]"));
            RunningCollector again = Objects.requireNonNull(setups.get("south")).start();
            edges.put("south", again);
            assertThat(column(page)).containsOnly("north");
            page.click("[data-act=again]");
            page.await(() -> column(page).size() == 2 * EACH);
            assertThat(page.has(".state + " + missing)).isFalse();
            page.assertQuiet();
        }
    }

    @Test
    void theyAreObservedAsTheyCome() throws IOException {
        JavaProcess observer = JavaProcess.start(
                temp,
                List.of(),
                RunningCollector.JVM,
                RunningCollector.MAIN,
                List.of(
                        "observe",
                        "--limit",
                        "40",
                        "-o",
                        "jsonl",
                        "--server",
                        "http://127.0.0.1:" + serve.api().port()));
        try (Sender sender = Sender.from("127.0.0.2")) {
            int[] number = {0};
            RunningCollector.until("all that was asked for", () -> {
                number[0]++;
                for (RunningCollector edge : edges.values()) {
                    sender.send(edge.port(), ReportBytes.v20(1, number[0], 1, number[0]));
                    edge.untilRead(number[0]);
                }
                return !observer.process().isAlive();
            });
            List<String> seen = observer.await().out().lines().toList();
            assertThat(seen).hasSize(40).doesNotHaveDuplicates();
            assertThat(seen.stream()
                            .map(line -> text(Json.object(line), "edge"))
                            .distinct())
                    .containsExactlyInAnyOrder("north", "south");
        } finally {
            observer.process().destroyForcibly();
        }
    }
}
