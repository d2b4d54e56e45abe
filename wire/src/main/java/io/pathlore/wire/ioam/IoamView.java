package io.pathlore.wire.ioam;

import io.pathlore.model.Fault;
import java.nio.ByteBuffer;

/**
 * One IOAM option found in a packet, read in place [RFC 9197 §4, RFC 9326 §3]. Accessors are valid for the fields its
 * {@link #type} has; nodes are walked with {@link IoamNodeView}.
 */
public final class IoamView {
    public static final int PREALLOCATED_TRACE = 0;
    public static final int INCREMENTAL_TRACE = 1;
    public static final int PROOF_OF_TRANSIT = 2;
    public static final int EDGE_TO_EDGE = 3;
    public static final int DIRECT_EXPORT = 4;

    /** More nodes than any hop limit allows. */
    static final int MAX_NODES = 255;

    private static final int TRACE_FIXED = 8;
    private static final int SNAPSHOT_BIT = 0x02;

    ByteBuffer buffer = ByteBuffer.allocate(0);
    private int type;
    private int at;
    private int end;
    private int nodes;
    private boolean truncated;
    private boolean usable;
    /** Offsets of the node elements in wire order, newest first; only needed when their lengths vary. */
    private final int[] nodeOffsets = new int[MAX_NODES];

    /**
     * Body of an option, without its carrier's header. {@code end} is where the option ends by its carrier's length,
     * {@code present} the last byte in hand. Anything but NONE or a cut leaves no option.
     */
    public Fault wrap(ByteBuffer buffer, int type, int at, int end, int present) {
        this.buffer = buffer;
        this.type = type;
        this.at = at;
        this.end = end;
        nodes = 0;
        truncated = end > present;
        usable = true;
        return switch (type) {
            case PREALLOCATED_TRACE, INCREMENTAL_TRACE -> trace(Math.min(end, present));
            case PROOF_OF_TRANSIT -> proofOfTransit(present);
            case EDGE_TO_EDGE -> edgeToEdge(present);
            case DIRECT_EXPORT -> directExport(present);
            default -> Fault.IOAM_UNKNOWN_TYPE;
        };
    }

    /** Too short by its own length is a fault; too short because the packet was cut only makes it unusable. */
    private Fault fixed(int bytes, int present) {
        if (end - at < bytes) {
            return Fault.IOAM_OPTION_TRUNCATED;
        }
        usable = present - at >= bytes;
        return Fault.NONE;
    }

    private Fault proofOfTransit(int present) {
        Fault fault = fixed(4, present);
        if (fault != Fault.NONE || !usable) {
            return fault;
        }
        // Only POT type 0 is defined: 16 octets of data [RFC 9197 §4.5]. Of another type all there is may be the data.
        return fixed(potType() == 0 ? 20 : end - at, present);
    }

    private Fault edgeToEdge(int present) {
        Fault fault = fixed(4, present);
        if (fault != Fault.NONE || !usable) {
            return fault;
        }
        int bits = e2eType();
        if ((bits & 0xC000) == 0xC000) {
            return Fault.IOAM_E2E_TYPE_CONFLICT;
        }
        int data = ((bits & 0x8000) != 0 ? 8 : 0) + 4 * Integer.bitCount(bits & 0x7000);
        return fixed(4 + data, present);
    }

    private Fault directExport(int present) {
        Fault fault = fixed(8, present);
        if (fault != Fault.NONE || !usable) {
            return fault;
        }
        return fixed(8 + 4 * Integer.bitCount(extensionFlags()), present);
    }

    private Fault trace(int limit) {
        Fault fault = fixed(TRACE_FIXED, limit);
        if (fault != Fault.NONE || !usable) {
            return fault;
        }
        int traceType = traceType();
        boolean snapshots = (traceType & SNAPSHOT_BIT) != 0;
        int nodeLen = nodeLen();
        int width = nodeWords(traceType);
        if (nodeLen == 0 && !(snapshots && width == 0)) {
            return Fault.IOAM_NODELEN_ZERO;
        }
        if (nodeLen != width) {
            return Fault.IOAM_NODELEN_MISMATCH;
        }
        int data = at + TRACE_FIXED;
        int free = 0;
        if (type == PREALLOCATED_TRACE) {
            free = 4 * remainingLen();
            if (free > end - data) {
                return Fault.IOAM_REMLEN_OVERRUN;
            }
        }
        return snapshots ? withSnapshots(data + free, 4 * nodeLen, limit) : equalNodes(data + free, 4 * nodeLen, limit);
    }

