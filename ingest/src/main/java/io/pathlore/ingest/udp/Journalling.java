package io.pathlore.ingest.udp;

/**
 * Keeps accepted datagrams. Called on the thread that decodes, after decoding, when all flags of the datagram are known.
 * Never waits: what cannot be kept is counted as journalDropped by the journal, what is kept as journalled.
 */
public interface Journalling {
    /** The datagram is borrowed. */
    void offer(DatagramBatch batch, int index);

    /** A batch has ended, and its counts are published: from now on another thread may act, and count, on what was offered. */
    default void endBatch() {}

    /** Some time has passed. */
    default void onTick(long nowNanos) {}
}
