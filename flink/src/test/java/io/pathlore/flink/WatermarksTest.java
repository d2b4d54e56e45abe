package io.pathlore.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.wire.envelope.Envelope;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.apache.flink.api.common.eventtime.TimestampAssigner;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkGeneratorSupplier;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkOutputMultiplexer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.util.clock.ManualClock;
import org.apache.flink.util.clock.RelativeClock;
import org.junit.jupiter.api.Test;

/** How far the job says that time has come: its own strategy, with what Flink's sources put the times of partitions together by. */
class WatermarksTest {
    private static final long NOW = System.currentTimeMillis();
    private static final long NOTHING = Long.MIN_VALUE;
    private static final long SECOND = 1_000;
    private static final long MILLI = 1_000_000;

    private final ManualClock clock = new ManualClock();
    private final Partitions partitions = new Partitions();

    /** As a task of the source has them. */
    private final class Partitions implements WatermarkOutput, WatermarkGeneratorSupplier.Context {
        private final MetricGroup metrics = new UnregisteredMetricsGroup();
        private final WatermarkOutputMultiplexer all = new WatermarkOutputMultiplexer(this);
        private final Map<String, WatermarkGenerator<Tuple2<Integer, byte[]>>> generators = new HashMap<>();
        private final TimestampAssigner<Tuple2<Integer, byte[]>> times =
                JobMain.watermarks().createTimestampAssigner(() -> metrics);
        private long time = NOTHING;
        private boolean idle;

        void add(String... names) {
            for (String name : names) {
                all.registerNewOutput(name);
                generators.put(name, JobMain.watermarks().createWatermarkGenerator(this));
            }
        }

        /** A record of that partition; what its time is. */
        long on(String name, byte[] octets, long ofRecord) {
            Tuple2<Integer, byte[]> block = Tuple2.of(0, octets);
            long millis = times.extractTimestamp(block, ofRecord);
            Objects.requireNonNull(generators.get(name)).onEvent(block, millis, all.getImmediateOutput(name));
            return millis;
        }

        long on(String name, long receivedMillis) {
            return on(name, envelope(receivedMillis * MILLI), receivedMillis);
        }

        /** Time goes by, in which the source says ten times a second how far it is. */
        void goBy(Duration some) {
            for (long left = some.toMillis(); left > 0; left -= 100) {
                clock.advanceTime(Duration.ofMillis(Math.min(100, left)));
                generators.forEach((name, each) -> each.onPeriodicEmit(all.getDeferredOutput(name)));
                all.onPeriodicEmit();
            }
        }

        @Override
        public void emitWatermark(Watermark mark) {
            assertThat(mark.getTimestamp()).as("time never goes back").isGreaterThan(time);
            time = mark.getTimestamp();
        }

        @Override
        public void markIdle() {
            idle = true;
        }

        @Override
        public void markActive() {
            idle = false;
        }

        @Override
        public MetricGroup getMetricGroup() {
            return metrics;
        }

        @Override
        public RelativeClock getInputActivityClock() {
            return clock;
        }
    }

    private static byte[] envelope(long receivedNanos) {
        byte[] octets = new byte[Envelope.LENGTH + 1];
        Envelope.encode(
                ByteBuffer.wrap(octets),
                0,
                0,
                1,
                receivedNanos,
                1,
                1,
                false,
                0,
                0x0A01_0001,
                8555,
                0,
                0x0A02_0001,
                8555);
        return octets;
    }