    private Fault equalNodes(int from, int nodeBytes, int limit) {
        if ((end - from) % nodeBytes != 0) {
            return Fault.IOAM_SPACE_NOT_MULTIPLE;
        }
        for (int node = from; limit - node >= nodeBytes && nodes < MAX_NODES; node += nodeBytes) {
            nodeOffsets[nodes++] = node;
        }
        return Fault.NONE;
    }

    private Fault withSnapshots(int from, int nodeBytes, int limit) {
        int node = from;
        while (node < end && nodes < MAX_NODES) {
            int snapshot = node + nodeBytes;
            if (snapshot + 4 > end) {
                return Fault.IOAM_OSS_OVERRUN;
            }
            if (snapshot + 4 > limit) {
                return Fault.NONE;
            }
            int next = snapshot + 4 + 4 * (buffer.get(snapshot) & 0xFF);
            if (next > end) {
                return Fault.IOAM_OSS_OVERRUN;
            }
            if (next > limit) {
                return Fault.NONE;
            }
            nodeOffsets[nodes++] = node;
            node = next;
        }
        return Fault.NONE;
    }

    /** Words of one node by its trace type, the opaque snapshot left out [RFC 9197 §4.4.1]. */
    static int nodeWords(int traceType) {
        return Integer.bitCount(traceType & 0xFF_FFFC) + Integer.bitCount(traceType & 0x00_E000);
    }

    /** False when the packet was cut inside the fixed part: there is nothing to read. */
    public boolean usable() {
        return usable;
    }

    public int type() {
        return type;
    }

    public int offset() {
        return at;
    }

    public int end() {
        return end;
    }

    public boolean truncated() {
        return truncated;
    }

    public int namespace() {
        return buffer.getShort(at) & 0xFFFF;
    }

    public int nodeLen() {
        return buffer.get(at + 2) >> 3 & 0x1F;
    }

    private int flags() {
        return buffer.getShort(at + 2) >> 7 & 0xF;
    }

    public boolean overflow() {
        return (flags() & 8) != 0;
    }

    public boolean loopback() {
        return (flags() & 4) != 0;
    }

    public boolean active() {
        return (flags() & 2) != 0;
    }

    public int remainingLen() {
        return buffer.get(at + 3) & 0x7F;
    }

    /** 24 bits, of a trace or of what nodes export (DEX). */
    public int traceType() {
        return buffer.getInt(at + 4) >>> 8;
    }

    public int nodes() {
        return nodes;
    }

    /** Node {@code index} on the packet's way. */
    public void node(int index, IoamNodeView into) {
        into.wrap(buffer, nodeOffsets[nodes - 1 - index], traceType(), nodeLen());
    }

    public int e2eType() {
        return buffer.getShort(at + 2) & 0xFFFF;
    }

    /** Offset of the E2E item with this bit, or -1. */
    public int e2eItem(int bit) {
        int bits = e2eType();
        if ((bits & 0x8000 >>> bit) == 0) {
            return -1;
        }
        int before = bits & 0xF000 & ~(0xFFFF >>> bit);
        return at + 4 + ((before & 0x8000) != 0 ? 8 : 0) + 4 * Integer.bitCount(before & 0x7000);
    }

    public int dexFlags() {
        return buffer.get(at + 2) & 0xFF;
    }

    public int extensionFlags() {
        return buffer.get(at + 3) & 0xFF;
    }

    /** Offset of the DEX extension word with this bit (0 flow id, 1 sequence number), or -1. */
    public int dexItem(int bit) {
        int flags = extensionFlags();
        if ((flags & 0x80 >>> bit) == 0) {
            return -1;
        }
        return at + 8 + 4 * Integer.bitCount(flags & ~(0xFF >>> bit));
    }

    public int potDataBytes() {
        return potType() == 0 ? 16 : end - at - 4;
    }

    public int potType() {
        return buffer.get(at + 2) & 0xFF;
    }

    public int potFlags() {
        return buffer.get(at + 3) & 0xFF;
    }

    public ByteBuffer buffer() {
        return buffer;
    }
}
