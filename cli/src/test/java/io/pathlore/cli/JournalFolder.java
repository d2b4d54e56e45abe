package io.pathlore.cli;

import io.pathlore.store.journal.DiskFiles;
import io.pathlore.store.journal.Journal;
import io.pathlore.store.journal.JournalOptions;
import io.pathlore.store.journal.JournalWriter;
import io.pathlore.wire.envelope.Envelope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * A journal in a directory, with the datagrams that {@link CaptureFile} would have: from 10.0.0.N port 0 to 10.0.0.9, one each
 * millisecond, in segments of 4 KiB.
 */
final class JournalFolder {
    static final long MILLI = 1_000_000L;
    private static final long START = 1_700_000_000_000L * MILLI;
    private static final long IPV4 = 0x0A00_0000L;

    private final Path directory;
    private final Journal journal;
    private final JournalWriter writer;
    private long time = START;

    JournalFolder(Path directory) throws IOException {
        this.directory = directory;
        JournalOptions options = new JournalOptions(4096, Duration.ofHours(1), Duration.ZERO, 0);
        SplittableRandom random = new SplittableRandom(1);
        journal = Journal.open(DiskFiles.make(directory), options, random::nextLong, START, trouble -> {
            throw new AssertionError(trouble);
        });
        writer = new JournalWriter(journal, 1, 1, Duration.ofSeconds(1), () -> START);
    }

    /** In milliseconds since the start, as that of the n-th frame of a capture is. */
    static long timeOf(int number) {
        return START + number * MILLI;
    }

    JournalFolder datagram(int exporter, byte[] payload) {
        time += MILLI;
        return datagram(exporter, CaptureFile.PORT, time, payload, payload.length);
    }

    JournalFolder datagram(int exporter, int port, long timeNanos, byte[] payload, int originalLength) {
        return offer(timeNanos, false, 0, IPV4 | exporter, 0, 0, IPV4 | 9, port, payload, originalLength);
    }

    /** From 2001:db8::N. */
    JournalFolder datagramV6(int exporter, byte[] payload) {
        time += MILLI;
        long prefix = 0x2001_0db8_0000_0000L;
        return offer(time, true, prefix, exporter, 4000, prefix, 9, CaptureFile.PORT, payload, payload.length);
    }

    /** The address it was sent to is not known. */
    JournalFolder datagramToUnknown(int exporter, byte[] payload) {
        time += MILLI;
        return offer(time, false, 0, IPV4 | exporter, 0, 0, 0, CaptureFile.PORT, payload, payload.length);
    }

    private JournalFolder offer(
            long timeNanos,
            boolean v6,
            long fromHigh,
            long fromLow,
            int fromPort,
            long toHigh,
            long toLow,
            int toPort,
            byte[] payload,
            int originalLength) {
        boolean taken = writer.ring(0)
                .offer(
                        Envelope.KERNEL_TIME,
                        originalLength,
                        timeNanos,
                        v6,
                        fromHigh,
                        fromLow,
                        fromPort,
                        toHigh,
                        toLow,
                        toPort,
                        ByteBuffer.wrap(payload),
                        0,
                        payload.length);
        if (!taken) {
            throw new AssertionError("refused");
        }
        return this;
    }

    /** Writes what was added, and leaves the journal open, as a running collector does. */
    JournalFolder write() {
        writer.ring(0).publish();
        writer.stop();
        writer.run();
        return this;
    }

    Path close() throws IOException {
        write();
        writer.close();
        return directory;
    }

    /** Oldest first. */
    static List<Path> segments(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".journal"))
                    .sorted()
                    .toList();
        }
    }

    /** Changes a bit in the first record of a segment. */
    static void damage(Path segment) throws IOException {
        byte[] bytes = Files.readAllBytes(segment);
        bytes[64 + 8 + 68 + 3] ^= 1;
        Files.write(segment, bytes);
    }
}
