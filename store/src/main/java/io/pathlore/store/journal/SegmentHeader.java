package io.pathlore.store.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Start of a segment file, 64 octets.
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |                 Magic "PLJRNL\r\n" (64 bits)                  |
 * +-------------------------------+-------------------------------+
 * |          Version = 1          |      Header Length = 64       |
 * +-------------------------------+-------------------------------+
 * |                             Salt                              |
 * +---------------------------------------------------------------+
 * |                       Edge ID (64 bits)                       |
 * +---------------------------------------------------------------+
 * |                   First Position (64 bits)                    |
 * +---------------------------------------------------------------+
 * |               Last Position Before (64 bits)                  |
 * +---------------------------------------------------------------+
 * |                    Creation Time (64 bits)                    |
 * +---------------------------------------------------------------+
 * |                      Reserved (96 bits)                       |
 * +---------------------------------------------------------------+
 * |                           Checksum                            |
 * +---------------------------------------------------------------+
 * </pre>
 *
 * @param lastBefore position of the last record in the segment before, or {@link #NONE}
 */
record SegmentHeader(int salt, long edgeId, long firstPosition, long lastBefore, long createdNanos) {
    static final int LENGTH = 64;
    static final int VERSION = 1;
    static final long NONE = -1;
    private static final long MAGIC = 0x504C_4A52_4E4C_0D0AL;
    private static final int CHECKSUM = LENGTH - 4;

    /** Null if there is none, or not one anybody wrote. */
    static @Nullable SegmentHeader read(JournalFile file, String name, String where) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(LENGTH);
        while (bytes.hasRemaining()) {
            if (file.read(bytes, bytes.position()) < 0) {
                return null;
            }
        }
        if (bytes.getLong(0) != MAGIC || bytes.getInt(CHECKSUM) != checksum(bytes)) {
            return null;
        }
        int version = Short.toUnsignedInt(bytes.getShort(8));
        if (version != VERSION) {
            throw new JournalException("journal " + where + ": " + name + " has format " + version
                    + ", this program knows format " + VERSION + "; use the program that wrote it");
        }
        return new SegmentHeader(
                bytes.getInt(12), bytes.getLong(16), bytes.getLong(24), bytes.getLong(32), bytes.getLong(40));
    }

    ByteBuffer encode() {
        ByteBuffer bytes = ByteBuffer.allocate(LENGTH);
        bytes.putLong(0, MAGIC).putShort(8, (short) VERSION).putShort(10, (short) LENGTH);
        bytes.putInt(12, salt).putLong(16, edgeId).putLong(24, firstPosition);
        bytes.putLong(32, lastBefore).putLong(40, createdNanos);
        bytes.putInt(CHECKSUM, checksum(bytes));
        return bytes;
    }

    private static int checksum(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(0, CHECKSUM));
        return (int) crc.getValue();
    }
}
