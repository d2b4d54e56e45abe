package io.pathlore.model;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One report as analysis reads it, whatever version or dialect it came in: {@value #LENGTH} octets that can wait in a queue, be
 * sent to another machine, and be read without an object for each. Hot path. A view: copies nothing, good until the bytes are
 * overwritten, belongs to one thread. Its first octet is the version of the layout.
 *
 * <pre>
 *   0  layout   1  flags   2  report version   3  protocol   4  what is known   8  receive time
 *  16  exporter, 16 octets, IPv4 mapped into IPv6           32  node id
 *  40  source, 16 octets   56  destination, 16 octets       72  ports, or ICMP type and code   80  VNI   88  flow hash
 * </pre>
 */
public final class ReportRow {
    public static final int LENGTH = 96;
    public static final long ABSENT = -1;

    /** What the report says of the packet. */
    public static final int DROPPED = 1;

    public static final int CONGESTED = 2;
    public static final int TRACKED = 4;
    public static final int INTERMEDIATE = 8;

    /** What is known: the flow, that its addresses are IPv6, that it is ICMP. */
    public static final int FLOW = 1;

    public static final int FLOW_V6 = 2;
    public static final int FLOW_ICMP = 4;

    private static final byte LAYOUT = 1;
    private static final int FLAGS_AT = 1;
    private static final int VERSION_AT = 2;
    private static final int PROTOCOL_AT = 3;
    private static final int KNOWN_AT = 4;
    private static final int RECEIVED_AT = 8;
    private static final int EXPORTER_AT = 16;
    private static final int NODE_AT = 32;

    /** Addresses, ports and VNI, one behind the other: what tells flows apart, together with protocol and what is known. */
    public static final int FLOW_AT = 40;

    public static final int FLOW_LENGTH = 44;
    private static final int HASH_AT = 88;
    private static final long MAPPED = 0xFFFF_0000_0000L;

    private ByteBuffer buffer = ByteBuffer.allocate(LENGTH).put(0, LAYOUT);
    private int at;

    /** {@code bytes} are big endian, as buffers are from the start. */
    public ReportRow wrap(ByteBuffer bytes, int at) {
        if (bytes.get(at) != LAYOUT) {
            throw new IllegalArgumentException("a row of layout " + bytes.get(at) + "; known is " + LAYOUT);
        }
        buffer = bytes;
        this.at = at;
        return this;
    }

    /** Begins a row whose flow is not known. */
    public static void begin(
            ByteBuffer out,
            int at,
            int flags,
            int version,
            long receivedNanos,
            long exporterHigh,
            long exporterLow,
            long node) {
        out.putLong(at, (long) LAYOUT << 56 | (flags & 0xFFL) << 48 | (version & 0xFFL) << 40);
        out.putLong(at + RECEIVED_AT, receivedNanos);
        out.putLong(at + EXPORTER_AT, exporterHigh).putLong(at + EXPORTER_AT + 8, exporterLow);
        out.putLong(at + NODE_AT, node);
        for (int i = FLOW_AT; i < LENGTH; i += Long.BYTES) {
            out.putLong(at + i, 0);
        }
    }

    /** Adds the flow to a row that was begun; what is absent is -1. First and second are ports, or type and code of ICMP. */
    public static void flow(
            ByteBuffer out,
            int at,
            boolean v6,
            boolean icmp,
            int protocol,
            long sourceHigh,
            long sourceLow,
            long destinationHigh,
            long destinationLow,
            int first,
            int second,
            int vni,
            long seed) {
        int known = FLOW | (v6 ? FLOW_V6 : 0) | (icmp ? FLOW_ICMP : 0);
        long ends = (long) first << 32 | second & 0xFFFF_FFFFL;
        out.put(at + PROTOCOL_AT, (byte) protocol).putInt(at + KNOWN_AT, known);
        out.putLong(at + FLOW_AT, sourceHigh).putLong(at + FLOW_AT + 8, sourceLow);
        out.putLong(at + FLOW_AT + 16, destinationHigh).putLong(at + FLOW_AT + 24, destinationLow);
        out.putLong(at + FLOW_AT + 32, ends).putInt(at + FLOW_AT + 40, vni);
        long h = mix(seed ^ sourceHigh ^ (long) protocol << 8 ^ known);
        h = mix(h ^ sourceLow);
        h = mix(h ^ destinationHigh);
        h = mix(h ^ destinationLow);
        h = mix(h ^ ends);
        out.putLong(at + HASH_AT, mix(h ^ vni));
    }

    private static long mix(long value) {
        long h = value * 0x9E37_79B9_7F4A_7C15L;
        h = (h ^ h >>> 32) * 0xD6E8_FEB8_6659_FD93L;
        return h ^ h >>> 29;
    }

    /** The lower half of an IPv4 address that is mapped into IPv6 [RFC 4291 §2.5.5.2]; the upper is 0. */
    public static long mapped(long ipv4) {
        return MAPPED | ipv4;
    }

    public ByteBuffer buffer() {
        return buffer;
    }

    public int offset() {
        return at;
    }

    public boolean dropped() {
        return (buffer.get(at + FLAGS_AT) & DROPPED) != 0;
    }

    public boolean congested() {
        return (buffer.get(at + FLAGS_AT) & CONGESTED) != 0;
    }

    public boolean tracked() {
        return (buffer.get(at + FLAGS_AT) & TRACKED) != 0;
    }

    public boolean intermediate() {
        return (buffer.get(at + FLAGS_AT) & INTERMEDIATE) != 0;
    }

    /** 5, 10 or 20. */
    public int version() {
        return buffer.get(at + VERSION_AT);
    }

    public long receivedNanos() {
        return buffer.getLong(at + RECEIVED_AT);
    }

    public long exporterHigh() {
        return buffer.getLong(at + EXPORTER_AT);
    }

    public long exporterLow() {
        return buffer.getLong(at + EXPORTER_AT + 8);
    }

    /** The reporting node, or {@link #ABSENT}. */
    public long node() {
        return buffer.getLong(at + NODE_AT);
    }

    /** False when the packet in the report stops before its addresses. */
    public boolean hasFlow() {
        return (known() & FLOW) != 0;
    }

    /** {@link #FLOW}, {@link #FLOW_V6}, {@link #FLOW_ICMP}, and above them the protocol: with the rest the flow's identity. */
    public int kind() {
        return protocol() << 8 | known();
    }

    private int known() {
        return buffer.getInt(at + KNOWN_AT);
    }

    public int protocol() {
        return buffer.get(at + PROTOCOL_AT) & 0xFF;
    }

    /** Equal for equal flows, and hard to foresee for who does not know the seed; 0 without a flow. */
    public long flowHash() {
        return buffer.getLong(at + HASH_AT);
    }

    /** For people. */
    public @Nullable FlowKey flow() {
        return hasFlow() ? flow(buffer, at + FLOW_AT, kind()) : null;
    }

    /** A flow from where its bytes were copied to. */
    public static FlowKey flow(ByteBuffer bytes, int at, int kind) {
        boolean icmp = (kind & FLOW_ICMP) != 0;
        int first = bytes.getInt(at + 32);
        int second = bytes.getInt(at + 36);
        return new FlowKey(
                (kind & FLOW_V6) != 0,
                bytes.getLong(at),
                bytes.getLong(at + 8),
                bytes.getLong(at + 16),
                bytes.getLong(at + 24),
                kind >>> 8,
                icmp ? FlowKey.ABSENT : first,
                icmp ? FlowKey.ABSENT : second,
                icmp ? first : FlowKey.ABSENT,
                icmp ? second : FlowKey.ABSENT,
                bytes.getInt(at + 40));
    }
}
