package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.it.collect.RunningCollector.Setup;
import io.pathlore.testkit.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What a collector finds is answered by {@code serve}, elsewhere, over Kafka: the same, whoever was killed in between. */
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class ServeIT {
    /** All but events, whose JSON is written anew. */
    private static final List<String> TABLES = List.of(
            "hops_1s", "hops_1m", "flows_1m", "paths", "links_1m", "drops_1s", "episodes", "exporters_1m", "nodes");

    private static final List<String> AT_ONCE = List.of("queues", "drops");

    private static final List<String> BY_THE_MINUTE = List.of("flows", "topology", "nodes", "links", "paths");

    private static final int SETTLED_SECONDS = 3;
    private static final int HOUR = 3_600;

    private static final List<String> OF_EXPORTERS = List.of(
            "address",
            "nodes",
            "datagrams",
            "bytes",
            "reports",
            "rejectedReports",
            "undecodable",
            "lost",
            "duplicates");

    private static final String SUM = "SELECT sum(datagrams)::BIGINT AS n, sum(bytes)::BIGINT AS b FROM exporters_1m";

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(130);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path temp;

    @SuppressWarnings("NullAway.Init") // set before each test
    private Broker broker;

    @BeforeEach
    void start() throws Exception {
        broker = Broker.in(Files.createDirectory(temp.resolve("broker")));
    }

    @AfterEach
    void end() {
        if (broker != null) {
            broker.close();
        }
    }

    private RunningServe serve() throws IOException {
        return RunningServe.start(
                temp,
                temp.resolve("served"),
                "memory=64MiB",
                "store.memory=128MiB",
                "kafka.bootstrap=" + broker.bootstrap());
    }

    private static Map<?, ?> part(Api api, String... names) throws IOException {
        Map<?, ?> part = Json.object(api.good("/api/v1/status"));
        for (String name : names) {
            part = (Map<?, ?>) Objects.requireNonNull(part.get(name), name);
        }
        return part;
    }

    private static boolean hasSome(RunningServe serve) throws IOException {
        return serve.api().query("SELECT count(*) > 0 AS some FROM hops_1s").contains("true");
    }

    /** Whoever starts again lists them by their start, and not as they were found. */
    private static Map<Object, Object> byId(Api api, String until) throws IOException {
        List<?> items =
                (List<?>) Objects.requireNonNull(Json.object(api.good("/api/v1/events?limit=1000&until=" + until))
                        .get("items"));
        Map<Object, Object> byId = new HashMap<>();
        items.forEach(item -> byId.put(String.valueOf(((Map<?, ?>) item).get("id")), item));
        return byId;
    }

    private static String storedTo(Api api) throws IOException {
        return String.valueOf(part(api, "store").get("storedTo"));
    }

    private static Object exporters(Api api) throws IOException {
        List<?> items = (List<?>) Objects.requireNonNull(
                Json.object(api.good("/api/v1/exporters")).get("items"));
        return items.stream()
                .map(item -> {
                    Map<String, Object> known = new LinkedHashMap<>();
                    OF_EXPORTERS.forEach(name -> known.put(name, ((Map<?, ?>) item).get(name)));
                    return known;
                })
                .toList();
    }

    private Setup collector() throws IOException {
        return Setup.in(Files.createDirectory(temp.resolve("collector")))
                .small()
                .set("analysis.flows=20000") // a flow that has to leave has two rows of its minute, and who leaves
                // is chance
                .set("store.memory=128MiB", "journal.sync=20ms")
                .set("kafka.bootstrap=" + broker.bootstrap(), "kafka.publish=[events, rollups]");
    }

    /** A network in which much happens in a minute, in a few seconds. */
    private static void send(RunningCollector collector) throws IOException {
        String told = collector.command(
                "lab", "run", "demo", "--duration", "60s", "--speed", "8", "--to", "127.0.0.1:" + collector.port());
        assertThat(told).contains("datagrams sent");
    }

    @Test
    void theSameIsAnsweredWhoeverWasKilledInBetween() throws Exception {
        Setup setup = collector();
        try (RunningCollector collector = setup.start()) {
            try (RunningServe serve = serve()) {
                send(collector);
                RunningCollector.until("seconds are there before their minute is over", () -> hasSome(serve));
                serve.kill();
            }
            broker.kill();
            try (RunningServe serve = serve()) {
                // Nobody answers, and what was read before is served.
                RunningCollector.until(
                        "it says so",
                        () -> "error".equals(part(serve.api(), "kafka", "read").get("state")));
                assertThat(hasSome(serve)).isTrue();
                assertThat(serve.api().get("/metrics").body()).contains("pathlore_kafka_read_up 0");
                broker.startAgain();
                // Of what is told at once, the last second is told with the next.
                String until = Instant.now().minusSeconds(SETTLED_SECONDS).toString();
                sameLists(AT_ONCE, until, collector.api(), serve.api());
                assertThat(collector.stop().status()).isZero();
                same(setup.data(), serve.api());
                aPersonSeesIt(serve);
                assertThat(serve.stop().status()).isZero();
            }
        }
    }

    /** And what is not known here is not said to be nothing. */
    private static void aPersonSeesIt(RunningServe serve) throws IOException {
        String sum = serve.api().query("SELECT CAST(sum(reports) AS BIGINT) AS n FROM exporters_1m");
        String reports = String.format(Locale.ROOT, "%,d", Long.parseLong(sum.replaceAll(".*\"n\":(\\d+).*", "$1")));
        try (Page page = new Page(serve.api().port())) {
            page.open("");
            page.await(() -> page.text("[data-field=reports]").equals(reports));
            page.await(() -> page.text("[aria-label=Health]").contains("Kafka"));
            assertThat(page.text("[aria-label=Health]"))
                    .contains("lost on the way")
                    .doesNotContain("by the kernel", "journal");
            page.await(() -> page.shows("queue 0, up to"));
            page.picture("served");
            page.open("#/v1/attacks");
            page.await(() -> page.shows("What is done about it is up to them"));
            page.open("#/v1/settings");
            page.await(() -> page.shows("kafka.bootstrap"));
            assertThat(page.shows("Audit")).isFalse();
            page.assertQuiet();
        }
    }

    /** The collector's own answers, which are there until somebody starts it again. */
    private void same(Path data, Api serve) throws IOException {
        try (RunningServe left = RunningServe.start(temp, data, "memory=64MiB", "store.memory=128MiB")) {
            RunningCollector.until(
                    "all that it had", () -> left.api().query(SUM).equals(serve.query(SUM)));
            same(left.api(), serve);
            assertThat(left.stop().status()).isZero();
        }
    }

    @Test
    @Tag("slow")
    void theSameIsAnsweredWhenTheMinuteIsOver() throws Exception {
        try (RunningCollector collector = collector().start();
                RunningServe serve = serve()) {
            send(collector);
            long sent = collector.api().ledger().accountedFor();
            String now = Instant.now().toString();
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            while (storedTo(serve.api()).compareTo(now) < 0 && System.nanoTime() < deadline) {
                LockSupport.parkNanos(POLL_NANOS);
            }
            assertThat(collector.api().query(SUM)).contains("\"n\":" + sent);
            same(collector.api(), serve.api());
            assertThat(exporters(serve.api())).isEqualTo(exporters(collector.api()));
        }
    }

    private static void same(Api one, Api other) throws IOException {
        for (String table : TABLES) {
            String sql = "SELECT * FROM " + table + " ORDER BY ALL";
            String rows = one.query(sql);
            assertThat(rows).as(table).contains(":");
            assertThat(other.query(sql)).as(table).isEqualTo(rows);
        }
        assertThat(other.query(SUM)).isEqualTo(one.query(SUM));
        assertThat(exporters(other)).isEqualTo(exporters(one));
        String until = Instant.now().toString();
        sameLists(AT_ONCE, until, one, other);
        sameLists(BY_THE_MINUTE, until, one, other);
    }

    private static void sameLists(List<String> lists, String until, Api one, Api other) throws IOException {
        RunningCollector.until("events are the same", () -> byId(one, until).equals(byId(other, until)));
        assertThat(byId(one, until)).isNotEmpty();
        String span = "?since=" + Instant.parse(until).minusSeconds(HOUR) + "&until=" + until;
        for (String list : lists) {
            String path = "/api/v1/" + list + span;
            RunningCollector.until(list + " are the same", () -> one.good(path).equals(other.good(path)));
            assertThat(one.good(path)).as(list).isNotEqualTo("{\"items\":[]}");
        }
    }
}
