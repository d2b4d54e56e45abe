package io.pathlore.analysis.health;

/**
 * How far the clock of a node is ahead of ours, from the times in its reports and the times at which they came. A report is on its way for
 * a while, and never for less than nothing: so each of them says how far the clock is ahead at least, and the greatest of a minute says
 * it best. What delays reports, wherever it is, makes it only less. Hot path.
 */
public final class ClockOffset {
    public static final long UNKNOWN = Long.MIN_VALUE;

    /** Beyond it is no time of day that somebody set wrong, but the time since a start, or of another epoch. */
    static final long MOST_NANOS = 86_400_000_000_000L;

    private static final long MINUTE = 60_000_000_000L;
    private static final long NEVER = Long.MIN_VALUE;

    private long minute = NEVER;
    private long greatest = UNKNOWN;
    private boolean foreign;
    /** Of the minute before, which is over: it had time to see a report that nothing delayed. */
    private long before = UNKNOWN;

    /** A report that came at the one time and tells of the other. */
    public void add(long receivedNanos, long toldNanos) {
        long now = Math.floorDiv(receivedNanos, MINUTE);
        if (now > minute) {
            before = now - minute == 1 || minute == NEVER ? current() : UNKNOWN;
            minute = now;
            greatest = UNKNOWN;
            foreign = false;
        }
        long ahead = toldNanos - receivedNanos;
        if (ahead > MOST_NANOS || ahead < -MOST_NANOS || toldNanos < 0) {
            foreign = true;
        } else if (ahead > greatest) {
            greatest = ahead;
        }
    }

    /** One time that cannot be meant spoils its minute: a guess is worse than nothing. */
    private long current() {
        return foreign ? UNKNOWN : greatest;
    }

    /** At least so many nanoseconds ahead of ours, behind where negative; {@link #UNKNOWN} where it is no time of day, or none was told. */
    public long aheadNanos() {
        return before != UNKNOWN ? before : current();
    }
}
