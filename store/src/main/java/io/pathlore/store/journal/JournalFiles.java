package io.pathlore.store.journal;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * The one directory a journal lives in, as much of a file system as it needs. An interface so that tests can pull the plug
 * between any two calls.
 */
public interface JournalFiles {
    /** The directory, for messages. */
    String where();

    /** Names of the files, in no order. */
    List<String> list() throws IOException;

    boolean exists(String name);

    /** A new, empty file; one that is there already is emptied. */
    JournalFile create(String name) throws IOException;

    /** To be read only. */
    JournalFile open(String name) throws IOException;

    /** To be read and changed. */
    JournalFile edit(String name) throws IOException;

    /** In one step; outlives a crash only after {@link #syncDirectory}. */
    void rename(String from, String to) throws IOException;

    /** Outlives a crash only after {@link #syncDirectory}. A file that is not there is no error. */
    void delete(String name) throws IOException;

    /** Brings creations, renames and deletions to the disk. */
    void syncDirectory() throws IOException;

    /** Whether {@code failure} says that the disk, or what this user may have of it, is full. */
    boolean isFull(IOException failure);

    /**
     * Keeps other writers out until closed; the end of the process closes it too.
     *
     * @throws JournalException if another one has it
     */
    Closeable lock() throws IOException;
}
