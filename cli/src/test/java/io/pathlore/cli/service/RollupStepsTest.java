package io.pathlore.cli.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.store.tables.QueryLimits;
import io.pathlore.store.tables.Row;
import io.pathlore.store.tables.TableOptions;
import io.pathlore.store.tables.TablePages;
import io.pathlore.store.tables.TableStore;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What of the tables is published, and when; to somebody who writes it down. */
@Timeout(60)
class RollupStepsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MINUTE = 60 * SECOND;
    /** 2026-11-15T18:00:00Z. */
    private static final long START = 1_794_765_600L * SECOND;

    private static final long EDGE = 7;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path temp;

    @SuppressWarnings("NullAway.Init") // set before each test
    private TableStore store;

    @SuppressWarnings("NullAway.Init")
    private Thread storing;

    private final List<String> told = new ArrayList<>();
    private boolean isAway;

    @BeforeEach
    void open() throws Exception {
        store = TableStore.open(temp.resolve("tables"), TableOptions.DEFAULT, line -> {});
        storing = Thread.ofPlatform().start(store);
    }

    @AfterEach
    void close() throws Exception {
        store.stop();
        storing.join();
        store.close();
    }

    private RollupSteps steps() throws Exception {
        return new RollupSteps(
                new TablePages(store.queries(QueryLimits.DEFAULT)),
                new RollupSteps.Outlet() {
                    @Override
                    public void publish(Map<String, String> texts) {
                        if (isAway) {
                            throw new IllegalStateException("away");
                        }
                        told.addAll(texts.keySet());
                    }

                    @Override
                    public void publishToAll(String key, String text) {
                        told.add(text.replaceFirst(".*\"time\":\"2026-11-15T(.{8}).*", "until $1"));
                    }
                },
                PublishedMark.in(temp.resolve("kafka"), PublishedMark.ROLLUPS),
                EDGE,
                0,
                new Notes(new PrintWriter(new StringWriter()), () -> START));
    }

    private static Row drop(long time, long node) {
        return new Row.Drop(time, node, 1, 0, 80, 1, Row.ABSENT);
    }

    private static Row hop(boolean minute, long time, long node) {
        return new Row.Hop(minute, time, node, 1, 0, 1, -1, -1, -1, -1, null, -1, -1, 0, Double.NaN);
    }

    private static Row attack(long time) {
        return new Row.AttackSecond(time, "a", 1, true, 1);
    }

    private void store(Row... rows) {
        assertThat(store.append(List.of(rows))).isTrue();
        assertThat(store.flush()).isTrue();
        await();
    }

    private void mark(long storedTo) {
        assertThat(store.mark(storedTo, Map.of())).isTrue();
        while (store.stored().storedToNanos() != storedTo) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private void await() {
        while (store.health().waitingBytes() > 0) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private List<String> all(RollupSteps steps) throws Exception {
        told.clear();
        while (steps.step(store.stored().storedToNanos())) {
            // one minute
        }
        steps.goAhead();
        return told;
    }

    private static String hop(String table, String time) {
        return table + "/2026-11-15T" + time + ".000000000Z/3/1/0";
    }

    @Test
    void minutesArePublishedWhenTheyAreOverAndNothingLiesBeforeTheirEnd() throws Exception {
        RollupSteps steps = steps();
        assertThat(all(steps)).as("nothing is known to be whole").isEmpty();
        mark(START);
        assertThat(all(steps)).containsExactly("until 18:00:00");
        store(hop(false, START, 3), hop(true, START, 3), hop(true, START + 5 * MINUTE, 3));
        assertThat(all(steps)).isEmpty();
        mark(START + 6 * MINUTE);
        assertThat(all(steps))
                .containsExactly(
                        hop("hops_1s", "18:00:00"),
                        hop("hops_1m", "18:00:00"),
                        "until 18:01:00",
                        hop("hops_1m", "18:05:00"),
                        "until 18:06:00");
        assertThat(all(steps)).isEmpty();
    }

    @Test
    void secondsComeAtOnceAndAgainOnlyWhereSomeCameLate() throws Exception {
        RollupSteps steps = steps();
        mark(START);
        all(steps);
        store(hop(false, START, 3), hop(false, START + SECOND, 3), hop(false, START + 2 * SECOND, 3));
        assertThat(all(steps)).containsExactly(hop("hops_1s", "18:00:00"));
        store(hop(false, START + 59 * SECOND, 3), hop(false, START + 62 * SECOND, 3));
        assertThat(all(steps))
                .containsExactly(hop("hops_1s", "18:00:01"), hop("hops_1s", "18:00:02"), hop("hops_1s", "18:00:59"));
        mark(START + MINUTE);
        assertThat(all(steps)).as("all seconds were there").containsExactly("until 18:01:00");
        store(hop(false, START + 125 * SECOND, 3));
        assertThat(all(steps)).containsExactly(hop("hops_1s", "18:01:02"));
        store(hop(false, START + 63 * SECOND, 3), drop(START + 64 * SECOND, 9));
        mark(START + 2 * MINUTE);
        assertThat(all(steps))
                .as("all that are late, once more")
                .startsWith(
                        hop("hops_1s", "18:01:02"),
                        hop("hops_1s", "18:01:03"),
                        "drops_1s/2026-11-15T18:01:04.000000000Z/9/1/0/80",
                        "until 18:02:00");
    }

    /** What came before an attack is told when it is found; the mark may be past that. */
    @Test
    void secondsOfAnAttackComeAtOnceAndAllWhenTheMinuteIsOver() throws Exception {
        String before = "attacks_1s/2026-11-15T18:00:59.000000000Z/a";
        String first = "attacks_1s/2026-11-15T18:01:00.000000000Z/a";
        String stopped = "stopped/2026-11-15T18:01:00.500000000Z/a/m";
        RollupSteps steps = steps();
        store(hop(false, START, 3));
        mark(START + MINUTE);
        all(steps);
        store(attack(START + MINUTE - SECOND), attack(START + MINUTE), hop(false, START + MINUTE + 2 * SECOND, 3));
        store(new Row.Stopped(START + MINUTE + SECOND / 2, START + MINUTE, "a", "m", 1));
        assertThat(all(steps)).containsExactly(first, stopped);
        mark(START + 2 * MINUTE);
        assertThat(all(steps)).contains(before, first, stopped);
    }

    @Test
    void whatDidNotArriveIsPublishedAgainAndNothingElse() throws Exception {
        RollupSteps steps = steps();
        store(hop(true, START, 3), hop(true, START + MINUTE, 3));
        mark(START + MINUTE);
        assertThat(all(steps)).containsExactly(hop("hops_1m", "18:00:00"), "until 18:01:00");
        mark(START + 2 * MINUTE);
        isAway = true;
        assertThatThrownBy(() -> all(steps)).hasMessage("away");
        isAway = false;
        // Another process goes on where this one was.
        assertThat(all(steps())).containsExactly(hop("hops_1m", "18:01:00"), "until 18:02:00");
        assertThat(all(steps())).isEmpty();
    }

    @Test
    void atTheEndThereIsWhatHasComeOfTheLastMinute() throws Exception {
        RollupSteps steps = steps();
        mark(START);
        store(hop(false, START, 3), hop(false, START + 2 * SECOND, 3), hop(true, START, 3));
        assertThat(all(steps)).containsExactly("until 18:00:00", hop("hops_1s", "18:00:00"));
        told.clear();
        steps.finish(() -> false);
        assertThat(told).containsExactly(hop("hops_1s", "18:00:02"), hop("hops_1m", "18:00:00"));
    }

    @Test
    void atTheEndThereIsWhatWasToldLateOfTheMinuteBefore() throws Exception {
        RollupSteps steps = steps();
        store(hop(true, START, 3));
        mark(START + MINUTE);
        assertThat(all(steps)).contains("until 18:01:00");
        store(attack(START + MINUTE - SECOND));
        told.clear();
        steps.finish(() -> false);
        assertThat(told).containsExactly("attacks_1s/2026-11-15T18:00:59.000000000Z/a");
    }
}
