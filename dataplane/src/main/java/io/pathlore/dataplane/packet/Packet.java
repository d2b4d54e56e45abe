package io.pathlore.dataplane.packet;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A packet on its way, from its Ethernet header. INT is put in behind headers that are shorter than what follows them, so a
 * packet grows towards its front: the room for that is kept before the first octet. Offsets are into {@link #buffer} and, for
 * what lies behind a change, stay what they were.
 */
public final class Packet {
    /** More than an INT header can grow to: 255 words and what carries them. */
    public static final int HEADROOM = 1536;

    private final byte[] bytes;
    private final ByteBuffer buffer;
    private int start;
    private int end;

    /** Room for a packet of so many octets before anything is put into it. */
    public Packet(int capacity) {
        bytes = new byte[HEADROOM + capacity];
        buffer = ByteBuffer.wrap(bytes);
        clear();
    }

    /** Big endian, written and read by absolute index. */
    public ByteBuffer buffer() {
        return buffer;
    }

    public int start() {
        return start;
    }

    public int end() {
        return end;
    }

    public int length() {
        return end - start;
    }

    public void clear() {
        start = HEADROOM;
        end = HEADROOM;
    }

    /** After its octets were written to {@link #buffer} from {@link #start}. */
    public void setEnd(int end) {
        if (end < start || end > bytes.length) {
            throw new IllegalArgumentException("a packet from " + start + " to " + end + " of " + bytes.length);
        }
        this.end = end;
    }

    /**
     * Makes room for {@code length} octets before the one at {@code at}. What stood before it moves to the front by as much;
     * the new octets, from {@code at - length}, keep what they held and are for the caller to write.
     */
    public void insert(int at, int length) {
        if (length > start) {
            throw new IllegalStateException("no room for " + length + " octets more");
        }
        System.arraycopy(bytes, start, bytes, start - length, at - start);
        start -= length;
    }

    /** Takes the {@code length} octets before the one at {@code at} out; what stood before them moves to the back. */
    public void remove(int at, int length) {
        System.arraycopy(bytes, start, bytes, start + length, at - length - start);
        start += length;
    }

    public void copyFrom(Packet other) {
        start = HEADROOM;
        end = start + other.length();
        System.arraycopy(other.bytes, other.start, bytes, start, other.length());
    }

    public void copyFrom(byte[] octets) {
        start = HEADROOM;
        end = start + octets.length;
        System.arraycopy(octets, 0, bytes, start, octets.length);
    }

    public byte[] toByteArray() {
        return Arrays.copyOfRange(bytes, start, end);
    }
}
