package io.pathlore.cli.scale;

import io.pathlore.analysis.Operator;
import io.pathlore.model.ReportRow;
import java.util.function.LongConsumer;

/** Says that a minute is over, when nothing can be told of it any more. Comes behind the operator that tells. */
final class MinuteEnds implements Operator {
    private static final long MINUTE = 60_000_000_000L;

    private final transient long lateNanos;
    private final transient LongConsumer complete;
    private long next = Long.MIN_VALUE;
    private long now = Long.MIN_VALUE;

    /** {@code lateNanos} after a moment there is nothing more to be told of it. */
    MinuteEnds(long lateNanos, LongConsumer complete) {
        this.lateNanos = lateNanos;
        this.complete = complete;
    }

    @Override
    public void on(ReportRow report) {}

    @Override
    public boolean seesReports() {
        return false;
    }

    @Override
    public void at(long nanos) {
        if (nanos == NEVER) {
            return; // the end is no time
        }
        now = Math.max(now, nanos);
        if (next == Long.MIN_VALUE) {
            next = (Math.floorDiv(nanos, MINUTE) + 1) * MINUTE;
        }
    }

    @Override
    public long wakeAtNanos() {
        return next == Long.MIN_VALUE ? NEVER : next + lateNanos;
    }

    @Override
    public void onWake(long nowNanos) {
        next = (Math.floorDiv(nowNanos - lateNanos, MINUTE) + 1) * MINUTE;
        complete.accept(next - MINUTE);
    }

    @Override
    public void end() {
        if (next != Long.MIN_VALUE) {
            complete.accept(Math.floorDiv(now, MINUTE) * MINUTE);
        }
    }
}