    /** Up to half a second late, in any order and from any partition: never behind what the parts were told that time is. */
    @Test
    void whatIsLateByLessThanHalfASecondIsNotLate() {
        partitions.add("0", "1", "2");
        Random random = new Random(7);
        List<Long> waiting = new ArrayList<>();
        for (long millis = 0; millis < 20_000; millis++) {
            waiting.add(NOW + millis);
            // The oldest may not wait for longer; of the others any.
            long oldest = waiting.getFirst();
            int which = oldest + 499 <= NOW + millis ? 0 : random.nextInt(waiting.size());
            if (waiting.size() > 250 || which == 0) {
                long received = waiting.remove(which);
                long told = (partitions.time + 1) * MILLI - 1; // as StageOperator tells its parts
                assertThat(received * MILLI).isGreaterThan(told);
                partitions.on(Integer.toString(random.nextInt(3)), received);
            }
            if (millis % 100 == 0) {
                partitions.goBy(Duration.ofMillis(100));
            }
        }
        assertThat(partitions.time).isGreaterThan(NOW + 18_000);
    }

    @Test
    void timeIsHalfASecondBehindTheNewestOfThePartitionThatIsBehind() {
        partitions.add("0", "1");
        partitions.on("0", NOW + 10_000);
        partitions.on("0", NOW + 9_700);
        partitions.on("1", NOW + 8_000);
        partitions.goBy(Duration.ofMillis(100));
        assertThat(partitions.time).isEqualTo(NOW + 8_000 - 500 - 1);
        partitions.on("1", NOW + 12_000);
        partitions.goBy(Duration.ofMillis(100));
        assertThat(partitions.time).isEqualTo(NOW + 10_000 - 500 - 1);
    }

    @Test
    void aPartitionWithoutDataHoldsTheOthersUpForHalfAMinuteAndNoLonger() {
        partitions.add("0", "1", "never");
        for (int second = 0; second < 29; second++) {
            partitions.on("0", NOW + second * SECOND);
            partitions.on("1", NOW + second * SECOND);
            partitions.goBy(Duration.ofSeconds(1));
            assertThat(partitions.time).as("after %d s", second + 1).isEqualTo(NOTHING);
        }
        for (int second = 29; second < 60; second++) {
            partitions.on("0", NOW + second * SECOND);
            partitions.on("1", NOW + second * SECOND);
            partitions.goBy(Duration.ofSeconds(1));
            if (second > 30) {
                assertThat(partitions.time).as("after %d s", second + 1).isEqualTo(NOW + second * SECOND - 500 - 1);
            }
        }
        assertThat(partitions.idle).isFalse();
    }

    /** It is late then, and waited for from then on. */
    @Test
    void aPartitionThatHasDataAgainIsWaitedForAgain() {
        partitions.add("0", "1");
        partitions.on("1", NOW);
        for (int second = 0; second <= 40; second++) {
            partitions.on("0", NOW + second * SECOND);
            partitions.goBy(Duration.ofSeconds(1));
        }
        assertThat(partitions.time).isEqualTo(NOW + 40_000 - 500 - 1);
        partitions.on("1", NOW + 41_000);
        partitions.on("0", NOW + 60_000);
        partitions.goBy(Duration.ofSeconds(1));
        assertThat(partitions.time).isEqualTo(NOW + 41_000 - 500 - 1);
    }

    @Test
    void withoutAnyDataTimeStandsStill() {
        partitions.add("0", "1");
        partitions.on("0", NOW);
        partitions.on("1", NOW);
        partitions.goBy(Duration.ofMinutes(10));
        assertThat(partitions.time).isEqualTo(NOW - 500 - 1);
        assertThat(partitions.idle).isTrue();
    }

    @Test
    void anEnvelopeOfTheFutureAndWhatIsNoneDoNotTakeTimeAlong() {
        partitions.add("0");
        assertThat(partitions.on("0", envelope((NOW + Duration.ofDays(1).toMillis()) * MILLI), NOW - 5))
                .isEqualTo(NOW - 5);
        assertThat(partitions.on("0", new byte[] {1, 2, 3}, NOW - 7)).isEqualTo(NOW - 7);
        partitions.goBy(Duration.ofMillis(100));
        assertThat(partitions.time).isEqualTo(NOW - 5 - 500 - 1);
    }
}
