package io.pathlore.wire.ioam;

import java.nio.ByteBuffer;

/**
 * Writes IOAM options: bodies [RFC 9197 §4, RFC 9326 §3], and the IPv6 option and extension header around them
 * [RFC 9486 §3]. Reserved fields are zero; values are masked to their field, not checked. Every method returns the offset
 * past what it wrote.
 */
public final class IoamEncoder {
    /** A trace or DEX body before its data. */
    public static final int TRACE_LENGTH = 8;

    public static final int OPTION_MAY_CHANGE = 0x31;
    public static final int OPTION_MUST_NOT_CHANGE = 0x11;

    public static final int E2E_SEQUENCE_64 = 0x8000;
    public static final int E2E_SEQUENCE_32 = 0x4000;
    public static final int E2E_SECONDS = 0x2000;
    public static final int E2E_FRACTION = 0x1000;

    public static final int DEX_FLOW_ID = 0x80;
    public static final int DEX_SEQUENCE = 0x40;

    private static final int PAD_1 = 0;
    private static final int PAD_N = 1;
    private static final int OPTION_LENGTH = 4;
    private static final int TRANSIT_DELAY_OVERFLOW = 0x8000_0000;
    private static final int SNAPSHOT_BIT = 0x02;

    private IoamEncoder() {}

    // ---- option bodies

    /**
     * Head of a trace. Behind it come, if pre-allocated, {@code remainingLen} free words, and then the nodes, newest first.
     * NodeLen follows from the trace type.
     *
     * @param traceType 24 bits
     */
    public static int trace(
            ByteBuffer out,
            int offset,
            int namespace,
            int traceType,
            boolean overflow,
            boolean loopback,
            boolean active,
            int remainingLen) {
        int flags = (overflow ? 0x400 : 0) | (loopback ? 0x200 : 0) | (active ? 0x100 : 0);
        int nodeLen = IoamView.nodeWords(traceType);
        out.putInt(offset, namespace << 16 | (nodeLen & 0x1F) << 11 | flags | remainingLen & 0x7F)
                .putInt(offset + 4, traceType << 8);
        return offset + TRACE_LENGTH;
    }

    /** Words that no node of a pre-allocated trace has used yet. */
    public static int free(ByteBuffer out, int offset, int words) {
        for (int i = 0; i < words; i++) {
            out.putInt(offset + 4 * i, 0);
        }
        return offset + 4 * words;
    }

    /** One node. Unknown fields, parts of fields and undefined ones are all ones. */
    public static int node(ByteBuffer out, int offset, int traceType, IoamNodeValues values) {
        int at = offset;
        for (int bit = 0; bit < 22; bit++) {
            if ((traceType & 0x80_0000 >>> bit) != 0) {
                at = item(out, at, bit, values);
            }
        }
        if ((traceType & SNAPSHOT_BIT) == 0) {
            return at;
        }
        out.putInt(at, values.snapshotWords << 24 | (int) values.snapshotSchema & 0xFF_FFFF);
        at += 4;
        for (int i = 0; i < values.snapshotWords; i++) {
            out.putInt(at, values.snapshot[i]);
            at += 4;
        }
        return at;
    }

    private static int item(ByteBuffer out, int at, int bit, IoamNodeValues values) {
        switch (bit) {
            case 8 -> out.putLong(at, values.hopLimit << 56 | values.nodeIdWide & 0xFF_FFFF_FFFF_FFFFL);
            case 9 ->
                out.putInt(at, (int) values.ingressInterfaceWide).putInt(at + 4, (int) values.egressInterfaceWide);
            case 10 -> out.putLong(at, values.namespaceDataWide);
            default -> {
                out.putInt(at, word(bit, values));
                return at + 4;
            }
        }
        return at + 8;
    }

