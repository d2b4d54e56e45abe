package io.pathlore.ingest.udp;

/**
 * Takes accepted datagrams from the thread that reads. An exporter may send all it has from one source port, which the
 * kernel gives to one socket: work is spread after the read, not by it. {@link Decoding} is the way without spreading: it
 * does the work in place, which is best where there are no cores to spare.
 */
public interface Fanout {
    /**
     * Takes one datagram, borrowed. Never waits.
     *
     * @param exporter its slot in the reader's table
     * @return false when there is no room: the datagram is then dropped, and counted as queueDropped
     */
    boolean offer(DatagramBatch batch, int index, int exporter);

    /** All of a batch has been offered: what was kept back to be done at once is done, and counted, before counts are published. */
    default void flush() {}

    /** A batch has ended, and its counts are published: from now on another thread may act, and count, on what was offered. */
    void endBatch();

    /** Some time has passed, whether or not there were datagrams; what was received before then has been offered. */
    void onTick(long nowNanos);

    /**
     * How full the queue in front of the reader is.
     *
     * @param ticks a monotonic clock
     */
    default void onPressure(int percent, long ticks) {}

    /** There will be no more datagrams. */
    void end();
}
