package io.pathlore.ingest.pcap;

import io.pathlore.wire.net.LinkLayer;
import io.pathlore.wire.net.PacketStart;
import io.pathlore.wire.pcap.PcapFileHeader;
import io.pathlore.wire.pcap.PcapngBlock;
import io.pathlore.wire.pcap.TickClock;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Frames of a capture file, one after the other, in constant memory: pcap or pcapng, of either byte order and any
 * resolution, plain or gzip. A file that was cut short or damaged gives every frame before that place, then an error.
 *
 * <p>Hot path. A cursor: what the accessors tell is of the frame that {@link #next} found last, and its bytes are
 * borrowed until the next call. Belongs to one thread.
 */
public final class CaptureReader implements Closeable {
    /** The capture does not say when this frame came, or says something that epoch nanoseconds cannot. */
    public static final long TIME_UNKNOWN = TickClock.UNKNOWN;

    private static final int MAGIC_LENGTH = 4;
    private final CaptureInput in;
    private final FrameFormat format;
    private final Frame frame = new Frame();
    private final LinkLayer link = new LinkLayer();
    private @Nullable CaptureException failure;

    private CaptureReader(CaptureInput in, FrameFormat format) {
        this.in = in;
        this.format = format;
    }

    /** Opens a file and looks whether it is a capture. */
    public static CaptureReader open(Path path) throws CaptureException {
        String name = path.toString();
        if (Files.isDirectory(path)) {
            throw new CaptureException(name, "is a directory, not a capture file; name one in it");
        }
        try {
            // A pipe has a size too, and it means nothing.
            long size = Files.isRegularFile(path) ? Files.size(path) : -1;
            return open(Files.newInputStream(path), name, size, CaptureInput.DEFAULT_WINDOW);
        } catch (CaptureException e) {
            throw e;
        } catch (NoSuchFileException e) {
            throw new CaptureException(name, "no such file", e);
        } catch (AccessDeniedException e) {
            throw new CaptureException(name, "permission denied", e);
        } catch (IOException e) {
            throw new CaptureException(name, "cannot be opened: " + e.getMessage(), e);
        }
    }

    /** Reads from a stream, which {@link #close} closes; {@code name} is what errors call it. */
    public static CaptureReader open(InputStream stream, String name) throws CaptureException {
        return open(stream, name, -1, CaptureInput.DEFAULT_WINDOW);
    }

    static CaptureReader open(InputStream stream, String name, long totalBytes, int window) throws CaptureException {
        Closeable opened = stream;
        try {
            var in = new CaptureInput(stream, name, totalBytes, window);
            opened = in;
            return new CaptureReader(in, formatOf(in, name));
        } catch (CaptureException e) {
            try {
                opened.close();
            } catch (IOException closing) {
                e.addSuppressed(closing);
            }
            throw e;
        }
    }

    private static FrameFormat formatOf(CaptureInput in, String name) throws CaptureException {
        if (!in.has(MAGIC_LENGTH)) {
            in.requireCleanEnd(new Frame());
            if (in.at() == in.limit()) {
                throw new CaptureException(name, "empty; expected pcap or pcapng, optionally gzip");
            }
            throw notACapture(in, name);
        }
        int magic = in.buffer().getInt(in.at());
        if (PcapFileHeader.isMagic(magic)) {
            return new PcapFrames(in);
        }
        if (magic == PcapngBlock.SECTION_HEADER) {
            return new PcapngFrames(in);
        }
        throw notACapture(in, name);
    }

    private static CaptureException notACapture(CaptureInput in, String name) {
        var start = new StringBuilder();
        for (int at = in.at(); at < Math.min(in.limit(), in.at() + MAGIC_LENGTH); at++) {
            start.append(String.format(" %02x", in.buffer().get(at)));
        }
        String what = "not a capture file (starts with" + start + "); expected pcap or pcapng, optionally gzip";
        return new CaptureException(name, what);
    }

    /**
     * Moves to the next frame; false when there are no more.
     *
     * @throws CaptureException when the capture ends inside a frame, is damaged or cannot be read on; once thrown, always
     */
    public boolean next() throws CaptureException {
        if (failure != null) {
            throw failure;
        }
        try {
            if (!format.next(frame)) {
                return false;
            }
        } catch (CaptureException e) {
            failure = e;
            throw e;
        }
        frame.number++;
        return true;
    }

    /** Number of the frame, counted from 1 over the whole capture; 0 before the first. */
    public long frame() {
        return frame.number;
    }

    /** When it was captured, in epoch nanoseconds, or {@link #TIME_UNKNOWN}. */
    public long timeNanos() {
        return frame.timeNanos;
    }

    /** One of {@link io.pathlore.wire.pcap.LinkType}, or any other number; in pcapng each interface has its own. */
    public int linkType() {
        return frame.linkType;
    }

    /** Big endian; the frame is {@link #length} bytes from {@link #offset}. May be another one after {@link #next}. */
    public ByteBuffer buffer() {
        return in.buffer();
    }

    public int offset() {
        return frame.offset;
    }

    /** Captured bytes. */
    public int length() {
        return frame.length;
    }

    /** Bytes that the frame had on the wire: more than {@link #length} where the capture kept only the start. */
    public long originalLength() {
        return frame.originalLength;
    }

    /** What a parser of whole packets meets at {@link #packetOffset}. */
    public PacketStart packetStart() {
        return link.wrap(frame.linkType, in.buffer(), frame.offset, frame.offset + frame.length);
    }

    /** Where the Ethernet or IP header of the frame is in {@link #buffer}; {@link #packetStart} tells which. */
    public int packetOffset() {
        packetStart();
        return link.offset();
    }

    /** Bytes taken from the file so far, on the scale of {@link #totalBytes}: compressed ones where it is gzip. */
    public long bytesRead() {
        return in.bytesRead();
    }

    /** Size of the file; -1 for a stream. */
    public long totalBytes() {
        return in.totalBytes();
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
