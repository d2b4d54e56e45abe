package io.pathlore.ingest.pcap;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a capture, as a window that moves over them. The window grows with bytes that have arrived, never by a
 * length that the file states, and never beyond {@link #MAX_WINDOW}: a file can lie, but it cannot cost memory.
 */
final class CaptureInput implements Closeable {
    /** Most that {@link #has} may ask for. */
    static final int MAX_WINDOW = 16 * 1024 * 1024;

    static final int DEFAULT_WINDOW = 256 * 1024;
    private final String name;
    private final CountingStream raw;
    private final long totalBytes;
    private final InputStream in;
    private final boolean gzip;
    private byte[] bytes;
    private ByteBuffer buffer;
    private int at;
    private int limit;
    private long base; // offset in the capture of the window's first byte
    private @Nullable String broken;

    CaptureInput(InputStream stream, String name, long totalBytes, int window) throws CaptureException {
        this.name = name;
        this.totalBytes = totalBytes;
        raw = new CountingStream(stream);
        try {
            byte[] start = raw.readNBytes(2);
            gzip = start.length == 2
                    && Byte.toUnsignedInt(start[0]) == Gunzip.MAGIC >>> Byte.SIZE
                    && Byte.toUnsignedInt(start[1]) == (Gunzip.MAGIC & 0xFF);
            raw.putBack(start);
        } catch (IOException e) {
            throw new CaptureException(name, "cannot be read: " + reason(e), e);
        }
        in = gzip ? new Gunzip(raw) : raw;
        bytes = new byte[window];
        buffer = ByteBuffer.wrap(bytes);
    }

    /** Whether {@code count} bytes from {@link #at} on are in the window, once what can be read has been. */
    boolean has(int count) throws CaptureException {
        return limit - at >= count || fetch(count);
    }

    private boolean fetch(int count) throws CaptureException {
        System.arraycopy(bytes, at, bytes, 0, limit - at);
        base += at;
        limit -= at;
        at = 0;
        while (limit < count) {
            if (limit == bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.min(2 * bytes.length, MAX_WINDOW));
                buffer = ByteBuffer.wrap(bytes);
            }
            int read = read();
            if (read < 0) {
                return false;
            }
            limit += read;
        }
        return true;
    }

    // Compressed data that ends or breaks is an end like any other, so that what came before it is delivered first.
    private int read() throws CaptureException {
        if (broken != null) {
            return -1;
        }
        try {
            return in.read(bytes, limit, bytes.length - limit);
        } catch (EOFException | ZipException e) {
            broken = e.getMessage();
            return -1;
        } catch (IOException e) {
            throw new CaptureException(name, "cannot be read at " + place(base + limit) + ": " + reason(e), e);
        }
    }

    /** Moves past {@code count} bytes, which may be more than a window holds; false if there are fewer. */
    boolean skip(long count) throws CaptureException {
        long rest = count;
        while (rest > limit - at) {
            rest -= limit - at;
            at = limit;
            if (!has(1)) {
                return false;
            }
        }
        at += (int) rest;
        return true;
    }

    /** Moves past bytes that {@link #has} has seen. */
    void advance(int count) {
        at += count;
    }

    ByteBuffer buffer() {
        return buffer;
    }

    /** Index in {@link #buffer} of the next byte; another one after each {@link #has}. */
    int at() {
        return at;
    }

    int limit() {
        return limit;
    }

    /** Offset in the capture of the next byte. */
    long offset() {
        return base + at;
    }

    long bytesRead() {
        return raw.count;
    }

    long totalBytes() {
        return totalBytes;
    }

    /** The clean end of a capture: nothing follows the last frame, and nothing was meant to. */
    void requireCleanEnd(Frame last) throws CaptureException {
        if (broken != null) {
            throw new CaptureException(name, broken + " at " + place(offset()) + "; " + before(last));
        }
    }

    /**
     * The capture ends inside something.
     *
     * @param start offset of what it ends inside: a file shortened to that many bytes is a good one again
     */
    CaptureException cut(long start, String what, long length, long present, Frame last) {
        String how = broken == null ? "cut short" : broken;
        String detail = what + " of " + length + " bytes has " + present;
        return new CaptureException(name, how + " at " + place(start) + ": " + detail + "; " + before(last));
    }

    CaptureException damaged(long start, String how, Frame last) {
        return new CaptureException(name, "damaged at " + place(start) + ": " + how + "; " + before(last));
    }

    private static String before(Frame last) {
        if (last.number == 0) {
            return "no frame could be read";
        }
        return last.number == 1 ? "the frame before it was read" : "the " + last.number + " frames before it were read";
    }

    private String place(long offset) {
        return "offset " + offset + (gzip ? " of the uncompressed data" : "");
    }

    private static String reason(IOException e) {
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : message;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    /** Counts what is taken from the file itself, compressed or not, which is the scale that its size is on. */
    private static final class CountingStream extends InputStream {
        private final InputStream in;
        private byte[] pushedBack = new byte[0];
        private int pushedBackAt;
        private long count;

        CountingStream(InputStream in) {
            this.in = in;
        }

        void putBack(byte[] start) {
            pushedBack = start;
            pushedBackAt = 0;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
        }

        @Override
        public int read(byte[] out, int offset, int length) throws IOException {
            int again = Math.min(length, pushedBack.length - pushedBackAt);
            if (again > 0) {
                System.arraycopy(pushedBack, pushedBackAt, out, offset, again);
                pushedBackAt += again;
                return again;
            }
            int read = in.read(out, offset, length);
            count += Math.max(read, 0);
            return read;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
