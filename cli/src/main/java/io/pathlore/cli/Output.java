package io.pathlore.cli;

import java.io.Flushable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;

/** Data on its way to stdout, gathered into large writes. */
final class Output implements Flushable {
    private static final int CAPACITY = 256 * 1024;

    /** The reader of our output has seen enough: not an error of ours, and nobody left to tell. */
    static final class ClosedPipe extends RuntimeException {
        ClosedPipe(IOException cause) {
            super(cause);
        }
    }

    /** The output cannot be written: a full disk, say. */
    static final class Failed extends RuntimeException {
        Failed(IOException cause) {
            super("cannot write the output: " + cause.getMessage(), cause);
        }
    }

    private final OutputStream out;
    private final byte[] buffer = new byte[CAPACITY];
    private int length;

    Output(OutputStream out) {
        this.out = out;
    }

    void write(byte[] bytes, int offset, int count) {
        if (count > CAPACITY - length) {
            flush();
        }
        if (count > CAPACITY) {
            write(out, bytes, offset, count);
            return;
        }
        System.arraycopy(bytes, offset, buffer, length, count);
        length += count;
    }

    void write(Text text) {
        write(text.bytes(), 0, text.length());
    }

    @Override
    public void flush() {
        int count = length;
        length = 0; // what cannot be written is not tried again
        write(out, buffer, 0, count);
    }

    private static void write(OutputStream out, byte[] bytes, int offset, int count) {
        if (count == 0) {
            return;
        }
        try {
            out.write(bytes, offset, count);
            out.flush();
        } catch (IOException e) {
            String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
            boolean closed = message.contains("broken pipe") || message.contains("pipe closed");
            if (closed || message.contains("connection reset")) {
                throw new ClosedPipe(e);
            }
            throw new Failed(e);
        }
    }
}
