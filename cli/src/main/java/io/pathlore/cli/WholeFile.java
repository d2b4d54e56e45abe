package io.pathlore.cli;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A file that appears under its name when it is complete, and not before: until then it stands beside it under another, and a
 * full disk, an error or Ctrl-C leave nothing. What is no file, like {@code /dev/null} or a pipe, is written as it is.
 */
final class WholeFile implements Closeable {
    private final Path target;
    private final Path written;
    private final boolean replace;
    private final FileChannel channel;
    private boolean complete;

    private WholeFile(Path target, Path written, boolean replace, FileChannel channel) {
        this.target = target;
        this.written = written;
        this.replace = replace;
        this.channel = channel;
    }

    /** @throws FileAlreadyExistsException if there is one and it is not to be replaced */
    static WholeFile create(Path path, boolean replace) throws IOException {
        boolean there = Files.exists(path);
        // Through a link: the file behind it is meant.
        Path target = there ? path.toRealPath() : path.toAbsolutePath();
        if (there && !Files.isRegularFile(target)) {
            return new WholeFile(target, target, true, FileChannel.open(target, StandardOpenOption.WRITE));
        }
        if (there && !replace) {
            throw new FileAlreadyExistsException(path.toString());
        }
        Path written = target.resolveSibling(
                "." + target.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
        FileChannel channel = FileChannel.open(
                written, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        return new WholeFile(target, written, replace, channel);
    }

    /** Closing it is not needed. */
    OutputStream stream() {
        return Channels.newOutputStream(channel);
    }

    /** After all of it was written to the stream. */
    void complete() throws IOException {
        if (written.equals(target)) {
            complete = true;
            return;
        }
        channel.force(true);
        if (replace) {
            Files.move(written, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } else {
            Files.move(written, target);
        }
        complete = true;
    }

    @Override
    public void close() throws IOException {
        channel.close();
        if (!complete && !written.equals(target)) {
            Files.deleteIfExists(written);
        }
    }
}
