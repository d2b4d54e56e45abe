package io.pathlore.dataplane.watch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DropEventsTest {
    private static final long INTERVAL = 1_000;
    private static final int ACL_DENY = 80;
    private static final int TTL_ZERO = 26;

    private final DropEvents events = new DropEvents(INTERVAL, 64);

    @Test
    void reportsOneDropPerFlowReasonAndInterval() {
        assertThat(events.worthReporting(1, ACL_DENY, 0)).isTrue();
        assertThat(events.worthReporting(1, ACL_DENY, INTERVAL - 1)).isFalse();
        assertThat(events.worthReporting(1, TTL_ZERO, INTERVAL - 1)).isTrue();
        assertThat(events.worthReporting(2, ACL_DENY, INTERVAL - 1)).isTrue();
        assertThat(events.worthReporting(1, ACL_DENY, INTERVAL)).isTrue();
        assertThat(events.worthReporting(1, ACL_DENY, 2 * INTERVAL - 1)).isFalse();
        assertThat(events.suppressed()).isEqualTo(2);
    }

    @Test
    void reportsAgainWhatItHadToForget() {
        for (long flow = 0; flow < 1_000; flow++) {
            assertThat(events.worthReporting(flow, ACL_DENY, 0)).isTrue();
        }
        assertThat(events.evictions()).isEqualTo(1_000 - 64);
    }

    @Test
    void withoutAnIntervalEveryDropIsReported() {
        DropEvents all = new DropEvents(0, 64);
        assertThat(all.worthReporting(1, ACL_DENY, 0)).isTrue();
        assertThat(all.worthReporting(1, ACL_DENY, 0)).isTrue();
    }

    @Test
    void aRestartForgetsAllDrops() {
        events.worthReporting(1, ACL_DENY, 0);
        events.restart();
        assertThat(events.worthReporting(1, ACL_DENY, 1)).isTrue();
    }
}
