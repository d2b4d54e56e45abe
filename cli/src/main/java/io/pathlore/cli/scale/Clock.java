package io.pathlore.cli.scale;

import io.pathlore.analysis.Operator;
import io.pathlore.model.ReportRow;

/** Knows to which step of time belongs what the others tell. */
final class Clock implements Operator {
    long now = Long.MIN_VALUE;

    @Override
    public void on(ReportRow report) {}

    @Override
    public boolean seesReports() {
        return false;
    }

    @Override
    public void at(long nanos) {
        now = nanos;
    }

    @Override
    public long wakeAtNanos() {
        return NEVER;
    }

    @Override
    public void onWake(long nowNanos) {}

    @Override
    public void end() {}
}
