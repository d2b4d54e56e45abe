package io.pathlore.wire.pcap;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Body of the block that opens a section of a pcapng file: everything behind it, up to the next one, is in its byte
 * order and counts interfaces anew [pcapng §4.1].
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |                      Byte-Order Magic                         |
 * +-------------------------------+-------------------------------+
 * |         Major Version         |         Minor Version         |
 * +-------------------------------+-------------------------------+
 * |                        Section Length                         |
 * |                            64 bits                            |
 * +---------------------------------------------------------------+
 * |                        Options, variable                      |
 * +---------------------------------------------------------------+
 * </pre>
 */
public final class SectionHeader {
    public static final int MIN_LENGTH = 16;
    public static final int BYTE_ORDER_MAGIC_LENGTH = 4;
    /** The only major version there is; the minor ones, 0 and 2, differ in nothing a reader sees. */
    public static final int VERSION_MAJOR = 1;

    private static final int BYTE_ORDER_MAGIC = 0x1A2B_3C4D;
    private static final int MAJOR = 4;
    private static final int MINOR = 6;
    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private int offset;
    private boolean swapped;

    /** Byte order of the section whose magic stands at {@code offset}; null if that is no magic, or does not fit. */
    public static @Nullable ByteOrder order(ByteBuffer buffer, int offset, int end) {
        if (end - offset < BYTE_ORDER_MAGIC_LENGTH) {
            return null;
        }
        return switch (buffer.getInt(offset)) {
            case BYTE_ORDER_MAGIC -> ByteOrder.BIG_ENDIAN;
            case 0x4D3C_2B1A -> ByteOrder.LITTLE_ENDIAN;
            default -> null;
        };
    }

    /** When this returns true, and only then, every accessor is safe to call. */
    public boolean wrap(ByteBuffer buffer, int bodyOffset, int bodyEnd) {
        ByteOrder order = order(buffer, bodyOffset, bodyEnd);
        if (order == null || bodyEnd - bodyOffset < MIN_LENGTH) {
            return false;
        }
        this.buffer = buffer;
        this.offset = bodyOffset;
        swapped = order == ByteOrder.LITTLE_ENDIAN;
        return true;
    }

    public int versionMajor() {
        return FileWords.u16(buffer, offset + MAJOR, swapped);
    }

    public int versionMinor() {
        return FileWords.u16(buffer, offset + MINOR, swapped);
    }
}
