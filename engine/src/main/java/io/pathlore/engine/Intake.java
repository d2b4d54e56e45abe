package io.pathlore.engine;

import io.pathlore.model.ReportRow;
import java.nio.ByteBuffer;

/** Where one thread that decodes hands its reports in. Hot path: belongs to that thread. */
public interface Intake {
    /** Takes a {@link ReportRow}, borrowed until {@link #flush}, and counts what becomes of it. Never waits. */
    void report(ByteBuffer bytes, int at);

    /** What was handed in has been dealt with, and counted, as far as that is done in this thread. */
    void flush();

    /** A batch has ended and its counts are published: other threads may now act on it. */
    void endBatch();

    /** Nothing received before this time is still to come. */
    void onTick(long nowNanos);

    /**
     * How much waits in front of this thread, at its sockets; what waits behind it, in queues, is known here.
     *
     * @param ticks a monotonic clock
     */
    void onPressure(int percent, long ticks);

    /** There will be no more reports from this thread. */
    void end();
}
