package io.pathlore.wire.inband;

import java.nio.ByteBuffer;

/**
 * The metadata of one hop, read in place. Hot path: a view that copies nothing, good until the buffer is filled again.
 *
 * <p>Every accessor answers {@link #ABSENT} for an item that is not there or that the node marked as unavailable: all ones
 * over the whole item [INT 2.1 §5.8]. Each accessor tests for itself whether its item is there, and not a method they share:
 * the compiler then knows of each one alone that it always, or never, is.
 */
public final class HopView {
    /** Not on the wire, or marked unavailable there. Never a value: 32-bit values are read unsigned into a long. */
    public static final long ABSENT = -1;

    private static final int ABSENT_WORD = -1;
    private static final long UNSIGNED = 0xFFFF_FFFFL;
    private static final int INVALID_31_BITS = 0x7FFF_FFFF;

    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private int offset;
    private HopLayout layout = new HopLayout();

    /**
     * The caller has checked that {@code layout.length()} bytes are there. Stores without asking whether it is the same buffer:
     * the compiler then knows it for the caller's, and need not look twice at what it is and how long.
     */
    public void wrap(ByteBuffer buffer, int offset, HopLayout layout) {
        this.buffer = buffer;
        this.offset = offset;
        this.layout = layout;
    }

    /** Another hop of the same stack: the same items in the same buffer. */
    public void moveTo(int offset) {
        this.offset = offset;
    }

    /** Another hop of the same stack, of which the first alone may have other items. */
    @SuppressWarnings("ReferenceEquality") // a store of a reference costs more than the comparison that avoids it
    void moveTo(int offset, HopLayout layout) {
        this.offset = offset;
        if (this.layout != layout) {
            this.layout = layout;
        }
    }

    /** The same item layout, in bytes that lie elsewhere. */
    public void moveTo(ByteBuffer buffer, int offset) {
        wrap(buffer, offset, layout);
    }

    public int offset() {
        return offset;
    }

    public HopLayout layout() {
        return layout;
    }

    public long nodeId() {
        int at = layout.nodeId;
        return at < 0 ? ABSENT : word(at);
    }

    public long ingressInterface() {
        if (layout.interfaces >= 0) {
            return half(layout.interfaces, 16);
        }
        return layout.ingressPort >= 0 ? word(layout.ingressPort) : ABSENT;
    }

    public long egressInterface() {
        if (layout.interfaces >= 0) {
            return half(layout.interfaces, 0);
        }
        return layout.egressPort >= 0 ? word(layout.egressPort) : ABSENT;
    }

    public long hopLatency() {
        int at = layout.latency;
        return at < 0 ? ABSENT : word(at);
    }

    public long queueId() {
        long id = layout.queue >= 0 && !layout.bottomOfStackBit ? idOf(layout.queue) : ABSENT;
        if (id != ABSENT) {
            return id;
        }
        return layout.queueIdWithCongestion && layout.congestion >= 0 ? idOf(layout.congestion) : ABSENT;
    }

    public long queueOccupancy() {
        int at = layout.queue;
        return at < 0 ? ABSENT : queueAmount(at);
    }

    public long queueCongestion() {
        int at = layout.congestion;
        return at < 0 ? ABSENT : queueAmount(at);
    }

    private long queueAmount(int at) {
        return layout.bottomOfStackBit ? word(at) : amountOf(at);
    }

    /** Raw bits: 64-bit timestamps are unsigned; only all ones is {@link #ABSENT}. */
    public long ingressTimestamp() {
        int at = layout.ingressTimestamp;
        return at < 0 ? ABSENT : timestamp(at);
    }

    public long egressTimestamp() {
        int at = layout.egressTimestamp;
        return at < 0 ? ABSENT : timestamp(at);
    }

    public long level2IngressInterface() {
        if (layout.level2 < 0) {
            return ABSENT;
        }
        if (layout.level2Bytes == 4) {
            return half(layout.level2, 16);
        }
        long both = buffer.getLong(offset + layout.level2);
        return both == -1 ? ABSENT : both >>> 32;
    }

