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

    /** Is told of reports in their order, and how far time has come. */
    interface Sorted {
        /** The row is borrowed. */
        void on(ReportRow row);

        void onTime(long nanos);
    }

    private final transient ReportRow row = new ReportRow();
    private final PriorityQueue<Held> held = new PriorityQueue<>(Held.ORDER);
    private final transient ArrayDeque<Held> free = new ArrayDeque<>();
    private final transient long slackNanos;
    private final transient long most;
    private final transient Sorted to;
    private long bytes;
    private long number;
    private long newest = Long.MIN_VALUE;
    private long early;

    Sorter(long slackNanos, Sorted to) {
        this(slackNanos, BYTES, to);
    }

    /** {@code most} octets may wait at once. */
    Sorter(long slackNanos, long most, Sorted to) {
        this.slackNanos = slackNanos;
        this.most = most;
        this.to = to;
    }

    void on(ReportRow report) {
        hold(report);
        onTime(report.receivedNanos());
    }

    /** As far as time has come is told by somebody else. */
    void hold(ReportRow report) {
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
        while (bytes > most) {
            early++;
            release();
        }
    }

    /** Stream time has come this far. */
    void onTime(long nanos) {
        if (nanos <= newest) {
            return;
        }
        newest = nanos;
        releaseUntil(nanos - slackNanos);
    }

    /** All reports up to this time are here. */
    void releaseUntil(long until) {
        for (@Nullable Held first = held.peek(); first != null && first.received <= until; first = held.peek()) {
            release();
        }
        to.onTime(until);
    }

    private void release() {
        Held first = held.remove();
        to.on(row.wrap(first.row, 0));
        bytes -= first.row.capacity();
        if (first.row.capacity() == Held.USUAL) {
            free.addLast(first);
        }
    }

    /** Octets that wait. */
    long bytes() {
        return bytes;
    }

    /** Reports that could not wait for their time: there was no room. */
    long early() {
        return early;
    }

    /** There will be no more. */
    void end() {
        while (!held.isEmpty()) {
            release();
        }
    }
}
