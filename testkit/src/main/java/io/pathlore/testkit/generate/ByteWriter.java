package io.pathlore.testkit.generate;

import java.io.ByteArrayOutputStream;

/** Writes numbers of any width in network order. Knows no header. */
final class ByteWriter {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private int pending;
    private int pendingBits;

    /** The low {@code width} bits of the value, most significant first. */
    ByteWriter bits(long value, int width) {
        for (int i = width - 1; i >= 0; i--) {
            pending = pending << 1 | (int) (value >> i & 1);
            pendingBits++;
            if (pendingBits == 8) {
                out.write(pending);
                pending = 0;
                pendingBits = 0;
            }
        }
        return this;
    }

    ByteWriter u8(int value) {
        return bits(value, 8);
    }

    ByteWriter u16(int value) {
        return bits(value, 16);
    }

    ByteWriter u32(long value) {
        return bits(value, 32);
    }

    ByteWriter u64(long value) {
        return bits(value, 64);
    }

    ByteWriter bytes(byte[]... parts) {
        if (pendingBits != 0) {
            throw new IllegalStateException("bytes behind " + pendingBits + " bits");
        }
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return this;
    }

    int size() {
        return out.size();
    }

    byte[] toBytes() {
        if (pendingBits != 0) {
            throw new IllegalStateException(pendingBits + " bits left over");
        }
        return out.toByteArray();
    }

    static byte[] join(byte[]... parts) {
        return new ByteWriter().bytes(parts).toBytes();
    }
}
