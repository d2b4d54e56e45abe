package io.pathlore.testkit;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A borrowed buffer that punishes whoever keeps it: the bytes stand between two runs of 0xA5, so a read out of bounds
 * gives nonsense and a write out of bounds is noticed; {@link #close} overwrites them too, so a view used too late reads
 * 0xA5 everywhere.
 */
public final class Poison implements AutoCloseable {
    public static final byte VALUE = (byte) 0xA5;
    private static final int MARGIN = 64;

    private final byte[] original;
    private final ByteBuffer buffer;

    private Poison(byte[] bytes, ByteBuffer buffer) {
        this.original = bytes.clone();
        this.buffer = buffer;
        fill(0, buffer.capacity());
        buffer.put(MARGIN, bytes);
    }

    public static Poison heap(byte[] bytes) {
        return new Poison(bytes, ByteBuffer.allocate(bytes.length + 2 * MARGIN));
    }

    public static Poison direct(byte[] bytes) {
        return new Poison(bytes, ByteBuffer.allocateDirect(bytes.length + 2 * MARGIN));
    }

    /** Big endian, position 0, limit at the capacity: only {@link #offset} and {@link #end} bound the bytes. */
    public ByteBuffer buffer() {
        return buffer;
    }

    public int offset() {
        return MARGIN;
    }

    public int end() {
        return MARGIN + original.length;
    }

    /** Overwrites everything, and fails when a byte had been changed by the one who borrowed it. */
    @Override
    public void close() {
        byte[] now = new byte[buffer.capacity()];
        buffer.duplicate().clear().get(0, now);
        fill(0, buffer.capacity());
        byte[] expected = new byte[now.length];
        Arrays.fill(expected, VALUE);
        System.arraycopy(original, 0, expected, MARGIN, original.length);
        int changed = Arrays.mismatch(expected, now);
        if (changed >= 0) {
            throw new AssertionError("a borrowed buffer was written to at " + (changed - MARGIN));
        }
    }

    private void fill(int from, int to) {
        for (int i = from; i < to; i++) {
            buffer.put(i, VALUE);
        }
    }
}
