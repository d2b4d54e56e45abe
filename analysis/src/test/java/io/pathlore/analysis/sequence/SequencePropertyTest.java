package io.pathlore.analysis.sequence;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Streams whose truth is known, because it was made here; and streams that make no sense at all. */
class SequencePropertyTest {
    private static final long START = 1_700_000_000_000_000_000L;
    private long shortWays;

    private record Datagram(long number, int reports, long nanos, double order, boolean copy) {}

    /** @param lost numbers between the first and the last to come of each epoch that never came */
    private record Truth(int width, List<Datagram> datagrams, long lost, long arrived, long copies, long restarts) {
        @Override
        public String toString() {
            return "width " + width + ", " + datagrams.size() + " datagrams, " + restarts + " restarts";
        }
    }

    private enum Unit {
        DATAGRAM,
        FIRST,
        LAST
    }

    /** S-01 to S-04 together: whatever happens inside the window is accounted for to the last number. */
    @Test
    void lossAndDuplicatesAreExactWhileReorderingStaysInsideTheWindow() {
        forAll(400, random -> truth(random, 1, random.nextInt(1_024), Unit.DATAGRAM), this::agrees);
    }

    /** S-02: the same over restarts. */
    @Test
    void lossAndDuplicatesAreExactOverRestarts() {
        forAll(300, random -> truth(random, 1 + random.nextInt(5), random.nextInt(4), Unit.DATAGRAM), this::agrees);
    }

    /** S-07: the same where reports are numbered, and nobody said so. */
    @Test
    void lossIsExactWhereReportsAreNumbered() {
        forAll(200, random -> truth(random, 1, random.nextInt(20), Unit.FIRST), this::agrees);
        forAll(200, random -> truth(random, 1, random.nextInt(20), Unit.LAST), this::agrees);
    }

    private void agrees(Truth truth) {
        Stream stream = new Stream(truth.width);
        long lost = 0;
        for (Datagram datagram : truth.datagrams) {
            stream.now = datagram.nanos - stream.step;
            stream.send(datagram.number, datagram.reports, datagram.number);
            if (stream.tracker.lost() < lost) {
                throw new AssertionError("lost fell from " + lost + " to " + stream.tracker.lost());
            }
            lost = stream.tracker.lost();
        }
        stream.tracker.close();
        assertThat(stream.tracker.lost()).as("lost").isEqualTo(truth.lost);
        assertThat(stream.tracker.missing()).isZero();
        assertThat(stream.count(Outcome.DUPLICATE)).as("duplicates").isEqualTo(truth.copies);
        assertThat(stream.count(Outcome.RESTART)).as("restarts").isEqualTo(truth.restarts);
        assertThat(stream.count(Outcome.RESEEDED)).isZero();
        assertThat(stream.tracker.arrived()).as("arrived").isEqualTo(truth.arrived);
        assertThat(stream.tracker.received()).isEqualTo(truth.datagrams.size());
        assertThat(stream.tracker.suspicions()).isZero();
    }

    private static Truth truth(RandomGenerator random, int epochs, int depth, Unit unit) {
        int width = random.nextBoolean() ? 22 : 32;
        double loss = new double[] {0, 0.001, 0.01, 0.1, 0.3}[random.nextInt(5)];
        double copies = new double[] {0, 0.01, 1}[random.nextInt(3)];
        long step = 1_000 + random.nextLong(500_000);
        // Reports are numbered, so a datagram further behind has more numbers between it and the head.
        int maxReports = unit == Unit.DATAGRAM ? 1 : 6;
        List<Datagram> all = new ArrayList<>();
        long first = random.nextBoolean() ? random.nextLong(1L << width) : (1L << width) - 1_000;
        long now = START;
        long lost = 0;
        long arrived = 0;
        long copied = 0;
        for (int epoch = 0; epoch < epochs; epoch++) {
            List<Datagram> sent = new ArrayList<>();
            Set<Long> numbers = new HashSet<>();
            long lowest = Long.MAX_VALUE;
            long highest = 0;
            long number = first;
            int length = 300 + random.nextInt(5_000);
            int outage = random.nextInt(4) == 0 && length > 3_500 ? 1_500 + random.nextInt(1_500) : 0;
            for (int i = 0; i < length; i++) {
                now += step;
                int reports = 1 + random.nextInt(maxReports);
                int covered = unit == Unit.DATAGRAM ? 1 : reports;
                boolean out = outage > 0 && i >= 2_000 && i < 2_000 + outage && unit == Unit.DATAGRAM;
                if (random.nextDouble() >= loss && !out) {
                    long label = unit == Unit.LAST ? number + covered - 1 : number;
                    sent.add(new Datagram(label, reports, now, i + depth * random.nextDouble(), false));
                    for (long k = number; k < number + covered; k++) {
                        numbers.add(k);
                    }
                    lowest = Math.min(lowest, number);
                    highest = Math.max(highest, number + covered - 1);
                    // Before the counter has moved, and before a restart is one, a copy is not known to be a copy.
                    if (unit == Unit.DATAGRAM && i > depth + 100 && random.nextDouble() < copies) {
                        sent.add(new Datagram(label, reports, now, i + depth * random.nextDouble(), true));
                        copied++;
                    }
                }
                number += covered;
            }
            lost += highest - lowest + 1 - numbers.size();
            arrived += numbers.size();
            sent.sort(Comparator.comparingDouble(Datagram::order));
            // Time goes on with the order of arrival, whatever was sent when.
            long latest = 0;
            for (Datagram datagram : sent) {
                latest = Math.max(latest, datagram.nanos);
                all.add(new Datagram(datagram.number, datagram.reports, latest, 0, datagram.copy));
            }
            now += random.nextLong(1_000_000_000);
            long away = (1L << width) / 16;
            first = number + away + random.nextLong((1L << width) - 2 * away);
        }
        return new Truth(width, all, lost, arrived, copied, epochs - 1);
    }

