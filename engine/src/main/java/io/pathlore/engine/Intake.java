package io.pathlore.engine;

import io.pathlore.model.ReportRow;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where one thread that decodes hands its reports in. Hot path: belongs to that thread. Without shards of their own the reports
 * are analysed here and now.
 */
public final class Intake {
    private final ReportRow row = new ReportRow();
    private final Overload overload = new Overload();
    private final StreamClock clock;
    private final Shard[] shards;
    private final ReportRing[] rings;
    private final @Nullable ReportRing desk;
    private final Tally tally;
    private volatile long skipped;
    private long newest = Long.MIN_VALUE;

    /**
     * Hands reports to others.
     *
     * @param rings those to each shard, or none where the one shard is this thread's
     * @param desk the one to the operators, where they are apart
     */
    Intake(Shard[] shards, ReportRing[] rings, @Nullable ReportRing desk, StreamClock clock, Tally tally) {
        this.desk = desk;
        this.shards = shards.clone();
        this.rings = rings.clone();
        this.clock = clock;
        this.tally = tally;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    private void toDesk(ByteBuffer bytes, int at) {
        if (desk != null && !desk.add(bytes, at)) {
            skipped++;
        }
    }

    long skipped() {
        return skipped;
    }

    /** Takes a {@link ReportRow}, borrowed until {@link #flush}, and counts what becomes of it. Never waits. */
    public void report(ByteBuffer bytes, int at) {
        row.wrap(bytes, at);
        newest = Math.max(newest, row.receivedNanos());
        long hash = row.flowHash();
        if (overload.sheds(hash, row.dropped())) {
            tally.shed(1);
        } else if (rings.length == 0) {
            shards[0].on(bytes, at);
        } else if (!rings[(int) ((hash & 0xFFFF_FFFFL) * rings.length >>> 32)].add(bytes, at)) {
            tally.shed(1);
        } else {
            toDesk(bytes, at);
        }
    }

    /** What was handed in has been dealt with, and counted, as far as that is done in this thread. */
    public void flush() {
        if (rings.length == 0) {
            shards[0].flush();
        }
    }

    /** A batch has ended and its counts are published: other threads may now act on it. */
    public void endBatch() {
        publish();
        advance(newest);
    }

    private void publish() {
        for (ReportRing ring : rings) {
            ring.publish();
        }
        if (desk != null) {
            desk.publish();
        }
    }

    private void advance(long nanos) {
        clock.advance(nanos);
        if (rings.length == 0) {
            shards[0].onTime(nanos);
        }
    }

    /** Nothing received before this time is still to come. */
    public void onTick(long nowNanos) {
        newest = Math.max(newest, nowNanos);
        endBatch();
    }

    /**
     * How much waits in front of this thread, at its sockets; what waits behind it, in queues, is known here.
     *
     * @param ticks a monotonic clock
     */
    public void onPressure(int percent, long ticks) {
        int most = percent;
        for (ReportRing ring : rings) {
            most = Math.max(most, ring.percent());
        }
        if (desk != null) {
            most = Math.max(most, desk.percent());
        }
        overload.observe(most, ticks);
    }

    /** There will be no more reports from this thread. */
    public void end() {
        publish();
        clock.advance(newest);
        clock.end();
        if (rings.length == 0) {
            shards[0].end();
        }
    }

    int level() {
        return overload.level();
    }
}
