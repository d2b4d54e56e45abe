package io.pathlore.wire.net;

import java.nio.ByteBuffer;

/** The checksum of IPv4, UDP and their like: the complement of a sum with end-around carry [RFC 1071]. */
public final class InternetChecksum {
    private InternetChecksum() {}

    /** Adds the 16-bit words of a range to a sum that {@link #finish} will fold; an odd last octet is padded with 0. */
    public static long add(long sum, ByteBuffer buffer, int offset, int end) {
        long total = sum;
        int at = offset;
        // Two words at a time: a carry out of the lower ones is just an end-around carry that came early.
        for (; end - at >= Integer.BYTES; at += Integer.BYTES) {
            total += Integer.toUnsignedLong(buffer.getInt(at));
        }
        if (end - at >= Short.BYTES) {
            total += Short.toUnsignedInt(buffer.getShort(at));
            at += Short.BYTES;
        }
        if (at < end) {
            total += Byte.toUnsignedInt(buffer.get(at)) << Byte.SIZE;
        }
        return total;
    }

    public static int finish(long sum) {
        long folded = sum;
        while (folded >>> Short.SIZE != 0) {
            folded = (folded & 0xFFFF) + (folded >>> Short.SIZE);
        }
        return (int) ~folded & 0xFFFF;
    }
}
