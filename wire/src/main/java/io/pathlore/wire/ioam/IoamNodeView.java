package io.pathlore.wire.ioam;

import java.nio.ByteBuffer;

/**
 * What one node wrote into an IOAM trace, read in place [RFC 9197 §4.4.2]. {@link #ABSENT} stands for fields that are not
 * there or that the node filled with all ones; Linux does so for parts of a field too.
 */
public final class IoamNodeView {
    public static final long ABSENT = -1;

    private static final long UNSIGNED = 0xFFFF_FFFFL;
    private static final int NODE_56 = 8;
    private static final int SNAPSHOT = 22;

    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private int at;
    private int traceType;
    private int nodeLen;

    void wrap(ByteBuffer buffer, int at, int traceType, int nodeLen) {
        this.buffer = buffer;
        this.at = at;
        this.traceType = traceType;
        this.nodeLen = nodeLen;
    }

    public int offset() {
        return at;
    }

    /** Bytes of this node without its snapshot. */
    public int length() {
        return 4 * nodeLen;
    }

    private boolean has(int bit) {
        return (traceType & 0x80_0000 >>> bit) != 0;
    }

    /** Offset of a field. All are one word but bits 8, 9 and 10. */
    public int item(int bit) {
        int before = traceType & ~(0xFF_FFFF >>> bit) & 0xFF_FFFC;
        return at + 4 * (Integer.bitCount(before) + Integer.bitCount(before & 0x00_E000));
    }

    private long word(int bit) {
        if (!has(bit)) {
            return ABSENT;
        }
        int value = buffer.getInt(item(bit));
        return value == -1 ? ABSENT : value & UNSIGNED;
    }

    public long hopLimit() {
        if (has(0) && buffer.getInt(item(0)) != -1) {
            return buffer.get(item(0)) & 0xFF;
        }
        return has(NODE_56) && buffer.getLong(item(NODE_56)) != -1 ? buffer.get(item(NODE_56)) & 0xFF : ABSENT;
    }

    /** 24 bits, or the wide form where that is the only one. */
    public long nodeId() {
        if (!has(0)) {
            return nodeIdWide();
        }
        int id = buffer.getInt(item(0)) & 0xFF_FFFF;
        return id == 0xFF_FFFF ? ABSENT : id;
    }

    public long nodeIdWide() {
        if (!has(NODE_56)) {
            return ABSENT;
        }
        long id = buffer.getLong(item(NODE_56)) & 0xFF_FFFF_FFFF_FFFFL;
        return id == 0xFF_FFFF_FFFF_FFFFL ? ABSENT : id;
    }

    public long ingressInterface() {
        return half(1, 16);
    }

    public long egressInterface() {
        return half(1, 0);
    }

    private long half(int bit, int shift) {
        if (!has(bit)) {
            return ABSENT;
        }
        int value = buffer.getInt(item(bit)) >>> shift & 0xFFFF;
        return value == 0xFFFF ? ABSENT : value;
    }

    public long ingressInterfaceWide() {
        return halfWide(32);
    }

    public long egressInterfaceWide() {
        return halfWide(0);
    }

    private long halfWide(int shift) {
        if (!has(9)) {
            return ABSENT;
        }
        long value = buffer.getLong(item(9)) >>> shift & UNSIGNED;
        return value == UNSIGNED ? ABSENT : value;
    }

    public long timestampSeconds() {
        return word(2);
    }

    public long timestampFraction() {
        return word(3);
    }

    /** Nanoseconds; the top bit says that 31 bits were not enough. */
    public long transitDelay() {
        long delay = word(4);
        return delay > 0x7FFF_FFFFL ? ABSENT : delay;
    }

    public long namespaceData() {
        return word(5);
    }

    public long queueDepth() {
        return word(6);
    }

    public long checksumComplement() {
        return word(7);
    }

    public boolean hasNamespaceDataWide() {
        return has(10) && buffer.getLong(item(10)) != -1;
    }

    /** Raw 64 bits, only when {@link #hasNamespaceDataWide}. */
    public long namespaceDataWide() {
        return buffer.getLong(item(10));
    }

    public long bufferOccupancy() {
        return word(11);
    }

    public boolean hasSnapshot() {
        return has(SNAPSHOT);
    }

    /** Offset of the snapshot's header word, only when {@link #hasSnapshot}. */
    public int snapshotOffset() {
        return at + 4 * nodeLen;
    }

    public int snapshotBytes() {
        return 4 * (buffer.get(snapshotOffset()) & 0xFF);
    }

    public long snapshotSchema() {
        int schema = buffer.getInt(snapshotOffset()) & 0xFF_FFFF;
        return schema == 0xFF_FFFF ? ABSENT : schema;
    }
}
