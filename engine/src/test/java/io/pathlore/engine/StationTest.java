package io.pathlore.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.analysis.Operator;
import io.pathlore.analysis.Relay;
import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StationTest {
    private static final long START = 1_700_000_000_000_000_000L;
    private static final long TENTH = 100_000_000L;

    /** Who sees no reports hears of time only when the first of it has long passed. */
    @Test
    void eachIsWokenAtItsOwnTimeHoweverLateTimeIsFirstTold() {
        List<Long> times = new ArrayList<>();
        Relay<Long> relay = new Relay<>(told -> {});
        Operator clock = new Operator() {
            @Override
            public void on(ReportRow report) {}

            @Override
            public void at(long nanos) {
                times.add(nanos);
            }

            @Override
            public long wakeAtNanos() {
                return NEVER;
            }

            @Override
            public void onWake(long nowNanos) {}

            @Override
            public void end() {}
        };
        Station station = new Station(1 << 20, 0, null, List.of(clock, relay));
        List<Long> told = List.of(START, START + TENTH, START + 20 * TENTH);
        told.forEach(nanos -> relay.add(nanos, nanos));
        station.onTime(START + 60 * TENTH);
        assertThat(times).isEqualTo(told);
    }
}