    public long level2EgressInterface() {
        if (layout.level2 < 0) {
            return ABSENT;
        }
        if (layout.level2Bytes == 4) {
            return half(layout.level2, 0);
        }
        long both = buffer.getLong(offset + layout.level2);
        return both == -1 ? ABSENT : both & UNSIGNED;
    }

    public long txUtilization() {
        int at = layout.utilization;
        return at < 0 ? ABSENT : word(at);
    }

    public long bufferId() {
        return layout.buffer < 0 ? ABSENT : idOf(layout.buffer);
    }

    public long bufferOccupancy() {
        return layout.buffer < 0 ? ABSENT : amountOf(layout.buffer);
    }

    public long dropQueueId() {
        return layout.drop < 0 ? ABSENT : idOf(layout.drop);
    }

    public long dropReason() {
        if (layout.drop < 0) {
            return ABSENT;
        }
        int word = buffer.getInt(offset + layout.drop);
        int reason = word >>> 16 & 0xFF;
        return word == -1 || layout.absentPerField && reason == 0xFF ? ABSENT : reason;
    }

    public long checksumComplement() {
        int at = layout.complement;
        return at < 0 ? ABSENT : word(at);
    }

    /** An item as the word it takes on the wire, for columns of 32 bits: all ones when absent, like the three below. */
    public int nodeIdWord() {
        int at = layout.nodeId;
        return at < 0 ? ABSENT_WORD : wireWord(at);
    }

    /** Ingress interface in the upper, egress interface in the lower 16 bits. */
    public int interfacesWord() {
        int at = layout.interfaces;
        if (at < 0) {
            return ABSENT_WORD;
        }
        int trio = layout.trio;
        return trio < 0 ? wireWord(at) : buffer.getInt(offset + trio);
    }

    public int hopLatencyWord() {
        int at = layout.latency;
        if (at < 0) {
            return ABSENT_WORD;
        }
        int trio = layout.trio;
        return trio < 0 ? wireWord(at) : buffer.getInt(offset + trio + 4);
    }

    /** Queue id in the upper 8, occupancy in the lower 24 bits. */
    public int queueWord() {
        int at = layout.queue;
        if (at < 0) {
            return ABSENT_WORD;
        }
        int trio = layout.trio;
        return trio < 0 ? wireWord(at) : buffer.getInt(offset + trio + 8);
    }

    private int wireWord(int at) {
        return layout.bottomOfStackBit ? (int) word(at) : buffer.getInt(offset + at);
    }

    /** Words of domain specific metadata, each read by {@link #domainWord}. */
    public int domainWords() {
        return layout.domainWords;
    }

    public int domainWord(int index) {
        return buffer.getInt(offset + layout.domain + 4 * index);
    }

    private long word(int at) {
        int value = buffer.getInt(offset + at);
        if (layout.bottomOfStackBit) {
            value &= INVALID_31_BITS;
            return value == INVALID_31_BITS ? ABSENT : value;
        }
        return value == -1 ? ABSENT : value & UNSIGNED;
    }

    private long timestamp(int at) {
        return layout.timestampBytes == 8 ? buffer.getLong(offset + at) : word(at);
    }

    private long half(int at, int shift) {
        int word = buffer.getInt(offset + at);
        int value = word >>> shift & 0xFFFF;
        return word == -1 || layout.absentPerField && value == 0xFFFF ? ABSENT : value;
    }

    private long idOf(int at) {
        int word = buffer.getInt(offset + at);
        int id = word >>> 24;
        return word == -1 || layout.absentPerField && id == 0xFF ? ABSENT : id;
    }

    private long amountOf(int at) {
        int word = buffer.getInt(offset + at);
        int amount = word & 0xFF_FFFF;
        return word == -1 || layout.absentPerField && amount == 0xFF_FFFF ? ABSENT : amount;
    }
}
