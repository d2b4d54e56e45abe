package io.pathlore.analysis.filter;

import org.jspecify.annotations.Nullable;

/**
 * What a filter is asked about: a report, a flow, an event, a row. Answers in numbers, so that it can be a view over bytes and
 * asking allocates nothing. A field it does not have is one without values.
 *
 * <p>{@link Field#IP} and {@link Field#PORT} are never asked for: their parts are.
 */
public interface Subject {
    long ABSENT = -1;

    /** How many values the field has: hops, for what a hop says; usually 1. */
    int count(Field field);

    /**
     * A value of a field whose type is a number, or {@link #ABSENT}: nanoseconds, tenths of a version, the ordinal of a severity,
     * 0 and 1 for a flag; of a path the node at that place.
     */
    long number(Field field, int index);

    /** Of the types that are words: exactly as the words of the field, lower case for a flow and a device. */
    @Nullable
    String text(Field field, int index);

    /** Whether the address is known; if not, the two below are not asked. */
    boolean hasAddress(Field field);

    /** Upper half of the address, where IPv4 is mapped into IPv6 [RFC 4291 §2.5.5.2]. */
    long addressHigh(Field field);

    long addressLow(Field field);
}
