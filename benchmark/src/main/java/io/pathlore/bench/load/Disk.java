package io.pathlore.bench.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What the disk takes when nobody makes anything of what is written. */
final class Disk {
    private static final int BLOCK = 1 << 20;
    private static final int BLOCKS = 256;
    private static final long SYNC_NANOS = 200_000_000;

    private Disk() {}

    /** Octets a second, written in large blocks one behind the other and synced as often as the journal is. */
    static double bytesPerSecond(Path file) throws IOException {
        ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
        long start = System.nanoTime();
        long synced = start;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int i = 0; i < BLOCKS; i++) {
                block.clear();
                while (block.hasRemaining()) {
                    channel.write(block);
                }
                if (System.nanoTime() - synced > SYNC_NANOS) {
                    channel.force(false);
                    synced = System.nanoTime();
                }
            }
            channel.force(false);
        }
        long nanos = System.nanoTime() - start;
        Files.delete(file);
        return (double) BLOCK * BLOCKS * 1e9 / nanos;
    }
}
