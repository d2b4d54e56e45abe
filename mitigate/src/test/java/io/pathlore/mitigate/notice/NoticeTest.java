package io.pathlore.mitigate.notice;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.pathlore.mitigate.http.Destination;
import io.pathlore.mitigate.http.Secret;
import io.pathlore.mitigate.notice.Grouping.Label;
import io.pathlore.mitigate.notice.Notice.Stage;
import io.pathlore.model.JsonLine;
import io.pathlore.testkit.Json;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class NoticeTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long TIME = 1_800_000_000_000_000_000L;

    private final NoticeQueue queue = new NoticeQueue(Grouping.USUAL);

    private static Notice attack(int number, Stage stage) {
        return new Notice(
                "PathloreAttack",
                "attack-" + number,
                stage,
                "critical",
                "udp-flood on 192.0.2.1",
                TIME,
                JsonLine.NO_TIME);
    }

    @Test
    void saysItAsAlertmanagerDoes() {
        queue.add(attack(1, Stage.OBSERVED), 0);
        Map<String, Object> message = Json.object(queue.next().json());
        assertThat(message)
                .containsEntry("version", "4")
                .containsEntry("status", "firing")
                .containsEntry("groupLabels", Map.of("alertname", "PathloreAttack"))
                .containsKeys("groupKey", "receiver", "commonLabels", "commonAnnotations", "externalURL", "alerts");
        assertThat(message.get("alerts"))
                .isEqualTo(List.of(Map.of(
                        "status", "firing",
                        "labels",
                                Map.of(
                                        "alertname", "PathloreAttack",
                                        "id", "attack-1",
                                        "severity", "critical",
                                        "stage", "observed"),
                        "annotations", Map.of("summary", "observed: udp-flood on 192.0.2.1"),
                        "startsAt", "2027-01-15T08:00:00.000000000Z",
                        "endsAt", "0001-01-01T00:00:00Z",
                        "generatorURL", "",
                        "fingerprint", "attack-1")));
    }

    @Test
    void everyTextSaysHowFarItWent() {
        for (Stage stage : Stage.values()) {
            assertThat(attack(1, stage).summary()).startsWith(stage.label() + ": ");
        }
    }

    @Test
    void whatEndedIsResolved() {
        queue.add(new Notice("PathloreAttack", "1", Stage.APPLIED, "critical", "x", TIME, TIME + SECOND), 0);
        assertThat(Json.object(queue.next().json())).containsEntry("status", "resolved");
    }

    @Test
    void aHundredAtOnceAreAFewMessages() {
        for (int i = 0; i < 100; i++) {
            queue.add(attack(i, Stage.OBSERVED), 0);
        }
        assertThat(queue.waitNanos(0)).isEqualTo(SECOND);
        NoticeQueue.Message first = queue.next();
        assertThat(first.notices()).hasSize(NoticeQueue.PER_MESSAGE);
        queue.done(first, true, SECOND);
        assertThat(queue.waitNanos(SECOND)).isZero();
        assertThat(queue.next().notices()).hasSize(36);
    }

    @Test
    void whatIsNotGroupedByALabelIsToldTogether() {
        Grouping bySeverity = new Grouping(Set.of(Label.SEVERITY), Duration.ofSeconds(5), Duration.ofMinutes(5));
        NoticeQueue grouped = new NoticeQueue(bySeverity);
        grouped.add(new Notice("PathloreMitigation", "m", Stage.APPLIED, "warning", "x", TIME, JsonLine.NO_TIME), 0);
        grouped.add(attack(1, Stage.OBSERVED), SECOND);
        grouped.add(
                new Notice("PathloreDefence", "cap", Stage.OBSERVED, "critical", "x", TIME, JsonLine.NO_TIME), SECOND);
        assertThat(grouped.waitNanos(0)).isEqualTo(5 * SECOND);
        NoticeQueue.Message warning = grouped.next();
        assertThat(warning.notices()).hasSize(1);
        grouped.done(warning, true, 5 * SECOND);
        assertThat(grouped.waitNanos(5 * SECOND)).isEqualTo(SECOND);
        Map<String, Object> critical = Json.object(grouped.next().json());
        assertThat(critical)
                .containsEntry("groupLabels", Map.of("severity", "critical"))
                .containsEntry("groupKey", "{}:{severity=\"critical\"}")
                .containsEntry("commonLabels", Map.of("severity", "critical", "stage", "observed"));
        assertThat(critical.get("alerts"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .hasSize(2);
    }

    @Test
    void aGroupIsNotToldAgainBeforeItsInterval() {
        queue.add(attack(1, Stage.OBSERVED), 0);
        queue.done(queue.next(), true, SECOND);
        queue.add(attack(2, Stage.OBSERVED), 2 * SECOND);
        assertThat(queue.waitNanos(2 * SECOND)).isEqualTo(4 * SECOND);
        queue.add(
                new Notice("PathloreDefence", "cap", Stage.OBSERVED, "critical", "x", TIME, JsonLine.NO_TIME),
                2 * SECOND);
        assertThat(queue.waitNanos(2 * SECOND))
                .as("another group is another matter")
                .isEqualTo(SECOND);
        queue.done(queue.next(), true, 3 * SECOND);
        queue.add(attack(2, Stage.APPLIED), 3 * SECOND);
        assertThat(queue.waitNanos(3 * SECOND)).isEqualTo(3 * SECOND);
        assertThat(queue.next().notices()).containsExactly(attack(2, Stage.APPLIED));
    }

    @Test
    void theNewestOfAThingIsToldAlsoWhenItChangesMeanwhile() {
        queue.add(attack(1, Stage.PROPOSED), 0);
        NoticeQueue.Message first = queue.next();
        queue.add(attack(1, Stage.APPLIED), 1);
        queue.done(first, true, 2);
        assertThat(queue.waiting()).containsExactly(attack(1, Stage.APPLIED));
    }

    @Test
    void neitherGrowsNorTriesForever() {
        for (int i = 0; i < 2 * NoticeQueue.CAPACITY; i++) {
            queue.add(attack(i, Stage.OBSERVED), 0);
        }
        assertThat(queue.size()).isEqualTo(NoticeQueue.CAPACITY);
        assertThat(queue.turnedAway()).isEqualTo(NoticeQueue.CAPACITY);
        long now = 0;
        long longest = 0;
        for (int i = 0; i < NoticeQueue.TRIES; i++) {
            queue.done(queue.next(), false, now);
            longest = Math.max(longest, queue.waitNanos(now));
            now += queue.waitNanos(now);
        }
        assertThat(longest).isEqualTo(60 * SECOND);
        assertThat(queue.lost()).isEqualTo(NoticeQueue.PER_MESSAGE);
    }

    @Test
    void triesAWebhookAgainAndSignsWhatItSays() throws Exception {
        BlockingQueue<String> bodies = new LinkedBlockingQueue<>();
        BlockingQueue<String> signatures = new LinkedBlockingQueue<>();
        AtomicInteger calls = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            boolean good = calls.incrementAndGet() > 1;
            if (good) {
                signatures.add(exchange.getRequestHeaders().getFirst(Secret.HEADER));
                bodies.add(new String(body, StandardCharsets.UTF_8));
            }
            exchange.sendResponseHeaders(good ? 200 : 503, -1);
            exchange.close();
        });
        server.start();
        Secret secret = new Secret(new byte[] {1, 2, 3});
        Destination to =
                Destination.parse("http://127.0.0.1:" + server.getAddress().getPort() + "/", true);
        try (Notifier notifier = new Notifier(
                to, secret, Grouping.USUAL, notice -> notice.severity().equals("critical"))) {
            notifier.tell(
                    new Notice("PathloreNode", "7", Stage.OBSERVED, "info", "not for him", TIME, JsonLine.NO_TIME));
            notifier.tell(attack(1, Stage.APPLIED));
            String body = Objects.requireNonNull(bodies.poll(30, TimeUnit.SECONDS));
            assertThat(body).contains("applied: udp-flood").doesNotContain("not for him");
            assertThat(signatures.take()).isEqualTo(secret.signature(body));
            assertThat(calls.get()).isEqualTo(2);
        } finally {
            server.stop(0);
        }
    }
}
