package io.pathlore.cli;

import io.pathlore.ingest.pcap.CaptureReader;

/** How far the reading of a large file has come. */
final class Progress implements AutoCloseable {
    private static final long LARGE_BYTES = 32L * 1024 * 1024;
    private static final int TICKS_PER_LOOK = 4096;

    private final CaptureReader reader;
    private final StatusLine line;
    private final long startNanos = System.nanoTime();
    private long ticks;

    Progress(Surroundings around, CaptureReader reader) {
        this.reader = reader;
        // On a terminal that also shows the data the line would only be in the way.
        line = new StatusLine(around, !around.outIsTerminal() && reader.totalBytes() > LARGE_BYTES);
    }

    void tick() {
        if (line.isWanted() && ++ticks % TICKS_PER_LOOK == 0) {
            line.show(this::text);
        }
    }

    private String text() {
        long percent = 100 * reader.bytesRead() / reader.totalBytes();
        long perSecond = reader.frame() * 1_000_000_000L / Math.max(1, System.nanoTime() - startNanos);
        return percent + " %, " + reader.frame() + " frames, " + perSecond + " frames/s";
    }

    @Override
    public void close() {
        line.close();
    }
}
