package io.pathlore.engine;

import io.pathlore.analysis.Operator;
import io.pathlore.model.ReportRow;
import java.util.List;

/**
 * The operators, and how they are told of time. They are woken between two reports, at steps of stream time, and not where a batch
 * happens to end: so what they find depends on the reports alone, however they were received, queued or read again. One thread.
 * Hot path.
 */
final class Desk {
    /** Who asks to be woken in between is woken at the end of the step, in the order of the times asked for. */
    static final long STEP_NANOS = 1_000_000;

    /** After so long without a report and without a look at the clock, all who wait are woken at once: times in files may be absurd. */
    private static final long LONGEST_NANOS = 3_600_000_000_000L;

    private final List<Operator> operators;
    private long stepEnd = Long.MIN_VALUE;

    Desk(List<Operator> operators) {
        this.operators = List.copyOf(operators);
    }

    /** It will soon be told of this report. */
    void expect(ReportRow row) {
        for (int i = 0; i < operators.size(); i++) {
            operators.get(i).expect(row);
        }
    }

    void on(ReportRow row) {
        if (row.receivedNanos() >= stepEnd) {
            onTime(row.receivedNanos());
        }
        for (int i = 0; i < operators.size(); i++) {
            operators.get(i).on(row);
        }
    }

    /** Stream time has come this far, and never goes back. */
    void onTime(long nanos) {
        if (nanos < stepEnd) {
            return;
        }
        long reached = Math.floorDiv(nanos, STEP_NANOS) * STEP_NANOS;
        long skipFrom = stepEnd + LONGEST_NANOS;
        stepEnd = reached + STEP_NANOS;
        for (long due = earliest(); due <= reached; ) {
            for (int i = 0; i < operators.size(); i++) {
                if (operators.get(i).wakeAtNanos() <= due) {
                    operators.get(i).onWake(due);
                }
            }
            long next = earliest();
            if (next <= due) {
                throw new IllegalStateException("an operator wants to be woken at " + next + ", which was now");
            }
            due = next > skipFrom && next < reached ? reached : next;
        }
    }

    private long earliest() {
        long earliest = Operator.NEVER;
        for (int i = 0; i < operators.size(); i++) {
            earliest = Math.min(earliest, operators.get(i).wakeAtNanos());
        }
        return earliest;
    }

    void end() {
        operators.forEach(Operator::end);
    }
}
