package io.pathlore.analysis.sequence;

import java.nio.ByteBuffer;

/** One stream and the time it lives in. Unless told otherwise equal numbers come with equal bytes, a millisecond apart. */
final class Stream {
    static final long MILLI = 1_000_000;
    static final long SECOND = 1_000 * MILLI;

    final SequenceTracker tracker = new SequenceTracker(SequenceTracker.Rules.DEFAULT);
    long now = 1_700_000_000L * SECOND;
    long step = MILLI;
    private final int mask;

    Stream(int width) {
        this(width, Counting.AUTO);
    }

    Stream(int width, Counting counting) {
        mask = -1 >>> 32 - width;
        tracker.wrap(memory(SequenceTracker.STATE_LENGTH), 0, memory(SequenceTracker.PAGE_LENGTH), 0)
                .begin(width, counting);
    }

    static ByteBuffer memory(int length) {
        return ByteBuffer.allocate(length).order(SequenceTracker.ORDER);
    }

    /** Any number; what goes on the wire is cut to the width. */
    Outcome send(long number) {
        return send(number, 1, number);
    }

    Outcome send(long number, int reports, long bytes) {
        now += step;
        return tracker.on(number & mask, now, reports, bytes * 31 + 7);
    }

    /** From the first up to, not including, the last. */
    Stream range(long from, long to) {
        for (long number = from; number < to; number++) {
            send(number);
        }
        return this;
    }

    long gone() {
        return tracker.lost() + tracker.missing();
    }

    long count(Outcome outcome) {
        return tracker.count(outcome);
    }
}
