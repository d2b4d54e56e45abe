package io.pathlore.cli.client;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Server-sent events, one after the other. Belongs to one thread; another may close it. */
public final class ServerEvents implements Closeable {
    static final int MAX_LINE = 8 << 20;
    private static final String EVENT = "event: ";
    private static final String DATA = "data: ";

    /** {@code event} is empty for a sign of life. */
    public record Message(String event, String data) {}

    private final InputStream in;
    private final int maxLine;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    ServerEvents(InputStream in, int maxLine) {
        this.in = new BufferedInputStream(in);
        this.maxLine = maxLine;
    }

    /** Waits for the next one; null when the server has ended the stream. */
    public @Nullable Message next() throws IOException {
        String event = "";
        StringBuilder data = new StringBuilder();
        for (String text = readLine(); text != null; text = readLine()) {
            if (text.isEmpty()) {
                return new Message(event, data.toString());
            }
            if (text.startsWith(EVENT)) {
                event = text.substring(EVENT.length());
            } else if (text.startsWith(DATA)) {
                data.append(data.isEmpty() ? "" : "\n").append(text, DATA.length(), text.length());
            }
        }
        return null;
    }

    private @Nullable String readLine() throws IOException {
        line.reset();
        for (int octet = in.read(); octet >= 0; octet = in.read()) {
            if (octet == '\n') {
                return line.toString(StandardCharsets.UTF_8);
            }
            if (line.size() == maxLine) {
                throw new IOException("a line that does not end");
            }
            line.write(octet);
        }
        return null;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
