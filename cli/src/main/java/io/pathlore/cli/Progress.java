package io.pathlore.cli;

import io.pathlore.ingest.pcap.CaptureReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** One line on a terminal that is written over and over while a large file is read; nothing otherwise. */
final class Progress implements AutoCloseable {
    private static final long LARGE_BYTES = 32L * 1024 * 1024;
    private static final int TICKS_PER_LOOK = 4096;
    private static final long INTERVAL_NANOS = 250_000_000L;

    private final Surroundings around;
    private final CaptureReader reader;
    private final boolean wanted;
    private final long startNanos = System.nanoTime();
    private long shownNanos = startNanos;
    private long ticks;
    private boolean shown;

    Progress(Surroundings around, CaptureReader reader) {
        this.around = around;
        this.reader = reader;
        // On a terminal that also shows the data the line would only be in the way.
        wanted = around.errIsTerminal() && !around.outIsTerminal() && reader.totalBytes() > LARGE_BYTES;
    }

    void tick() {
        if (wanted && ++ticks % TICKS_PER_LOOK == 0) {
            show();
        }
    }

    private void show() {
        long now = System.nanoTime();
        if (now - shownNanos < INTERVAL_NANOS) {
            return;
        }
        shownNanos = now;
        long percent = 100 * reader.bytesRead() / reader.totalBytes();
        long perSecond = reader.frame() * 1_000_000_000L / (now - startNanos);
        write("\r" + percent + " %, " + reader.frame() + " frames, " + perSecond + " frames/s   ");
        shown = true;
    }

    @Override
    public void close() {
        if (shown) {
            write("\r\u001b[K");
        }
    }

    private void write(String text) {
        try {
            around.err().write(text.getBytes(StandardCharsets.UTF_8));
            around.err().flush();
        } catch (IOException e) {
            shown = false; // a terminal that went away needs no progress
        }
    }
}
