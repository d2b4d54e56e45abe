package io.pathlore.mitigate.ledger;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** A directory on a disk, for one process at a time. */
final class DirectoryFiles implements LedgerFiles, AutoCloseable {
    private static final String LOCK = "lock";
    /** Nobody writes that much here; more is not ours. */
    private static final long LARGEST = 256L << 20;

    private final Path directory;
    private final FileChannel lock;

    DirectoryFiles(Path directory) throws IOException {
        this.directory = Files.createDirectories(directory);
        lock = FileChannel.open(directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock held;
        try {
            held = lock.tryLock();
        } catch (OverlappingFileLockException e) {
            held = null;
        }
        if (held == null) {
            lock.close();
            throw new IOException("mitigations " + directory + ": another collector has them");
        }
    }

    @Override
    public String where() {
        return directory.toString();
    }

    @Override
    public byte[] read(String name) throws IOException {
        Path file = directory.resolve(name);
        try {
            if (Files.size(file) > LARGEST) {
                throw new IOException(file + ": larger than any ledger");
            }
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            return new byte[0];
        }
    }

    @Override
    public void create(String name) throws IOException {
        Files.write(directory.resolve(name), new byte[0]);
    }

    @Override
    public void append(String name, byte[] bytes) throws IOException {
        try (FileChannel file = FileChannel.open(directory.resolve(name), StandardOpenOption.APPEND)) {
            ByteBuffer from = ByteBuffer.wrap(bytes);
            while (from.hasRemaining()) {
                file.write(from);
            }
        }
    }

    @Override
    public void truncate(String name, long length) throws IOException {
        try (FileChannel file = FileChannel.open(directory.resolve(name), StandardOpenOption.WRITE)) {
            file.truncate(length);
        }
    }

    @Override
    public void sync(String name) throws IOException {
        try (FileChannel file = FileChannel.open(directory.resolve(name), StandardOpenOption.WRITE)) {
            file.force(true);
        }
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Files.move(
                directory.resolve(from),
                directory.resolve(to),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void delete(String name) throws IOException {
        Files.deleteIfExists(directory.resolve(name));
    }

    @Override
    public void syncDirectory() throws IOException {
        try (FileChannel opened = FileChannel.open(directory, StandardOpenOption.READ)) {
            opened.force(true);
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
