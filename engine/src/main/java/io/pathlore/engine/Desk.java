package io.pathlore.engine;

import io.pathlore.analysis.Operator;
import io.pathlore.model.ReportRow;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * The operators, and how they are told of reports and of time. Reports wait for each other, a few dozen or a step of time long: then one operator after
 * the other sees them all, so that its code is at hand, and looks ahead at what they will need, so that memory answers many questions at once. Where
 * such a group ends, and when operators are woken, follows from the reports alone, and not from where a batch happens to end: so does what they find,
 * however reports were received, queued or read again. One thread. Hot path.
 */
final class Desk implements Sorter.Sorted {
    /** Who asks to be woken in between is woken at the end of the step, in the order of the times asked for. */
    static final long STEP_NANOS = 1_000_000;

    /** After so long without a report and without a look at the clock, all who wait are woken at once: times in files may be absurd. */
    private static final long LONGEST_NANOS = 3_600_000_000_000L;

    private static final long NONE_LATER = Long.MAX_VALUE - LONGEST_NANOS;

    /** Reports of a group: what they need fits into a near cache. */
    private static final int GROUP = 16;

    private final transient List<Operator> operators;
    private final transient List<Operator> seeing;
    private final transient ByteBuffer bytes = ByteBuffer.allocate(GROUP * ReportRow.MAX_LENGTH);
    private final transient ReportRow[] rows = new ReportRow[GROUP];
    private int count;
    private int used;
    private long stepEnd = Long.MIN_VALUE;

    Desk(List<Operator> operators) {
        this.operators = List.copyOf(operators);
        seeing = operators.stream().filter(Operator::seesReports).toList();
        Arrays.setAll(rows, i -> new ReportRow());
    }

    /** Takes a copy. */
    @Override
    public void on(ReportRow row) {
        if (row.receivedNanos() >= stepEnd) {
            onTime(row.receivedNanos());
        }
        used += rows[count++].copy(row, bytes, used);
        if (count == GROUP) {
            tell();
        }
    }

    private void tell() {
        if (count > 0) {
            at(stepEnd - STEP_NANOS);
        }
        for (int i = 0; i < seeing.size(); i++) {
            Operator operator = seeing.get(i);
            operator.expect(rows, count);
            for (int row = 0; row < count; row++) {
                operator.on(rows[row]);
            }
        }
        count = 0;
        used = 0;
    }

    private void at(long nanos) {
        for (int i = 0; i < operators.size(); i++) {
            operators.get(i).at(nanos);
        }
    }

    /** Stream time has come this far, and never goes back. */
    @Override
    public void onTime(long nanos) {
        if (nanos < stepEnd) {
            return;
        }
        tell();
        long reached = Math.floorDiv(nanos, STEP_NANOS) * STEP_NANOS;
        long first = earliest(); // where nothing was before: time begins with it
        long skipFrom = Math.min(NONE_LATER, stepEnd == Long.MIN_VALUE ? first : stepEnd) + LONGEST_NANOS;
        stepEnd = reached + STEP_NANOS;
        for (long due = first; due <= reached; ) {
            at(due);
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

    /** Operators are told of the reports that wait for others. */
    void flush() {
        tell();
    }

    void end() {
        tell();
        at(Operator.NEVER); // behind everything that had a time
        operators.forEach(Operator::end);
    }
}