    /** No number, time, count or byte makes it throw, count below zero, or take back what it said was lost. */
    @Test
    void nothingMakesItThrowOrGoBelowZero() {
        forAll(500, random -> random.nextLong(), seed -> {
            RandomGenerator random = new SplittableRandom(seed);
            SequenceTracker tracker = new SequenceTracker(new SequenceTracker.Rules(1 + random.nextLong(1L << 40)));
            ByteBuffer state = Stream.memory(SequenceTracker.STATE_LENGTH + 16);
            if (random.nextBoolean()) {
                tracker.wrap(state, 8, Stream.memory(SequenceTracker.PAGE_LENGTH), 0);
            } else {
                tracker.wrap(state, 8);
            }
            int width = new int[] {8, 16, 22, 32}[random.nextInt(4)];
            tracker.begin(width, Counting.of(random.nextInt(4)));
            long number = random.nextLong();
            long now = random.nextLong();
            long lost = 0;
            long given = 0;
            long[] outcomes = new long[Outcome.COUNT];
            for (int i = 0; i < 2_000; i++) {
                number = switch (random.nextInt(12)) {
                    case 0 -> random.nextLong();
                    case 1 -> number - random.nextLong(1_100);
                    case 2 -> number + random.nextLong(3_000);
                    case 3 -> number - 1;
                    case 4 -> number;
                    case 5 -> number + 64 & -64;
                    case 6 -> number + (1L << width - 1);
                    default -> number + 1;
                };
                now = switch (random.nextInt(40)) {
                    case 0 -> random.nextLong();
                    case 1 -> now - random.nextLong(1L << 33);
                    case 2 -> now + random.nextLong(1L << 36);
                    case 3 -> Long.MAX_VALUE;
                    case 4 -> Long.MIN_VALUE;
                    default -> now + random.nextLong(100_000);
                };
                int reports = random.nextInt(20) == 0 ? random.nextInt() : random.nextInt(6);
                outcomes[tracker.on(number, now, reports, random.nextInt(3)).ordinal()]++;
                given++;
                if (random.nextInt(50) == 0) {
                    tracker.settle(now);
                }
                if (random.nextInt(300) == 0) {
                    tracker.close();
                }
                boolean sane = tracker.lost() >= lost
                        && tracker.missing() >= 0
                        && tracker.gap() >= 0
                        && tracker.arrived() >= 0
                        && tracker.rate() >= 0
                        && Double.isFinite(tracker.rate())
                        && tracker.sequence() >>> width == 0;
                if (!sane) {
                    throw new AssertionError("datagram " + i + ": " + tracker.totals() + ", lost before: " + lost);
                }
                lost = tracker.lost();
                if (i % 16 == 0) {
                    missingIsWhatTheWindowLacks(state, 8);
                }
            }
            assertThat(tracker.received()).isEqualTo(given);
            for (Outcome outcome : Outcome.values()) {
                assertThat(tracker.count(outcome)).isEqualTo(outcomes[outcome.ordinal()]);
            }
            assertThat(state.getLong(0)).isZero();
            assertThat(state.getLong(SequenceTracker.STATE_LENGTH + 8)).isZero();
        });
    }

    private static void missingIsWhatTheWindowLacks(ByteBuffer bytes, int at) {
        StreamState state = new StreamState();
        state.wrap(bytes, at);
        if (state.is(StreamState.CONSTANT)) {
            return;
        }
        int lacking = 0;
        for (int k = 0; k < StreamState.WINDOW; k++) {
            int number = state.head() - k;
            boolean expected = number - state.floor() > 0 && number - state.base() >= 0;
            lacking += expected && !state.seen(number) ? 1 : 0;
        }
        assertThat(state.missing()).isEqualTo(lacking);
    }

