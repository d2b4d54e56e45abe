package io.pathlore.analysis.plan;

import io.pathlore.analysis.Operator;
import io.pathlore.model.ReportRow;

/** Hands on what reports say that rules have dropped: the only proof that one holds, and that an attack is over. */
public final class RuleProof implements Operator {
    /** Is told of each such report. */
    @FunctionalInterface
    public interface Counts {
        /**
         * A rule has dropped so many.
         *
         * @param node that did it, as the report says
         * @param key what the rule is called in reports
         * @param bound who says it may speak for its node
         */
        void dropped(long node, long key, long count, boolean bound);
    }

    private final Counts counts;

    public RuleProof(Counts counts) {
        this.counts = counts;
    }

    @Override
    public void on(ReportRow report) {
        if (report.dropCount() != ReportRow.ABSENT) {
            counts.dropped(report.node(), report.dropKey(), report.dropCount(), !report.unbound());
        }
    }

    @Override
    public long wakeAtNanos() {
        return NEVER;
    }

    @Override
    public void onWake(long nowNanos) {
        // Never asked for.
    }

    @Override
    public void end() {
        // Keeps nothing.
    }
}
