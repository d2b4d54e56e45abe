package io.pathlore.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.model.FlowKey;
import io.pathlore.model.ReportRow;
import java.nio.ByteBuffer;
import java.util.HashMap;
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
        FlowTable table = new FlowTable(4_096);
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
        FlowTable table = new FlowTable(8);
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
        FlowTable table = new FlowTable(64);
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
        FlowTable table = new FlowTable(8);
        on(table, Rows.withoutFlow(1));
        assertThat(table.size()).isZero();
    }

    /** A million invented flows, and a hundred that really send: those must all still be there. */
    @Test
    void aSweepTurnsOutItself() {
        FlowTable table = new FlowTable(20_000);
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
        FlowTable table = new FlowTable(8);
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
}
