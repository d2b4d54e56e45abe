package io.pathlore.ingest.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenBucketsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long START = 1_800_000_000L * SECOND;

    @Test
    void zeroIsNoLimit() {
        var buckets = new TokenBuckets(0, 1);
        buckets.reset(0, START);
        for (int i = 0; i < 1_000; i++) {
            assertThat(buckets.take(0, START)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 3, 1_000, 300_007})
    void passesTheRateExactlyHoweverManyCome(long rate) {
        var buckets = new TokenBuckets(rate, 1);
        buckets.reset(0, START);
        long passed = 0;
        int seconds = 3;
        long offers = rate * 7 + 50; // a second
        for (long i = 0; i < offers * seconds; i++) {
            passed += buckets.take(0, START + i * SECOND / offers) ? 1 : 0;
        }
        // What was saved up, and what came in: three seconds less the last gap.
        assertThat(passed).isBetween(rate * (seconds + 1) - 1, rate * (seconds + 1));
    }

    @Test
    void savesUpNoMoreThanASecond() {
        var buckets = new TokenBuckets(10, 1);
        buckets.reset(0, START);
        long later = START + 3_600 * SECOND;
        int passed = 0;
        for (int i = 0; i < 100; i++) {
            passed += buckets.take(0, later) ? 1 : 0;
        }
        assertThat(passed).isEqualTo(10);
    }

    @Test
    void aClockThatGoesBackNeitherStarvesNorFeeds() {
        var buckets = new TokenBuckets(2, 1);
        buckets.reset(0, START);
        assertThat(buckets.take(0, START)).isTrue();
        assertThat(buckets.take(0, START - 3_600 * SECOND)).isTrue();
        assertThat(buckets.take(0, START - 3_600 * SECOND)).isFalse();
        assertThat(buckets.take(0, START - 3_600 * SECOND + SECOND / 2)).isTrue();
    }

    @Test
    void oneDoesNotPayForTheOther() {
        var buckets = new TokenBuckets(1, 2);
        buckets.reset(0, START);
        buckets.reset(1, START);
        assertThat(buckets.take(0, START)).isTrue();
        assertThat(buckets.take(0, START)).isFalse();
        assertThat(buckets.take(1, START)).isTrue();
    }

    @Test
    void refusesARateThatCannotBe() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TokenBuckets(-1, 1))
                .withMessageContaining("listen.rate-limit is -1");
    }
}
