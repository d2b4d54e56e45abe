package io.pathlore.wire.pcap;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The frame of every pcapng block [pcapng §3.1].
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |                          Block Type                           |
 * +---------------------------------------------------------------+
 * |                      Block Total Length                       |
 * +---------------------------------------------------------------+
 * |            Block Body, padded to a multiple of 4              |
 * +---------------------------------------------------------------+
 * |                      Block Total Length                       |
 * +---------------------------------------------------------------+
 * </pre>
 * Hot path. A view, not a value: good until the buffer is filled again, belongs to one thread. Views of block bodies
 * take {@link #bodyOffset} and {@link #bodyEnd} of this one.
 */
public final class PcapngBlock {
    public static final int HEADER_LENGTH = 8;
    public static final int TRAILER_LENGTH = 4;
    public static final int MIN_LENGTH = HEADER_LENGTH + TRAILER_LENGTH;
    /** Reads the same in both byte orders, so that the block which tells the order can be found without it. */
    public static final int SECTION_HEADER = 0x0A0D_0D0A;

    public static final int INTERFACE_DESCRIPTION = 1;
    public static final int OBSOLETE_PACKET = 2;
    public static final int SIMPLE_PACKET = 3;
    public static final int ENHANCED_PACKET = 6;
    private static final int TOTAL_LENGTH = 4;
    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private int offset;
    private boolean swapped;

    /**
     * Looks at the first 8 octets only, so that a reader can judge the length before it fetches the rest. When this
     * returns true, and only then, the accessors of type and length are safe to call.
     */
    public boolean wrap(ByteBuffer buffer, int offset, int end, ByteOrder order) {
        if (end - offset < HEADER_LENGTH) {
            return false;
        }
        this.buffer = buffer;
        this.offset = offset;
        swapped = order == ByteOrder.LITTLE_ENDIAN;
        return true;
    }

    public int type() {
        return FileWords.i32(buffer, offset, swapped);
    }

    /** As written; any 32-bit value. */
    public long totalLength() {
        return FileWords.u32(buffer, offset + TOTAL_LENGTH, swapped);
    }

    /** Whether the length can be one at all: no block is shorter than its frame, and all are whole words. */
    public boolean lengthPossible() {
        return totalLength() >= MIN_LENGTH && totalLength() % 4 == 0;
    }

    public int bodyOffset() {
        return offset + HEADER_LENGTH;
    }

    /** Needs a possible length and a block that lies whole in the buffer. */
    public int bodyEnd() {
        return offset + (int) totalLength() - TRAILER_LENGTH;
    }

    /** The length as repeated behind a body that ends at {@code offset}; 4 octets must be there. */
    public static long trailer(ByteBuffer buffer, int offset, ByteOrder order) {
        return FileWords.u32(buffer, offset, order == ByteOrder.LITTLE_ENDIAN);
    }
}
