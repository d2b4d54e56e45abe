package io.pathlore.cli.service;

import io.pathlore.model.TimeText;
import io.pathlore.serve.Notices;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Lines for the operator, on stderr and, the last of them, in the status. What the network can cause is said with a subject:
 * the same subject at most once a minute, with the number of times it was kept quiet.
 */
public final class Notes implements Notices {
    private static final int REMEMBERED = 16;
    private static final int SUBJECTS = 256;
    private static final long QUIET_NANOS = 60_000_000_000L;
    private static final int SECOND_DIGITS = "2026-11-16T12:00:00".length();

    private record Quiet(long until, long suppressed) {}

    private final PrintWriter out;
    private final LongSupplier epochNanos;
    private final ArrayDeque<String> warnings = new ArrayDeque<>();
    private final Map<String, Quiet> subjects = new HashMap<>();

    public Notes(PrintWriter out, LongSupplier epochNanos) {
        this.out = out;
        this.epochNanos = epochNanos;
    }

    public synchronized void info(String line) {
        print("info", line);
    }

    @Override
    public synchronized void warn(String line) {
        remember(line);
        print("warn", line);
    }

    /** A human is needed. */
    @Override
    public synchronized void error(String line) {
        remember(line);
        print("error", line);
    }

    /** At most once a minute for each subject. */
    public synchronized void warn(String subject, String line) {
        long now = epochNanos.getAsLong();
        Quiet quiet = subjects.get(subject);
        if (quiet != null && now < quiet.until) {
            subjects.put(subject, new Quiet(quiet.until, quiet.suppressed + 1));
            return;
        }
        if (subjects.size() >= SUBJECTS) {
            subjects.values().removeIf(each -> now >= each.until);
            if (subjects.size() >= SUBJECTS) {
                return;
            }
        }
        subjects.put(subject, new Quiet(now + QUIET_NANOS, 0));
        long more = quiet == null ? 0 : quiet.suppressed;
        warn(more == 0 ? line : line + " (and " + more + " times more since the last such line)");
    }

    private void remember(String line) {
        if (warnings.size() == REMEMBERED) {
            warnings.removeFirst();
        }
        warnings.addLast(clean(line));
    }

    private void print(String level, String line) {
        String time = TimeText.of(epochNanos.getAsLong()).substring(0, SECOND_DIGITS) + "Z";
        out.println(time + " " + level + " " + clean(line));
        out.flush();
    }

    /** What a line quotes may come from the network: nothing of it may steer a terminal. */
    private static String clean(String line) {
        return line.replaceAll("\\p{Cntrl}", "?");
    }

    /** The last warnings and errors, oldest first. */
    public synchronized List<String> warnings() {
        return List.copyOf(warnings);
    }
}
