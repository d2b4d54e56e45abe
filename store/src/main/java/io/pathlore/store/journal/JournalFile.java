package io.pathlore.store.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** One open file of {@link JournalFiles}. */
public interface JournalFile extends Closeable {
    /** Writes some or all of what is between position and limit, and moves the position past it. */
    int write(ByteBuffer from, long offset) throws IOException;

    /** Reads some octets; -1 if there is none at {@code offset} or behind. */
    int read(ByteBuffer into, long offset) throws IOException;

    long size() throws IOException;

    void truncate(long size) throws IOException;

    /** Brings contents and length to the disk. */
    void sync() throws IOException;
}
