package io.pathlore.wire.pcap;

import java.nio.ByteBuffer;

/**
 * What stands before each frame of a pcap file, 16 octets [pcap §5].
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |                      Timestamp (Seconds)                      |
 * +---------------------------------------------------------------+
 * |            Timestamp (Microseconds or nanoseconds)            |
 * +---------------------------------------------------------------+
 * |                    Captured Packet Length                     |
 * +---------------------------------------------------------------+
 * |                    Original Packet Length                     |
 * +---------------------------------------------------------------+
 * </pre>
 * Hot path. A view, not a value: good until the buffer is filled again, belongs to one thread.
 */
public final class PcapRecordHeader {
    public static final int LENGTH = 16;
    private static final int FRACTION = 4;
    private static final int CAPTURED_LENGTH = 8;
    private static final int ORIGINAL_LENGTH = 12;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long NANOS_PER_MICRO = 1_000;
    private static final long MAX_SECONDS = 0xFFFF_FFFFL;
    private final boolean swapped;
    private final long nanosPerFraction;
    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private int offset;

    /** For the records of the file that {@code header} opens: they do not repeat its byte order and resolution. */
    public PcapRecordHeader(PcapFileHeader header) {
        swapped = header.littleEndian();
        nanosPerFraction = header.nanos() ? 1 : NANOS_PER_MICRO;
    }

    /** When this returns true, and only then, every accessor is safe to call. */
    public boolean wrap(ByteBuffer buffer, int offset, int end) {
        if (end - offset < LENGTH) {
            return false;
        }
        this.buffer = buffer;
        this.offset = offset;
        return true;
    }

    /** Epoch nanoseconds. Seconds are unsigned, so this is good until 2106 and cannot overflow. */
    public long timeNanos() {
        long fraction = FileWords.u32(buffer, offset + FRACTION, swapped);
        return FileWords.u32(buffer, offset, swapped) * NANOS_PER_SECOND + fraction * nanosPerFraction;
    }

    /** Octets of the frame in the file, right behind this header. */
    public long capturedLength() {
        return FileWords.u32(buffer, offset + CAPTURED_LENGTH, swapped);
    }

    /** Octets the frame had on the wire. */
    public long originalLength() {
        return FileWords.u32(buffer, offset + ORIGINAL_LENGTH, swapped);
    }

    /**
     * Writes the header of one frame of a file begun by {@link PcapFileHeader#encode}; returns the offset past it.
     *
     * @throws IllegalArgumentException if the time is before 1970 or after 2106, which the format cannot say
     */
    public static int encode(ByteBuffer out, int offset, long timeNanos, int capturedLength, int originalLength) {
        long seconds = Math.floorDiv(timeNanos, NANOS_PER_SECOND);
        if (seconds < 0 || seconds > MAX_SECONDS) {
            throw new IllegalArgumentException("a pcap file cannot hold the time " + timeNanos + " ns");
        }
        out.putInt(offset, Integer.reverseBytes((int) seconds));
        out.putInt(offset + FRACTION, Integer.reverseBytes((int) Math.floorMod(timeNanos, NANOS_PER_SECOND)));
        out.putInt(offset + CAPTURED_LENGTH, Integer.reverseBytes(capturedLength));
        out.putInt(offset + ORIGINAL_LENGTH, Integer.reverseBytes(originalLength));
        return offset + LENGTH;
    }
}
