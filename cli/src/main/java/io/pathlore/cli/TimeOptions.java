package io.pathlore.cli;

import io.pathlore.cli.config.Quantities;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Which of what was received is wanted. */
final class TimeOptions {
    private static final Pattern DURATION = Pattern.compile("[0-9.]+ ?[A-Za-z]*");
    private static final long NANOS = 1_000_000_000L;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Only what was received then or later: 5m (ago), now, or RFC 3339.")
    private @Nullable String since;

    @Option(names = "--until", paramLabel = "TIME", description = "Only what was received before that.")
    private @Nullable String until;

    boolean given() {
        return since != null || until != null;
    }

    /** Both are counted back from the same now. */
    TimeSpan span(CommandSpec spec) {
        if (!given()) {
            return TimeSpan.ALWAYS;
        }
        long now = nanos(Instant.now());
        long from = since == null ? Long.MIN_VALUE : nanos(spec, "--since", since, now);
        long to = until == null ? Long.MAX_VALUE : nanos(spec, "--until", until, now);
        if (from >= to) {
            throw InputOptions.misused(spec, "--since is not before --until");
        }
        return new TimeSpan(from, to);
    }

    private static long nanos(CommandSpec spec, String option, String text, long now) {
        try {
            return nanos(text, now);
        } catch (IllegalArgumentException e) {
            throw InputOptions.misused(spec, option + ": " + e.getMessage());
        }
    }

    /** What cannot be read is an {@link IllegalArgumentException} that says what can. */
    static long nanos(String text, long now) {
        String word = text.strip();
        if (word.equals("now")) {
            return now;
        }
        if (DURATION.matcher(word).matches()) {
            return now - Quantities.nanos(word);
        }
        try {
            return nanos(OffsetDateTime.parse(word, DateTimeFormatter.ISO_OFFSET_DATE_TIME)
                    .toInstant());
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no time; 5m (ago), now and 2026-11-15T18:00:00Z are", e);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("'" + text + "' is too far away", e);
        }
    }

    private static long nanos(Instant instant) {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), NANOS), instant.getNano());
    }
}
