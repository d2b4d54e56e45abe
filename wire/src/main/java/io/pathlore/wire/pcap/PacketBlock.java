package io.pathlore.wire.pcap;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Body of a block that holds a frame: enhanced [pcapng §4.3], simple [pcapng §4.4] or obsolete [pcapng appendix A].
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |     Interface ID   (obsolete: ID (16), then drops (16))       |  not in simple
 * +---------------------------------------------------------------+
 * |                        Timestamp (High)                       |  not in simple
 * +---------------------------------------------------------------+
 * |                        Timestamp (Low)                        |  not in simple
 * +---------------------------------------------------------------+
 * |                    Captured Packet Length                     |  not in simple
 * +---------------------------------------------------------------+
 * |                    Original Packet Length                     |
 * +---------------------------------------------------------------+
 * |                          Packet Data                          |
 * +---------------------------------------------------------------+
 * </pre>
 * Hot path. A view, not a value: good until the buffer is filled again, belongs to one thread.
 */
public final class PacketBlock {
    private static final int FULL_LENGTH = 20;
    private static final int SIMPLE_LENGTH = 4;
    private static final int TIMESTAMP_HIGH = 4;
    private static final int TIMESTAMP_LOW = 8;
    private static final int CAPTURED_LENGTH = 12;
    private static final int ORIGINAL_LENGTH = 16;
    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private int type;
    private int offset;
    private int end;
    private boolean swapped;

    /** Whether {@code wrap} knows blocks of this type. */
    public static boolean isPacket(int type) {
        return type == PcapngBlock.ENHANCED_PACKET
                || type == PcapngBlock.SIMPLE_PACKET
                || type == PcapngBlock.OBSOLETE_PACKET;
    }

    /** When this returns true, and only then, every accessor is safe to call. */
    public boolean wrap(int type, ByteBuffer buffer, int bodyOffset, int bodyEnd, ByteOrder order) {
        boolean simple = type == PcapngBlock.SIMPLE_PACKET;
        if (!isPacket(type) || bodyEnd - bodyOffset < (simple ? SIMPLE_LENGTH : FULL_LENGTH)) {
            return false;
        }
        this.type = type;
        this.buffer = buffer;
        this.offset = bodyOffset;
        this.end = bodyEnd;
        swapped = order == ByteOrder.LITTLE_ENDIAN;
        return true;
    }

    /** A simple block is of the section's first interface. Unsigned: a damaged one may name any. */
    public long interfaceId() {
        return switch (type) {
            case PcapngBlock.SIMPLE_PACKET -> 0;
            case PcapngBlock.OBSOLETE_PACKET -> FileWords.u16(buffer, offset, swapped);
            default -> FileWords.u32(buffer, offset, swapped);
        };
    }

    /** A simple block has no time. */
    public boolean hasTicks() {
        return type != PcapngBlock.SIMPLE_PACKET;
    }

    /** Unsigned 64 bits, for the {@link TickClock} of the interface. Only where {@link #hasTicks}. */
    public long ticks() {
        return FileWords.u32(buffer, offset + TIMESTAMP_HIGH, swapped) << Integer.SIZE
                | FileWords.u32(buffer, offset + TIMESTAMP_LOW, swapped);
    }

    public int dataOffset() {
        return offset + (type == PcapngBlock.SIMPLE_PACKET ? SIMPLE_LENGTH : FULL_LENGTH);
    }

    /**
     * Octets of the frame in this block, never more than it holds. A simple block does not say: its interface kept the
     * whole frame or as much of it as it keeps of any.
     *
     * @param snapLength of the interface; 0: no limit
     */
    public int capturedLength(long snapLength) {
        long stated;
        if (type == PcapngBlock.SIMPLE_PACKET) {
            stated = snapLength == 0 ? originalLength() : Math.min(originalLength(), snapLength);
        } else {
            stated = FileWords.u32(buffer, offset + CAPTURED_LENGTH, swapped);
        }
        return (int) Math.min(stated, end - dataOffset());
    }

    /** Octets the frame had on the wire. */
    public long originalLength() {
        return FileWords.u32(buffer, type == PcapngBlock.SIMPLE_PACKET ? offset : offset + ORIGINAL_LENGTH, swapped);
    }
}
