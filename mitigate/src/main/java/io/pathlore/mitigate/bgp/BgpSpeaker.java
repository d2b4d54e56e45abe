package io.pathlore.mitigate.bgp;

import io.pathlore.model.Rule;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One session with one router, kept up by a thread of its own: it connects, connects again, with longer and longer waits, and announces what
 * is to be announced whenever a session begins. It offers no graceful restart, so that the router forgets everything when the session ends,
 * however it ends: at once when the connection is closed, after the hold time when it goes dark.
 */
public final class BgpSpeaker implements AutoCloseable {
    private static final int POLL_MILLIS = 200;
    private static final int CONNECT_MILLIS = 5_000;
    /** For the other side to open. */
    private static final long OPEN_NANOS = 10_000_000_000L;

    private static final long SECOND = 1_000_000_000L;
    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final long FIRST_WAIT_MILLIS = 1_000;
    private static final long LONGEST_WAIT_MILLIS = 60_000;
    private static final int KEEPALIVES_PER_HOLD = 3;

    private static final int OPEN_ERROR = 2;
    private static final int BAD_PEER_AS = 2;
    private static final int NO_HOLD_TIME = 6;
    private static final int HOLD_TIMER_EXPIRED = 4;
    private static final int STATE_ERROR = 5;
    private static final int CEASE = 6;
    private static final int SHUTDOWN = 2;

    /** Between the two who speak. */
    private record Session(Socket socket, OutputStream out, PeerOpen peer) {}

    private final Peering peering;
    private final Thread thread;
    private final Object lock = new Object();

    // All under the lock.
    private final Map<Rule, FlowRoute> routes = new LinkedHashMap<>();
    private final Set<Rule> announced = new LinkedHashSet<>();
    private @Nullable Session session;
    private @Nullable Socket connection;
    private String trouble = "not connected yet";
    private boolean closed;
    private boolean forgetting;
    private long forgottenNanos;
    private long sessions;

    // Of the thread alone.
    private boolean peerEnded;
    private int holdSeconds;
    private boolean reached;

    public BgpSpeaker(String name, Peering peering) {
        this.peering = peering;
        thread = Thread.ofPlatform().daemon().name("pathlore-bgp-" + name).unstarted(this::run);
        thread.start();
    }

    /** Why a rule cannot be said in BGP, or null. */
    public static @Nullable String cannot(Rule rule) {
        return FlowRoute.cannot(rule);
    }

    /**
     * Sends the route, now and in every session to come.
     *
     * @throws IOException with a message of one line if there is no session now
     */
    public void announce(Rule rule) throws IOException {
        FlowRoute route = FlowRoute.of(rule);
        synchronized (lock) {
            routes.put(rule, route);
            Session now = session;
            if (now == null) {
                throw new IOException("no BGP session with " + peering + ": " + trouble);
            }
            if (!now.peer.families().contains(route.family())) {
                routes.remove(rule);
                throw new IOException(peering + " takes no flow specifications of "
                        + route.family().label());
            }
            if (!announced.contains(rule)) {
                write(now, Message.announce(route, peering.localAs(), peering.internal(), now.peer.wide()));
                announced.add(rule);
            }
        }
    }

    /**
     * Takes the route back.
     *
     * @throws IOException with a message of one line while the router may still have it from a session that went dark
     */
    public void withdraw(Rule rule) throws IOException {
        synchronized (lock) {
            FlowRoute route = routes.remove(rule);
            Session now = session;
            if (now != null) {
                if (announced.contains(rule)) {
                    write(now, Message.withdraw(route == null ? FlowRoute.of(rule) : route));
                    announced.remove(rule);
                }
                return;
            }
            long left = forgottenNanos - System.nanoTime();
            if (forgetting && left > 0) {
                throw new IOException("no BGP session with " + peering + ": it forgets within " + (left / SECOND + 1)
                        + " s (" + trouble + ")");
            }
        }
    }

    /** What the router has from us. */
    public Set<Rule> announced() {
        synchronized (lock) {
            return session == null ? Set.of() : Set.copyOf(announced);
        }
    }

    public boolean isEstablished() {
        synchronized (lock) {
            return session != null;
        }
    }

    /** How many there were. */
    public long sessions() {
        synchronized (lock) {
            return sessions;
        }
    }

    /** Why there is no session, in one line. */
    public String trouble() {
        synchronized (lock) {
            return session == null ? trouble : "";
        }
    }

    private void write(Session to, byte[] message) throws IOException {
        try {
            to.out.write(message);
        } catch (IOException e) {
            close(to.socket);
            throw new IOException("the BGP session with " + peering + " broke: " + e.getMessage(), e);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is gone either way.
        }
    }

    private void run() {
        long wait = FIRST_WAIT_MILLIS;
        while (true) {
            reached = false;
            peerEnded = false;
            String why;
            try {
                talk();
                why = "closed";
            } catch (BgpException | IOException e) {
                why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            }
            wait = reached ? FIRST_WAIT_MILLIS : Math.min(LONGEST_WAIT_MILLIS, 2 * wait);
            synchronized (lock) {
                if (session != null) {
                    forgetting = !peerEnded;
                    forgottenNanos = System.nanoTime() + holdSeconds * SECOND;
                }
                session = null;
                connection = null;
                announced.clear();
                trouble = why.replaceAll("\\p{Cntrl}", "?");
                long until = System.nanoTime() + wait * NANOS_PER_MILLI;
                while (!closed && until - System.nanoTime() > 0) {
                    try {
                        lock.wait(Math.max(1, (until - System.nanoTime()) / NANOS_PER_MILLI));
                    } catch (InterruptedException e) {
                        return;
                    }
                }
                if (closed) {
                    return;
                }
            }
        }
    }

