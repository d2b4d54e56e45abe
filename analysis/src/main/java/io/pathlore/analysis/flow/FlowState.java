package io.pathlore.analysis.flow;

import java.nio.ByteBuffer;

/**
 * What is known of one flow. A view over {@value #LENGTH} octets, big endian; the first is the version of the layout. Hot path.
 *
 * <pre>
 *   0  layout   8  reports   16  of packets that were dropped   24  of congested queues   32  first seen   40  last seen
 * </pre>
 */
public final class FlowState {
    public static final int LENGTH = 48;
    private static final byte LAYOUT = 1;

    private ByteBuffer buffer = ByteBuffer.allocate(LENGTH);
    private int at;

    public FlowState wrap(ByteBuffer bytes, int at) {
        buffer = bytes;
        this.at = at;
        return this;
    }

    void begin() {
        buffer.putLong(at, (long) LAYOUT << 56)
                .putLong(at + 8, 0)
                .putLong(at + 16, 0)
                .putLong(at + 24, 0)
                .putLong(at + 32, Long.MAX_VALUE)
                .putLong(at + 40, Long.MIN_VALUE);
    }

    void add(long reports, long drops, long congested, long firstNanos, long lastNanos) {
        buffer.putLong(at + 8, reports() + reports);
        if (drops != 0) {
            buffer.putLong(at + 16, drops() + drops);
        }
        if (congested != 0) {
            buffer.putLong(at + 24, congested() + congested);
        }
        if (firstNanos < firstNanos()) {
            buffer.putLong(at + 32, firstNanos);
        }
        if (lastNanos > lastNanos()) {
            buffer.putLong(at + 40, lastNanos);
        }
    }

    public long reports() {
        return buffer.getLong(at + 8);
    }

    /** Reports of packets that were dropped. */
    public long drops() {
        return buffer.getLong(at + 16);
    }

    /** Reports that met a congested queue. */
    public long congested() {
        return buffer.getLong(at + 24);
    }

    public long firstNanos() {
        return buffer.getLong(at + 32);
    }

    public long lastNanos() {
        return buffer.getLong(at + 40);
    }
}
