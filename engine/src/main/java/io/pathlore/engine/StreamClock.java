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

    /** After everything received up to then was handed on. */
    void advance(long nanos) {
        if (nanos > now) {
            NOW.setRelease(this, nanos);
        }
    }

    long read() {
        return (long) NOW.getAcquire(this);
    }
}
