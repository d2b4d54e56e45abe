package io.pathlore.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.analysis.Operator;
import io.pathlore.analysis.flow.FlowSink;
import io.pathlore.model.ReportRow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EngineTest {
    private final List<Counts> tallies = Collections.synchronizedList(new ArrayList<>());

    private static final class Counts implements Tally {
        private final AtomicLong analysed = new AtomicLong();
        private final AtomicLong shed = new AtomicLong();

        @Override
        public void analysed(long reports) {
            analysed.addAndGet(reports);
        }

        @Override
        public void shed(long reports) {
            shed.addAndGet(reports);
        }

        @Override
        public void publish() {}
    }

    private Tally tally() {
        Counts counts = new Counts();
        tallies.add(counts);
        return counts;
    }

    private long analysed() {
        return tallies.stream().mapToLong(each -> each.analysed.get()).sum();
    }

    private long shed() {
        return tallies.stream().mapToLong(each -> each.shed.get()).sum();
    }

    private Engine engine(int workers, int shards, int queueBytes, List<Operator> operators) {
        return new Engine(
                new EngineOptions(workers, shards, 10_000, queueBytes), operators, () -> FlowSink.NONE, this::tally);
    }

    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;

    /** Remembers the times it was woken at, and asks to be woken every second. */
    private static final class Clockwork implements Operator {
        private final List<Long> wakings = Collections.synchronizedList(new ArrayList<>());
        private final Map<String, Integer> perFlow = new HashMap<>();
        private final List<Long> seen = new ArrayList<>();
        private long next = SECOND;
        private boolean ended;

        @Override
        public void on(ReportRow report) {
            perFlow.merge(String.valueOf(report.flow()), 1, Integer::sum);
            seen.add(report.receivedNanos());
        }

        @Override
        public long wakeAtNanos() {
            return next;
        }

        @Override
        public void onWake(long nowNanos) {
            wakings.add(nowNanos);
            seen.add(-nowNanos);
            next += SECOND;
        }

        @Override
        public void end() {
            ended = true;
        }
    }

    @Test
    void withoutShardsAReportIsAnalysedWhereItIsHandedIn() {
        Clockwork clockwork = new Clockwork();
        try (Engine engine = engine(1, 0, 1, List.of(clockwork))) {
            engine.start();
            engine.intake(0).report(Rows.row(1, 0, 5), 0);
            engine.intake(0).flush();
            assertThat(analysed()).isEqualTo(1);
            assertThat(engine.waiting()).isZero();
            engine.intake(0).end();
        }
        assertThat(clockwork.ended).isTrue();
        assertThat(tallies).hasSize(1);
    }

    /** Wherever batches end, so that reading a journal again gives what was found live. */
    @Test
    void timersRunBetweenReportsOnTheirTime() {
        for (int batch = 1; batch <= 4; batch++) {
            Clockwork clockwork = new Clockwork();
            Engine engine = engine(1, 0, 1, List.of(clockwork));
            Intake intake = engine.intake(0);
            long[] times = {SECOND / 2, SECOND - 1, SECOND, 5 * SECOND / 2, 3 * SECOND + 1};
            for (int i = 0; i < times.length; i++) {
                intake.report(Rows.row(1, 0, times[i]), 0);
                if (i % batch == 0) {
                    intake.endBatch();
                }
            }
            intake.end();
            assertThat(clockwork.seen)
                    .containsExactly(
                            SECOND / 2,
                            SECOND - 1,
                            -SECOND,
                            SECOND,
                            -2 * SECOND,
                            5 * SECOND / 2,
                            -3 * SECOND,
                            3 * SECOND + 1);
            intake.report(Rows.row(1, 0, 3 * SECOND / 2), 0); // late: time does not go back
            intake.endBatch();
            assertThat(clockwork.wakings).hasSize(3);
            intake.onTick(4 * SECOND - 1);
            assertThat(clockwork.wakings).hasSize(3);
            intake.onTick(4 * SECOND);
            assertThat(clockwork.wakings).containsExactly(SECOND, 2 * SECOND, 3 * SECOND, 4 * SECOND);
        }
    }

    @Test
    void slackBringsReportsIntoTheOrderOfTheirTimes() {
        Clockwork clockwork = new Clockwork();
        EngineOptions options = new EngineOptions(1, 0, 1_000, 1).withSlack(10 * MILLI);
        Engine engine = new Engine(options, List.of(clockwork), () -> FlowSink.NONE, this::tally);
        Intake intake = engine.intake(0);
        for (long time : new long[] {995, 1_004, 1_001, 999, 1_013, 1_002, 1_020}) {
            intake.report(Rows.row(1, 0, time * MILLI), 0);
        }
        intake.endBatch();
        assertThat(clockwork.seen)
                .containsExactly(995 * MILLI, 999 * MILLI, -SECOND, 1_001 * MILLI, 1_002 * MILLI, 1_004 * MILLI);
        intake.end();
        assertThat(clockwork.seen).endsWith(1_004 * MILLI, 1_013 * MILLI, 1_020 * MILLI);
        assertThat(clockwork.ended).isTrue();
    }

    /** One worker is ahead of the other, and now and then the other way round. */
    @Test
    void operatorsSeeWhatAllWorkersDecodedInOneOrder() throws InterruptedException {
        Clockwork clockwork = new Clockwork();
        Engine engine = engine(2, 2, 1 << 20, List.of(clockwork));
        engine.start();
        long[] next = {1, 2};
        Random random = new Random(7);
        while (next[0] < 2_000 || next[1] < 2_000) {
            int worker = random.nextInt(2);
            Intake intake = engine.intake(worker);
            for (int i = random.nextInt(40); i > 0 && next[worker] < 2_000; i--) {
                intake.report(Rows.row(next[worker], 0, next[worker] * MILLI), 0);
                next[worker] += 2;
            }
            intake.endBatch();
        }
        engine.intake(0).end();
        engine.intake(1).end();
        engine.close();
        assertThat(engine.skipped()).isZero();
        assertThat(clockwork.seen.stream().map(Math::abs)).hasSize(2_000).isSorted();
    }

    /** Every report is counted once, all flows are there at the end, and the operators have seen all they could. */
    @Test
    void shardsShareTheFlows() throws InterruptedException {
        Clockwork clockwork = new Clockwork();
        int each = 50_000;
        Engine engine = engine(2, 3, 1 << 20, List.of(clockwork));
        engine.start();
        List<Thread> workers = new ArrayList<>();
        for (int worker = 0; worker < 2; worker++) {
            Intake intake = engine.intake(worker);
            workers.add(Thread.ofPlatform().start(() -> {
                ByteBuffer row = ByteBuffer.allocateDirect(ReportRow.LENGTH);
                for (int i = 0; i < each; i++) {
                    Rows.write(row, 0, i % 997, 0, i * MILLI);
                    intake.report(row, 0);
                    if (i % 64 == 0) {
                        intake.endBatch();
                        while (engine.waiting() > 4_000) {
                            Thread.onSpinWait();
                        }
                    }
                }
                intake.end();
            }));
        }
        for (Thread worker : workers) {
            worker.join();
        }
        engine.close();
        assertThat(shed()).isZero();
        assertThat(analysed()).isEqualTo(2L * each);
        assertThat(engine.waiting()).isZero();
        assertThat(engine.flows()).isEqualTo(997);
        assertThat(clockwork.ended).isTrue();
        assertThat(clockwork.wakings).hasSize((each - 1) / 1_000);
        assertThat(clockwork.perFlow.values().stream()
                                .mapToInt(Integer::intValue)
                                .sum()
                        + engine.skipped())
                .isEqualTo(2L * each);
    }

    @Test
    void aFullQueueShedsAndCounts() {
        Engine engine = engine(1, 1, 100 * ReportRow.LENGTH, List.of());
        Intake intake = engine.intake(0);
        for (int i = 0; i < 250; i++) {
            intake.report(Rows.row(i, 0, i), 0);
        }
        assertThat(shed()).isEqualTo(150);
        assertThat(engine.waiting()).isEqualTo(100);
        intake.end();
        engine.start();
        engine.close();
        assertThat(analysed()).isEqualTo(100);
        assertThat(engine.waiting()).isZero();
    }

    @Test
    void pressureInFrontShedsAndEases() {
        Engine engine = engine(1, 0, 1, List.of());
        Intake intake = engine.intake(0);
        long ticks = 0;
        for (int i = 0; i < 20; i++) {
            intake.onPressure(90, ticks += 50_000_000);
        }
        assertThat(engine.shedLevel()).isEqualTo(8);
        intake.report(Rows.row(1, 0, 1), 0);
        intake.report(Rows.row(1, ReportRow.DROPPED, 1), 0);
        intake.flush();
        assertThat(shed()).isEqualTo(1);
        assertThat(analysed()).isEqualTo(1);
        for (int i = 0; i < 8; i++) {
            intake.onPressure(0, ticks += 50_000_000);
        }
        assertThat(engine.shedLevel()).isZero();
        intake.report(Rows.row(1, 0, 1), 0);
        intake.flush();
        assertThat(analysed()).isEqualTo(2);
    }

    /** In groups that follow from the reports alone, wherever batches end. */
    @Test
    void reportsAreExpectedTogetherAndDealtWithInTheirOrder() {
        List<String> first = told(1);
        assertThat(first.subList(0, 4)).containsExactly("expect 0", "expect 1", "expect 2", "expect 3");
        assertThat(first.stream().filter(each -> each.startsWith("on")))
                .containsExactlyElementsOf(
                        IntStream.range(0, 100).mapToObj(i -> "on " + i).toList());
        assertThat(first.indexOf("on 0")).isGreaterThan(10);
        for (int batch = 2; batch <= 100; batch++) {
            assertThat(told(batch)).isEqualTo(first);
        }
    }

    private List<String> told(int batch) {
        List<String> told = new ArrayList<>();
        Operator careful = new Operator() {
            @Override
            public void expect(ReportRow[] reports, int count) {
                for (int i = 0; i < count; i++) {
                    told.add("expect " + reports[i].receivedNanos());
                }
            }

            @Override
            public void on(ReportRow report) {
                told.add("on " + report.receivedNanos());
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
        Intake intake = engine(1, 0, 1, List.of(careful)).intake(0);
        for (int i = 0; i < 100; i++) {
            intake.report(Rows.row(1, 0, i), 0);
            if (i % batch == 0) {
                intake.endBatch();
            }
        }
        intake.end();
        return told;
    }

    @Test
    void anOperatorThatFailsIsToldOf() throws InterruptedException {
        Operator broken = new Operator() {
            @Override
            public void on(ReportRow report) {
                throw new IllegalStateException("broken");
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
        Engine engine = engine(1, 1, 1 << 16, List.of(broken));
        Thread.UncaughtExceptionHandler former = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {});
        try {
            engine.start();
            engine.intake(0).report(Rows.row(1, 0, 1), 0);
            engine.intake(0).endBatch();
            engine.close();
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(former);
        }
        assertThat(engine.failure()).isInstanceOf(IllegalStateException.class);
        assertThat(analysed()).isEqualTo(1); // its flow was counted all the same
    }

    @Test
    void severalWorkersNeedAShard() {
        assertThatThrownBy(() -> new EngineOptions(2, 0, 1_000, 1)).hasMessageContaining("at least one shard");
    }
}
