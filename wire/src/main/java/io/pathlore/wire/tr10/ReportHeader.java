package io.pathlore.wire.tr10;

import io.pathlore.model.Fault;
import java.nio.ByteBuffer;

/**
 * Telemetry Report v1.0 header, 16 octets and up to six words of metadata [TR 1.0 §3.2].
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-------+-------+-----+-----------+-----------+-+-+-+-----------+
 * |  Ver  |Length |NProt| RepMdBits | Reserved  |D|Q|F|   hw_id   |
 * +-------+-------+-----+-----------+-----------+-+-+-+-----------+
 * |                           Switch id                           |
 * +---------------------------------------------------------------+
 * |                        Sequence Number                        |
 * +---------------------------------------------------------------+
 * |                       Ingress Timestamp                       |
 * +---------------------------------------------------------------+
 * |                 Metadata, one word per RepMdBit               |
 * </pre>
 * Hot path. A view, not a value: good until the buffer is filled again, belongs to one thread.
 */
public final class ReportHeader {
    public static final int LENGTH = 16;
    public static final int LENGTH_WORDS = 4;

    public static final int NPROT_ETHERNET = 0;
    public static final int NPROT_IPV4 = 1;
    public static final int NPROT_IPV6 = 2;

    public static final int MD_INTERFACES = 0x20;
    public static final int MD_LATENCY = 0x10;
    public static final int MD_QUEUE = 0x08;
    public static final int MD_EGRESS_TIMESTAMP = 0x04;
    public static final int MD_DROP = 0x02;
    public static final int MD_UTILIZATION = 0x01;

    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private int offset;
    private int first;

    /** When this returns {@link Fault#NONE}, and only then, every accessor is safe to call. The version is not looked at. */
    public Fault wrap(ByteBuffer buffer, int offset, int end) {
        if (end - offset < LENGTH) {
            return Fault.TR_TRUNCATED_HEADER;
        }
        this.buffer = buffer;
        this.offset = offset;
        first = buffer.getInt(offset);
        return Fault.NONE;
    }

    public int version() {
        return first >>> 28;
    }

    /** Words of the header, its metadata included, as the sender says. */
    public int lengthWords() {
        return first >>> 24 & 0xF;
    }

    public int nProt() {
        return first >>> 21 & 7;
    }

    public int repMdBits() {
        return first >>> 15 & 0x3F;
    }

    /** Six bits; one emitter puts D, Q, F on top of them. */
    public int reserved() {
        return first >>> 9 & 0x3F;
    }

    public boolean dropped() {
        return (first & 0x100) != 0;
    }

    public boolean congested() {
        return (first & 0x80) != 0;
    }

    public boolean tracked() {
        return (first & 0x40) != 0;
    }

    public int hwId() {
        return first & 0x3F;
    }

    public long switchId() {
        return Integer.toUnsignedLong(buffer.getInt(offset + 4));
    }

    public long sequence() {
        return Integer.toUnsignedLong(buffer.getInt(offset + 8));
    }

    public long ingressTimestamp() {
        return Integer.toUnsignedLong(buffer.getInt(offset + 12));
    }

    /** Returns the offset of the metadata words, which the caller writes in RepMdBits order. */
    public static int encode(
            ByteBuffer out,
            int offset,
            int nProt,
            int repMdBits,
            boolean dropped,
            boolean congested,
            boolean tracked,
            int hwId,
            long switchId,
            long sequence,
            long ingressTimestamp) {
        int length = LENGTH_WORDS + Integer.bitCount(repMdBits & 0x3F);
        int word = 1 << 28
                | length << 24
                | (nProt & 7) << 21
                | (repMdBits & 0x3F) << 15
                | (dropped ? 0x100 : 0)
                | (congested ? 0x80 : 0)
                | (tracked ? 0x40 : 0)
                | hwId & 0x3F;
        out.putInt(offset, word)
                .putInt(offset + 4, (int) switchId)
                .putInt(offset + 8, (int) sequence)
                .putInt(offset + 12, (int) ingressTimestamp);
        return offset + LENGTH;
    }
}
