package io.pathlore.analysis;

import java.util.List;

/** Operators and the time they live in, as the engine has it: who is to be woken before a report came is woken before he sees it. */
public final class Host {
    private static final long STEP_NANOS = 1_000_000;

    private final List<Operator> operators;
    private long now = Long.MIN_VALUE;

    public Host(Operator... operators) {
        this.operators = List.of(operators);
    }

    public Host on(Rows... rows) {
        return on(List.of(rows));
    }

    public Host on(List<Rows> rows) {
        for (Rows row : rows) {
            until(row.nanos());
            give(row);
        }
        return this;
    }

    /** In this order, before time goes on. */
    public Host together(List<Rows> rows) {
        rows.forEach(this::give);
        rows.forEach(row -> now = Math.max(now, row.nanos()));
        return until(now);
    }

    private void give(Rows row) {
        at(Math.floorDiv(row.nanos(), STEP_NANOS) * STEP_NANOS);
        operators.forEach(row::giveTo);
    }

    public Host until(long nanos) {
        now = Math.max(now, nanos);
        for (long due = earliest(); due <= now; due = earliest()) {
            at(due);
            for (Operator operator : operators) {
                if (operator.wakeAtNanos() <= due) {
                    operator.onWake(due);
                }
            }
            if (earliest() <= due) {
                throw new AssertionError("wants to be woken at " + earliest() + ", which was now");
            }
        }
        return this;
    }

    private long earliest() {
        return operators.stream().mapToLong(Operator::wakeAtNanos).min().orElse(Operator.NEVER);
    }

    private void at(long nanos) {
        operators.forEach(operator -> operator.at(nanos));
    }

    public void end() {
        at(Operator.NEVER);
        operators.forEach(Operator::end);
    }
}
