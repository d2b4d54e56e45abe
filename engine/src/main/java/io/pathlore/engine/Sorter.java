package io.pathlore.engine;

import io.pathlore.model.ReportRow;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Brings reports into the order of their receive time that come in nearly that order: a journal has what several threads received
 * block by block. A report waits until stream time is the slack further, or until there is no room. One thread.
 */
final class Sorter {
    /** What may wait at once. */
    static final int BYTES = 32 << 20;

    /** A row that waits. Used again for others. */
    private static final class Held {
        static final int USUAL = ReportRow.LENGTH + 8 * ReportRow.HOP_LENGTH;
        static final Comparator<Held> ORDER = Comparator.<Held>comparingLong(one -> one.received)
                .thenComparing((one, other) -> ReportRow.compareArrival(one.row, 0, other.row, 0))
                .thenComparingLong(one -> one.number);

        ByteBuffer row = ByteBuffer.allocate(USUAL);
        long received;
        long number;
    }

    private final ReportRow row = new ReportRow();
    private final PriorityQueue<Held> held = new PriorityQueue<>(Held.ORDER);
    private final ArrayDeque<Held> free = new ArrayDeque<>();
    private final long slackNanos;
    private final Desk desk;
    private long bytes;
    private long number;
    private long newest = Long.MIN_VALUE;

    Sorter(long slackNanos, Desk desk) {
        this.slackNanos = slackNanos;
        this.desk = desk;
    }

    void on(ReportRow report) {
        int length = report.length();
        @Nullable Held unused = free.pollLast();
        Held one = unused == null ? new Held() : unused;
        if (one.row.capacity() < length) {
            one.row = ByteBuffer.allocate(length);
        }
        one.row.put(0, report.buffer(), report.offset(), length);
        one.received = report.receivedNanos();
        one.number = number++;
        bytes += one.row.capacity();
        held.add(one);
        while (bytes > BYTES) {
            release();
        }
        onTime(one.received);
    }

    /** Stream time has come this far. */
    void onTime(long nanos) {
        if (nanos <= newest) {
            return;
        }
        newest = nanos;
        long until = nanos - slackNanos;
        for (@Nullable Held first = held.peek(); first != null && first.received <= until; first = held.peek()) {
            release();
        }
        desk.onTime(until);
    }

    private void release() {
        Held first = held.remove();
        desk.on(row.wrap(first.row, 0));
        bytes -= first.row.capacity();
        if (first.row.capacity() == Held.USUAL) {
            free.addLast(first);
        }
    }

    /** There will be no more. */
    void end() {
        while (!held.isEmpty()) {
            release();
        }
    }
}