    /** The state is the octets and nothing else: it can be moved between datagrams, and a replay ends in the same ones. */
    @Test
    void theStateIsItsOctets() {
        forAll(50, random -> truth(random, 3, random.nextInt(200), Unit.DATAGRAM), truth -> {
            SequenceTracker still = new SequenceTracker(SequenceTracker.Rules.DEFAULT);
            ByteBuffer home = Stream.memory(SequenceTracker.STATE_LENGTH);
            still.wrap(home, 0).begin(truth.width, Counting.AUTO);
            SequenceTracker moving = new SequenceTracker(SequenceTracker.Rules.DEFAULT);
            ByteBuffer at = Stream.memory(SequenceTracker.STATE_LENGTH);
            moving.wrap(at, 0).begin(truth.width, Counting.AUTO);
            int i = 0;
            for (Datagram datagram : truth.datagrams) {
                if (i++ % 100 == 99) {
                    at = Stream.memory(SequenceTracker.STATE_LENGTH).put(0, at, 0, SequenceTracker.STATE_LENGTH);
                    moving = new SequenceTracker(SequenceTracker.Rules.DEFAULT).wrap(at, 0);
                    assertThat(moving.readable()).isTrue();
                }
                long hash = datagram.number * 31;
                Outcome expected = still.on(datagram.number, datagram.nanos, datagram.reports, hash);
                assertThat(moving.on(datagram.number, datagram.nanos, datagram.reports, hash))
                        .isEqualTo(expected);
            }
            assertThat(at).isEqualTo(home);
        });
    }

    /** What is done in one go to a number in order is what would be done step by step, to the octet. */
    @Test
    void theShortWayIsTheLongWay() {
        forAll(200, random -> truth(random, 1 + random.nextInt(3), random.nextInt(40), Unit.DATAGRAM), this::bothWays);
        forAll(100, random -> truth(random, 1, random.nextInt(20), Unit.FIRST), this::bothWays);
        forAll(100, random -> truth(random, 1, random.nextInt(20), Unit.LAST), this::bothWays);
        forAll(300, SequencePropertyTest::nonsense, this::bothWays);
        assertThat(shortWays).isGreaterThan(100_000);
    }

    /** Mostly in order, and every now and then anything at all, in number, time and reports. */
    private static Truth nonsense(RandomGenerator random) {
        int width = new int[] {8, 16, 22, 32}[random.nextInt(4)];
        List<Datagram> all = new ArrayList<>();
        long number = random.nextLong();
        long now = random.nextBoolean() ? START : random.nextLong();
        int most = random.nextBoolean() ? 1 : 3;
        int calm = 10 + random.nextInt(2_000);
        for (int i = 0; i < 4_000; i++) {
            number = switch (random.nextInt(calm)) {
                case 0 -> random.nextLong();
                case 1 -> number;
                case 2 -> number - random.nextLong(1_100);
                case 3 -> number + random.nextLong(3_000);
                default -> number + 1;
            };
            now = switch (random.nextInt(calm)) {
                case 0 -> random.nextLong();
                case 1 -> now - random.nextLong(1L << 33);
                case 2 -> now + random.nextLong(1L << 36);
                case 3 -> Long.MAX_VALUE;
                case 4 -> Long.MIN_VALUE;
                default -> now + random.nextLong(1_000_000);
            };
            all.add(new Datagram(number & -1L >>> Long.SIZE - width, 1 + random.nextInt(most), now, 0, false));
        }
        return new Truth(width, all, 0, 0, 0, 0);
    }

    private void bothWays(Truth truth) {
        Counting counting = Counting.of(truth.datagrams.size() % 3);
        var oneGo = new SequenceTracker(SequenceTracker.Rules.DEFAULT);
        ByteBuffer octets = Stream.memory(SequenceTracker.STATE_LENGTH);
        oneGo.wrap(octets, 0).begin(truth.width, counting);
        var steps = new SequenceTracker(SequenceTracker.Rules.DEFAULT);
        ByteBuffer expected = Stream.memory(SequenceTracker.STATE_LENGTH);
        steps.wrap(expected, 0).begin(truth.width, counting);
        for (Datagram datagram : truth.datagrams) {
            long hash = datagram.number * 31;
            Outcome outcome = steps.stepByStep(datagram.number, datagram.nanos, datagram.reports, hash);
            if (oneGo.inOrder(datagram.number, datagram.nanos, datagram.reports, hash)) {
                shortWays++;
                assertThat(outcome).isEqualTo(Outcome.IN_ORDER);
            } else {
                assertThat(oneGo.stepByStep(datagram.number, datagram.nanos, datagram.reports, hash))
                        .isEqualTo(outcome);
            }
            if (oneGo.gap() != steps.gap() || octets.mismatch(expected) >= 0) {
                throw new AssertionError("octet " + octets.mismatch(expected) + " after " + outcome + " " + datagram);
            }
        }
        assertThat(oneGo.totals()).isEqualTo(steps.totals());
    }
}