    private void talk() throws IOException, BgpException {
        try (Socket socket = new Socket()) {
            synchronized (lock) {
                if (closed) {
                    return;
                }
                connection = socket;
            }
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(POLL_MILLIS);
            connect(socket);
            OutputStream out = socket.getOutputStream();
            try {
                MessageReader in = new MessageReader(socket.getInputStream());
                out.write(Message.open(peering.localAs(), peering.holdSeconds(), peering.identifier()));
                PeerOpen peer = PeerOpen.decode(await(in, Message.OPEN).body());
                check(peer);
                out.write(Message.keepalive());
                await(in, Message.KEEPALIVE);
                begin(new Session(socket, out, peer));
                listen(in);
            } catch (BgpException e) {
                out.write(Message.notification(e.code(), e.subcode()));
                throw e;
            }
        }
    }

    private void connect(Socket socket) throws IOException {
        // A name may stand for another address by now.
        InetSocketAddress to = new InetSocketAddress(
                peering.peer().getHostString(), peering.peer().getPort());
        try {
            socket.connect(to, CONNECT_MILLIS);
        } catch (ConnectException | SocketTimeoutException e) {
            throw new IOException("cannot connect: " + e.getMessage(), e);
        }
    }

    private void check(PeerOpen peer) throws BgpException {
        if (peer.as() != peering.peerAs()) {
            throw new BgpException(
                    OPEN_ERROR, BAD_PEER_AS, "the peer is AS " + peer.as() + ", not " + peering.peerAs());
        }
        if (peer.holdSeconds() == 0) {
            throw new BgpException(OPEN_ERROR, NO_HOLD_TIME, "the peer wants no hold time, it would never forget");
        }
        holdSeconds = Math.min(peering.holdSeconds(), peer.holdSeconds());
    }

    private MessageReader.Received await(MessageReader in, int type) throws IOException, BgpException {
        long until = System.nanoTime() + OPEN_NANOS;
        while (until - System.nanoTime() > 0) {
            MessageReader.Received message = in.next();
            if (message != null) {
                if (message.type() == type) {
                    return message;
                }
                throw unexpected(message);
            }
        }
        throw new BgpException(HOLD_TIMER_EXPIRED, 0, "the peer does not open a session");
    }

    /** Either the other side ends it, which is not ours to answer, or it is confused. */
    private BgpException unexpected(MessageReader.Received message) throws IOException {
        if (message.type() == Message.NOTIFICATION) {
            peerEnded = true;
            throw new IOException("the peer ended the session: notification " + (message.body()[0] & 0xFF) + "/"
                    + (message.body()[1] & 0xFF));
        }
        return new BgpException(STATE_ERROR, 0, "the peer sent a message of type " + message.type() + " out of turn");
    }

    private void begin(Session begun) throws IOException {
        synchronized (lock) {
            reached = true;
            session = begun;
            sessions++;
            announced.clear();
            for (Map.Entry<Rule, FlowRoute> each : routes.entrySet()) {
                if (begun.peer.families().contains(each.getValue().family())) {
                    write(
                            begun,
                            Message.announce(
                                    each.getValue(), peering.localAs(), peering.internal(), begun.peer.wide()));
                    announced.add(each.getKey());
                }
            }
        }
    }

    /** What the router announces does not concern us; that it still speaks does. */
    private void listen(MessageReader in) throws IOException, BgpException {
        long hold = holdSeconds * SECOND;
        long heard = System.nanoTime();
        long spoke = heard;
        while (true) {
            MessageReader.Received message;
            try {
                message = in.next();
            } catch (EOFException e) {
                peerEnded = true;
                throw e;
            } catch (SocketException e) {
                peerEnded = "Connection reset".equals(e.getMessage());
                throw e;
            }
            long now = System.nanoTime();
            if (message != null) {
                heard = now;
                if (message.type() == Message.NOTIFICATION || message.type() == Message.OPEN) {
                    throw unexpected(message);
                }
            } else if (now - heard > hold) {
                throw new BgpException(HOLD_TIMER_EXPIRED, 0, "the peer was silent for " + holdSeconds + " s");
            }
            if (now - spoke > hold / KEEPALIVES_PER_HOLD) {
                spoke = now;
                synchronized (lock) {
                    Session mine = session;
                    if (mine != null) {
                        write(mine, Message.keepalive());
                    }
                }
            }
        }
    }

    /** Ends the session in order; the router forgets all routes. */
    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            Session now = session;
            if (now != null) {
                try {
                    now.out.write(Message.notification(CEASE, SHUTDOWN));
                } catch (IOException e) {
                    // The end of the connection says the same.
                }
            }
            if (connection != null) {
                close(connection);
            }
            lock.notifyAll();
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
