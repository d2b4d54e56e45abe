package io.pathlore.ingest.pcap;

import io.pathlore.wire.net.OuterHeaders;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The UDP datagrams of a capture, fragments put together, as a collector on their way would have received them; and
 * those too that no socket would have let through, because a length in them is wrong.
 *
 * <p>Every frame has one end, so that after the last of them
 * {@code frames = datagrams + otherPort + nonUdp + unsupportedLinkType + unreadable + fragmentsJoined +
 * fragmentsIncomplete}, and before it {@code + fragmentsPending}. The fragment that completes a datagram counts as what
 * the datagram turned out to be, the others of it as joined.
 *
 * <p>Hot path. A cursor: what the accessors tell is of the datagram that {@link #next} found last, and its bytes are
 * borrowed until the next call. Belongs to one thread, and has the reader to itself.
 */
public final class CapturedDatagrams {
    private static final int MAX_PORT = 0xFFFF;
    private final CaptureReader reader;
    private final @Nullable BitSet ports;
    private final OuterHeaders headers = new OuterHeaders();
    private final Reassembly reassembly = new Reassembly();
    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private boolean clamped;
    private boolean reassembled;
    private long frames;
    private long datagrams;
    private long otherPort;
    private long nonUdp;
    private long unsupportedLinkType;
    private long unreadable;

    private CapturedDatagrams(CaptureReader reader, @Nullable BitSet ports) {
        this.reader = reader;
        this.ports = ports;
    }

    public static CapturedDatagrams toAnyPort(CaptureReader reader) {
        return new CapturedDatagrams(reader, null);
    }

    /** Only datagrams with one of these destination ports; others are counted. */
    public static CapturedDatagrams toPorts(CaptureReader reader, Collection<Integer> ports) {
        var wanted = new BitSet(MAX_PORT + 1);
        for (int port : ports) {
            if (port < 0 || port > MAX_PORT) {
                throw new IllegalArgumentException("no UDP port: " + port);
            }
            wanted.set(port);
        }
        return new CapturedDatagrams(reader, wanted);
    }

    /**
     * Moves to the next datagram; false when there are no more.
     *
     * @throws CaptureException as {@link CaptureReader#next} does, when all datagrams before that place were delivered
     */
    public boolean next() throws CaptureException {
        while (nextFrame()) {
            frames++;
            int offset = reader.offset();
            buffer = reader.buffer();
            reassembled = false;
            OuterHeaders.Kind kind = headers.wrap(reader.linkType(), buffer, offset, offset + reader.length());
            clamped = headers.clamped();
            if (kind == OuterHeaders.Kind.FRAGMENT) {
                if (!reassembly.add(headers, buffer, reader.timeNanos())) {
                    continue;
                }
                buffer = reassembly.buffer();
                reassembled = true;
                kind = headers.wrapReassembled(reassembly.protocol(), buffer, 0, reassembly.length());
                clamped = reassembly.clamped() || headers.clamped();
            }
            if (count(kind)) {
                return true;
            }
        }
        return false;
    }

    // However the capture ends, what still waits for fragments waits in vain.
    private boolean nextFrame() throws CaptureException {
        boolean found = false;
        try {
            found = reader.next();
            return found;
        } finally {
            if (!found) {
                reassembly.end();
            }
        }
    }

    private boolean count(OuterHeaders.Kind kind) {
        switch (kind) {
            case UDP -> {
                if (ports == null || ports.get(headers.destinationPort())) {
                    datagrams++;
                    return true;
                }
                otherPort++;
            }
            case OTHER_PROTOCOL -> nonUdp++;
            case UNSUPPORTED_LINK_TYPE -> unsupportedLinkType++;
            // A fragment here is one inside a packet that was itself put together of fragments: nobody means that.
            case UNREADABLE, FRAGMENT -> unreadable++;
        }
        return false;
    }

    /** Number of the frame, counted from 1 over the whole capture; of the fragment that completed it. */
    public long frame() {
        return reader.frame();
    }

    /** When that frame was captured, in epoch nanoseconds, or {@link CaptureReader#TIME_UNKNOWN}. */
    public long timeNanos() {
        return reader.timeNanos();
    }

    public boolean v6() {
        return headers.v6();
    }

    /** Upper half of an IPv6 address; 0 for IPv4. */
    public long sourceHi() {
        return headers.sourceHi();
    }

    /** Lower half of an IPv6 address; all of an IPv4 one, in the lower 32 bits. */
    public long sourceLo() {
        return headers.sourceLo();
    }

    public int sourcePort() {
        return headers.sourcePort();
    }

    public long destinationHi() {
        return headers.destinationHi();
    }

    public long destinationLo() {
        return headers.destinationLo();
    }

    public int destinationPort() {
        return headers.destinationPort();
    }

    /** Big endian; the payload is from {@link #offset} to before {@link #end}. Another one after each {@link #next}. */
    public ByteBuffer buffer() {
        return buffer;
    }

    public int offset() {
        return headers.payloadOffset();
    }

    public int end() {
        return headers.payloadEnd();
    }

    /** A header of it was wrong and made the best of: see {@link OuterHeaders#clamped}. */
    public boolean clamped() {
        return clamped;
    }

    /** Whether it came in fragments. */
    public boolean reassembled() {
        return reassembled;
    }

    /** The headers themselves, for who wants to tell what was wrong with them. */
    public OuterHeaders headers() {
        return headers;
    }

    /** Frames read. */
    public long frames() {
        return frames;
    }

    /** Datagrams delivered. */
    public long datagrams() {
        return datagrams;
    }

    /** Datagrams to ports that were not asked for. */
    public long otherPort() {
        return otherPort;
    }

    /** Frames that carry something else than UDP. */
    public long nonUdp() {
        return nonUdp;
    }

    public long unsupportedLinkType() {
        return unsupportedLinkType;
    }

    /** Frames that end inside a header or contradict themselves. */
    public long unreadable() {
        return unreadable;
    }

    /** Frames that were fragments of what may be UDP, whatever became of them. */
    public long fragmentsSeen() {
        return reassembly.seen();
    }

    /** Fragments that still wait for others. */
    public long fragmentsPending() {
        return reassembly.pending();
    }

    /** Fragments that are in a datagram which a later one completed. */
    public long fragmentsJoined() {
        return reassembly.joined();
    }

    /** Fragments of datagrams that were given up: others never came, came too late, or contradicted them. */
    public long fragmentsIncomplete() {
        return reassembly.incomplete();
    }
}
