package io.pathlore.wire.pcap;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Body of the block that describes one interface of a section; the blocks of packets name it by its place among them
 * [pcapng §4.2].
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-------------------------------+-------------------------------+
 * |            LinkType           |           Reserved            |
 * +-------------------------------+-------------------------------+
 * |                            SnapLen                            |
 * +---------------------------------------------------------------+
 * |      Options, variable: code (16), length (16), value         |
 * +---------------------------------------------------------------+
 * </pre>
 */
public final class InterfaceDescription {
    public static final int MIN_LENGTH = 8;
    private static final int SNAP_LENGTH = 4;
    private static final int OPTION_HEADER = 4;
    private static final int END_OF_OPTIONS = 0;
    private static final int IF_TSRESOL = 9;
    private static final int IF_TSOFFSET = 14;
    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private int offset;
    private boolean swapped;
    private TickClock clock = TickClock.MICROS;

    /** When this returns true, and only then, every accessor is safe to call. */
    public boolean wrap(ByteBuffer buffer, int bodyOffset, int bodyEnd, ByteOrder order) {
        if (bodyEnd - bodyOffset < MIN_LENGTH) {
            return false;
        }
        this.buffer = buffer;
        this.offset = bodyOffset;
        swapped = order == ByteOrder.LITTLE_ENDIAN;
        readOptions(bodyOffset + MIN_LENGTH, bodyEnd);
        return true;
    }

    // Options that run past the block end the list: the frames are worth more than the rest of their description.
    private void readOptions(int from, int bodyEnd) {
        int resolution = TickClock.DEFAULT_RESOLUTION;
        long offsetSeconds = 0;
        int at = from;
        while (bodyEnd - at >= OPTION_HEADER) {
            int code = FileWords.u16(buffer, at, swapped);
            int length = FileWords.u16(buffer, at + 2, swapped);
            int value = at + OPTION_HEADER;
            if (code == END_OF_OPTIONS || length > bodyEnd - value) {
                break;
            }
            if (code == IF_TSRESOL && length == 1) {
                resolution = Byte.toUnsignedInt(buffer.get(value));
            } else if (code == IF_TSOFFSET && length == Long.BYTES) {
                offsetSeconds = FileWords.i64(buffer, value, swapped);
            }
            at = value + (length + 3 & ~3);
        }
        clock = TickClock.of(resolution, offsetSeconds);
    }

    public int linkType() {
        return FileWords.u16(buffer, offset, swapped);
    }

    /** Most octets of a frame that were kept; 0: no limit. */
    public long snapLength() {
        return FileWords.u32(buffer, offset + SNAP_LENGTH, swapped);
    }

    /** How packets of this interface count time. A value: may be kept. */
    public TickClock clock() {
        return clock;
    }
}
