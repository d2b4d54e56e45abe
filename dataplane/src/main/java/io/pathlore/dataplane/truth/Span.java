package io.pathlore.dataplane.truth;

import io.pathlore.model.JsonLine;

/**
 * When something was so, in epoch nanoseconds.
 *
 * @param endNanos {@link #ABSENT} while it goes on; the start again for what has no duration
 * @param visibleAtNanos when the first report that shows it reached the collector; {@link #ABSENT} where none did
 */
public record Span(long startNanos, long endNanos, long visibleAtNanos) {
    public static final long ABSENT = JsonLine.NO_TIME;

    public boolean hasEnded() {
        return endNanos != ABSENT;
    }

    public boolean isVisible() {
        return visibleAtNanos != ABSENT;
    }
}
