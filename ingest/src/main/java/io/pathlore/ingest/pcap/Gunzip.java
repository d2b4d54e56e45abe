package io.pathlore.ingest.pcap;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Inflates gzip, member after member [RFC 1952]. The JDK's own stream drops whatever follows a damaged member header
 * without a word, and loses what it had inflated just before an error; but a capture must end with all of its frames or
 * with an error.
 */
final class Gunzip extends InputStream {
    static final int MAGIC = 0x1F8B;
    private static final int DEFLATE = 8;
    private static final int HEADER_CRC = 2;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;
    private static final int INPUT_BYTES = 64 * 1024;
    private final InputStream in;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 crc = new CRC32();
    private final byte[] input = new byte[INPUT_BYTES];
    private int at;
    private int limit;
    private boolean inMember;
    private boolean first = true;
    private @Nullable IOException failure;

    Gunzip(InputStream in) {
        this.in = in;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] out, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (failure != null) {
            throw failure;
        }
        while (true) {
            if (!inMember && !readHeader()) {
                return -1;
            }
            int inflated = inflate(out, offset, length);
            if (inflated > 0) {
                crc.update(out, offset, inflated);
                return inflated;
            }
            if (inflater.finished()) {
                at = limit - inflater.getRemaining();
                readTrailer();
            } else if (inflater.needsInput()) {
                if (!fill()) {
                    throw new EOFException("the gzip data is cut short");
                }
                inflater.setInput(input, 0, limit);
            } else {
                throw new ZipException("the gzip data asks for a dictionary");
            }
        }
    }

    private int inflate(byte[] out, int offset, int length) throws IOException {
        long before = inflater.getBytesWritten();
        try {
            return inflater.inflate(out, offset, length);
        } catch (DataFormatException e) {
            var damaged = new ZipException("the gzip data is damaged (" + e.getMessage() + ")");
            int inflated = (int) (inflater.getBytesWritten() - before);
            if (inflated == 0) {
                throw damaged;
            }
            failure = damaged; // after the good bytes that came before it
            return inflated;
        }
    }

    private boolean readHeader() throws IOException {
        int magic = next();
        while (magic == 0 && !first) {
            magic = next(); // tapes and block devices pad with zeros
        }
        if (magic < 0) {
            return false;
        }
        if (magic != MAGIC >>> Byte.SIZE || next() != (MAGIC & 0xFF)) {
            throw new ZipException("something that is not gzip follows the gzip data");
        }
        if (need() != DEFLATE) {
            throw new ZipException("the gzip data is packed in an unknown way");
        }
        int flags = need();
        skip(6);
        if ((flags & EXTRA) != 0) {
            skip(need() | need() << Byte.SIZE);
        }
        if ((flags & NAME) != 0) {
            skipText();
        }
        if ((flags & COMMENT) != 0) {
            skipText();
        }
        if ((flags & HEADER_CRC) != 0) {
            skip(2);
        }
        inflater.reset();
        inflater.setInput(input, at, limit - at);
        crc.reset();
        inMember = true;
        first = false;
        return true;
    }

    private void readTrailer() throws IOException {
        long check = word();
        long length = word();
        if (check != crc.getValue() || length != (inflater.getBytesWritten() & 0xFFFF_FFFFL)) {
            throw new ZipException("the gzip data is damaged (its checksum is wrong)");
        }
        inMember = false;
    }

    private long word() throws IOException {
        return need() | need() << 8 | need() << 16 | (long) need() << 24;
    }

    private void skip(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            need();
        }
    }

    private void skipText() throws IOException {
        while (need() != 0) {
            // up to the zero that ends it
        }
    }

    private int need() throws IOException {
        int value = next();
        if (value < 0) {
            throw new EOFException("the gzip data is cut short");
        }
        return value;
    }

    private int next() throws IOException {
        return at < limit || fill() ? Byte.toUnsignedInt(input[at++]) : -1;
    }

    private boolean fill() throws IOException {
        at = 0;
        limit = 0;
        int read;
        do {
            read = in.read(input, 0, input.length);
        } while (read == 0);
        limit = Math.max(read, 0);
        return read > 0;
    }

    @Override
    public void close() throws IOException {
        inflater.end();
        in.close();
    }
}
