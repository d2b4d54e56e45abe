package io.pathlore.model;

/**
 * Name of an event: the first 64 bits of SHA-256 over kind, identity and start; 16 hex digits as text. The same event has the
 * same name in the ground truth, live, replayed, on one machine or on a cluster.
 *
 * <p>What is hashed is the UTF-8 text {@code KIND|IDENTITY|START}: the kind by its label, the identity as
 * {@link EventIdentity} writes it, the start as {@link TimeText} does. For example:
 *
 * <pre>congestion|3|2|0|2026-11-15T18:00:00.123456789Z</pre>
 */
public record EventId(long bits) implements Comparable<EventId> {
    /** {@code identity}: what {@link EventIdentity} makes of the keys that tell this event from others of its kind. */
    public static EventId of(EventKind kind, String identity, long startNanos) {
        return new EventId(Digest.of(canonical(kind, identity, startNanos)));
    }

    /** The text that is hashed. */
    static String canonical(EventKind kind, String identity, long startNanos) {
        return kind.label() + '|' + identity + '|' + TimeText.of(startNanos);
    }

    public static EventId parse(String text) {
        return new EventId(Digest.parse(text));
    }

    /** In the order of the text. */
    @Override
    public int compareTo(EventId other) {
        return Long.compareUnsigned(bits, other.bits);
    }

    @Override
    public String toString() {
        return Digest.hex(bits);
    }
}
