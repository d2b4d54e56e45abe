package io.pathlore.mitigate.ledger;

import java.io.IOException;

/** As much of a file system as the ledger needs. An interface so that tests can pull the plug between any two calls. */
interface LedgerFiles {
    /** Where they are, for messages. */
    String where();

    /** All of a file; empty where there is none. */
    byte[] read(String name) throws IOException;

    /** Makes it, empty, or empties it. */
    void create(String name) throws IOException;

    /** May write a part and fail. */
    void append(String name, byte[] bytes) throws IOException;

    void truncate(String name, long length) throws IOException;

    void sync(String name) throws IOException;

    /** In one step; outlives a crash only after {@link #syncDirectory}. */
    void rename(String from, String to) throws IOException;

    /** A file that is not there is no error. */
    void delete(String name) throws IOException;

    void syncDirectory() throws IOException;
}
