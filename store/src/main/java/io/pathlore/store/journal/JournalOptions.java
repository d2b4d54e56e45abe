package io.pathlore.store.journal;

import java.time.Duration;

/**
 * How large and how old segments, and all of them together, may get.
 *
 * @param segmentBytes a segment is closed before it grows beyond this
 * @param segmentAge a segment is closed when it is older, so that {@code keep} can let go of it
 * @param keep segments are removed when their youngest record is older; zero keeps them
 * @param keepBytes oldest segments are removed while all together are greater; 0 keeps them
 */
public record JournalOptions(long segmentBytes, Duration segmentAge, Duration keep, long keepBytes) {
    private static final long MIN_SEGMENT = 4 << 10;
    private static final int SEGMENTS_PER_KEEP = 24;
    private static final Duration MIN_AGE = Duration.ofMinutes(1);

    public static final JournalOptions DEFAULT = of(256L << 20, Duration.ofHours(24), 10L << 30);

    public JournalOptions {
        if (segmentBytes < MIN_SEGMENT) {
            throw new IllegalArgumentException("a segment of " + segmentBytes + " bytes; at least " + MIN_SEGMENT);
        }
        if (segmentAge.isNegative() || segmentAge.isZero() || keep.isNegative() || keepBytes < 0) {
            throw new IllegalArgumentException(
                    "segmentAge=" + segmentAge + " keep=" + keep + " keepBytes=" + keepBytes + "; none below 0");
        }
    }

    /** Segments last a 24th of {@code keep}, so that what is removed by age is removed in small steps. */
    public static JournalOptions of(long segmentBytes, Duration keep, long keepBytes) {
        Duration age = keep.isZero() ? Duration.ofHours(1) : keep.dividedBy(SEGMENTS_PER_KEEP);
        return new JournalOptions(segmentBytes, age.compareTo(MIN_AGE) < 0 ? MIN_AGE : age, keep, keepBytes);
    }
}
