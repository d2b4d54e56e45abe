package io.pathlore.engine;

import io.pathlore.analysis.Operator;
import io.pathlore.model.ReportRow;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A part of all flows and what is done with their reports. Runs in the thread that decodes, or in one of its own that takes
 * reports from a ring for each thread that decodes. Hot path.
 */
final class Shard implements Runnable {
    private static final int BATCH = 1_024;
    private static final long IDLE_NANOS = 500_000;

    private final ReportRow row = new ReportRow();
    private final @Nullable FlowTable flows;
    private final List<Operator> operators;
    private final ReportRing[] rings;
    private final StreamClock[] clocks;
    private final Tally tally;
    private long now = Long.MIN_VALUE;
    private long wakeAt = Operator.NEVER;
    private volatile boolean stopping;
    private volatile @Nullable Throwable failure;

    /** Without rings it is called by the thread that decodes; without a table it has operators only. */
    Shard(@Nullable FlowTable flows, List<Operator> operators, ReportRing[] rings, StreamClock[] clocks, Tally tally) {
        this.flows = flows;
        this.operators = List.copyOf(operators);
        this.rings = rings.clone();
        this.clocks = clocks.clone();
        this.tally = tally;
        askWhen();
    }

    @Nullable
    FlowTable flows() {
        return flows;
    }

    void on(ByteBuffer bytes, int at) {
        row.wrap(bytes, at);
        if (flows != null) {
            flows.on(row);
        }
        for (int i = 0; i < operators.size(); i++) {
            operators.get(i).on(row);
        }
        tally.analysed(1);
    }

    /** Stream time has come this far. */
    void onTime(long nanos) {
        now = Math.max(now, nanos);
        if (flows != null) {
            flows.onTime(now);
        }
        askWhen();
        while (now >= wakeAt) {
            long due = wakeAt;
            for (Operator operator : operators) {
                if (operator.wakeAtNanos() <= due) {
                    operator.onWake(due);
                }
            }
            askWhen();
            if (wakeAt <= due) {
                throw new IllegalStateException("an operator wants to be woken at " + wakeAt + ", which was now");
            }
        }
    }

    private void askWhen() {
        long earliest = Operator.NEVER;
        for (int i = 0; i < operators.size(); i++) {
            earliest = Math.min(earliest, operators.get(i).wakeAtNanos());
        }
        wakeAt = earliest;
    }

    /** Takes reports until {@link #stop}, and then what is left. */
    @Override
    public void run() {
        try {
            while (true) {
                boolean last = stopping; // asked first: what was added before it was set is taken
                if (!step()) {
                    if (last) {
                        break;
                    }
                    LockSupport.parkNanos(this, IDLE_NANOS);
                }
            }
            end();
        } catch (RuntimeException | Error e) {
            failure = e;
            throw e;
        }
    }

    /** One round over all rings; false when there was nothing. */
    boolean step() {
        // Before the rings: all that was received up to then is in them, or was.
        long time = StreamClock.slowest(clocks);
        boolean some = false;
        boolean all = true;
        for (ReportRing ring : rings) {
            int count = 0;
            int at = ring.next();
            while (at >= 0) {
                on(ring.bytes(), at);
                at = ++count < BATCH ? ring.next() : -1;
            }
            if (count > 0) {
                tally.publish();
                ring.release();
                some = true;
            }
            all &= count < BATCH;
        }
        if (all && time != Long.MIN_VALUE) {
            onTime(time);
        }
        return some;
    }

    void end() {
        if (flows != null) {
            flows.end();
        }
        operators.forEach(Operator::end);
        tally.publish();
    }

    void stop() {
        stopping = true;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }
}
