package io.pathlore.wire.pcap;

import java.nio.ByteBuffer;

/**
 * What a pcap file starts with, 24 octets [pcap §4].
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |                          Magic Number                         |
 * +-------------------------------+-------------------------------+
 * |         Major Version         |         Minor Version         |
 * +-------------------------------+-------------------------------+
 * |                           Reserved1                           |
 * +---------------------------------------------------------------+
 * |                           Reserved2                           |
 * +---------------------------------------------------------------+
 * |                            SnapLen                            |
 * +-------+-+---------------------+-------------------------------+
 * |  FCS  |f|          0          |            LinkType           |
 * +-------+-+---------------------+-------------------------------+
 * </pre>
 * The magic number says two things: read backwards, that the file is little endian; its value, what record headers
 * count after the second. A view, not a value: good until the buffer is filled again.
 */
public final class PcapFileHeader {
    public static final int LENGTH = 24;
    public static final int MAGIC_MICROS = 0xA1B2_C3D4;
    public static final int MAGIC_NANOS = 0xA1B2_3C4D;
    private static final int VERSION_MAJOR = 4;
    private static final int VERSION_MINOR = 6;
    private static final int SNAP_LENGTH = 16;
    private static final int LINK_TYPE = 20;
    // The upper half tells of frame check sequences at the end of frames; UDP's own length leaves those out anyway.
    private static final int LINK_TYPE_MASK = 0xFFFF;
    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private int offset;
    private boolean swapped;
    private boolean nanos;

    /** Whether a file with this first word, read in network order, is a pcap file. */
    public static boolean isMagic(int word) {
        return isMagicInOrder(word) || isMagicInOrder(Integer.reverseBytes(word));
    }

    private static boolean isMagicInOrder(int word) {
        return word == MAGIC_MICROS || word == MAGIC_NANOS;
    }

    /** When this returns true, and only then, every accessor is safe to call. */
    public boolean wrap(ByteBuffer buffer, int offset, int end) {
        if (end - offset < LENGTH || !isMagic(buffer.getInt(offset))) {
            return false;
        }
        this.buffer = buffer;
        this.offset = offset;
        swapped = !isMagicInOrder(buffer.getInt(offset));
        nanos = FileWords.i32(buffer, offset, swapped) == MAGIC_NANOS;
        return true;
    }

    public boolean littleEndian() {
        return swapped;
    }

    /** Whether record headers count nanoseconds after the second; if not, microseconds. */
    public boolean nanos() {
        return nanos;
    }

    public int versionMajor() {
        return FileWords.u16(buffer, offset + VERSION_MAJOR, swapped);
    }

    public int versionMinor() {
        return FileWords.u16(buffer, offset + VERSION_MINOR, swapped);
    }

    public long snapLength() {
        return FileWords.u32(buffer, offset + SNAP_LENGTH, swapped);
    }

    public int linkType() {
        return FileWords.i32(buffer, offset + LINK_TYPE, swapped) & LINK_TYPE_MASK;
    }

    /**
     * Writes the header of a nanosecond file, little endian: every reader should take both orders, but this is the one
     * that all of them have met. Returns the offset past the header.
     */
    public static int encode(ByteBuffer out, int offset, int snapLength, int linkType) {
        out.putInt(offset, Integer.reverseBytes(MAGIC_NANOS));
        out.putShort(offset + VERSION_MAJOR, Short.reverseBytes((short) 2));
        out.putShort(offset + VERSION_MINOR, Short.reverseBytes((short) 4));
        out.putLong(offset + 8, 0);
        out.putInt(offset + SNAP_LENGTH, Integer.reverseBytes(snapLength));
        out.putInt(offset + LINK_TYPE, Integer.reverseBytes(linkType));
        return offset + LENGTH;
    }
}
