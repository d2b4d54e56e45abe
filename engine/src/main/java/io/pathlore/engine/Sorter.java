package io.pathlore.engine;

import io.pathlore.model.ReportRow;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Brings reports into the order of their receive time that come in nearly that order: a journal has what several threads received
 * block by block. A report waits until stream time is the slack further, or until there is no room. One thread.
 *
 * <p>Those that wait have no order; those whose time has come are put into theirs together. They come in a few pieces that have one already, so that
 * is less than to find each its place among all that wait: there memory answers a dozen questions for each.
 */
final class Sorter {
    /** What may wait at once. */
    static final int BYTES = 32 << 20;

    /** Where there is no room, one of so many goes before its time. */
    private static final int ROOM = 16;

    private static final int FIRST = 64;

    private static final int AHEAD = 16;

    /** A row that waits. Used again for others. */
    private static final class Held {
        static final int USUAL = ReportRow.LENGTH + 8 * ReportRow.HOP_LENGTH;

        ByteBuffer row = ByteBuffer.allocate(USUAL);
    }

    /** Rows and their times, side by side. */
    private static final class Rows {
        long[] times = new long[FIRST];

        @Nullable
        Held[] held = new Held[FIRST];

        int count;

        void add(long time, Held one) {
            if (count == times.length) {
                times = Arrays.copyOf(times, 2 * count);
                held = Arrays.copyOf(held, 2 * count);
            }
            times[count] = time;
            held[count++] = one;
        }

        Held at(int index) {
            Held one = held[index];
            if (one == null) {
                throw new IndexOutOfBoundsException(index);
            }
            return one;
        }

        /** Forgets those from an index on. */
        void cut(int from) {
            Arrays.fill(held, from, count, null);
            Arrays.fill(times, from, count, 0);
            count = from;
        }

        boolean isInOrder(int one, int other) {
            return times[one] != times[other]
                    ? times[one] < times[other]
                    : ReportRow.compareArrival(at(one).row, 0, at(other).row, 0) <= 0;
        }

        /** The first behind those that follow each other in order from here. */
        int endOfRun(int from) {
            int end = from + 1;
            while (end < count && isInOrder(end - 1, end)) {
                end++;
            }
            return end;
        }
    }

    /** Is told of reports in their order, and how far time has come. */
    interface Sorted {
        /** The row is borrowed. */
        void on(ReportRow row);

        void onTime(long nanos);
    }

    private final transient ReportRow row = new ReportRow();
    private final Rows waiting = new Rows();
    private transient Rows due = new Rows();
    private transient Rows merged = new Rows();
    private final transient ArrayDeque<Held> free = new ArrayDeque<>();
    private final transient long slackNanos;
    private final transient long most;
    private final transient Sorted to;
    /** Nobody needs it: what is looked at goes somewhere, so that it is looked at. */
    transient long looked;

    private long bytes;

    /** The time of the first that waits. */
    private long first = Long.MAX_VALUE;

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
        long received = report.receivedNanos();
        waiting.add(received, one);
        first = Math.min(first, received);
        bytes += one.row.capacity();
        while (bytes > most) {
            makeRoom();
        }
    }

    /** Stream time has come this far. Who is told of it looks at whole steps only. */
    void onTime(long nanos) {
        long further = nanos - newest; // below 0 where the one is before all time
        if (nanos <= newest || further >= 0 && further < Desk.STEP_NANOS) {
            return;
        }
        newest = nanos;
        releaseUntil(nanos - slackNanos);
    }

    /** All reports up to this time are here. */
    void releaseUntil(long until) {
        if (first <= until) {
            take(until);
            sort();
            release(due.count);
        }
        to.onTime(until);
    }

    /** The first of those that wait go before their time. */
    private void makeRoom() {
        take(Long.MAX_VALUE);
        sort();
        int leaving = Math.max(1, due.count / ROOM);
        for (int i = leaving; i < due.count; i++) {
            waiting.add(due.times[i], due.at(i));
        }
        first = waiting.count == 0 ? Long.MAX_VALUE : waiting.times[0];
        early += leaving;
        release(leaving);
    }

    /** Those up to this time are due; what waits and what is due stay in the order in which they came. */
    private void take(long until) {
        int kept = 0;
        first = Long.MAX_VALUE;
        for (int i = 0; i < waiting.count; i++) {
            long time = waiting.times[i];
            Held one = waiting.at(i);
            if (time <= until) {
                due.add(time, one);
            } else {
                waiting.times[kept] = time;
                waiting.held[kept++] = one;
                first = Math.min(first, time);
            }
        }
        waiting.cut(kept);
    }

    /** Merges pieces that are in order, two by two, until all are one. What is equal keeps its order. */
    private void sort() {
        while (due.endOfRun(0) < due.count) {
            for (int from = 0; from < due.count; ) {
                int middle = due.endOfRun(from);
                int end = middle < due.count ? due.endOfRun(middle) : middle;
                merge(from, middle, end);
                from = end;
            }
            Rows sorted = merged;
            merged = due;
            due = sorted;
            merged.cut(0);
        }
    }

    private void merge(int from, int middle, int end) {
        int one = from;
        int other = middle;
        while (one < middle || other < end) {
            boolean isOne = other == end || one < middle && due.isInOrder(one, other);
            int next = isOne ? one++ : other++;
            merged.add(due.times[next], due.at(next));
        }
    }

    /** Tells of so many that are due, and forgets all of them. */
    private void release(int count) {
        for (int i = 0; i < count; i++) {
            if (i % AHEAD == 0) {
                look(i, Math.min(count, i + AHEAD));
            }
            Held one = due.at(i);
            to.on(row.wrap(one.row, 0));
            bytes -= one.row.capacity();
            if (one.row.capacity() == Held.USUAL) {
                free.addLast(one);
            }
        }
        due.cut(0);
    }

    /** They have waited for long: memory is asked for the next of them at once. */
    private void look(int from, int until) {
        for (int i = from; i < until; i++) {
            ByteBuffer next = due.at(i).row;
            looked ^= next.getLong(0) ^ next.getLong(ReportRow.LENGTH);
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
        take(Long.MAX_VALUE);
        sort();
        release(due.count);
    }
}
