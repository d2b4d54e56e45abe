package io.pathlore.analysis;

import io.pathlore.model.ReportRow;

/**
 * What runs on a shard: sees the reports of its flows, and time as the host tells it. Time is that of the stream; it never goes
 * back, and when it reaches {@link #wakeAtNanos} no report from before that moment is on its way any more, but for those an
 * exporter or the network held up. The same reports and times give the same results, on any host, on any day.
 */
public interface Operator {
    /** What {@link #wakeAtNanos} answers when there is nothing to wait for. */
    long NEVER = Long.MAX_VALUE;

    /** Hot path. The row is borrowed. */
    void on(ReportRow report);

    /** Whether it wants reports at all; always the same answer. Who only hears of what others found need not be asked for each. */
    default boolean seesReports() {
        return true;
    }

    /**
     * It will be told of the first {@code count} of these next, in their order. Whoever keeps much looks at what it will need: memory
     * answers to many such looks at once, as long as none decides where the next goes, and to those of {@link #on} one after the other.
     * Changes nothing. Hot path.
     */
    default void expect(ReportRow[] reports, int count) {}

    /** What it is told from now on belongs to this step of time, or to this waking. */
    default void at(long nanos) {}

    /** When it wants to be woken next; asked at every step of time and after every waking. */
    long wakeAtNanos();

    /** The time it asked for has come. */
    void onWake(long nowNanos);

    /** There will be no more reports. */
    void end();
}
