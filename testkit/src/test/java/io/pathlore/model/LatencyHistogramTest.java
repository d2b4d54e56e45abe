package io.pathlore.model;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatencyHistogramTest {
    private static long[] latencies(RandomGenerator random) {
        return random.longs(1 + random.nextInt(200))
                .map(value -> value >>> 1 + random.nextInt(63))
                .toArray();
    }

    private static LatencyHistogram of(long... latencies) {
        LatencyHistogram histogram = new LatencyHistogram();
        for (long latency : latencies) {
            histogram.record(latency);
        }
        return histogram;
    }

    /** 300 = 256 + 2.75 * 16: power 8, part 2, bucket 5 * 16 + 2 = 82 = 0x52; 1 has bucket 1, 80 empty ones before 82. */
    @Test
    void hasTheOctetsOfTheReferencePage() {
        assertThat(HexFormat.of().formatHex(of(1, 300, 300).encode())).isEqualTo("0101015002");
        assertThat(HexFormat.of().formatHex(of().encode())).isEqualTo("01");
    }

    @Test
    void quantilesAreRightToASixteenth() {
        forAll(LatencyHistogramTest::latencies, latencies -> {
            LatencyHistogram histogram = of(latencies);
            Arrays.sort(latencies);
            for (double share : new double[] {0.01, 0.5, 0.99, 1}) {
                long exact = latencies[(int) Math.ceil(share * latencies.length) - 1];
                assertThat(histogram.quantile(share) - exact).isBetween(0L, exact / 16);
            }
        });
    }

    @Test
    void decodesWhatItEncodesAndAddsUpInAnyOrder() {
        record Two(long[] first, long[] second) {}
        forAll(r -> new Two(latencies(r), latencies(r)), two -> {
            LatencyHistogram one = of(two.first);
            one.add(LatencyHistogram.decode(of(two.second).encode()));
            LatencyHistogram other = of(two.second);
            other.add(LatencyHistogram.decode(of(two.first).encode()));
            assertThat(one).isEqualTo(other);
            assertThat(one.total()).isEqualTo(two.first.length + two.second.length);
            assertThat(LatencyHistogram.decode(one.encode())).isEqualTo(one);
        });
    }

    @Test
    void theMeanIsRightToHalfASixteenth() {
        forAll(LatencyHistogramTest::latencies, latencies -> {
            double mean = Arrays.stream(latencies).asDoubleStream().average().orElse(ReportRow.ABSENT);
            assertThat((double) of(latencies).mean()).isCloseTo(mean, within(Math.max(1, Math.abs(mean) / 32 + 1)));
        });
        assertThat(of().mean()).isEqualTo(ReportRow.ABSENT);
    }

    @Test
    void bucketsFollowEachOtherWithoutAGap() {
        assertThat(LatencyHistogram.bucket(0)).isZero();
        int last = LatencyHistogram.bucket(Long.MAX_VALUE);
        for (int bucket = 0; bucket < last; bucket++) {
            long highest = LatencyHistogram.highest(bucket);
            assertThat(LatencyHistogram.bucket(highest)).isEqualTo(bucket);
            assertThat(LatencyHistogram.bucket(highest + 1)).isEqualTo(bucket + 1);
        }
        assertThat(LatencyHistogram.highest(last)).isEqualTo(Long.MAX_VALUE);
        assertThat(of().quantile(0.5)).isEqualTo(ReportRow.ABSENT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "02", "0101", "0180", "010100", "01ffff0701", "01ffffffffffffffffffff0101"})
    void otherOctetsAreNotAHistogram(String hex) {
        assertThatThrownBy(() -> LatencyHistogram.decode(HexFormat.of().parseHex(hex)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("latency histogram");
    }
}
