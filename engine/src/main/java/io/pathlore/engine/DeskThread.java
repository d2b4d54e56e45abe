package io.pathlore.engine;

import io.pathlore.model.ReportRow;

/**
 * Brings what several threads decode into the order of receive time before the operators see it: a report waits until no thread can
 * hand in an earlier one, unless its queue fills up meanwhile. Hot path.
 */
final class DeskThread extends Taker {
    /** Percent of a queue from which on reports no longer wait for the other threads: before {@link Overload} sheds any. */
    private static final int CROWDED = 20;

    private final ReportRow row = new ReportRow();
    private final Desk desk;
    private final ReportRing[] rings;
    private final StreamClock[] clocks;
    private final int[] heads;

    DeskThread(Desk desk, ReportRing[] rings, StreamClock[] clocks) {
        this.desk = desk;
        this.rings = rings.clone();
        this.clocks = clocks.clone();
        heads = new int[rings.length];
    }

    @Override
    boolean step() {
        // Before the rings: all that was received up to then is in them, or was.
        long time = StreamClock.slowest(clocks);
        boolean crowded = false;
        for (int i = 0; i < rings.length; i++) {
            heads[i] = rings[i].peek();
            crowded |= rings[i].percentWaiting() >= CROWDED;
        }
        long until = crowded ? Long.MAX_VALUE : time;
        int count = 0;
        int first = first();
        while (first >= 0 && count < BATCH && received(first) <= until) {
            count++;
            ReportRing ring = rings[first];
            desk.on(row.wrap(ring.bytes(), ring.next()));
            heads[first] = ring.peek();
            first = first();
        }
        if (count > 0) {
            for (ReportRing ring : rings) {
                ring.release();
            }
        }
        if (count < BATCH && time != Long.MIN_VALUE) {
            desk.onTime(time);
        }
        return count > 0;
    }

    /** Whose next report is the earliest, or -1 where there is none. Those of one exporter are all in one ring. */
    private int first() {
        int first = -1;
        for (int i = 0; i < rings.length; i++) {
            if (heads[i] >= 0 && (first < 0 || compare(i, first) < 0)) {
                first = i;
            }
        }
        return first;
    }

    private long received(int ring) {
        return ReportRow.receivedNanos(rings[ring].bytes(), heads[ring]);
    }

    private int compare(int one, int other) {
        return ReportRow.compareArrival(rings[one].bytes(), heads[one], rings[other].bytes(), heads[other]);
    }

    @Override
    void end() {
        desk.end();
    }
}
