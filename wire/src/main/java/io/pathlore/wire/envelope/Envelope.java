package io.pathlore.wire.envelope;

import java.nio.ByteBuffer;

/**
 * What is kept with a received datagram, 68 octets, right before its bytes; docs/reference/envelope.md. The octets of the
 * datagram end where the envelope ends, which the carrier knows: a journal record and a Kafka value have a length.
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------+---------------+-------------------------------+
 * |  Version = 1  |     Flags     |         Header Length         |
 * +---------------+---------------+-------------------------------+
 * |                        Original Length                        |
 * +---------------------------------------------------------------+
 * |                                                               |
 * +                         Receive Time                          +
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                                                               |
 * +                            Edge ID                            +
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                                                               |
 * +                       Journal Position                        +
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                                                               |
 * +                                                               +
 * |                                                               |
 * +                       Exporter Address                        +
 * |                                                               |
 * +                                                               +
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                                                               |
 * +                                                               +
 * |                                                               |
 * +                      Destination Address                      +
 * |                                                               |
 * +                                                               +
 * |                                                               |
 * +-------------------------------+-------------------------------+
 * |         Exporter Port         |       Destination Port        |
 * +-------------------------------+-------------------------------+
 * </pre>
 * Hot path. A view, not a value: good until the buffer is filled again, belongs to one thread. Buffers are big endian and
 * read by absolute index, so position and limit stay the caller's.
 */
public final class Envelope {
    /** Octets before the datagram, as this version writes them. */
    public static final int LENGTH = 68;
    /** Most octets of a datagram: all that a UDP length can say. */
    public static final int MAX_DATAGRAM = 0xFFFF;

    /** The kernel took the receive time, not the program. */
    public static final int KERNEL_TIME = 1;
    /** The same datagram was seen before. */
    public static final int DUPLICATE = 1 << 1;
    /** The exporter's address is not one that may speak for the node in its reports. */
    public static final int UNBOUND = 1 << 2;

    private static final int VERSION = 1;
    private static final int FLAGS = 1;
    private static final int HEADER_LENGTH = 2;
    private static final int ORIGINAL_LENGTH = 4;
    private static final int RECEIVE_TIME = 8;
    private static final int EDGE_ID = 16;
    private static final int POSITION = 24;
    private static final int EXPORTER_ADDRESS = 32;
    private static final int DESTINATION_ADDRESS = 48;
    private static final int EXPORTER_PORT = 64;
    private static final int DESTINATION_PORT = 66;
    private static final long MAPPED_PREFIX = 0xFFFF_0000_0000L;
    private static final long IPV4_MASK = 0xFFFF_FFFFL;

    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private int offset;
    private int end;

    /** When this returns true, and only then, every accessor is safe to call. */
    public boolean wrap(ByteBuffer buffer, int offset, int end) {
        if (end - offset < LENGTH || buffer.get(offset) != VERSION) {
            return false;
        }
        int header = Short.toUnsignedInt(buffer.getShort(offset + HEADER_LENGTH));
        if (header < LENGTH || header > end - offset) {
            return false;
        }
        this.buffer = buffer;
        this.offset = offset;
        this.end = end;
        return true;
    }

    public int version() {
        return Byte.toUnsignedInt(buffer.get(offset));
    }

    /** All of them, also those without a name yet. */
    public int flags() {
        return Byte.toUnsignedInt(buffer.get(offset + FLAGS));
    }

    public boolean kernelTime() {
        return (flags() & KERNEL_TIME) != 0;
    }

    public boolean duplicate() {
        return (flags() & DUPLICATE) != 0;
    }

    public boolean unbound() {
        return (flags() & UNBOUND) != 0;
    }

    /** Octets the datagram had; more than {@link #datagramLength} where it was cut. */
    public long originalLength() {
        return Integer.toUnsignedLong(buffer.getInt(offset + ORIGINAL_LENGTH));
    }

    /** Epoch nanoseconds. */
    public long receivedNanos() {
        return buffer.getLong(offset + RECEIVE_TIME);
    }

    /** The journal that gave out {@link #position}; the two together are unique. Any 64 bits. */
    public long edgeId() {
        return buffer.getLong(offset + EDGE_ID);
    }

