package io.pathlore.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.model.ReportRow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SorterTest {
    private static final long START = 1_700_000_000_000_000_000L;

    /** {@code number}: as which it came. */
    private record Report(long nanos, long exporter, int number) {
        static final Comparator<Report> ORDER = Comparator.comparingLong(Report::nanos)
                .thenComparingLong(Report::exporter)
                .thenComparingInt(Report::number);

        ReportRow row() {
            ByteBuffer row = ByteBuffer.allocate(ReportRow.LENGTH);
            ReportRow.begin(row, 0, 0, 20, nanos, 0, ReportRow.mapped(exporter), number);
            return new ReportRow().wrap(row, 0);
        }
    }

    private static final class Seen implements Sorter.Sorted {
        private final List<Long> numbers = new ArrayList<>();
        private long time = Long.MIN_VALUE;

        @Override
        public void on(ReportRow row) {
            numbers.add(row.node());
        }

        @Override
        public void onTime(long nanos) {
            time = nanos;
        }
    }

    private static List<Long> numbers(List<Report> reports) {
        return reports.stream().map(each -> (long) each.number).toList();
    }

    /** Pieces of several exporters, each in its order, and now and then one that is late; many at the same time. */
    @Test
    void tellsOfThoseWhoseTimeHasComeInTheirOrder() {
        SplittableRandom random = new SplittableRandom(3);
        for (int round = 0; round < 300; round++) {
            Seen seen = new Seen();
            Sorter sorter = new Sorter(0, Long.MAX_VALUE, seen);
            List<Report> waiting = new ArrayList<>();
            List<Long> expected = new ArrayList<>();
            int number = 0;
            long until = START;
            for (int piece = random.nextInt(12); piece >= 0; piece--) {
                long exporter = random.nextLong(1, 4);
                long nanos = until + random.nextLong(-5, 20);
                for (int i = random.nextInt(1, 30); i > 0; i--) {
                    Report report = new Report(nanos, exporter, number++);
                    sorter.hold(report.row());
                    waiting.add(report);
                    nanos += random.nextInt(10) == 0 ? -3 : random.nextLong(3);
                }
                until += random.nextLong(15);
                long reached = until;
                List<Report> due = waiting.stream()
                        .filter(each -> each.nanos <= reached)
                        .sorted(Report.ORDER)
                        .toList();
                waiting.removeAll(due);
                expected.addAll(numbers(due));
                sorter.releaseUntil(until);
                assertThat(seen.numbers).isEqualTo(expected);
                assertThat(seen.time).isEqualTo(until);
                assertThat(sorter.bytes() == 0).isEqualTo(waiting.isEmpty());
            }
            sorter.end();
            waiting.sort(Report.ORDER);
            expected.addAll(numbers(waiting));
            assertThat(seen.numbers).isEqualTo(expected);
            assertThat(sorter.bytes()).isZero();
            assertThat(sorter.early()).isZero();
        }
    }

    @Test
    void whereThereIsNoRoomTheFirstGoBeforeTheirTime() {
        SplittableRandom random = new SplittableRandom(5);
        Seen seen = new Seen();
        long most = 100 * (ReportRow.LENGTH + 8L * ReportRow.HOP_LENGTH);
        Sorter sorter = new Sorter(0, most, seen);
        List<Report> waiting = new ArrayList<>();
        int told = 0;
        for (int number = 0; number < 2_000; number++) {
            Report report = new Report(START + random.nextLong(1_000_000), 1, number);
            sorter.hold(report.row());
            waiting.add(report);
            waiting.sort(Report.ORDER);
            List<Long> left = seen.numbers.subList(told, seen.numbers.size());
            assertThat(numbers(waiting.subList(0, left.size()))).isEqualTo(left);
            waiting.subList(0, left.size()).clear();
            told = seen.numbers.size();
            assertThat(sorter.bytes()).isPositive().isLessThanOrEqualTo(most);
            assertThat(sorter.early()).isEqualTo(told);
        }
        assertThat(told).isGreaterThan(1_800);
        sorter.end();
        assertThat(seen.numbers).hasSize(2_000);
    }
}
