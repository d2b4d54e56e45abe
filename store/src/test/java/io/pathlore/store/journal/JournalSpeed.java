package io.pathlore.store.journal;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * How fast the journal takes, writes and reads, beside what the disk does alone: datagrams of 204 bytes for some seconds, at
 * full speed. Say in which directory, and from how many threads if not from one.
 */
final class JournalSpeed {
    private static final int RECORDS = 4_000_000;
    private static final int LENGTH = 204;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private JournalSpeed() {}

    public static void main(String[] args) throws Exception {
        Path parent = Path.of(args.length > 0 ? args[0] : "target");
        int rings = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        for (int round = 0; round < 3; round++) {
            Path directory = Files.createTempDirectory(parent, "journal-speed");
            try {
                disk(directory);
                journal(directory, rings);
            } finally {
                remove(directory);
            }
        }
    }

    private static void disk(Path directory) throws IOException {
        DiskFiles files = DiskFiles.make(directory);
        ByteBuffer block = ByteBuffer.allocateDirect(1 << 20);
        long start = System.nanoTime();
        long synced = start;
        int blocks = 1_000;
        try (JournalFile file = files.create("raw")) {
            for (int i = 0; i < blocks; i++) {
                block.clear();
                file.write(block, (long) i << 20);
                if (System.nanoTime() - synced > 200_000_000) {
                    file.sync();
                    synced = System.nanoTime();
                }
            }
            file.sync();
        }
        long nanos = System.nanoTime() - start;
        System.out.printf("disk alone: %d MB/s%n", (long) blocks * (1 << 20) * 1_000 / nanos);
        files.delete("raw");
    }

    private static void journal(Path directory, int rings) throws Exception {
        var seed = new SplittableRandom(1);
        Journal journal = Journal.open(
                DiskFiles.make(directory), JournalOptions.DEFAULT, seed::nextLong, 0, Throwable::printStackTrace);
        JournalWriter writer = new JournalWriter(journal, rings, (32 << 20) / rings, Duration.ofMillis(200), () -> 0);
        long[] writerCpu = new long[1];
        Thread thread = Thread.ofPlatform().name("pathlore-journal").start(() -> {
            writer.run();
            writerCpu[0] = THREADS.getCurrentThreadCpuTime();
        });
        long start = System.nanoTime();
        Thread[] receiving = new Thread[rings];
        for (int i = 0; i < rings; i++) {
            JournalRing ring = writer.ring(i);
            receiving[i] = Thread.ofPlatform().start(() -> fill(ring, RECORDS / rings));
        }
        for (Thread receiver : receiving) {
            receiver.join();
        }
        writer.stop();
        thread.join();
        long nanos = System.nanoTime() - start;
        long bytes = journal.counts().bytes();
        writer.close();
        System.out.printf(
                "append: %d records/s, %d MB/s; writer %d ns of processor per record; refused %d times, %d syncs%n",
                RECORDS * 1_000_000_000L / nanos,
                bytes * 1_000 / nanos,
                writerCpu[0] / RECORDS,
                writer.dropped(JournalDrop.SLOW),
                journal.counts().syncs());
        start = System.nanoTime();
        long read = 0;
        try (JournalReader reader = new JournalReader(DiskFiles.of(directory), damage -> {})) {
            while (reader.next()) {
                read++;
            }
        }
        nanos = System.nanoTime() - start;
        System.out.printf("read: %d records/s, %d MB/s%n", read * 1_000_000_000L / nanos, bytes * 1_000 / nanos);
    }

    private static void fill(JournalRing ring, int records) {
        ByteBuffer datagram = ByteBuffer.allocateDirect(LENGTH);
        for (int i = 0; i < records; ) {
            if (ring.offer(0, LENGTH, i, false, 0, 1, 2, 0, 3, 4, datagram, 0, LENGTH)) {
                if (++i % 64 == 0) {
                    ring.publish();
                }
            } else {
                Thread.onSpinWait();
            }
        }
        ring.publish();
    }

    private static void remove(Path directory) throws IOException {
        List<Path> files;
        try (var listed = Files.list(directory)) {
            files = listed.toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
        Files.delete(directory);
    }
}
