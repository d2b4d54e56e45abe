package io.pathlore.wire.tr05;

import io.pathlore.model.Fault;
import java.nio.ByteBuffer;

/**
 * Telemetry Report v0.5 fixed header, 12 octets [TR 0.5 §3.2].
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-------+-------+-+-+-+-----------------------------+-----------+
 * |  Ver  |NProto |D|Q|F|          Reserved           |   hw_id   |
 * +-------+-------+-+-+-+-----------------------------+-----------+
 * |                        Sequence Number                        |
 * +---------------------------------------------------------------+
 * |                       Ingress Timestamp                       |
 * +---------------------------------------------------------------+
 * </pre>
 * Hot path. A view, not a value: good until the buffer is filled again, belongs to one thread.
 */
public final class FixedHeader {
    public static final int LENGTH = 12;
    /** Drop header behind the fixed one: switch id, ports, queue id, drop reason, padding. */
    public static final int DROP_LENGTH = 12;
    /** Switch-local header behind the fixed one: switch id, ports, queue id and occupancy, egress timestamp. */
    public static final int LOCAL_LENGTH = 16;

    public static final int NPROTO_ETHERNET = 0;
    public static final int NPROTO_DROP = 1;
    public static final int NPROTO_LOCAL = 2;

    private static final int RESERVED_MASK = 0x001F_FFC0;

    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private int offset;
    private int first;

    /** When this returns {@link Fault#NONE}, and only then, every accessor is safe to call. The version is not looked at. */
    public Fault wrap(ByteBuffer buffer, int offset, int end) {
        if (end - offset < LENGTH) {
            return Fault.TR_TRUNCATED_HEADER;
        }
        this.buffer = buffer;
        this.offset = offset;
        first = buffer.getInt(offset);
        return Fault.NONE;
    }

    public int version() {
        return first >>> 28;
    }

    public int nProto() {
        return first >>> 24 & 0xF;
    }

    public boolean dropped() {
        return (first & 0x0080_0000) != 0;
    }

    public boolean congested() {
        return (first & 0x0040_0000) != 0;
    }

    public boolean tracked() {
        return (first & 0x0020_0000) != 0;
    }

    public int reserved() {
        return (first & RESERVED_MASK) >>> 6;
    }

    public int hwId() {
        return first & 0x3F;
    }

    public long sequence() {
        return Integer.toUnsignedLong(buffer.getInt(offset + 4));
    }

    public long ingressTimestamp() {
        return Integer.toUnsignedLong(buffer.getInt(offset + 8));
    }

    /** Octets from the start of the report to the Ethernet fragment. */
    public int fragmentOffset() {
        return switch (nProto()) {
            case NPROTO_DROP -> LENGTH + DROP_LENGTH;
            case NPROTO_LOCAL -> LENGTH + LOCAL_LENGTH;
            default -> LENGTH;
        };
    }

    /** Returns the offset past the header. */
    public static int encode(
            ByteBuffer out,
            int offset,
            int nProto,
            boolean dropped,
            boolean congested,
            boolean tracked,
            int hwId,
            long sequence,
            long ingressTimestamp) {
        int word = (nProto & 0xF) << 24
                | (dropped ? 0x0080_0000 : 0)
                | (congested ? 0x0040_0000 : 0)
                | (tracked ? 0x0020_0000 : 0)
                | hwId & 0x3F;
        out.putInt(offset, word).putInt(offset + 4, (int) sequence).putInt(offset + 8, (int) ingressTimestamp);
        return offset + LENGTH;
    }

    /** A value the node does not have is passed as all ones. */
    public static int encodeDrop(
            ByteBuffer out, int offset, long switchId, int ingressPort, int egressPort, int queueId, int dropReason) {
        out.putInt(offset, (int) switchId)
                .putInt(offset + 4, ingressPort << 16 | egressPort & 0xFFFF)
                .putInt(offset + 8, queueId << 24 | (dropReason & 0xFF) << 16);
        return offset + DROP_LENGTH;
    }

    /** A value the node does not have is passed as all ones. */
    public static int encodeLocal(
            ByteBuffer out,
            int offset,
            long switchId,
            int ingressPort,
            int egressPort,
            int queueId,
            int queueOccupancy,
            long egressTimestamp) {
        out.putInt(offset, (int) switchId)
                .putInt(offset + 4, ingressPort << 16 | egressPort & 0xFFFF)
                .putInt(offset + 8, queueId << 24 | queueOccupancy & 0xFF_FFFF)
                .putInt(offset + 12, (int) egressTimestamp);
        return offset + LOCAL_LENGTH;
    }
}
