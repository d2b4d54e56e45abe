package io.pathlore.dataplane.live;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Sends UDP datagrams from one address to one other, many with one system call where the system can. A datagram that cannot
 * be sent is counted and not an exception: neither a receiver that is not there nor a full queue ends a run.
 *
 * <p>Hot path: allocates nothing per datagram. Belongs to one thread.
 */
public sealed interface BatchSender extends Closeable permits LinuxSender, ChannelSender {
    /** How datagrams are handed to the system. */
    enum Technique {
        /** {@code sendmmsg}, and runs of equally long datagrams as one that the system cuts up (UDP_SEGMENT). Linux. */
        SEGMENTS,
        /** {@code sendmmsg}: up to 64 datagrams with a call. Linux. */
        MESSAGES,
        /** One call each, on any system. */
        CHANNEL
    }

    /**
     * By the best technique there is here.
     *
     * @param from address to send from, null for the one the system chooses
     * @throws IOException with one line for the user, when the address is not of this machine or there is no way to {@code to}
     */
    static BatchSender open(@Nullable InetAddress from, InetSocketAddress to) throws IOException {
        return open(from, to, Technique.SEGMENTS);
    }

    /** By {@code best}, or by one of the techniques below it where this system lacks it. */
    static BatchSender open(@Nullable InetAddress from, InetSocketAddress to, Technique best) throws IOException {
        if (to.isUnresolved()) {
            throw new IOException("cannot resolve " + to.getHostString());
        }
        if (best == Technique.CHANNEL || !LinuxSockets.isSupported()) {
            return new ChannelSender(from, to);
        }
        return new LinuxSender(from, to, best == Technique.SEGMENTS);
    }

    Technique technique();

    /** Takes a copy of {@code [from, end)}, to be sent with others; at the latest by {@link #flush}. */
    void add(ByteBuffer datagram, int from, int end);

    /** Sends what was added. Waits while the socket's buffer is full, but not for ever. */
    void flush();

    /** Datagrams that the system took. */
    long sent();

    /** Octets of payload in them. */
    long octets();

    /** Datagrams that the system did not take. */
    long failed();

    /** How often the system told that a datagram sent before had met a closed port. */
    long refused();

    /** Why the last of {@link #failed} was not taken; empty if none. */
    String lastFailure();

    @Override
    void close();
}
