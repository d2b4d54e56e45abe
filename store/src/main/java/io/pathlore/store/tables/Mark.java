package io.pathlore.store.tables;

import java.util.Map;

/**
 * How far the stream is stored: everything before it, nothing behind it. Whoever fills the tables again begins here.
 *
 * @param flush rises by one with each transaction; 0 where nothing is stored yet
 * @param storedToNanos stream time; {@link Row#ABSENT} where nothing is stored yet
 * @param positions for each stream that was read, where to read on, in the words of whoever reads it
 */
public record Mark(long flush, long storedToNanos, Map<String, String> positions) {
    /** Nothing is stored yet. */
    public static final Mark NONE = new Mark(0, Row.ABSENT, Map.of());

    public Mark {
        positions = Map.copyOf(positions);
    }
}
