package io.pathlore.wire.pcap;

import java.nio.ByteBuffer;

/**
 * Fields of capture files, which are in the byte order of the machine that captured. Our buffers are always big endian,
 * so that a frame in them reads in network order; {@code swapped} says that the file is little endian.
 */
final class FileWords {
    private FileWords() {}

    static int u16(ByteBuffer buffer, int at, boolean swapped) {
        short value = buffer.getShort(at);
        return Short.toUnsignedInt(swapped ? Short.reverseBytes(value) : value);
    }

    static int i32(ByteBuffer buffer, int at, boolean swapped) {
        int value = buffer.getInt(at);
        return swapped ? Integer.reverseBytes(value) : value;
    }

    static long u32(ByteBuffer buffer, int at, boolean swapped) {
        return Integer.toUnsignedLong(i32(buffer, at, swapped));
    }

    static long i64(ByteBuffer buffer, int at, boolean swapped) {
        long value = buffer.getLong(at);
        return swapped ? Long.reverseBytes(value) : value;
    }
}
