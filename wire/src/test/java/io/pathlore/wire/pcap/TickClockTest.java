package io.pathlore.wire.pcap;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class TickClockTest {
    private static final BigInteger NANOS = BigInteger.valueOf(1_000_000_000L);

    @Test
    void countsTheResolutionsInUse() {
        assertThat(TickClock.of(0, 0).nanos(1_794_767_904L)).isEqualTo(1_794_767_904_000_000_000L);
        assertThat(TickClock.of(3, 0).nanos(1_794_767_904_037L)).isEqualTo(1_794_767_904_037_000_000L);
        assertThat(TickClock.of(6, 0).nanos(1_794_767_904_037_126L)).isEqualTo(1_794_767_904_037_126_000L);
        assertThat(TickClock.of(9, 0).nanos(1_794_767_904_037_126_001L)).isEqualTo(1_794_767_904_037_126_001L);
        assertThat(TickClock.of(0x80 | 10, 0).nanos(1_794_767_904L * 1024 + 1)).isEqualTo(1_794_767_904_000_976_562L);
    }

    @Test
    void countsResolutionsFinerThanItself() {
        assertThat(TickClock.of(12, 0).nanos(7_999)).isEqualTo(7);
        assertThat(TickClock.of(28, 0).nanos(-1)).isEqualTo(1); // 2^64 - 1 parts of 10^-28 s
        assertThat(TickClock.of(29, 0).nanos(-1)).isZero();
        assertThat(TickClock.of(0x80 | 64, 0).nanos(1L << 63)).isEqualTo(500_000_000);
        assertThat(TickClock.of(0x80 | 127, 0).nanos(-1)).isZero();
    }

    @Test
    void addsTheOffset() {
        assertThat(TickClock.of(6, 1_700_000_000).nanos(5)).isEqualTo(1_700_000_000_000_005_000L);
        assertThat(TickClock.of(9, -10).nanos(1)).isEqualTo(-9_999_999_999L);
    }

    @Test
    void aTimeThatNanosecondsCannotSayIsUnknown() {
        assertThat(TickClock.of(0, 0).nanos(-1)).isEqualTo(TickClock.UNKNOWN);
        assertThat(TickClock.of(6, 0).nanos(-1)).isEqualTo(TickClock.UNKNOWN);
        assertThat(TickClock.of(9, Long.MAX_VALUE).nanos(1L << 62)).isEqualTo(TickClock.UNKNOWN);
        assertThat(TickClock.of(9, Long.MIN_VALUE).nanos(0)).isEqualTo(TickClock.UNKNOWN);
    }

    /** The whole range of both options, against arithmetic without limits. */
    @Test
    void agreesWithUnlimitedArithmetic() {
        forAll(50_000, RandomGenerator::nextLong, seed -> {
            var random = new SplittableRandom(seed);
            int resolution = random.nextInt(256);
            long ticks = random.nextLong() >>> random.nextInt(64);
            long offset = random.nextInt(3) == 0 ? random.nextLong() >> random.nextInt(64) : 0;
            BigInteger exact = exact(resolution, ticks, offset);
            long nanos = TickClock.of(resolution, offset).nanos(ticks);
            if (nanos != TickClock.UNKNOWN) {
                assertThat(BigInteger.valueOf(nanos))
                        .as("seed %d: resolution %d, %s ticks, offset %d", seed, resolution, ticks, offset)
                        .isEqualTo(exact);
            } else {
                assertThat(exact.abs().add(NANOS).bitLength())
                        .as("seed %d", seed)
                        .isGreaterThanOrEqualTo(63);
            }
        });
    }

    private static BigInteger exact(int resolution, long ticks, long offset) {
        BigInteger unit = BigInteger.valueOf(resolution >= 0x80 ? 2 : 10).pow(resolution & 0x7F);
        BigInteger unsigned = new BigInteger(Long.toUnsignedString(ticks));
        BigInteger nanos = unsigned.multiply(NANOS).divide(unit);
        return nanos.add(BigInteger.valueOf(offset).multiply(NANOS));
    }
}
