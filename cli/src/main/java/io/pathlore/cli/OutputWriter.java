package io.pathlore.cli;

import java.io.Writer;
import java.nio.charset.StandardCharsets;

/** Text that the command line library prints, in order with what commands write themselves. */
final class OutputWriter extends Writer {
    private final Output output;

    OutputWriter(Output output) {
        this.output = output;
    }

    @Override
    public void write(char[] characters, int offset, int length) {
        byte[] bytes = new String(characters, offset, length).getBytes(StandardCharsets.UTF_8);
        output.write(bytes, 0, bytes.length);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
