package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.it.collect.RunningCollector.Setup;
import io.pathlore.testkit.Json;
import io.pathlore.testkit.journal.PlainJournal;
import io.pathlore.testkit.journal.PlainJournal.Datagram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What is journalled is on Kafka: all of it, in order, whoever of the two is killed in between. */
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class EdgeIT {
    private static final int EXPORTERS = 5;
    private static final int EACH = 200;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path shared;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static Broker broker;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path temp;

    @BeforeAll
    static void start() throws Exception {
        broker = Broker.in(Files.createDirectory(shared.resolve("broker")));
    }

    @AfterAll
    static void end() {
        if (broker != null) {
            broker.close();
        }
    }

    private Setup edge() throws IOException {
        return Setup.in(temp)
                .small()
                .set("kafka.bootstrap=" + broker.bootstrap(), "kafka.publish=[datagrams, events]", "journal.sync=20ms");
    }

    /** Of each exporter the same number, in turn. */
    private static void send(RunningCollector collector, int from) throws IOException {
        List<Sender> senders = new ArrayList<>();
        try {
            for (int i = 0; i < EXPORTERS; i++) {
                senders.add(Sender.from("127.0.0." + (2 + i)));
            }
            for (int number = from; number < from + EACH; number++) {
                for (int i = 0; i < EXPORTERS; i++) {
                    senders.get(i).send(collector.port(), ReportBytes.v20(1, number, i + 1, number));
                }
                collector.untilRead((long) (number - from + 1) * EXPORTERS);
            }
        } finally {
            for (Sender sender : senders) {
                sender.close();
            }
        }
    }

    private static Map<String, Object> kafka(RunningCollector collector) throws IOException {
        Object kafka = Json.object(collector.api().good("/api/v1/status")).get("kafka");
        assertThat(kafka).isInstanceOf(Map.class);
        Map<String, Object> status = new HashMap<>();
        Map<?, ?> datagrams = (Map<?, ?>) Objects.requireNonNull(((Map<?, ?>) kafka).get("datagrams"));
        datagrams.forEach((key, value) -> status.put(String.valueOf(key), value));
        return status;
    }

    private static long count(RunningCollector collector, String key) throws IOException {
        return kafka(collector).get(key) instanceof Number number ? number.longValue() : -1;
    }

    /** First arrivals are what is journalled, and in its order as far as one exporter is concerned; what comes again is the same. */
    private static int compare(RunningCollector collector, int expected) throws IOException {
        PlainJournal journal = PlainJournal.read(collector.journal());
        assertThat(journal.remarks()).isEmpty();
        List<Datagram> kept = journal.datagrams();
        assertThat(kept).hasSize(expected);
        List<Datagram> arrived = broker.read(kept.getFirst().edge(), expected);
        Set<Long> seen = new HashSet<>();
        List<Datagram> first = new ArrayList<>();
        for (Datagram each : arrived) {
            if (seen.add(each.position())) {
                first.add(each);
            }
        }
        for (String exporter : kept.stream().map(Datagram::exporter).distinct().toList()) {
            assertThat(of(exporter, first)).as(exporter).isEqualTo(of(exporter, kept));
        }
        Set<Datagram> all = new HashSet<>(kept);
        assertThat(all).containsAll(arrived);
        return arrived.size() - expected;
    }

    private static List<Datagram> of(String exporter, List<Datagram> datagrams) {
        return datagrams.stream()
                .filter(each -> each.exporter().equals(exporter))
                .toList();
    }

    @Test
    void everyDatagramIsThereOnceWhileNobodyDies() throws IOException {
        int sent = EXPORTERS * EACH;
        try (RunningCollector collector = edge().start()) {
            send(collector, 1);
            RunningCollector.until("all published", () -> count(collector, "published") == sent);
            assertThat(kafka(collector)).containsEntry("state", "ok").containsEntry("topic", Broker.TOPIC);
            assertThat(count(collector, "missed")).isZero();
            assertThat(collector.api().get("/metrics").body()).contains("pathlore_kafka_published_total " + sent);
            assertThat(compare(collector, sent)).as("sent again").isZero();
            assertThat(collector.stop().status()).isZero();
        }
    }

    @Test
    void whileTheBrokerIsAwayTheJournalKeeps() throws Exception {
        try (RunningCollector collector = edge().start()) {
            send(collector, 1);
            broker.kill();
            try (Sender sender = Sender.from("127.0.0.2")) {
                int before = EXPORTERS * EACH;
                for (int i = 1; i <= EACH; i++) {
                    sender.send(collector.port(), ReportBytes.v20(1, EACH + i, 1, EACH + i));
                    collector.untilRead(before + i);
                }
                // The socket did not wait: all of it is in the journal while there is no broker.
                assertThat(collector.atRest(before + EACH).get("journalled")).isEqualTo(before + EACH);
            }
            broker.startAgain();
            int all = EXPORTERS * EACH + EACH;
            RunningCollector.until("all published", () -> count(collector, "published") >= all);
            compare(collector, all);
        }
    }

    @Test
    void anEdgeThatWasKilledGoesOnWhereItWas() throws IOException {
        Setup setup = edge();
        int sent = EXPORTERS * EACH;
        try (RunningCollector collector = setup.start()) {
            send(collector, 1);
            RunningCollector.until("some published", () -> count(collector, "published") > 0);
            assertThat(collector.atRest(sent).get("journalled")).isEqualTo(sent);
            collector.kill();
        }
        try (RunningCollector collector = setup.start()) {
            send(collector, EACH + 1);
            assertThat(collector.atRest(sent).get("journalled")).isEqualTo(sent);
            int again = compare(collector, 2 * sent);
            assertThat(again).as("what was sent twice is of the last second").isLessThanOrEqualTo(sent);
            assertThat(collector.stop().status()).isZero();
        }
        // What was published is not published again.
        try (RunningCollector collector = setup.start();
                Sender sender = Sender.from("127.0.0.2")) {
            sender.send(collector.port(), ReportBytes.v20(1, 2 * EACH + 1, 1, 1));
            RunningCollector.until("it is published", () -> count(collector, "published") > 0);
            assertThat(count(collector, "published")).isEqualTo(1);
        }
    }

    /** What it finds itself, too; here that an exporter lost reports. */
    @Test
    void eventsAreThereByTheirId() throws IOException {
        try (RunningCollector collector = edge().start();
                Sender sender = Sender.from("127.0.0.2")) {
            int sent = 0;
            for (int number : new int[] {1, 2, 3, 4, 5, 60, 61, 62}) {
                sender.send(collector.port(), ReportBytes.v20(1, number, 1, number));
                collector.untilRead(++sent);
            }
            List<Map<?, ?>> events = new ArrayList<>();
            RunningCollector.until("an event", () -> {
                List<?> items = (List<?>) Objects.requireNonNull(
                        Json.object(collector.api().good("/api/v1/events")).get("items"));
                items.forEach(item -> events.add((Map<?, ?>) item));
                return !events.isEmpty() && events.getLast().containsKey("end");
            });
            Map<?, ?> event = events.getLast();
            assertThat(event.get("kind")).isEqualTo("report-loss");
            String id = String.valueOf(event.get("id"));
            Map<String, String> told = broker.events(id);
            assertThat(Json.object(told.getOrDefault(id, "{}"))).isEqualTo(event);
        }
    }
}
