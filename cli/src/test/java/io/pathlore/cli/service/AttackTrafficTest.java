package io.pathlore.cli.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.pathlore.analysis.event.AttackSecond;
import io.pathlore.model.EventId;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class AttackTrafficTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long FIRST = 1_800_000_000L * SECOND;
    private static final EventId ATTACK = new EventId(0xA77AC);

    private final AttackTraffic traffic = new AttackTraffic();

    private void second(long at, long amount) {
        traffic.on(new AttackSecond(ATTACK, FIRST + at * SECOND, amount, true, 1_000));
    }

    private JsonNode told() throws IOException {
        return new JsonMapper().readTree(Objects.requireNonNull(traffic.json(ATTACK)));
    }

    @Test
    void whatNobodyToldOfIsUnknownAndNotZero() throws IOException {
        second(0, 4_000);
        second(2, 0);
        JsonNode told = told();
        assertThat(told.path("first").asText()).isEqualTo("2027-01-15T08:00:00.000000000Z");
        assertThat(told.path("arrived")).hasToString("[4000,null,0]");
        assertThat(told.path("stopped")).hasToString("[null,null,null]");
        assertThat(told.path("limit").asLong()).isEqualTo(1_000);
        assertThat(traffic.json(new EventId(1))).isNull();
    }

    @Test
    void whatRulesStoppedIsSpreadOverTheTimeBetweenReports() throws IOException {
        second(0, 4_000);
        traffic.stopped(ATTACK, FIRST + SECOND / 2, FIRST + 2 * SECOND + SECOND / 2, 2_000);
        traffic.stopped(ATTACK, FIRST - 5 * SECOND, FIRST + 5 * SECOND, 1_000); // of another rule
        assertThat(told().path("stopped")).hasToString("[600,1100,600,100,100]");
        assertThat(told().path("arrived")).hasToString("[4000,null,null,null,null]");
        traffic.stopped(ATTACK, FIRST + 5 * SECOND, FIRST + 5 * SECOND + SECOND / 4, 100);
        assertThat(told().path("stopped").path(5).asLong())
                .as("a quarter of a second is not over in a second")
                .isEqualTo(400);
    }

    @Test
    void aLongAttackHasLongerStepsAndTheSameRates() throws IOException {
        for (int at = 0; at < 3 * AttackSeries.STEPS; at++) {
            second(at, 500);
        }
        traffic.stopped(ATTACK, FIRST, FIRST + 400 * SECOND, 400_000);
        JsonNode told = told();
        assertThat(told.path("stepSeconds").asInt()).isEqualTo(4);
        assertThat(told.path("arrived").size()).isEqualTo(3 * AttackSeries.STEPS / 4);
        assertThat(told.path("arrived"))
                .allSatisfy(rate -> assertThat(rate.asLong()).isEqualTo(500));
        assertThat(told.path("stopped").path(99).asLong()).isEqualTo(1_000);
        assertThat(told.path("stopped").path(101).isNull()).isTrue();
    }

    @Test
    void isAskedFromATimeOn() {
        second(5, 4_000);
        second(4, 10);
        assertThat(traffic.json(ATTACK, FIRST + 4 * SECOND)).isNull();
        assertThat(traffic.json(ATTACK, FIRST + 5 * SECOND)).isEqualTo(traffic.json(ATTACK));
    }

    @Test
    void theOldestAttackLeavesFirst() {
        second(0, 1);
        for (int i = 0; i < AttackTraffic.ATTACKS; i++) {
            traffic.on(new AttackSecond(new EventId(i), FIRST, 1, true, 1));
        }
        assertThat(traffic.json(ATTACK)).isNull();
        assertThat(traffic.json(new EventId(0))).isNotNull();
    }
}
