package io.pathlore.wire.inband;

import java.nio.ByteBuffer;

/**
 * Writes the metadata of one hop by the layout that {@link HopView} reads it with: a hop of any INT version, or what a
 * reporting node says of itself in a report of any version.
 *
 * <p>An item is written when all its fields are known. Otherwise it is all ones over its whole width, and so are reserved
 * words and domain words nobody gave [INT 2.1 §5.8]: half an item of ones would be read as a value. Only the v0.5 report
 * marks each field by itself. Values are masked to their field, not checked.
 *
 * <p>Hot path: no allocation, no state.
 */
public final class HopEncoder {
    private static final int UNKNOWN = -1;
    /** June 2016 keeps the top bit of each word for the bottom of the stack [INT June 2016 §5.3.3]. */
    private static final int UNKNOWN_31_BITS = 0x7FFF_FFFF;

    private static final int BOTTOM_OF_STACK = 0x8000_0000;
    private static final int PORT_MASK = 0xFFFF;
    private static final int ID_MASK = 0xFF;
    private static final int AMOUNT_MASK = 0xFF_FFFF;

    private HopEncoder() {}

    /**
     * {@code offset} is where the layout counts from: a hop, the metadata of a v2.0 report, or the start of a v0.5 or
     * v1.0 report, of which the ingress timestamp and all behind it are written (in v0.5 the node id is the Switch id).
     *
     * @return the offset past the hop
     */
    public static int encode(ByteBuffer out, int offset, HopLayout layout, HopValues values) {
        int end = offset + layout.length();
        int unknown = layout.bottomOfStackBit ? UNKNOWN_31_BITS : UNKNOWN;
        for (int at = offset + layout.from; at < end; at += Integer.BYTES) {
            out.putInt(at, unknown);
        }
        word(out, offset, layout.nodeId, unknown, values.nodeId);
        word(out, offset, layout.switchId, unknown, values.nodeId);
        word(out, offset, layout.latency, unknown, values.hopLatency);
        word(out, offset, layout.utilization, unknown, values.txUtilization);
        word(out, offset, layout.complement, unknown, values.checksumComplement);
        timestamp(out, offset, layout.ingressTimestamp, layout, values.ingressTimestamp);
        timestamp(out, offset, layout.egressTimestamp, layout, values.egressTimestamp);
        if (layout.bottomOfStackBit) {
            word(out, offset, layout.ingressPort, unknown, values.ingressInterface);
            word(out, offset, layout.egressPort, unknown, values.egressInterface);
            word(out, offset, layout.queue, unknown, values.queueOccupancy);
            word(out, offset, layout.congestion, unknown, values.queueCongestion);
            return end;
        }
        boolean perField = layout.absentPerField;
        ports(out, offset, layout.interfaces, perField, values.ingressInterface, values.egressInterface);
        idAndAmount(out, offset, layout.queue, perField, values.queueId, values.queueOccupancy);
        idAndAmount(out, offset, layout.congestion, perField, values.queueId, values.queueCongestion);
        idAndAmount(out, offset, layout.buffer, perField, values.bufferId, values.bufferOccupancy);
        level2(out, offset, layout, values);
        drop(out, offset, layout.drop, perField, values.dropQueueId, values.dropReason);
        int domainWords = Math.min(layout.domainWords, values.domainWords);
        for (int i = 0; i < domainWords; i++) {
            out.putInt(offset + layout.domain + Integer.BYTES * i, values.domain[i]);
        }
        return end;
    }

    /** For the node that finds an empty June 2016 stack: {@code lastWord} is the last word it pushed. */
    public static void markBottomOfStack(ByteBuffer out, int lastWord) {
        out.putInt(lastWord, out.getInt(lastWord) | BOTTOM_OF_STACK);
    }

    private static void word(ByteBuffer out, int offset, int item, int mask, long value) {
        if (item >= 0 && value != HopView.ABSENT) {
            out.putInt(offset + item, (int) value & mask);
        }
    }

    private static void timestamp(ByteBuffer out, int offset, int item, HopLayout layout, long value) {
        if (item >= 0 && layout.timestampBytes == Long.BYTES) {
            out.putLong(offset + item, value);
        } else {
            word(out, offset, item, layout.bottomOfStackBit ? UNKNOWN_31_BITS : UNKNOWN, value);
        }
    }

    private static void ports(ByteBuffer out, int offset, int item, boolean perField, long ingress, long egress) {
        if (isWritten(item, perField, ingress, egress)) {
            out.putInt(offset + item, ((int) ingress & PORT_MASK) << 16 | (int) egress & PORT_MASK);
        }
    }

    private static void idAndAmount(ByteBuffer out, int offset, int item, boolean perField, long id, long amount) {
        if (isWritten(item, perField, id, amount)) {
            out.putInt(offset + item, ((int) id & ID_MASK) << 24 | (int) amount & AMOUNT_MASK);
        }
    }

    private static void level2(ByteBuffer out, int offset, HopLayout layout, HopValues values) {
        long ingress = values.level2IngressInterface;
        long egress = values.level2EgressInterface;
        if (layout.level2Bytes == Integer.BYTES) {
            ports(out, offset, layout.level2, false, ingress, egress);
        } else if (isWritten(layout.level2, false, ingress, egress)) {
            out.putInt(offset + layout.level2, (int) ingress).putInt(offset + layout.level2 + 4, (int) egress);
        }
    }

    private static void drop(ByteBuffer out, int offset, int item, boolean perField, long queueId, long reason) {
        if (isWritten(item, perField, queueId, reason)) {
            out.putInt(offset + item, ((int) queueId & ID_MASK) << 24 | ((int) reason & ID_MASK) << 16);
        }
    }

    /** {@code ABSENT} itself is all ones in any width, so an unknown field marks itself where fields may. */
    private static boolean isWritten(int item, boolean perField, long first, long second) {
        return item >= 0 && (perField || first != HopView.ABSENT && second != HopView.ABSENT);
    }
}
