package io.pathlore.store.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** A directory of the real file system. */
public final class DiskFiles implements JournalFiles {
    private static final String LOCK = "lock";
    // Less than this is full for everybody who wants to write a block.
    private static final long FULL_BYTES = 1 << 20;

    private final Path directory;

    private DiskFiles(Path directory) {
        this.directory = directory;
    }

    /** Whether there is a journal in this directory: whether it holds a file that only a journal has. */
    public static boolean isJournal(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return false;
        }
        for (String name : new DiskFiles(directory).list()) {
            if (SegmentName.isSegment(name) || SegmentName.isQuarantined(name)) {
                return true;
            }
        }
        return false;
    }

    /** For reading; the directory has to be there. */
    public static DiskFiles of(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            throw new JournalException("journal " + directory + ": no such directory");
        }
        return new DiskFiles(directory);
    }

    /** For writing; the directory is made where it is missing. */
    public static DiskFiles make(Path directory) throws IOException {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw JournalException.because("cannot make the directory", directory.toString(), e);
        }
        return new DiskFiles(directory);
    }

    @Override
    public String where() {
        return directory.toString();
    }

    @Override
    public List<String> list() throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                names.add(String.valueOf(entry.getFileName()));
            }
        }
        return names;
    }

    @Override
    public boolean exists(String name) {
        return Files.exists(directory.resolve(name));
    }

    @Override
    public JournalFile create(String name) throws IOException {
        return new DiskFile(FileChannel.open(
                directory.resolve(name),
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE));
    }

    @Override
    public JournalFile open(String name) throws IOException {
        return new DiskFile(FileChannel.open(directory.resolve(name), StandardOpenOption.READ));
    }

    @Override
    public JournalFile edit(String name) throws IOException {
        return new DiskFile(
                FileChannel.open(directory.resolve(name), StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Files.move(directory.resolve(from), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void delete(String name) throws IOException {
        Files.deleteIfExists(directory.resolve(name));
    }

    @Override
    public void syncDirectory() throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** The text of an error depends on the language of the system, so the room left is asked for too. */
    @Override
    public boolean isFull(IOException failure) {
        String message = String.valueOf(failure.getMessage());
        if (message.contains("No space left") || message.contains("quota exceeded")) {
            return true;
        }
        try {
            return Files.getFileStore(directory).getUsableSpace() < FULL_BYTES;
        } catch (IOException e) {
            return false; // the disk does not even say how full it is: that is another trouble
        }
    }

    @Override
    public Closeable lock() throws IOException {
        FileChannel channel;
        try {
            channel = FileChannel.open(
                    directory.resolve(LOCK),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw JournalException.because("cannot be written to", where(), e);
        }
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                byte[] owner = Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
                channel.truncate(0).write(ByteBuffer.wrap(owner), 0);
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            // This very process has it: the answer is the same.
        } catch (IOException e) {
            channel.close();
            throw JournalException.because("cannot be locked", where(), e);
        }
        String owner = owner(channel);
        channel.close();
        throw new JournalInUseException(where(), owner);
    }

    private static String owner(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(20);
        channel.read(text, 0);
        String pid = new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII);
        return pid.matches("[0-9]+") ? " (process " + pid + ")" : "";
    }

    private record DiskFile(FileChannel channel) implements JournalFile {
        @Override
        public int write(ByteBuffer from, long offset) throws IOException {
            return channel.write(from, offset);
        }

        @Override
        public int read(ByteBuffer into, long offset) throws IOException {
            return channel.read(into, offset);
        }

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public void truncate(long size) throws IOException {
            channel.truncate(size);
        }

        // Without the times of the file: they would be a second write for nothing.
        @Override
        public void sync() throws IOException {
            channel.force(false);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
