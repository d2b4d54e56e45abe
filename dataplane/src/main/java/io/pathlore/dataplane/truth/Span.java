package io.pathlore.dataplane.truth;

/**
 * When something was so, in epoch nanoseconds.
 *
 * @param endNanos {@link #ABSENT} while it goes on; the start again for what has no duration
 * @param visibleAtNanos when the first report that shows it reached the collector; {@link #ABSENT} where none did
 */
public record Span(long startNanos, long endNanos, long visibleAtNanos) {
    public static final long ABSENT = Long.MIN_VALUE;

    public boolean hasEnded() {
        return endNanos != ABSENT;
    }

    public boolean isVisible() {
        return visibleAtNanos != ABSENT;
    }
}