    /** Rises from record to record, not always by one. */
    public long position() {
        return buffer.getLong(offset + POSITION);
    }

    /** False: both addresses are IPv4, in the lower 32 bits of the low halves; the high halves are 0. */
    public boolean v6() {
        return buffer.getLong(offset + EXPORTER_ADDRESS) != 0
                || (buffer.getLong(offset + EXPORTER_ADDRESS + 8) & ~IPV4_MASK) != MAPPED_PREFIX;
    }

    public long exporterHigh() {
        return buffer.getLong(offset + EXPORTER_ADDRESS);
    }

    public long exporterLow() {
        return low(EXPORTER_ADDRESS + 8);
    }

    /** The 16 octets as they stand there: IPv4 as IPv4-mapped IPv6. */
    public void copyExporterAddress(byte[] into) {
        buffer.get(offset + EXPORTER_ADDRESS, into, 0, 16);
    }

    public int exporterPort() {
        return Short.toUnsignedInt(buffer.getShort(offset + EXPORTER_PORT));
    }

    public long destinationHigh() {
        return buffer.getLong(offset + DESTINATION_ADDRESS);
    }

    public long destinationLow() {
        return low(DESTINATION_ADDRESS + 8);
    }

    public int destinationPort() {
        return Short.toUnsignedInt(buffer.getShort(offset + DESTINATION_PORT));
    }

    /** Where the envelope starts in {@link #buffer}. */
    public int offset() {
        return offset;
    }

    /** Where the datagram starts in {@link #buffer}. */
    public int datagramOffset() {
        return offset + Short.toUnsignedInt(buffer.getShort(offset + HEADER_LENGTH));
    }

    public int datagramEnd() {
        return end;
    }

    public int datagramLength() {
        return end - datagramOffset();
    }

    /** The buffer last wrapped. */
    public ByteBuffer buffer() {
        return buffer;
    }

    private long low(int at) {
        long low = buffer.getLong(offset + at);
        return v6() ? low : low & IPV4_MASK;
    }

    /** Position of the envelope at {@code offset}, which is known to be one. */
    public static long position(ByteBuffer buffer, int offset) {
        return buffer.getLong(offset + POSITION);
    }

    /** Gives the envelope at {@code offset}, which is known to be one, another position. */
    public static void putPosition(ByteBuffer buffer, int offset, long position) {
        buffer.putLong(offset + POSITION, position);
    }

    /** Receive time of the envelope at {@code offset}, which is known to be one. */
    public static long receivedNanos(ByteBuffer buffer, int offset) {
        return buffer.getLong(offset + RECEIVE_TIME);
    }

    /**
     * Writes all but the datagram and returns the offset where that has to follow. Where {@code v6} is false, addresses are
     * the lower 32 bits of the low halves. Values are masked, not checked.
     */
    public static int encode(
            ByteBuffer out,
            int offset,
            int flags,
            int originalLength,
            long receivedNanos,
            long edgeId,
            long position,
            boolean v6,
            long exporterHigh,
            long exporterLow,
            int exporterPort,
            long destinationHigh,
            long destinationLow,
            int destinationPort) {
        out.putInt(offset, VERSION << 24 | (flags & 0xFF) << 16 | LENGTH);
        out.putInt(offset + ORIGINAL_LENGTH, originalLength);
        out.putLong(offset + RECEIVE_TIME, receivedNanos);
        out.putLong(offset + EDGE_ID, edgeId);
        out.putLong(offset + POSITION, position);
        putAddress(out, offset + EXPORTER_ADDRESS, v6, exporterHigh, exporterLow);
        putAddress(out, offset + DESTINATION_ADDRESS, v6, destinationHigh, destinationLow);
        out.putInt(offset + EXPORTER_PORT, (exporterPort & 0xFFFF) << 16 | destinationPort & 0xFFFF);
        return offset + LENGTH;
    }

    // IPv4 as IPv4-mapped IPv6 [RFC 4291 §2.5.5.2]: one size for both, and the form sockets use.
    private static void putAddress(ByteBuffer out, int at, boolean v6, long high, long low) {
        out.putLong(at, v6 ? high : 0);
        out.putLong(at + 8, v6 ? low : MAPPED_PREFIX | low & IPV4_MASK);
    }
}
