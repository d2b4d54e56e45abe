package io.pathlore.analysis.flow;

import io.pathlore.analysis.Fold;
import io.pathlore.model.ReportRow;

/** Counts the reports of one flow. Hot path. */
public final class FlowFold implements Fold<ReportRow, FlowState> {
    @Override
    public int stateLength() {
        return FlowState.LENGTH;
    }

    @Override
    public void begin(FlowState state) {
        state.begin();
    }

    @Override
    public void add(FlowState into, ReportRow report) {
        long time = report.receivedNanos();
        into.add(1, report.dropped() ? 1 : 0, report.congested() ? 1 : 0, time, time);
    }

    @Override
    public void merge(FlowState into, FlowState other) {
        into.add(other.reports(), other.drops(), other.congested(), other.firstNanos(), other.lastNanos());
    }
}