    /** {@code ABSENT} is all ones in any width, so unknown values mark themselves. */
    private static int word(int bit, IoamNodeValues values) {
        return switch (bit) {
            case 0 -> (int) values.hopLimit << 24 | (int) values.nodeId & 0xFF_FFFF;
            case 1 -> (int) values.ingressInterface << 16 | (int) values.egressInterface & 0xFFFF;
            case 2 -> (int) values.timestampSeconds;
            case 3 -> (int) values.timestampFraction;
            case 4 -> values.transitDelay > Integer.MAX_VALUE ? TRANSIT_DELAY_OVERFLOW : (int) values.transitDelay;
            case 5 -> (int) values.namespaceData;
            case 6 -> (int) values.queueDepth;
            case 7 -> (int) values.checksumComplement;
            case 11 -> (int) values.bufferOccupancy;
            default -> -1;
        };
    }

    /** Edge to edge; {@code type} says which of the values are there. */
    public static int edgeToEdge(
            ByteBuffer out, int offset, int namespace, int type, long sequence, long seconds, long fraction) {
        out.putInt(offset, namespace << 16 | type & 0xFFFF);
        int at = offset + 4;
        if ((type & E2E_SEQUENCE_64) != 0) {
            out.putLong(at, sequence);
            at += 8;
        }
        if ((type & E2E_SEQUENCE_32) != 0) {
            out.putInt(at, (int) sequence);
            at += 4;
        }
        if ((type & E2E_SECONDS) != 0) {
            out.putInt(at, (int) seconds);
            at += 4;
        }
        if ((type & E2E_FRACTION) != 0) {
            out.putInt(at, (int) fraction);
            at += 4;
        }
        return at;
    }

    /** Direct export; {@code extensionFlags} of {@link #DEX_FLOW_ID} and {@link #DEX_SEQUENCE} say what is there. */
    public static int directExport(
            ByteBuffer out,
            int offset,
            int namespace,
            int flags,
            int extensionFlags,
            int traceType,
            long flowId,
            long sequence) {
        out.putInt(offset, namespace << 16 | (flags & 0xFF) << 8 | extensionFlags & 0xFF)
                .putInt(offset + 4, traceType << 8);
        int at = offset + TRACE_LENGTH;
        if ((extensionFlags & DEX_FLOW_ID) != 0) {
            out.putInt(at, (int) flowId);
            at += 4;
        }
        if ((extensionFlags & DEX_SEQUENCE) != 0) {
            out.putInt(at, (int) sequence);
            at += 4;
        }
        return at;
    }

    /** Proof of transit of type 0, the only one there is: 16 octets of packet number and cumulative value. */
    public static int proofOfTransit(ByteBuffer out, int offset, int namespace, int flags, long data1, long data2) {
        out.putInt(offset, namespace << 16 | flags & 0xFF)
                .putLong(offset + 4, data1)
                .putLong(offset + 12, data2);
        return offset + 20;
    }

    // ---- in IPv6

    /** Option header; {@code bodyBytes} follow it. */
    public static int option(ByteBuffer out, int offset, int optionType, int ioamType, int bodyBytes) {
        out.putInt(offset, optionType << 24 | (bodyBytes + 2 & 0xFF) << 16 | ioamType & 0xFF);
        return offset + OPTION_LENGTH;
    }

    /** Start of a Hop-by-Hop or Destination Options header, padded so that a 4n aligned option may follow. */
    public static int optionsHeader(ByteBuffer out, int offset, int nextHeader) {
        out.putInt(offset, nextHeader << 24 | PAD_N << 8);
        return offset + 4;
    }

    /** Pads the header behind its last option to whole units of 8 octets and writes its length. */
    public static int finishOptionsHeader(ByteBuffer out, int header, int end) {
        int padding = -(end - header) & 7;
        if (padding == 1) {
            out.put(end, (byte) PAD_1);
        } else if (padding > 1) {
            out.put(end, (byte) PAD_N).put(end + 1, (byte) (padding - 2));
            for (int i = 2; i < padding; i++) {
                out.put(end + i, (byte) 0);
            }
        }
        int padded = end + padding;
        out.put(header + 1, (byte) ((padded - header) / 8 - 1));
        return padded;
    }
}
