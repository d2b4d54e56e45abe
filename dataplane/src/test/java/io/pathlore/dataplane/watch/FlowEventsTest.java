package io.pathlore.dataplane.watch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FlowEventsTest {
    private static final long FLOW = 0x1234_5678_9ABC_DEF0L;
    private static final long PATH = 7;
    private static final long ABSENT = -1;
    private static final long QUANTUM = 1_000;
    private static final long REFRESH = 1_000_000;

    private final FlowEvents events = new FlowEvents(FlowRules.onChange(QUANTUM, REFRESH), 1024);

    @Test
    void aFlowIsNewOnce() {
        assertThat(events.worthReporting(FLOW, PATH, 500, 0)).isTrue();
        assertThat(events.worthReporting(FLOW, PATH, 500, 1)).isFalse();
        assertThat(events.worthReporting(FLOW + 1, PATH, 500, 2)).isTrue();
    }

    @Test
    void anotherPathIsReportedOnce() {
        events.worthReporting(FLOW, PATH, 500, 0);
        assertThat(events.worthReporting(FLOW, 8, 500, 1)).isTrue();
        assertThat(events.worthReporting(FLOW, 8, 500, 2)).isFalse();
        assertThat(events.worthReporting(FLOW, PATH, 500, 3)).isTrue();
    }

    @Test
    void latencyThatDancesAroundABorderIsNoChange() {
        events.worthReporting(FLOW, PATH, 1_999, 0);
        for (int i = 0; i < 100; i++) {
            assertThat(events.worthReporting(FLOW, PATH, i % 2 == 0 ? 2_000 : 1_999, i))
                    .isFalse();
        }
    }

    @Test
    void latencyLeavesItsQuantumHalfAQuantumBeyondIt() {
        events.worthReporting(FLOW, PATH, 1_500, 0);
        assertThat(events.worthReporting(FLOW, PATH, 500, 1)).isFalse();
        assertThat(events.worthReporting(FLOW, PATH, 2_499, 2)).isFalse();
        assertThat(events.worthReporting(FLOW, PATH, 2_500, 3)).isTrue();
        assertThat(events.worthReporting(FLOW, PATH, 2_500, 4)).isFalse();
        assertThat(events.worthReporting(FLOW, PATH, 1_500, 5)).isFalse();
        assertThat(events.worthReporting(FLOW, PATH, 1_499, 6)).isTrue();
    }

    @Test
    void aReportForAnotherReasonDoesNotMoveTheQuantum() {
        events.worthReporting(FLOW, PATH, 1_500, 0);
        assertThat(events.worthReporting(FLOW, 8, 2_400, 1)).isTrue();
        assertThat(events.worthReporting(FLOW, 8, 600, 2)).isFalse();
    }

    @Test
    void unknownLatencyIsNoChange() {
        events.worthReporting(FLOW, PATH, 1_500, 0);
        assertThat(events.worthReporting(FLOW, PATH, ABSENT, 1)).isFalse();
        assertThat(events.worthReporting(FLOW, PATH, 1_500, 2)).isFalse();
    }

    @Test
    void aSteadyFlowIsReportedAgainAfterTheRefresh() {
        events.worthReporting(FLOW, PATH, 500, 10);
        assertThat(events.worthReporting(FLOW, PATH, 500, REFRESH + 9)).isFalse();
        assertThat(events.worthReporting(FLOW, PATH, 500, REFRESH + 10)).isTrue();
        assertThat(events.worthReporting(FLOW, PATH, 500, REFRESH + 11)).isFalse();
    }

    @Test
    void everyPacketIsEveryPacket() {
        FlowEvents all = new FlowEvents(FlowRules.EVERY_PACKET, 1);
        assertThat(all.worthReporting(FLOW, PATH, 0, 0)).isTrue();
        assertThat(all.worthReporting(FLOW, PATH, 0, 0)).isTrue();
    }

    @Test
    void remembersAsManyFlowsAsItHasRoomForAndCountsTheRest() {
        FlowEvents few = new FlowEvents(FlowRules.onChange(0, 0), 64);
        for (long flow = 0; flow < 1_000; flow++) {
            assertThat(few.worthReporting(flow, PATH, 0, flow)).isTrue();
        }
        assertThat(few.evictions()).isEqualTo(1_000 - 64);
    }

    @Test
    void forgetsTheFlowThatWasQuietLongest() {
        FlowEvents four = new FlowEvents(FlowRules.onChange(0, 0), 4);
        for (long flow = 1; flow <= 4; flow++) {
            four.worthReporting(flow, PATH, 0, 0);
        }
        four.worthReporting(1, PATH, 0, 0);
        assertThat(four.worthReporting(5, PATH, 0, 0)).isTrue();
        assertThat(four.worthReporting(1, PATH, 0, 0)).isFalse();
        assertThat(four.worthReporting(2, PATH, 0, 0)).isTrue();
    }

    @Test
    void aRestartForgetsAllFlows() {
        events.worthReporting(FLOW, PATH, 500, 0);
        events.restart();
        assertThat(events.worthReporting(FLOW, PATH, 500, 1)).isTrue();
    }
}
