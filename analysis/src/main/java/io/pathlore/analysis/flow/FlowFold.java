package io.pathlore.analysis.flow;

import io.pathlore.analysis.Fold;
import io.pathlore.model.ReportRow;

/** Counts the reports of one flow, in all and in the minute. Hot path. */
public final class FlowFold implements Fold<ReportRow, FlowState> {
    private static final long MINUTE = 60_000_000_000L;

    @Override
    public int stateLength() {
        return FlowState.LENGTH;
    }

    @Override
    public void begin(FlowState state) {
        state.begin();
    }

    /** Whether the report belongs to a minute after the one that is being counted: who wants to know of that asks first. */
    public static boolean isLater(FlowState state, ReportRow report) {
        return Math.floorDiv(report.receivedNanos(), MINUTE) > state.minute();
    }

    @Override
    public void add(FlowState into, ReportRow report) {
        long time = report.receivedNanos();
        int drops = report.dropped() ? 1 : 0;
        into.add(1, drops, report.congested() ? 1 : 0, time, time);
        if (isLater(into, report)) {
            into.beginMinute(Math.floorDiv(time, MINUTE));
        }
        into.addToMinute(1, drops);
        if (drops == 0 && report.isWholeStack()) {
            long latency = report.pathLatency();
            if (latency != ReportRow.ABSENT) {
                into.addLatency(latency);
            }
            into.path(report.pathPrint());
        }
    }

    @Override
    public void merge(FlowState into, FlowState other) {
        into.add(other.reports(), other.drops(), other.congested(), other.firstNanos(), other.lastNanos());
        if (other.minute() > into.minute()) {
            into.beginMinute(other.minute());
        }
        if (other.minute() == into.minute()) {
            into.addToMinute(other.minuteReports(), other.minuteDrops());
            into.addLatencies(other);
        }
    }
}
