package io.pathlore.ingest.udp;

import java.nio.ByteBuffer;

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

    private final int slots;
    private final int slotBytes;
    private final int stride;
    private final ByteBuffer data;
    private final int[] offsets;
    private final int[] lengths;
    private final int[] wireLengths;
    private final long[] times;
    private final boolean[] v6;
    private final long[] sourceHi;
    private final long[] sourceLo;
    private final int[] sourcePorts;
    private final long[] destinationHi;
    private final long[] destinationLo;
    private final int[] destinationPorts;
    private final int[] flags;
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
        offsets = new int[capacity];
        lengths = new int[capacity];
        wireLengths = new int[capacity];
        times = new long[capacity];
        v6 = new boolean[capacity];
        sourceHi = new long[capacity];
        sourceLo = new long[capacity];
        sourcePorts = new int[capacity];
        destinationHi = new long[capacity];
        destinationLo = new long[capacity];
        destinationPorts = new int[capacity];
        flags = new int[capacity];
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

    /** Returns its index. */
    int add(int offset, int length, int wireLength, long timeNanos, int flags) {
        int index = size++;
        offsets[index] = offset;
        lengths[index] = length;
        wireLengths[index] = wireLength;
        times[index] = timeNanos;
        this.flags[index] = wireLength > length ? flags | TRUNCATED : flags;
        return index;
    }

    void source(int index, boolean v6, long hi, long lo, int port) {
        this.v6[index] = v6;
        sourceHi[index] = hi;
        sourceLo[index] = lo;
        sourcePorts[index] = port;
    }

    void destination(int index, long hi, long lo, int port) {
        destinationHi[index] = hi;
        destinationLo[index] = lo;
        destinationPorts[index] = port;
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
        return offsets[index];
    }

    /** Bytes that are there. */
    public int length(int index) {
        return lengths[index];
    }

    public int end(int index) {
        return offsets[index] + lengths[index];
    }

    /** Bytes that were sent. */
    public int wireLength(int index) {
        return wireLengths[index];
    }

    /** In epoch nanoseconds. */
    public long timeNanos(int index) {
        return times[index];
    }

    /** Of source and destination. */
    public boolean v6(int index) {
        return v6[index];
    }

    public long sourceHi(int index) {
        return sourceHi[index];
    }

    public long sourceLo(int index) {
        return sourceLo[index];
    }

    public int sourcePort(int index) {
        return sourcePorts[index];
    }

    /** The address it was sent to; unspecified where the system does not tell. */
    public long destinationHi(int index) {
        return destinationHi[index];
    }

    public long destinationLo(int index) {
        return destinationLo[index];
    }

    public int destinationPort(int index) {
        return destinationPorts[index];
    }

    public boolean truncated(int index) {
        return (flags[index] & TRUNCATED) != 0;
    }

    /** {@link #KERNEL_TIME}, {@link #TRUNCATED}, {@link #DUPLICATE}, {@link #UNBOUND}. */
    public int flags(int index) {
        return flags[index];
    }

    /** Sets a flag that later stages find. */
    public void mark(int index, int flag) {
        flags[index] |= flag;
    }
}
