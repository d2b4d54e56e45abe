package io.pathlore.serve;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Server-sent events to many clients. What is published goes to everybody who wants it; or a client has a feed of its own, a thread
 * that tells only it. Neither ever waits for a client.
 *
 * @param <T> what is published is about one of these, and clients choose by it
 */
public final class EventStream<T> implements AutoCloseable {
    /** Tells one listener what it wants to hear, in a thread of its own, until {@link Listener#tell} says that nobody listens. */
    @FunctionalInterface
    public interface Feed {
        void run(Listener listener) throws InterruptedException;
    }

    private final int maxClients;
    private final int queueLength;
    private final Duration heartbeat;
    private final Map<Listener, Predicate<? super T>> clients = new ConcurrentHashMap<>();
    private final LongAdder dropped = new LongAdder();
    private boolean closed;

    public EventStream(int maxClients, int queueLength, Duration heartbeat) {
        this.maxClients = maxClients;
        this.queueLength = queueLength;
        this.heartbeat = heartbeat;
    }

    /** To everybody who listens now and wants it. {@code event} is a word of ours, {@code data} any text. */
    public void publish(T about, String event, String data) {
        if (clients.isEmpty()) {
            return;
        }
        byte[] message = Listener.encode(event, data);
        clients.forEach((client, wanted) -> {
            if (wanted.test(about)) {
                boolean ignored = client.tell(message);
            }
        });
    }

    /** For a client who wants these of what is published. */
    public Reply.Events listen(Predicate<? super T> wanted) {
        return new Reply.Events(() -> subscribe(wanted), this::forget);
    }

    /** For a client who is told by this feed alone. Its thread begins with the client, and ends with it. */
    public Reply.Events feed(String name, Feed feed) {
        return new Reply.Events(
                () -> {
                    Listener client = subscribe(about -> false);
                    if (client != null) {
                        Thread.ofPlatform().name(name).daemon().start(() -> run(feed, client));
                    }
                    return client;
                },
                this::forget);
    }

    private static void run(Feed feed, Listener client) {
        try {
            feed.run(client);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            client.end();
        }
    }

    public int clients() {
        return clients.size();
    }

    /** Clients that were too slow. */
    public long dropped() {
        return dropped.sum();
    }

    @Override
    public synchronized void close() {
        closed = true;
        clients.keySet().forEach(Listener::end);
    }

    /** Null where there are too many already, or the stream has ended. */
    private synchronized @Nullable Listener subscribe(Predicate<? super T> wanted) {
        if (closed || clients.size() >= maxClients) {
            return null;
        }
        Listener client = new Listener(queueLength, heartbeat, slow -> {
            dropped.increment();
            clients.remove(slow);
        });
        clients.put(client, wanted);
        return client;
    }

    private void forget(Listener client) {
        client.end();
        clients.remove(client);
    }
}
