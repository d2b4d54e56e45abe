package io.pathlore.wire.tr20;

import io.pathlore.model.Fault;
import java.nio.ByteBuffer;

/**
 * One TLV of the inner contents [TR 2.0 §3.3.2]. Its packet types are 1, 2, 3 where InType has 3, 4, 5.
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-------+-------+---------------+-------------------------------+
 * |TLVType| Rsvd  |   TLVLength   |       TLV Data Template       |
 * +-------+-------+---------------+-------------------------------+
 * </pre>
 * Hot path. A view, not a value.
 */
public final class Tlv {
    public static final int LENGTH = 4;

    public static final int DS_EXTENSION = 0;
    public static final int ETHERNET = 1;
    public static final int IPV4 = 2;
    public static final int IPV6 = 3;

    private int offset;
    private int first;

    /** When this returns {@link Fault#NONE}, and only then, every accessor is safe to call. */
    public Fault wrap(ByteBuffer buffer, int offset, int end) {
        if (end - offset < LENGTH) {
            return Fault.TR20_TLV_TRUNCATED_HEADER;
        }
        this.offset = offset;
        first = buffer.getInt(offset);
        return end() > end ? Fault.TR20_TLV_OVERRUN : Fault.NONE;
    }

    public int type() {
        return first >>> 28;
    }

    public int template() {
        return first & 0xFFFF;
    }

    public int dataOffset() {
        return offset + LENGTH;
    }

    public int dataBytes() {
        return 4 * (first >>> 16 & 0xFF);
    }

    public int end() {
        return offset + LENGTH + dataBytes();
    }

    public static int encode(ByteBuffer out, int offset, int type, int lengthWords, int template) {
        out.putInt(offset, type << 28 | (lengthWords & 0xFF) << 16 | template & 0xFFFF);
        return offset + LENGTH;
    }
}
