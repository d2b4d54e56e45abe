package io.pathlore.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** How far the stream of one receiving thread has come. Never goes back. One writer, any readers. */
final class StreamClock {
    private static final VarHandle NOW;

    static {
        try {
            NOW = MethodHandles.lookup().findVarHandle(StreamClock.class, "now", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private long now = Long.MIN_VALUE;
    private volatile boolean ended;

    /** After everything received up to then was handed on. */
    void advance(long nanos) {
        if (nanos > now) {
            NOW.setRelease(this, nanos);
        }
    }

    long read() {
        return (long) NOW.getAcquire(this);
    }

    /** Its stream holds nobody back any more. */
    void end() {
        ended = true;
    }

    /** How far all of them have come together: as far as the slowest, of those that go on. */
    static long slowest(StreamClock[] clocks) {
        long slowest = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        boolean all = true;
        for (StreamClock clock : clocks) {
            boolean over = clock.ended; // asked first: after it the time no longer changes
            long time = clock.read();
            last = Math.max(last, time);
            if (!over) {
                all = false;
                slowest = Math.min(slowest, time);
            }
        }
        return all ? last : slowest;
    }
}
