package io.pathlore.cli.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.analysis.sequence.Outcome;
import io.pathlore.model.ReportRow;
import io.pathlore.store.tables.Row;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExporterMinutesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MINUTE = 60 * SECOND;

    private final List<Row.Exporter> rows = new ArrayList<>();
    private final ExporterMinutes minutes = new ExporterMinutes(new ExporterMinutes.Sink() {
        @Override
        public void exporter(Row.Exporter row) {
            rows.add(row);
        }

        @Override
        public void complete(long untilNanos) {}
    });

    private void datagram(long nanos, Outcome outcome, int numbers, int gap) {
        minutes.datagram(false, 0, 1, nanos, 100, 1, 1, outcome, numbers, gap, ReportRow.ABSENT);
    }

    private void minute(Outcome begin, long start) {
        datagram(start, begin, begin == Outcome.FIRST ? 0 : 1, 0);
        for (int i = 1; i < 9; i++) {
            datagram(start + i * SECOND, Outcome.IN_ORDER, 1, 0);
        }
        datagram(start + 10 * SECOND, Outcome.GAP, 1, 1);
    }

    /** After a restart the journal is read from the beginning of a minute, where each stream begins anew. */
    @Test
    void aMinuteThatIsReadAgainIsTheSame() {
        datagram(SECOND, Outcome.FIRST, 0, 0);
        minute(Outcome.IN_ORDER, MINUTE);
        minutes.end();
        Row.Exporter live = rows.getLast();
        assertThat(live.lost()).isEqualTo(1);
        assertThat(live.completeness()).isEqualTo(10.0 / 11);

        ExporterMinutesTest again = new ExporterMinutesTest();
        again.minute(Outcome.FIRST, MINUTE);
        again.minutes.end();
        assertThat(again.rows).containsExactly(live);
    }

    @Test
    void whatCannotBeReadHasNoNumber() {
        minute(Outcome.FIRST, MINUTE);
        minutes.datagram(false, 0, 1, MINUTE + 11 * SECOND, 100, 1, 0, Outcome.FIRST, 0, 0, ReportRow.ABSENT);
        minutes.end();
        assertThat(rows.getFirst().datagrams()).isEqualTo(11);
        assertThat(rows.getFirst().completeness()).isEqualTo(10.0 / 11);
    }

    @Test
    void whoDoesNotCountLosesNothingThatAnybodyKnowsOf() {
        datagram(SECOND, Outcome.FIRST, 0, 0);
        datagram(2 * SECOND, Outcome.CONSTANT, 0, 0);
        minutes.end();
        assertThat(rows).hasSize(1);
        assertThat(rows.getFirst().lost()).isEqualTo(Row.ABSENT);
        assertThat(rows.getFirst().completeness()).isNaN();
    }
}
