package io.pathlore.store.journal;

import io.pathlore.wire.envelope.Envelope;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * What stands before each envelope in a segment, 8 octets; records start at multiples of 8 and are filled up with zeros.
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |                            Length                             |
 * +---------------------------------------------------------------+
 * |                           Checksum                            |
 * +---------------------------------------------------------------+
 * </pre>
 * The checksum is CRC-32C over frame and envelope, with the salt of the segment in the checksum's place. The salt is not
 * known outside, so a datagram that holds the image of a record is never mistaken for one.
 *
 * <p>Hot path. Belongs to one thread.
 */
final class RecordFrame {
    static final int LENGTH = 8;
    static final int MIN_ENVELOPE = Envelope.LENGTH;
    static final int MAX_ENVELOPE = Envelope.LENGTH + Envelope.MAX_DATAGRAM;
    private static final int ALIGNMENT = 8;
    private static final int CHECKSUM = 4;

    private final CRC32C crc = new CRC32C();

    /** Octets of a record with an envelope of this length, up to the next record. */
    static int size(int envelopeLength) {
        return LENGTH + envelopeLength + ALIGNMENT - 1 & -ALIGNMENT;
    }

    /** Octets of the record at {@code at}. */
    static int sizeAt(ByteBuffer buffer, int at) {
        return size(envelopeLength(buffer, at));
    }

    static int envelopeLength(ByteBuffer buffer, int at) {
        return buffer.getInt(at);
    }

    static boolean credible(int envelopeLength) {
        return envelopeLength >= MIN_ENVELOPE && envelopeLength <= MAX_ENVELOPE;
    }

    static void putLength(ByteBuffer buffer, int at, int envelopeLength) {
        buffer.putInt(at, envelopeLength);
    }

    /** Writes the checksum of the record at {@code at}; moves position and limit. */
    void seal(ByteBuffer buffer, int at, int salt) {
        buffer.putInt(at + CHECKSUM, salt);
        buffer.putInt(at + CHECKSUM, checksum(buffer, at));
    }

    /** Whether the checksum is right; moves position and limit, and changes no octet for good. */
    boolean verify(ByteBuffer buffer, int at, int salt) {
        int found = buffer.getInt(at + CHECKSUM);
        buffer.putInt(at + CHECKSUM, salt);
        int right = checksum(buffer, at);
        buffer.putInt(at + CHECKSUM, found);
        return found == right;
    }

    private int checksum(ByteBuffer buffer, int at) {
        buffer.limit(at + LENGTH + envelopeLength(buffer, at)).position(at);
        crc.reset();
        crc.update(buffer);
        buffer.clear();
        return (int) crc.getValue();
    }
}
