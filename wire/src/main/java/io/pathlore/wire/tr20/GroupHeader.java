package io.pathlore.wire.tr20;

import io.pathlore.model.Fault;
import java.nio.ByteBuffer;

/**
 * Telemetry Report Group Header, 8 octets, once per datagram [TR 2.0 §3.2].
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-------+-----------+-------------------------------------------+
 * |  Ver  |   hw_id   |              Sequence Number              |
 * +-------+-----------+-------------------------------------------+
 * |                            Node ID                            |
 * +---------------------------------------------------------------+
 * </pre>
 * Hot path. A view, not a value: good until the buffer is filled again, belongs to one thread. Buffers are big endian and
 * read by absolute index, so position and limit stay the caller's.
 */
public final class GroupHeader {
    public static final int LENGTH = 8;
    private static final int VERSION = 2;
    private static final int VERSION_SHIFT = 28;
    private static final int HW_ID_SHIFT = 22;
    private static final int HW_ID_MASK = 0x3F;
    private static final int SEQUENCE_MASK = 0x3F_FFFF;

    private long words;

    /** When this returns {@link Fault#NONE}, and only then, every accessor is safe to call. */
    public Fault wrap(ByteBuffer buffer, int offset, int end) {
        if (end - offset < LENGTH) {
            return Fault.TR_TRUNCATED_HEADER;
        }
        words = buffer.getLong(offset);
        return version() == VERSION ? Fault.NONE : Fault.TR_UNKNOWN_VERSION;
    }

    private int first() {
        return (int) (words >>> 32);
    }

    public int version() {
        return first() >>> VERSION_SHIFT;
    }

    public int hwId() {
        return first() >>> HW_ID_SHIFT & HW_ID_MASK;
    }

    public int sequence() {
        return first() & SEQUENCE_MASK;
    }

    public long nodeId() {
        return words & 0xFFFF_FFFFL;
    }

    /** Returns the offset past the header. Values are masked, not checked: a sequence number is meant to wrap. */
    public static int encode(ByteBuffer out, int offset, int hwId, int sequence, long nodeId) {
        int word = VERSION << VERSION_SHIFT | (hwId & HW_ID_MASK) << HW_ID_SHIFT | sequence & SEQUENCE_MASK;
        out.putInt(offset, word).putInt(offset + 4, (int) nodeId);
        return offset + LENGTH;
    }
}
