package io.pathlore.dataplane.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class QueueEventsTest {
    private static final long ABSENT = -1;

    private final QueueEvents byOccupancy = new QueueEvents(QueueRules.occupancy(1_000, 400, 3));

    @Test
    void reportsFromAboveTheThresholdUntilBelowTheReset() {
        QueueEvents events = new QueueEvents(QueueRules.occupancy(1_000, 400, 0));
        assertThat(events.onPacket(1, 0, 1_000, 0)).isFalse();
        assertThat(events.onPacket(1, 0, 1_001, 0)).isTrue();
        assertThat(events.onPacket(1, 0, 400, 0)).isTrue();
        assertThat(events.isCongested(1, 0)).isTrue();
        assertThat(events.onPacket(1, 0, 399, 0)).isFalse();
        assertThat(events.isCongested(1, 0)).isFalse();
        assertThat(events.onPacket(1, 0, 1_000, 0)).isFalse();
    }

    @Test
    void aQuotaHoldsForOneEpisode() {
        for (int i = 0; i < 10; i++) {
            assertThat(byOccupancy.onPacket(1, 0, 2_000, 0)).isEqualTo(i < 3);
        }
        assertThat(byOccupancy.suppressed()).isEqualTo(7);
        byOccupancy.onPacket(1, 0, 0, 0);
        assertThat(byOccupancy.onPacket(1, 0, 2_000, 0)).isTrue();
    }

    @Test
    void queuesAreCongestedOneByOne() {
        byOccupancy.onPacket(300, 200, 2_000, 0);
        assertThat(byOccupancy.isCongested(300, 200)).isTrue();
        assertThat(byOccupancy.onPacket(300, 199, 500, 0)).isFalse();
        assertThat(byOccupancy.onPacket(299, 200, 500, 0)).isFalse();
        assertThat(byOccupancy.onPacket(300, 200, 500, 0)).isTrue();
    }

    @Test
    void latencyMayDecideAlone() {
        QueueEvents events = new QueueEvents(QueueRules.latency(500, 200, 0));
        assertThat(events.onPacket(1, 0, 1_000_000, 500)).isFalse();
        assertThat(events.onPacket(1, 0, ABSENT, 501)).isTrue();
        assertThat(events.onPacket(1, 0, 1_000_000, 199)).isFalse();
    }

    @Test
    void withBothEitherStartsAndBothEnd() {
        QueueEvents events = new QueueEvents(new QueueRules(1_000, 400, 500, 200, 0));
        assertThat(events.onPacket(1, 0, 0, 501)).isTrue();
        assertThat(events.onPacket(1, 0, 700, 100)).isTrue();
        assertThat(events.onPacket(1, 0, 100, 100)).isFalse();
    }

    @Test
    void withoutAThresholdNothingIsCongested() {
        assertThat(new QueueEvents(QueueRules.NONE).onPacket(1, 0, Long.MAX_VALUE, Long.MAX_VALUE))
                .isFalse();
    }

    @Test
    void aRestartCalmsAllQueues() {
        byOccupancy.onPacket(1, 0, 2_000, 0);
        byOccupancy.restart();
        assertThat(byOccupancy.isCongested(1, 0)).isFalse();
    }

    @Test
    void refusesAResetThatIsNeverReached() {
        assertThatThrownBy(() -> QueueRules.occupancy(1_000, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> QueueRules.occupancy(1_000, 1_001, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
