package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.it.collect.RunningCollector.Setup;
import io.pathlore.testkit.Json;
import io.pathlore.testkit.journal.PlainJournal;
import io.pathlore.testkit.journal.PlainJournal.Datagram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** An edge that leaves the analysis to others: it accounts for everything, keeps and publishes it, and claims to know no more. */
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class ThinEdgeIT {
    private static final int SENT = 200;
    private static final int AGAIN = 3;
    private static final int LOST = 7;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path temp;

    private Setup edge() throws IOException {
        return Setup.in(temp).small().set("analysis.enabled=false", "store.memory=128MiB", "journal.sync=20ms");
    }

    /** So many, then some that came before, then one behind a gap. */
    private static int send(RunningCollector collector) throws IOException {
        int sent = 0;
        try (Sender sender = Sender.from("127.0.0.2")) {
            for (int number = 1; number <= SENT; number++) {
                sender.send(collector.port(), ReportBytes.v20(1, number, 1, number));
                collector.untilRead(++sent);
            }
            for (int number = SENT; number > SENT - AGAIN; number--) {
                sender.send(collector.port(), ReportBytes.v20(1, number, 1, number));
                collector.untilRead(++sent);
            }
            for (int number = SENT + LOST + 1; number <= SENT + LOST + 3; number++) {
                sender.send(collector.port(), ReportBytes.v20(1, number, 1, number));
                collector.untilRead(++sent);
            }
        }
        return sent;
    }

    private static Map<?, ?> part(Map<?, ?> of, String name) {
        return (Map<?, ?>) Objects.requireNonNull(of.get(name), name);
    }

    @Test
    void everythingIsAccountedForKeptAndPublished() throws Exception {
        try (Broker broker = Broker.in(Files.createDirectory(temp.resolve("broker")));
                RunningCollector collector =
                        edge().set("kafka.bootstrap=" + broker.bootstrap()).start()) {
            int sent = send(collector);
            Reading ledger = collector.atRest(sent); // where the equations are checked
            assertThat(ledger.get("reportsDecoded")).isEqualTo(sent);
            assertThat(ledger.get("duplicates")).isEqualTo(AGAIN);
            assertThat(ledger.get("shed.elsewhere")).isEqualTo(sent - AGAIN);
            assertThat(ledger.get("analysed")).isZero();
            assertThat(collector.api().ledger().get("journalled")).isEqualTo(sent);

            // What numbers tell is told, for who is nearest to the exporters knows it best.
            RunningCollector.until(
                    "lost reports are told",
                    () -> collector.api().good("/api/v1/events").contains("\"kind\":\"report-loss\""));
            RunningCollector.until("what is missing does not come any more", () -> {
                String exporters = collector.api().good("/api/v1/exporters");
                return exporters.contains("\"lost\":" + LOST) && exporters.contains("\"duplicates\":" + AGAIN);
            });

            RunningCollector.until("published", () -> {
                Map<?, ?> kafka = part(Json.object(collector.api().good("/api/v1/status")), "kafka");
                return part(kafka, "datagrams").get("published") instanceof Number count && count.longValue() >= sent;
            });
            List<Datagram> kept = PlainJournal.read(collector.journal()).datagrams();
            assertThat(kept).hasSize(sent);
            assertThat(broker.read(kept.getFirst().edge(), sent)).containsExactlyInAnyOrderElementsOf(kept);
            nothingElseIsClaimed(collector);
            aPersonIsToldSo(collector, broker.bootstrap());
            assertThat(collector.stop().status()).isZero();
        }
    }

    /** Nothing was found, which is not to say that there is nothing. */
    private static void nothingElseIsClaimed(RunningCollector collector) throws IOException {
        Api api = collector.api();
        Map<?, ?> status = Json.object(api.good("/api/v1/status"));
        assertThat(part(status, "analysis").get("enabled")).isEqualTo(false);
        assertThat(status.containsKey("engine")).isFalse();
        assertThat(api.good("/metrics"))
                .contains("pathlore_shed_total{reason=\"elsewhere\"} ")
                .doesNotContain("pathlore_flows", "pathlore_shed_level", "pathlore_attack_keys");
        for (String list : List.of(
                "flows",
                "nodes",
                "links",
                "topology",
                "paths",
                "drops",
                "queues",
                "series",
                "heatmap",
                "attacks",
                "mitigations")) {
            Api.Answer answer = api.get("/api/v1/" + list);
            assertThat(answer.status()).as(list).isEqualTo(409);
            assertThat(answer.body()).as(list).contains("not analysed here");
        }
        assertThat(api.good("/api/v1/reports?since=1h&limit=1")).contains("\"id\"");
        assertThat(collector.command("doctor", "--server", "http://127.0.0.1:" + api.port()))
                .contains("not here, but by others");
    }

    /** In each view of what is found elsewhere, and by no error and no zero. */
    private static void aPersonIsToldSo(RunningCollector collector, String bootstrap) throws IOException {
        try (Page page = new Page(collector.api().port())) {
            for (String view : List.of("network", "latency", "queues", "drops", "flows", "attacks", "overview")) {
                page.open("#/v1/" + view);
                page.await(() -> page.has("[data-field=unanalysed]"));
                assertThat(page.text("main"))
                        .as(view)
                        .contains("This collector does not analyse", "published to Kafka, at " + bootstrap)
                        .doesNotContain(
                                "No flow", "No drop", "no drop", "No attack", "No node", "No queue", "no queue");
                assertThat(page.text("header")).as(view).contains("not analysed here");
                assertThat(page.has("main svg, main canvas")).as(view).isFalse();
            }
            // What it knows is there, and what others analyse is not lost.
            page.await(() -> page.text("[aria-label=Health]").contains(LOST + "\nlost on the way"));
            assertThat(page.text("[aria-label=Health]")).contains("\n0\nlost by overload");
            page.await(() -> page.text("table[aria-labelledby=happened]").contains("report-loss"));
            assertThat(page.barriers()).isEmpty();
            page.picture("not-analysed");
            page.browser().executeScript("document.documentElement.classList.add('dark')");
            page.picture("not-analysed-dark");
            page.open("#/v1/reports");
            page.await(() -> page.has("tbody tr[data-id]"));
            page.open("#/v1/exporters");
            page.await(() -> page.has("tr[data-exporter='127.0.0.2']"));
            page.open("#/v1/sql");
            page.await(() -> page.shows("only events and exporters_1m get rows here"));
            page.assertQuiet();
        }
    }

    @Test
    void whatWasReceivedBeforeACrashIsInTheTablesOfExporters() throws IOException {
        Setup setup = edge();
        int sent;
        try (RunningCollector collector = setup.start()) {
            sent = send(collector);
            assertThat(collector.errors()).contains("nobody analyses what is received");
            RunningCollector.until("journalled", () -> collector.api().ledger().get("journalled") == sent);
            try (Page page = new Page(collector.api().port())) {
                page.open("#/v1/flows");
                page.await(() -> page.shows("so nobody analyses it as it comes"));
            }
            collector.kill();
        }
        try (RunningCollector collector = setup.start()) {
            String sum = "SELECT CAST(sum(datagrams) AS BIGINT) AS n FROM exporters_1m";
            assertThat(collector.stop().status()).isZero();
            try (RunningServe left = RunningServe.start(
                    temp, setup.data(), "memory=64MiB", "store.memory=128MiB", "analysis.enabled=false")) {
                RunningCollector.until("all of it", () -> left.api().query(sum).contains("\"n\":" + sent + "}"));
                assertThat(left.api().query("SELECT count(*) AS n FROM flows_1m"))
                        .contains("\"n\":0}");
            }
        }
    }

    @Test
    void itDefendsNothing() throws IOException {
        Path file = Files.writeString(
                temp.resolve("thin.yaml"), "analysis: { enabled: false }\ndefend:\n  mode: propose\n");
        JavaProcess.Ended ended = JavaProcess.start(
                        temp,
                        List.of(),
                        RunningCollector.JVM,
                        RunningCollector.MAIN,
                        List.of("config", "check", file.toString()))
                .await();
        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.err())
                .contains("thin.yaml:3: defend.mode: needs analysis.enabled=true: nobody would look for attacks here")
                .hasLineCount(1);
    }
}
