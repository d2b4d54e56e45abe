package io.pathlore.ingest.udp;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The datagrams of one read, in memory that is there from the start. Hot path. Borrowed: good until the next read, belongs
 * to the thread that reads.
 *
 * <p>Addresses are two longs: an IPv6 address whole, an IPv4 one in the lower 32 bits of the second.
 */
public final class DatagramBatch {
    /** The receive time is the kernel's, not that of the read. */
    public static final int KERNEL_TIME = 1;

    /** It was longer than there was room for; the rest is lost. */
    public static final int TRUNCATED = 2;

    /** Its number was seen before. */
    public static final int DUPLICATE = 4;

    /** It speaks for a node that another address speaks for. */
    public static final int UNBOUND = 8;

    /** Room for the longest datagram there is: an IPv6 payload of 65,535 octets without jumbo option, less the UDP header. */
    public static final int LARGEST_DATAGRAM = 65_527;

    // 64 slots a power of two apart would all fall into the same few lines of the cache.
    private static final int SKEW_BYTES = 320;
    private static final int LINE_BYTES = 64;

    // What is known of a datagram stands together, in eight longs: one line of the cache.
    private static final int FACTS = 8;
    private static final int PLACE = 0; // offset, length
    private static final int SENT = 1; // length on the wire, flags
    private static final int TIME = 2;
    private static final int SOURCE_HI = 3;
    private static final int SOURCE_LO = 4;
    private static final int DESTINATION_HI = 5;
    private static final int DESTINATION_LO = 6;
    private static final int PORTS = 7; // source, destination

    private static final int FLAGS = 0xFF;
    private static final int V6 = 0x100; // beside the flags

    private final int slots;
    private final int slotBytes;
    private final int stride;
    private final ByteBuffer data;
    private final ByteBuffer summed;
    private final CRC32C crc = new CRC32C();
    private final long[] facts;
    private int size;

    /**
     * @param slots messages of one read
     * @param slotBytes room for each; only what is used costs memory
     * @param capacity datagrams, of which a message holds several where the kernel has joined them
     */
    DatagramBatch(int slots, int slotBytes, int capacity) {
        this.slots = slots;
        this.slotBytes = slotBytes;
        stride = (slotBytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES + SKEW_BYTES;
        data = ByteBuffer.allocateDirect(slots * stride); // big endian, as the network is
        summed = data.duplicate();
        facts = new long[capacity * FACTS];
    }

    int slots() {
        return slots;
    }

    int slotBytes() {
        return slotBytes;
    }

    int slotOffset(int slot) {
        return slot * stride;
    }

    void clear() {
        size = 0;
    }

    /** Returns its index. Where it came from and went to is to be said next, in this order. */
    int add(int offset, int length, int wireLength, long timeNanos, int flags) {
        int index = size++;
        int at = index * FACTS;
        facts[at + PLACE] = (long) offset << 32 | length;
        facts[at + SENT] = (long) wireLength << 32 | (wireLength > length ? flags | TRUNCATED : flags);
        facts[at + TIME] = timeNanos;
        return index;
    }

    void source(int index, boolean v6, long hi, long lo, int port) {
        int at = index * FACTS;
        if (v6) {
            facts[at + SENT] |= V6;
        }
        facts[at + SOURCE_HI] = hi;
        facts[at + SOURCE_LO] = lo;
        facts[at + PORTS] = (long) port << 32;
    }

    void destination(int index, long hi, long lo, int port) {
        int at = index * FACTS;
        facts[at + DESTINATION_HI] = hi;
        facts[at + DESTINATION_LO] = lo;
        facts[at + PORTS] |= port;
    }

    /** Datagrams in it. */
    public int size() {
        return size;
    }

    /** All datagrams lie in this buffer; big endian. */
    public ByteBuffer data() {
        return data;
    }

    public int offset(int index) {
        return (int) (facts[index * FACTS + PLACE] >>> 32);
    }

    /** Bytes that are there. */
    public int length(int index) {
        return (int) facts[index * FACTS + PLACE];
    }

    public int end(int index) {
        return offset(index) + length(index);
    }

    /** Bytes that were sent. */
    public int wireLength(int index) {
        return (int) (facts[index * FACTS + SENT] >>> 32);
    }

    /** In epoch nanoseconds. */
    public long timeNanos(int index) {
        return facts[index * FACTS + TIME];
    }

    /** Of source and destination. */
    public boolean v6(int index) {
        return (facts[index * FACTS + SENT] & V6) != 0;
    }

    public long sourceHi(int index) {
        return facts[index * FACTS + SOURCE_HI];
    }

    public long sourceLo(int index) {
        return facts[index * FACTS + SOURCE_LO];
    }

    public int sourcePort(int index) {
        return (int) (facts[index * FACTS + PORTS] >>> 32);
    }

    /** The address it was sent to; unspecified where the system does not tell. */
    public long destinationHi(int index) {
        return facts[index * FACTS + DESTINATION_HI];
    }

    public long destinationLo(int index) {
        return facts[index * FACTS + DESTINATION_LO];
    }

    public int destinationPort(int index) {
        return (int) facts[index * FACTS + PORTS];
    }

    public boolean truncated(int index) {
        return (facts[index * FACTS + SENT] & TRUNCATED) != 0;
    }

    /** Of all its bytes that are there: equal for equal bytes, and hardly ever for others. */
    public long checksum(int index) {
        crc.reset();
        crc.update(summed.clear().limit(end(index)).position(offset(index)));
        return crc.getValue();
    }

    /** {@link #KERNEL_TIME}, {@link #TRUNCATED}, {@link #DUPLICATE}, {@link #UNBOUND}. */
    public int flags(int index) {
        return (int) facts[index * FACTS + SENT] & FLAGS;
    }

    /** Sets a flag that later stages find. */
    public void mark(int index, int flag) {
        facts[index * FACTS + SENT] |= flag;
    }
}
