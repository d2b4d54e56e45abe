package io.pathlore.cli.scale;

/** Takes what parts tell. */
public interface Outlet {
    /** For a part of a later stage. */
    void block(Stage stage, int part, byte[] block);

    /** An event, by its id: a later one takes the place of the earlier. */
    void event(String id, String json);

    /** A row of a table, by its key. */
    void row(String key, String json);

    /** All rows that begin before this time have been told by this source; there are {@link Parts#sources} of them. */
    void complete(int source, long untilNanos);
}
