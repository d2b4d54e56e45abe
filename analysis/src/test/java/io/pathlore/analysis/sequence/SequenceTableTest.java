package io.pathlore.analysis.sequence;

import static io.pathlore.analysis.sequence.Stream.MILLI;
import static io.pathlore.analysis.sequence.Stream.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class SequenceTableTest {
    private static final long SEED = 42;
    private static final long START = 1_700_000_000L * SECOND;
    private static final long MAPPED = 0xFFFF_0A00_0000L;
    private final StreamKey key = new StreamKey().destination(0, MAPPED | 0xFE, 8555);

    private static SequenceTable table(int capacity) {
        return new SequenceTable(capacity, SEED, SequenceTracker.Rules.DEFAULT);
    }

    private Outcome send(SequenceTable table, int node, int hwId, long number, long now) {
        key.exporter(0, MAPPED | node).version20(node, hwId);
        return table.on(key, Counting.AUTO, number, now, 1, number * 31 + node);
    }

    /** S-06: 1,000 nodes with 64 subsystems each; every one loses what only it lost. */
    @Test
    void streamsOf64000SourcesDoNotMix() {
        SequenceTable table = table(SequenceTable.DEFAULT_CAPACITY);
        int rounds = 20;
        long lost = 0;
        long copies = 0;
        for (int round = 0; round < rounds; round++) {
            for (int node = 0; node < 1_000; node++) {
                for (int hwId = 0; hwId < 64; hwId++) {
                    boolean drop = round > 3 && round < rounds - 1 && (node * 64 + hwId) % 19 == round;
                    if (drop) {
                        lost++;
                        continue;
                    }
                    long number = node * 4_001L + hwId * 13L + round;
                    send(table, node, hwId, number, START + round * MILLI);
                    if (round > 5 && (node + hwId) % 17 == round) {
                        assertThat(send(table, node, hwId, number, START + round * MILLI))
                                .isEqualTo(Outcome.DUPLICATE);
                        copies++;
                    }
                }
            }
        }
        SequenceTotals totals = table.totals();
        assertThat(table.size()).isEqualTo(64_000);
        assertThat(table.evicted()).isZero();
        assertThat(totals.lost() + totals.missing()).isEqualTo(lost);
        assertThat(totals.duplicates()).isEqualTo(copies);
        assertThat(totals.restarts()).isZero();
        assertThat(totals.received()).isEqualTo(64_000L * rounds - lost + copies);
        List<StreamView> views = new ArrayList<>();
        table.scan(0, Integer.MAX_VALUE, START, views::add);
        assertThat(views).hasSize(64_000).allSatisfy(view -> {
            assertThat(view.sequence()).isEqualTo(view.nodeId() * 4_001 + view.hwId() * 13L + rounds - 1);
            assertThat(view.exporterLow()).isEqualTo(MAPPED | view.nodeId());
            long mine = (view.nodeId() * 64 + view.hwId()) % 19;
            assertThat(view.totals().missing()).isEqualTo(mine > 3 && mine < rounds - 1 ? 1 : 0);
        });
        table.close();
        assertThat(table.totals().lost()).isEqualTo(lost);
        assertThat(table.totals().missing()).isZero();
    }

    /** S-06. */
    @Test
    void streamsOf64000SourcesTakeLessThan32MB() {
        long before = direct();
        SequenceTable table = table(SequenceTable.DEFAULT_CAPACITY);
        long offHeap = direct() - before;
        long heap = 4L * Integer.highestOneBit(64_000 * 3 / 2) * 2;
        assertThat(table.size()).isZero();
        assertThat(offHeap + heap).isEqualTo(SequenceTable.bytes(SequenceTable.DEFAULT_CAPACITY));
        assertThat(offHeap + heap).isLessThanOrEqualTo(32_000_000);
    }

    private static long direct() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    @Test
    void nothingIsAllocatedPerDatagram() {
        SequenceTable table = table(2_000);
        RandomGenerator random = new SplittableRandom(SEED);
        for (int i = 0; i < 50_000; i++) {
            mixed(table, random, i);
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 50_000; i < 250_000; i++) {
            mixed(table, random, i);
        }
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(table.evicted()).isPositive();
        assertThat(bytes).isLessThan(10_000);
    }

    private void mixed(SequenceTable table, RandomGenerator random, int i) {
        int node = random.nextInt(3_000);
        send(table, node, 0, i / 3_000 + (random.nextInt(50) == 0 ? random.nextInt(5_000) : 0), START + i * 1_000L);
    }

    /** S-08, S-09: what has its own counter has its own stream. */
    @Test
    void everythingInTheKeyTellsStreamsApart() {
        SequenceTable table = table(64);
        List<StreamKey> keys = List.of(
                new StreamKey().exporter(0, 1).destination(0, 9, 8555).version20(7, 0),
                new StreamKey().exporter(0, 2).destination(0, 9, 8555).version20(7, 0),
                new StreamKey().exporter(1, 1).destination(0, 9, 8555).version20(7, 0),
                new StreamKey().exporter(0, 1).destination(0, 8, 8555).version20(7, 0),
                new StreamKey().exporter(0, 1).destination(2, 9, 8555).version20(7, 0),
                new StreamKey().exporter(0, 1).destination(0, 9, 8556).version20(7, 0),
                new StreamKey().exporter(0, 1).destination(0, 9, 8555).version20(0xFFFF_FFFFL, 0),
                new StreamKey().exporter(0, 1).destination(0, 9, 8555).version20(7, 63),
                new StreamKey().exporter(0, 1).destination(0, 9, 8555).version10(7, 0),
                new StreamKey().exporter(0, 1).destination(0, 9, 8555).version05(0));
        for (StreamKey each : keys) {
            assertThat(table.on(each, Counting.AUTO, 5, START, 1, 1)).isEqualTo(Outcome.FIRST);
        }
        for (StreamKey each : keys) {
            assertThat(table.on(each, Counting.AUTO, 6, START, 1, 2)).isEqualTo(Outcome.IN_ORDER);
        }
        assertThat(table.size()).isEqualTo(keys.size());
        List<StreamView> views = new ArrayList<>();
        table.scan(0, 100, START, views::add);
        assertThat(views).extracting(StreamView::nodeId).contains(0xFFFF_FFFFL, StreamView.NO_NODE);
    }

    /** S-09: 2^22 - 1 is followed by 0 in version 2.0 and by 2^22 in version 1.0. */
    @Test
    void versionsHaveTheirOwnArithmetic() {
        SequenceTable table = table(4);
        StreamKey wide = new StreamKey().exporter(0, 1).version10(7, 0);
        StreamKey narrow = new StreamKey().exporter(0, 1).version20(7, 0);
        for (long number = (1 << 22) - 10; number < (1 << 22) + 10; number++) {
            table.on(wide, Counting.AUTO, number, START, 1, number);
            table.on(narrow, Counting.AUTO, number & 0x3F_FFFF, START, 1, number);
        }
        assertThat(table.count(Outcome.IN_ORDER)).isEqualTo(38);
        assertThat(table.totals().missing()).isZero();
    }

    /** Random node ids from one exporter turn each other out, not those that keep speaking. */
    @Test
    void aSweepOfRandomNodesDoesNotTurnOutTheRegulars() {
        SequenceTable table = table(1_000);
        RandomGenerator random = new SplittableRandom(SEED);
        int regulars = 500;
        long sweep = 0;
        for (int round = 0; round < 200; round++) {
            for (int node = 0; node < regulars; node++) {
                send(table, node, 0, round, START + round * MILLI);
            }
            for (int i = 0; i < 400; i++) {
                send(table, random.nextInt(1_000_000, Integer.MAX_VALUE), 1, random.nextInt(1 << 22), START);
                sweep++;
            }
        }
        assertThat(table.size()).isEqualTo(1_000);
        assertThat(table.evicted()).isEqualTo(regulars + sweep - 1_000);
        assertThat(table.count(Outcome.FIRST)).isEqualTo(regulars + sweep);
        assertThat(table.count(Outcome.IN_ORDER)).isEqualTo(regulars * 199L);
    }

    /** What an evicted stream missed does not vanish with it. */
    @Test
    void theTotalsKeepWhatEvictedStreamsLost() {
        SequenceTable table = table(1);
        for (int number : new int[] {0, 1, 2, 5, 6}) {
            send(table, 1, 0, number, START);
        }
        assertThat(table.totals().missing()).isEqualTo(2);
        send(table, 2, 0, 0, START);
        assertThat(table.evicted()).isEqualTo(1);
        assertThat(table.totals().missing()).isZero();
        assertThat(table.totals().lost()).isEqualTo(2);
        assertThat(table.totals().received()).isEqualTo(6);
    }

    /** Against a map: whatever comes and goes, a stream is found if and only if it is there. */
    @Test
    void agreesWithStreamsKeptApartAtAnyLoad() {
        for (int capacity : new int[] {1, 2, 3, 50, 683}) {
            SequenceTable table = table(capacity);
            RandomGenerator random = new SplittableRandom(capacity);
            long given = 0;
            for (int i = 0; i < 20_000; i++) {
                send(table, random.nextInt(capacity * 2), 0, i, START + i);
                given++;
                assertThat(table.tracker().received()).isPositive();
            }
            List<StreamView> views = new ArrayList<>();
            for (int next = table.scan(0, 7, START, views::add); next != 0; ) {
                next = table.scan(next, 7, START, views::add);
            }
            assertThat(views).hasSize(capacity).extracting(StreamView::nodeId).doesNotHaveDuplicates();
            assertThat(table.count(Outcome.FIRST)).isEqualTo(table.evicted() + capacity);
            assertThat(table.totals().received()).isEqualTo(given);
        }
    }

    @Test
    void theSameDatagramsLeaveTheSameOctets() {
        long[] sums = new long[2];
        for (int run = 0; run < 2; run++) {
            SequenceTable table = table(500);
            RandomGenerator random = new SplittableRandom(SEED);
            for (int i = 0; i < 100_000; i++) {
                mixed(table, random, i);
                if (run == 1 && i % 1_000 == 0) {
                    table.scan(0, 10, START, view -> {});
                    table.exporters(START);
                }
            }
            sums[run] = table.fingerprint();
        }
        assertThat(sums[0]).isEqualTo(sums[1]);
    }

    /** Two receivers that share the streams count together what one would have counted. */
    @Test
    void totalsOfTwoTablesAddUp() {
        SequenceTable one = table(100);
        SequenceTable[] two = {table(100), table(100)};
        RandomGenerator random = new SplittableRandom(SEED);
        for (int i = 0; i < 50_000; i++) {
            int node = random.nextInt(50);
            if (random.nextInt(10) > 0) {
                send(one, node, 0, i / 50, START + i * 10_000L);
                send(two[node % 2], node, 0, i / 50, START + i * 10_000L);
            }
        }
        assertThat(two[0].totals().plus(two[1].totals())).isEqualTo(one.totals());
    }

    @Test
    void exportersAreSumsOfTheirStreams() {
        SequenceTable table = table(100);
        for (int hwId = 0; hwId < 3; hwId++) {
            for (int number = 0; number < 10; number++) {
                if (number != 5 || hwId == 1) {
                    send(table, 9, hwId, number, START);
                    send(table, 4, hwId, number, START);
                }
            }
        }
        assertThat(table.exporters(START)).hasSize(2).allSatisfy(exporter -> {
            assertThat(exporter.streams()).isEqualTo(3);
            assertThat(exporter.totals().missing()).isEqualTo(2);
            assertThat(exporter.totals().completeness()).isEqualTo(28 / 30.0);
        });
        assertThat(table.exporters(START).getFirst().exporterLow()).isEqualTo(MAPPED | 4);
        int next = 0;
        do {
            next = table.settle(next, 2, START + 60 * SECOND);
        } while (next != 0);
        assertThat(table.totals().lost()).isEqualTo(4);
        assertThat(table.totals().missing()).isZero();
    }

    /** I7: what the numbers say and what a receiver knows to have dropped are two ways to one figure. */
    @Test
    void lossByNumberEqualsLossByCount() {
        for (double share : new double[] {0.001, 0.01, 0.1}) {
            SequenceTable table = table(1_000);
            RandomGenerator random = new SplittableRandom(SEED);
            long dropped = 0;
            for (int i = 0; i < 400_000; i++) {
                boolean edge = i < 2_000 || i >= 399_000;
                if (!edge && random.nextDouble() < share) {
                    dropped++;
                } else {
                    send(table, i % 1_000, 0, i / 1_000, START + i * 1_000L);
                }
            }
            table.close();
            assertThat(table.totals().lost()).isEqualTo(dropped);
        }
    }
}
