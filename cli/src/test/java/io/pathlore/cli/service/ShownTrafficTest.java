package io.pathlore.cli.service;

import static io.pathlore.cli.service.LiveCollector.SECOND;
import static io.pathlore.cli.service.LiveCollector.START;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.analysis.event.Event;
import io.pathlore.store.tables.Row;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the tables have of an attack is shown, whoever wrote it there, as it was when it was told. */
@Timeout(120)
class ShownTrafficTest {
    private static final String ATTACK = "00000000000a77ac";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private static Row second(long at, long amount) {
        return new Row.AttackSecond(START + at * SECOND, ATTACK, amount, true, 1_000);
    }

    private static JsonNode traffic(LiveCollector collector, String attack) throws Exception {
        return collector.json("/api/v1/attacks/" + attack + "/traffic");
    }

    @Test
    void isTheSameAfterARestart() throws Exception {
        JsonNode before;
        try (LiveCollector collector = new LiveCollector(directory)) {
            collector.store(
                    START + 60 * SECOND,
                    second(0, 10),
                    second(1, 4_000),
                    second(3, 4_200),
                    second(3, 4_100), // told again
                    new Row.Stopped(START + 4 * SECOND, START + 2 * SECOND, ATTACK, "m1", 6_000),
                    new Row.Stopped(START + 4 * SECOND, START + 3 * SECOND, ATTACK, "m2", 50),
                    new Row.AttackSecond(START, "00000000000000bb", 7, false, 5));
            before = traffic(collector, ATTACK);
            assertThat(before.path("first").asText()).isEqualTo("2026-11-15T18:00:00.000000000Z");
            assertThat(before.path("stepSeconds").asInt()).isEqualTo(1);
            assertThat(before.path("unit").asText()).isEqualTo("packets");
            assertThat(before.path("limit").asInt()).isEqualTo(1_000);
            assertThat(before.path("arrived")).hasToString("[10,4000,null,4100]");
            assertThat(before.path("stopped")).hasToString("[null,null,3000,3050]");
            JsonNode other = traffic(collector, "00000000000000bb");
            assertThat(other.path("unit").asText()).isEqualTo("reports");
            assertThat(other.path("stopped")).as("unknown, and not 0").hasToString("[null]");
            assertThat(collector.get("/api/v1/attacks/00000000000000cc/traffic").statusCode())
                    .isEqualTo(404);
        }
        try (LiveCollector collector = new LiveCollector(directory)) {
            collector.opened();
            assertThat(traffic(collector, ATTACK)).isEqualTo(before);
        }
    }

    /** Found this moment, or a scan. */
    @Test
    void ofAnAttackWithoutSecondsNothingIsKnown() throws Exception {
        try (LiveCollector collector = new LiveCollector(directory)) {
            collector.opened();
            Event attack = DefenceTest.flood(2, 7);
            EventBook.Entry ignored = collector.process().events().add(attack);
            JsonNode known = traffic(collector, attack.id().toString());
            assertThat(known)
                    .hasToString(
                            "{\"first\":\"1970-01-01T00:00:01.000000000Z\",\"stepSeconds\":1,\"arrived\":[],\"stopped\":[]}");
        }
        try (LiveCollector collector = new LiveCollector(directory, "store.enabled=false")) {
            Event attack = DefenceTest.flood(2, 7);
            EventBook.Entry ignored = collector.process().events().add(attack);
            assertThat(traffic(collector, attack.id().toString()).path("arrived"))
                    .isEmpty();
            assertThat(collector.get("/api/v1/attacks/00000000000000cc/traffic").statusCode())
                    .isEqualTo(404);
        }
    }

    /** They have keys: what the start removes to make it again from the journal are rows that are found there. */
    @Test
    void secondsBehindTheMarkStay() throws Exception {
        try (LiveCollector collector = new LiveCollector(directory)) {
            collector.store(START, second(0, 10));
            assertThat(collector.opened().append(List.of(second(1, 20), second(2, 30))))
                    .isTrue();
            assertThat(collector.opened().flush()).isTrue();
            LiveCollector.until(
                    "rows are stored", () -> collector.opened().health().waitingBytes() == 0);
        }
        try (LiveCollector collector = new LiveCollector(directory)) {
            collector.opened();
            assertThat(traffic(collector, ATTACK).path("arrived")).hasToString("[10,20,30]");
        }
    }
}
