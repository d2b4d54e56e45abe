package io.pathlore.cli;

import io.pathlore.ingest.pcap.CaptureReader;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** How far the reading of a large file has come. */
final class Progress implements AutoCloseable {
    private static final long LARGE_BYTES = 32L * 1024 * 1024;
    private static final int TICKS_PER_LOOK = 4096;
    private static final long NANOS = 1_000_000_000L;

    private final StatusLine line;
    private final Supplier<String> text;
    private long ticks;

    private Progress(StatusLine line, Supplier<String> text) {
        this.line = line;
        this.text = text;
    }

    static Progress of(CaptureReader reader, Surroundings around) {
        Supplier<String> frames = rate(reader::frame, "frames");
        return new Progress(
                line(around, reader.totalBytes() > LARGE_BYTES),
                () -> 100 * reader.bytesRead() / reader.totalBytes() + " %, " + frames.get());
    }

    /** Of a journal, of which nobody knows how much is in the span of time asked for. */
    static Progress ofRecords(LongSupplier records, Surroundings around) {
        return new Progress(line(around, true), rate(records, "records"));
    }

    // On a terminal that also shows the data the line would only be in the way.
    private static StatusLine line(Surroundings around, boolean wanted) {
        return new StatusLine(around, !around.outIsTerminal() && wanted);
    }

    private static Supplier<String> rate(LongSupplier counted, String what) {
        long startNanos = System.nanoTime();
        return () -> {
            long count = counted.getAsLong();
            long elapsed = Math.max(1, System.nanoTime() - startNanos);
            long perSecond = (long) (count * (double) NANOS / elapsed);
            return count + " " + what + ", " + perSecond + " " + what + "/s";
        };
    }

    void tick() {
        if (line.isWanted() && ++ticks % TICKS_PER_LOOK == 0) {
            line.show(text);
        }
    }

    /** Before something else is written there. */
    void clear() {
        line.clear();
    }

    @Override
    public void close() {
        line.close();
    }
}
