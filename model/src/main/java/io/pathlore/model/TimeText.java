package io.pathlore.model;

import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/** Times as text: RFC 3339 in UTC, always with nine digits of a second. */
public final class TimeText {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final int SECONDS_PER_DAY = 86_400;

    private TimeText() {}

    public static String of(long epochNanos) {
        long seconds = Math.floorDiv(epochNanos, NANOS_PER_SECOND);
        int nanos = (int) Math.floorMod(epochNanos, NANOS_PER_SECOND);
        int ofDay = Math.floorMod(seconds, SECONDS_PER_DAY);
        StringBuilder text = new StringBuilder(30)
                .append(LocalDate.ofEpochDay(Math.floorDiv(seconds, SECONDS_PER_DAY)))
                .append('T');
        padded(text, ofDay / 3600, 2).append(':');
        padded(text, ofDay / 60 % 60, 2).append(':');
        padded(text, ofDay % 60, 2).append('.');
        return padded(text, nanos, 9).append('Z').toString();
    }

    private static StringBuilder padded(StringBuilder text, int value, int digits) {
        String plain = Integer.toString(value);
        return text.append("0".repeat(digits - plain.length())).append(plain);
    }

    /** Epoch nanoseconds of any RFC 3339 time, or null where the text is none, or lies beyond what 64 bits of them reach. */
    public static @Nullable Long parse(String text) {
        try {
            Instant instant = OffsetDateTime.parse(text).toInstant();
            return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), NANOS_PER_SECOND), instant.getNano());
        } catch (DateTimeParseException | ArithmeticException e) {
            return null;
        }
    }
}
