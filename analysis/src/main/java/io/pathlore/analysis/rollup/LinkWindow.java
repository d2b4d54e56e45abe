package io.pathlore.analysis.rollup;

import io.pathlore.analysis.path.Link;
import io.pathlore.model.ReportRow;
import java.util.Arrays;

/** One direction of a link in a minute. Borrowed by those who are told of it. */
public final class LinkWindow {
    private static final int SAMPLES = 64;

    /** Samples of the two directions that are compared lie no further apart: clocks drift by up to 50 ns in a millisecond. */
    private static final long TOGETHER_NANOS = 10_000_000L;

    /** No cable takes longer. What looks like it is a clock that stepped. */
    private static final long LONGEST_NANOS = 1_000_000_000L;

    private static final long NEVER = Long.MIN_VALUE;

    final Link link;
    long minute;
    private long reports;

    /** From leaving the one node to entering the other, each by its own clock. */
    private final long[] delays = new long[SAMPLES];

    private int delayed;
    private long lastDelay;
    private long lastNanos = NEVER;

    /** There and back; the offset of the clocks cancels. */
    private long roundTrip = Long.MAX_VALUE;

    LinkWindow(Link link, long minute) {
        this.link = link;
        this.minute = minute;
    }

    void begin(long next) {
        minute = next;
        reports = 0;
        delayed = 0;
        roundTrip = Long.MAX_VALUE;
    }

    /** A packet that both ends told of. {@code back}: the other direction, or this one where none is known. Hot path. */
    @SuppressWarnings("ReferenceEquality") // that stands for "none"
    void add(ReportRow row, int hop, LinkWindow back) {
        reports++;
        long left = row.egressTime(hop);
        long entered = row.ingressTime(hop + 1);
        int bits = Math.min(row.timeBits(hop), row.timeBits(hop + 1));
        if (left == ReportRow.ABSENT || entered == ReportRow.ABSENT || bits <= 0) {
            return;
        }
        long delay = wrapped(entered - left, bits);
        int place = delayed < SAMPLES
                ? delayed
                : (int) Long.remainderUnsigned(ReportRow.mix(delayed), delayed + 1L); // as in LatencyWatch
        if (place < SAMPLES) {
            delays[place] = delay;
        }
        delayed++;
        long now = row.receivedNanos();
        lastDelay = delay;
        lastNanos = now;
        if (back != this && back.lastNanos != NEVER && Math.abs(now - back.lastNanos) <= TOGETHER_NANOS) {
            long both = wrapped(delay + back.lastDelay, bits);
            if (both >= 0 && both < LONGEST_NANOS) {
                roundTrip = Math.min(roundTrip, both);
                back.roundTrip = Math.min(back.roundTrip, both);
            }
        }
    }

    private static long wrapped(long nanos, int bits) {
        return nanos << Long.SIZE - bits >> Long.SIZE - bits;
    }

    public Link link() {
        return link;
    }

    public long reports() {
        return reports;
    }

    /** Whether {@link #latency} says something without knowing the clocks. */
    public boolean isMeasuredBothWays() {
        return roundTrip != Long.MAX_VALUE;
    }

    /** Half the way there and back. It may be off by as much: nobody can tell how the two differ. */
    public long latency() {
        return roundTrip / 2;
    }

    public boolean hasDelays() {
        return delayed > 0;
    }

    /** Median of the differences between the two clocks: what it takes, where they show the same time. */
    public long delay() {
        long[] sorted = Arrays.copyOf(delays, Math.min(delayed, SAMPLES));
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
