package io.pathlore.engine;

import io.pathlore.model.ReportRow;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where one thread that decodes hands its reports in. Hot path: belongs to that thread. Without shards of their own the reports
 * are analysed here and now.
 */
final class EngineIntake implements Intake {
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
    EngineIntake(Shard[] shards, ReportRing[] rings, @Nullable ReportRing desk, StreamClock clock, Tally tally) {
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

    @Override
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

    @Override
    public void flush() {
        if (rings.length == 0) {
            shards[0].flush();
        }
    }

    @Override
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

    @Override
    public void onTick(long nowNanos) {
        newest = Math.max(newest, nowNanos);
        endBatch();
    }

    @Override
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

    @Override
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
