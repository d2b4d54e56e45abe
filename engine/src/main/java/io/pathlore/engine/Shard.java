package io.pathlore.engine;

import io.pathlore.model.ReportRow;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A part of all flows and what is done with their reports. Runs in the thread that decodes, where the operators are too, or in one
 * of its own that takes reports from a ring for each thread that decodes. Hot path.
 */
final class Shard extends Taker {
    /** Reports that are looked at together, before they are dealt with one by one: what they need fits into a near cache. */
    private static final int TOGETHER = 32;

    private final ReportRow[] expected = new ReportRow[TOGETHER];
    private int count;
    private final FlowTable flows;
    private final @Nullable Sorter sorter;
    private final @Nullable Desk desk;
    private final ReportRing[] rings;
    private final StreamClock[] clocks;
    private final Tally tally;
    private long now = Long.MIN_VALUE;

    /** Without rings it is called by the thread that decodes, and has the operators; {@code slackNanos} as in the options. */
    Shard(
            FlowTable flows,
            @Nullable Desk desk,
            long slackNanos,
            ReportRing[] rings,
            StreamClock[] clocks,
            Tally tally) {
        this.flows = flows;
        this.desk = desk;
        sorter = desk == null || slackNanos == 0 ? null : new Sorter(slackNanos, desk);
        this.rings = rings.clone();
        this.clocks = clocks.clone();
        this.tally = tally;
        Arrays.setAll(expected, i -> new ReportRow());
    }

    FlowTable flows() {
        return flows;
    }

    /** The row is borrowed until {@link #flush}. */
    void on(ByteBuffer bytes, int at) {
        expected[count++].wrap(bytes, at);
        if (count == TOGETHER) {
            flush();
        }
    }

    /** Deals with all reports there are, in their order. */
    void flush() {
        flows.expect(expected, count);
        for (int i = 0; i < count; i++) {
            deal(expected[i]);
        }
        tally.analysed(count);
        count = 0;
    }

    private void deal(ReportRow row) {
        flows.on(row);
        if (sorter != null) {
            sorter.on(row);
        } else if (desk != null) {
            desk.on(row);
        }
    }

    /** Stream time has come this far. */
    void onTime(long nanos) {
        flush();
        now = Math.max(now, nanos);
        flows.onTime(now);
        if (sorter != null) {
            sorter.onTime(now);
        } else if (desk != null) {
            desk.onTime(now);
        }
    }

    /** One round over all rings; false when there was nothing. */
    @Override
    boolean step() {
        // Before the rings: all that was received up to then is in them, or was.
        long time = StreamClock.slowest(clocks);
        boolean some = false;
        boolean all = true;
        for (ReportRing ring : rings) {
            int taken = 0;
            int at = ring.next();
            while (at >= 0) {
                on(ring.bytes(), at);
                at = ++taken < BATCH ? ring.next() : -1;
            }
            if (taken > 0) {
                flush();
                tally.publish();
                ring.release();
                some = true;
            }
            all &= taken < BATCH;
        }
        if (all && time != Long.MIN_VALUE) {
            onTime(time);
        }
        return some;
    }

    @Override
    void end() {
        flush();
        if (sorter != null) {
            sorter.end();
        }
        if (desk != null) {
            desk.flush(); // what is known of ways belongs to the last minute of flows
        }
        flows.end();
        if (desk != null) {
            desk.end();
        }
        tally.publish();
    }
}
