package io.pathlore.dataplane.inband;

import io.pathlore.wire.inband.IntHeaderView;
import io.pathlore.wire.inband.IntShim;
import io.pathlore.wire.inband.IntVersion;
import io.pathlore.wire.net.PacketView;
import java.nio.ByteBuffer;

/**
 * What a source tells the sink beside the metadata: how many packets it has marked and the TTL it saw, from which the sink
 * finds lost packets and nodes that do not speak INT. Every specification leaves the contents of a destination header open
 * [INT June 2016 §4.1]; these are ours, 12 octets behind the shim or Geneve option header:
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-------+-------+---------------+-------------------------------+
 * |  Ver  |   0   | Original TTL  |           Reserved            |
 * +-------+-------+---------------+-------------------------------+
 * |          Format = 1           |           Reserved            |
 * +-------------------------------+-------------------------------+
 * |                        Sequence Number                        |
 * +---------------------------------------------------------------+
 * </pre>
 * Ver is that of the INT header before it. June 2016 and 0.5 reused the metadata header here; Format stands where that has
 * its instruction bitmap and sets a reserved bit, so that nobody takes one for the other.
 */
public final class DestinationHeader {
    static final int LENGTH = 12;
    private static final int FORMAT = 1;
    private static final int TTL_AT = 1;
    private static final int FORMAT_AT = 4;
    private static final int SEQUENCE_AT = 8;

    private long sequence;
    private int originalTtl;

    static int encode(ByteBuffer out, int offset, IntVersion version, int ttl, long sequence) {
        int ver = switch (version) {
            case JUNE_2016, V0_5 -> 0;
            case V1_0 -> 1;
            case V2 -> 2;
        };
        out.putInt(offset, ver << 28 | (ttl & 0xFF) << 16)
                .putInt(offset + FORMAT_AT, FORMAT << 16)
                .putInt(offset + SEQUENCE_AT, (int) sequence);
        return offset + LENGTH;
    }

    /** Copies what the packet's destination header says; false, and nothing changed, if it has none of ours. */
    public boolean read(PacketView view) {
        for (int i = 0; i < view.ints(); i++) {
            IntHeaderView header = view.intHeader(i);
            if (header.type() == IntShim.TYPE_DESTINATION
                    && header.opaque()
                    && !header.truncated()
                    && header.end() - header.headerOffset() == LENGTH
                    && view.buffer().getShort(header.headerOffset() + FORMAT_AT) == FORMAT) {
                originalTtl = view.buffer().get(header.headerOffset() + TTL_AT) & 0xFF;
                sequence = Integer.toUnsignedLong(view.buffer().getInt(header.headerOffset() + SEQUENCE_AT));
                return true;
            }
        }
        return false;
    }

    /** 32 bits, one more for every packet the source marked for this sink. */
    public long sequence() {
        return sequence;
    }

    /** TTL or hop limit of the outermost IP header when the source added INT. */
    public int originalTtl() {
        return originalTtl;
    }

    /** Nodes on the way that decremented the TTL but added no metadata. */
    public int hiddenHops(int ttlNow, int hops) {
        return Math.max(0, originalTtl - ttlNow - hops);
    }

    /** Packets missing between two that came one after the other; 0 if the later one was overtaken. */
    public static long lostBetween(long before, long now) {
        int gap = (int) (now - before);
        return gap > 0 ? gap - 1 : 0;
    }
}
