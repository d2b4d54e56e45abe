package io.pathlore.ingest.udp;

import io.pathlore.ingest.KernelDrops;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.function.Consumer;

/**
 * The sockets of one worker and the batch they are read into. All but {@link #wake} belongs to the worker's thread once it
 * runs.
 */
public interface UdpSockets extends AutoCloseable {
    /** How datagrams are read. */
    enum Technique {
        /** {@code recvmmsg}: up to 64 with a call, with the kernel's times and drop counts. */
        RECVMMSG,
        /** Java's own: one at a time; the kernel's drops are not known. */
        CHANNEL
    }

    /**
     * One socket.
     *
     * @param label how it is called in the ledger: address and port, and the worker where there are several
     * @param grantedBytes receive buffer, as one asks for it; the kernel keeps twice as much for its own needs
     */
    record Bound(
            String label, InetAddress address, int port, int askedBytes, int grantedBytes, KernelDrops kernelDrops) {}

    Technique technique();

    int size();

    Bound socket(int index);

    /** Those there are now, for any thread. */
    List<Bound> bound();

    /**
     * Opens what is wanted and not open yet: all of it, or nothing.
     *
     * @param worker whose sockets these are
     */
    void open(Listen wanted, int worker, Consumer<String> warnings) throws ListenException;

    /** As {@link #refuseMore()}, for one socket. */
    void refuseMore(int index);

    /** Closes one socket; those behind it move up. */
    void close(int index);

    DatagramBatch batch();

    /** Waits until something is there to read, {@link #wake} was called, or the time is over. */
    void await(int millis) throws IOException;

    /** Whether the last {@link #await} found something to read. */
    boolean isReady(int index);

    /**
     * Fills the batch with what is there. Never waits.
     *
     * @return false when this emptied the socket, true when there may be more
     */
    boolean receive(int index) throws IOException;

    /** How full the kernel's queue of the socket is; 0 where that is not known. */
    int queuedPercent(int index);

    /** Asks the kernel how many it dropped. */
    void readKernelDrops();

    /**
     * Closes the door: what arrives from now on the kernel drops, and counts where it counts. What it had queued before can
     * still be read, so that nothing vanishes between the last read and {@link #close}.
     */
    void refuseMore();

    /** Ends {@link #await} at once. From any thread. */
    void wake();

    @Override
    void close();
}
