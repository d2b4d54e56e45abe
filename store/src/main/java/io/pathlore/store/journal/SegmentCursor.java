package io.pathlore.store.journal;

import io.pathlore.wire.envelope.Envelope;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Goes through one segment, record by record, in a buffer of fixed size. A record is valid when its length is credible, its
 * checksum right and its position above the one before. Belongs to one thread.
 */
final class SegmentCursor {
    enum Step {
        RECORD,
        /** The file ends here, where a record would start. */
        END,
        /** Here is something else than a valid record. */
        INVALID
    }

    private static final int BUFFER = 256 << 10;
    private static final int STRIDE = 8;

    private final ByteBuffer buffer;
    private final RecordFrame frame = new RecordFrame();
    private final JournalFile file;
    private final int salt;
    /** File offset of the first octet in the buffer, and how many are there. */
    private long start;

    private int filled;
    private long next = SegmentHeader.LENGTH;
    private final long beforeFirst;
    private long lastPosition;
    private int envelopeAt;
    private int envelopeEnd;

    SegmentCursor(JournalFile file, SegmentHeader header, ByteBuffer buffer) {
        this.file = file;
        this.buffer = buffer;
        salt = header.salt();
        beforeFirst = header.firstPosition() - 1;
        lastPosition = beforeFirst;
    }

    /** One is enough for all the segments a thread goes through, one after the other. */
    static ByteBuffer newBuffer() {
        return ByteBuffer.allocateDirect(BUFFER);
    }

    /** Goes on at {@code offset}, which an index gave. */
    void seek(long offset) {
        next = offset;
        lastPosition = beforeFirst;
    }

    /**
     * Goes to the first record at {@code offset} or behind it, wherever that points: a record is known by its checksum, over a
     * salt that nobody who sends knows. False where there is none; it then stands at the segment's first.
     */
    boolean sync(long offset) throws IOException {
        lastPosition = beforeFirst;
        next = Math.max(SegmentHeader.LENGTH, (offset + STRIDE - 1) / STRIDE * STRIDE) - STRIDE;
        if (resume()) {
            return true;
        }
        next = SegmentHeader.LENGTH;
        return false;
    }

    /** File offset of the next record, or of what is there instead. */
    long offset() {
        return next;
    }

    /** Position of the last valid record, or one below the segment's first. */
    long lastPosition() {
        return lastPosition;
    }

    ByteBuffer buffer() {
        return buffer;
    }

    /** Of the record that {@link #step} found, in {@link #buffer}. */
    int envelopeAt() {
        return envelopeAt;
    }

    int envelopeEnd() {
        return envelopeEnd;
    }

    Step step() throws IOException {
        if (!have(next, RecordFrame.LENGTH)) {
            return filled == 0 ? Step.END : Step.INVALID;
        }
        int at = (int) (next - start);
        int length = RecordFrame.envelopeLength(buffer, at);
        if (!RecordFrame.credible(length) || !have(next, RecordFrame.size(length))) {
            return Step.INVALID;
        }
        at = (int) (next - start);
        long position = Envelope.position(buffer, at + RecordFrame.LENGTH);
        if (position <= lastPosition || !frame.verify(buffer, at, salt)) {
            return Step.INVALID;
        }
        lastPosition = position;
        envelopeAt = at + RecordFrame.LENGTH;
        envelopeEnd = envelopeAt + length;
        next += RecordFrame.size(length);
        return Step.RECORD;
    }

    /**
     * After {@link Step#INVALID}: looks for the next valid record, at every multiple of 8. True: it is at {@link #offset}.
     * False: there is none, and {@link #offset} is where it was.
     */
    boolean resume() throws IOException {
        long damaged = next;
        long before = lastPosition;
        for (next += STRIDE; have(next, RecordFrame.LENGTH); next += STRIDE) {
            long at = next;
            if (step() == Step.RECORD) {
                next = at;
                lastPosition = before;
                return true;
            }
        }
        next = damaged;
        return false;
    }

    /** Octets that were read last may have been written since: reads them again. */
    void forget() {
        filled = 0;
        start = next;
    }

    private boolean have(long offset, int length) throws IOException {
        if (offset >= start && offset + length <= start + filled) {
            return true;
        }
        start = offset;
        buffer.clear();
        filled = 0;
        while (filled < length) {
            int read = file.read(buffer, start + filled);
            if (read < 0) {
                break;
            }
            filled += read;
        }
        buffer.clear();
        return filled >= length;
    }
}
