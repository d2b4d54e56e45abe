package io.pathlore.testkit;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/** Bytes as people read them. White space is free, so groups may follow the figure they were taken from. */
public final class Hex {
    private Hex() {}

    /** A big endian buffer over exactly these bytes, position 0. */
    public static ByteBuffer hex(String text) {
        return ByteBuffer.wrap(bytes(text));
    }

    public static byte[] bytes(String text) {
        return HexFormat.of().parseHex(text.replaceAll("\\s", ""));
    }

    public static String text(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    /** All bytes from 0 to the capacity, whatever position and limit are. */
    public static String text(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.capacity()];
        buffer.duplicate().clear().get(0, bytes);
        return text(bytes);
    }
}
