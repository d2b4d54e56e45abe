package io.pathlore.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.analysis.flow.FlowSink;
import io.pathlore.analysis.flow.FlowState;
import io.pathlore.model.FlowKey;
import io.pathlore.model.ReportRow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FlowTableTest {
    private static final long SECOND = 1_000_000_000L;

    private final ReportRow row = new ReportRow();

    private void on(FlowTable table, ByteBuffer bytes) {
        table.on(row.wrap(bytes, 0));
    }

    private static Map<FlowKey, Long> reports(FlowTable table) {
        Map<FlowKey, Long> reports = new HashMap<>();
        table.scan(
                (flow, state) -> assertThat(reports.put(flow, state.reports())).isNull());
        return reports;
    }

    @Test
    void countsWhatAMapWouldCount() {
        FlowTable table = new FlowTable(4_096, FlowSink.NONE);
        Map<FlowKey, Long> expected = new HashMap<>();
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 20_000; i++) {
            ByteBuffer bytes = Rows.row(random.nextInt(500), 0, i);
            on(table, bytes);
            FlowKey flow = new ReportRow().wrap(bytes, 0).flow();
            assertThat(flow).isNotNull();
            expected.merge(flow, 1L, Long::sum);
        }
        assertThat(table.evicted()).isZero();
        assertThat(table.size()).isEqualTo(expected.size());
        assertThat(reports(table)).isEqualTo(expected);
    }

    @Test
    void keepsFlagsAndTimes() {
        FlowTable table = new FlowTable(8, FlowSink.NONE);
        on(table, Rows.row(1, ReportRow.DROPPED | ReportRow.TRACKED, 7));
        on(table, Rows.row(1, ReportRow.CONGESTED, 5));
        on(table, Rows.row(1, 0, 9));
        table.scan((flow, state) -> {
            assertThat(flow.canonical()).isEqualTo("10.0.0.1,11.0.0.1,17,1000,53,");
            assertThat(state.reports()).isEqualTo(3);
            assertThat(state.drops()).isEqualTo(1);
            assertThat(state.congested()).isEqualTo(1);
            assertThat(state.firstNanos()).isEqualTo(5);
            assertThat(state.lastNanos()).isEqualTo(9);
        });
        assertThat(table.size()).isEqualTo(1);
    }

    /** Everything is the same but one field at a time. */
    @Test
    void tellsFlowsApartThatDifferInOneField() {
        FlowTable table = new FlowTable(64, FlowSink.NONE);
        for (int i = 0; i < 8; i++) {
            ByteBuffer bytes = ByteBuffer.allocate(ReportRow.LENGTH);
            ReportRow.begin(bytes, 0, 0, 20, 0, 0, 1, 3);
            ReportRow.flow(
                    bytes,
                    0,
                    i == 1,
                    false,
                    i == 2 ? 6 : 17,
                    0,
                    i == 3 ? 2 : 1,
                    i == 1 ? 1 : 0,
                    i == 4 ? 2 : 1,
                    i == 5 ? 2 : 1,
                    i == 6 ? 2 : 1,
                    i == 7 ? 2 : -1,
                    9);
            on(table, bytes);
        }
        assertThat(table.size()).isEqualTo(8);
    }

    @Test
    void aReportWithoutAFlowIsNoFlow() {
        FlowTable table = new FlowTable(8, FlowSink.NONE);
        on(table, Rows.withoutFlow(1));
        assertThat(table.size()).isZero();
    }

    /** A million invented flows, and a hundred that really send: those must all still be there. */
    @Test
    void aSweepTurnsOutItself() {
        FlowTable table = new FlowTable(20_000, FlowSink.NONE);
        for (int i = 0; i < 1_000_000; i++) {
            on(table, Rows.row(1_000 + i, 0, i * 10_000L));
            if (i % 100 == 0) {
                for (int heavy = 0; heavy < 100; heavy++) {
                    on(table, Rows.row(heavy, 0, i * 10_000L));
                }
            }
        }
        Map<FlowKey, Long> reports = reports(table);
        assertThat(reports.values().stream().filter(count -> count == 10_000).count())
                .isEqualTo(100);
        assertThat(table.size()).isLessThanOrEqualTo(table.capacity());
        assertThat(table.size() + table.evicted()).isEqualTo(1_000_100);
    }

    /** What was heavy an hour ago does not keep the present out. */
    @Test
    void theSilentAreForgotten() {
        FlowTable table = new FlowTable(8, FlowSink.NONE);
        for (int flow = 0; flow < 8; flow++) {
            for (int i = 0; i < 1_000; i++) {
                on(table, Rows.row(flow, 0, 0));
            }
        }
        for (int flow = 100; flow < 108; flow++) {
            for (int i = 0; i < 100; i++) {
                on(table, Rows.row(flow, 0, 3_600 * SECOND));
            }
        }
        assertThat(reports(table).values()).containsOnly(100L);
    }

    private static final class Minutes implements FlowSink {
        final List<String> told = new ArrayList<>();
        final List<Long> paths = new ArrayList<>();

        @Override
        public void minute(FlowKey flow, long flowHash, FlowState state) {
            told.add(flow.source() + " minute " + state.minute() + " reports " + state.minuteReports() + " drops "
                    + state.minuteDrops() + " latency " + state.latency(0.5) + " " + state.latency(0.99));
        }

        @Override
        public void path(ReportRow report) {
            paths.add(report.pathPrint());
        }

        @Override
        public void complete(long untilNanos) {
            told.add("complete " + untilNanos / (60 * SECOND));
        }
    }

    private static ByteBuffer stack(long flow, long timeNanos, long latency, long... nodes) {
        ByteBuffer row = ByteBuffer.allocate(ReportRow.LENGTH + nodes.length * ReportRow.HOP_LENGTH);
        Rows.write(row, 0, flow, 0, timeNanos);
        for (int i = 0; i < nodes.length; i++) {
            ReportRow.hop(row, 0, i, nodes[i], 1, 2, latency / nodes.length, 0, 0, -1, -1, -1, 64);
        }
        ReportRow.way(row, 0, 0, ReportRow.STACK | ReportRow.REPORTER, nodes.length);
        return row;
    }

    @Test
    void tellsOfEachMinuteOfAFlowOnce() {
        Minutes minutes = new Minutes();
        FlowTable table = new FlowTable(1_024, minutes);
        table.onTime(2 * SECOND);
        on(table, Rows.row(1, 0, 5 * SECOND));
        on(table, Rows.row(1, ReportRow.DROPPED, 6 * SECOND));
        on(table, Rows.row(2, 0, 7 * SECOND));
        on(table, Rows.row(1, 0, 60 * SECOND)); // told of by the next report
        table.onTime(60 * SECOND);
        assertThat(minutes.told).containsExactly("10.0.0.1 minute 0 reports 2 drops 1 latency -1 -1");
        minutes.told.clear();
        for (long nanos = 61 * SECOND; nanos <= 64 * SECOND; nanos += SECOND / 10) {
            table.onTime(nanos); // and here by time
        }
        assertThat(minutes.told).containsExactly("10.0.0.2 minute 0 reports 1 drops 0 latency -1 -1", "complete 1");
        minutes.told.clear();
        table.end();
        assertThat(minutes.told).containsExactly("10.0.0.1 minute 1 reports 1 drops 0 latency -1 -1");
    }

    @Test
    void latenciesAreRightToAnEighthAndAPathIsToldWhenItChanges() {
        Minutes minutes = new Minutes();
        FlowTable table = new FlowTable(8, minutes);
        for (int i = 0; i < 2_000; i++) {
            on(table, stack(1, i, i % 50 == 0 ? 900_000 : 10_000, 1, 2));
        }
        on(table, stack(1, 3_000, 10_000, 1, 3));
        table.end();
        assertThat(minutes.paths)
                .containsExactly(ReportRow.pathPrint(List.of(1L, 2L)), ReportRow.pathPrint(List.of(1L, 3L)));
        String[] words = minutes.told.getFirst().split(" ", -1);
        assertThat(Long.parseLong(words[words.length - 2])).isBetween(8_800L, 11_200L);
        assertThat(Long.parseLong(words[words.length - 1])).isBetween(790_000L, 1_010_000L);
    }

    @Test
    void aSweepOfFlowsThatHaveToLeaveIsCountedAndNotTold() {
        Minutes minutes = new Minutes();
        FlowTable table = new FlowTable(8, minutes);
        for (int flow = 0; flow < 1_000; flow++) {
            on(table, Rows.row(flow, 0, flow));
        }
        assertThat(minutes.told).isEmpty();
        assertThat(table.untold()).isEqualTo(1_000 - 8);
    }
}
