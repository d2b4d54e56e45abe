package io.pathlore.analysis.flow;

import io.pathlore.model.ReportRow;
import java.nio.ByteBuffer;

/**
 * What is known of one flow, and of its last minute. A view over {@value #LENGTH} octets, big endian; the first is the version of the
 * layout. Hot path.
 *
 * <pre>
 *   0  layout   8  reports   16  of packets that were dropped   24  of congested queues   32  first seen   40  last seen
 *  48  the minute, since 1970   56  its reports   60  its reports of drops   64  print of the last path   72  its latencies
 * </pre>
 */
public final class FlowState {
    public static final int LENGTH = 136;
    private static final byte LAYOUT = 2;
    private static final int MINUTE_AT = 48;
    private static final int MINUTE_REPORTS_AT = 56;
    private static final int MINUTE_DROPS_AT = 60;
    private static final int PATH_AT = 64;

    // Four buckets to each power of two, from 128 ns to 8 ms, an octet each; what is beyond is in the outermost. When
    // one is full all are
    // halved: the shape stays.
    private static final int LATENCIES_AT = 72;
    private static final int BUCKETS = 64;
    private static final int LEAST_POWER = 7;
    private static final int PART_BITS = 2;
    private static final int FULL = 0xFF;

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
                .putLong(at + 40, Long.MIN_VALUE)
                .putLong(at + PATH_AT, 0);
        beginMinute(0);
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

    /** What was counted of the minute before is forgotten. */
    public void beginMinute(long minute) {
        buffer.putLong(at + MINUTE_AT, minute).putLong(at + MINUTE_REPORTS_AT, 0);
        for (int i = 0; i < BUCKETS; i += Long.BYTES) {
            buffer.putLong(at + LATENCIES_AT + i, 0);
        }
    }

    void addToMinute(int reports, int drops) {
        buffer.putInt(at + MINUTE_REPORTS_AT, minuteReports() + reports);
        if (drops != 0) {
            buffer.putInt(at + MINUTE_DROPS_AT, minuteDrops() + drops);
        }
    }

    void addLatency(long nanos) {
        int place = at + LATENCIES_AT + bucket(nanos);
        int count = Byte.toUnsignedInt(buffer.get(place));
        if (count == FULL) {
            for (int i = 0; i < BUCKETS; i++) {
                int all = at + LATENCIES_AT + i;
                buffer.put(all, (byte) (Byte.toUnsignedInt(buffer.get(all)) + 1 >>> 1));
            }
            count = Byte.toUnsignedInt(buffer.get(place));
        }
        buffer.put(place, (byte) (count + 1));
    }

    void addLatencies(FlowState other) {
        for (int i = 0; i < BUCKETS; i++) {
            int sum = Byte.toUnsignedInt(buffer.get(at + LATENCIES_AT + i))
                    + Byte.toUnsignedInt(other.buffer.get(other.at + LATENCIES_AT + i));
            buffer.put(at + LATENCIES_AT + i, (byte) Math.min(FULL, sum));
        }
    }

    private static int bucket(long nanos) {
        if (nanos < 1 << LEAST_POWER) {
            return 0;
        }
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
        int part = (int) (nanos >>> power - PART_BITS) & (1 << PART_BITS) - 1;
        return Math.min(BUCKETS - 1, (power - LEAST_POWER << PART_BITS) + part);
    }

    /** The middle of the bucket where this share of the minute's latencies lies at or below, or {@link ReportRow#ABSENT}. */
    public long latency(double share) {
        int total = 0;
        for (int i = 0; i < BUCKETS; i++) {
            total += Byte.toUnsignedInt(buffer.get(at + LATENCIES_AT + i));
        }
        int wanted = Math.max(1, (int) Math.ceil(share * total));
        int seen = 0;
        for (int i = 0; i < BUCKETS && total > 0; i++) {
            seen += Byte.toUnsignedInt(buffer.get(at + LATENCIES_AT + i));
            if (seen >= wanted) {
                long unit = 1L << (i >> PART_BITS) + LEAST_POWER - PART_BITS;
                return unit * ((1 << PART_BITS) + (i & (1 << PART_BITS) - 1)) + unit / 2;
            }
        }
        return ReportRow.ABSENT;
    }

    void path(long print) {
        buffer.putLong(at + PATH_AT, print);
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

    /** Since 1970: the last in which there was a report. */
    public long minute() {
        return buffer.getLong(at + MINUTE_AT);
    }

    public int minuteReports() {
        return buffer.getInt(at + MINUTE_REPORTS_AT);
    }

    public int minuteDrops() {
        return buffer.getInt(at + MINUTE_DROPS_AT);
    }

    /** {@link ReportRow#pathPrint} of the last whole stack; 0 where there was none. */
    public long path() {
        return buffer.getLong(at + PATH_AT);
    }
}
