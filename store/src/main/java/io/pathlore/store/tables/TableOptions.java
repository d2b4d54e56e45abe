package io.pathlore.store.tables;

import java.time.Duration;

/**
 * How long tables are kept, and what they may take.
 *
 * @param seconds for rows of a second; zero keeps them
 * @param minutes for rows of a minute, and paths; zero keeps them
 * @param events for events, episodes and nodes; zero keeps them
 * @param memoryBytes for DuckDB: caches, writing and all questions together
 * @param queueBytes for rows that are not stored yet
 * @param threads that DuckDB may use
 */
public record TableOptions(
        Duration seconds, Duration minutes, Duration events, long memoryBytes, long queueBytes, int threads) {
    private static final long MIN_MEMORY = 64L << 20;

    public static final TableOptions DEFAULT =
            new TableOptions(Duration.ofHours(24), Duration.ofDays(30), Duration.ofDays(365), 512L << 20, 64L << 20, 1);

    public TableOptions {
        if (seconds.isNegative() || minutes.isNegative() || events.isNegative()) {
            throw new IllegalArgumentException(
                    "seconds=" + seconds + " minutes=" + minutes + " events=" + events + "; none below 0");
        }
        if (memoryBytes < MIN_MEMORY) {
            throw new IllegalArgumentException(memoryBytes + " bytes of memory; at least " + MIN_MEMORY);
        }
        if (queueBytes < 1 || threads < 1) {
            throw new IllegalArgumentException("queueBytes=" + queueBytes + " threads=" + threads + "; at least 1");
        }
    }

    Duration keep(Table.Tier tier) {
        return switch (tier) {
            case SECONDS -> seconds;
            case MINUTES -> minutes;
            case EVENTS -> events;
        };
    }
}
