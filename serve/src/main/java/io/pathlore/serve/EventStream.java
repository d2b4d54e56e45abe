package io.pathlore.serve;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Server-sent events to many clients. Publishing never waits: each client has a queue of its own, and one whose queue is
 * full is told so, let go and counted; it may come back.
 */
public final class EventStream implements AutoCloseable {
    private static final Message HEARTBEAT = new Message(":\n\n".getBytes(StandardCharsets.US_ASCII), false);
    private static final Message DROPPED = new Message(encode("dropped", "too slow"), true);
    private static final Message END = new Message(new byte[0], true);

    private record Message(byte[] bytes, boolean last) {}

    private final int maxClients;
    private final int queueLength;
    private final Duration heartbeat;
    private final List<Client> clients = new CopyOnWriteArrayList<>();
    private final LongAdder dropped = new LongAdder();
    private boolean closed;

    public EventStream(int maxClients, int queueLength, Duration heartbeat) {
        this.maxClients = maxClients;
        this.queueLength = queueLength;
        this.heartbeat = heartbeat;
    }

    /** To everybody who listens now. {@code event} is a word of ours, {@code data} any text. */
    public void publish(String event, String data) {
        if (clients.isEmpty()) {
            return;
        }
        Message message = new Message(encode(event, data), false);
        for (Client client : clients) {
            if (!client.offer(message)) {
                dropped.increment();
            }
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
        clients.forEach(Client::end);
    }

    /** Null where there are too many already, or the stream has ended. */
    synchronized @Nullable Client subscribe() {
        if (closed || clients.size() >= maxClients) {
            return null;
        }
        Client client = new Client();
        clients.add(client);
        return client;
    }

    void forget(Client client) {
        clients.remove(client);
    }

    private static byte[] encode(String event, String data) {
        StringBuilder text = new StringBuilder("event: ").append(event).append('\n');
        data.lines().forEach(line -> text.append("data: ").append(line).append('\n'));
        return text.append('\n').toString().getBytes(StandardCharsets.UTF_8);
    }

    /** One listener; its thread is that of its request. */
    final class Client {
        private final ArrayBlockingQueue<Message> queue = new ArrayBlockingQueue<>(queueLength);
        private boolean slow;

        /** False once, when the queue overflows; from then on the client is out. */
        private synchronized boolean offer(Message message) {
            if (slow || queue.offer(message)) {
                return true;
            }
            slow = true;
            clients.remove(this);
            queue.clear();
            queue.add(DROPPED); // read by a client that is only behind; one that is stuck runs into its lease
            return false;
        }

        synchronized void end() {
            slow = true;
            queue.clear();
            queue.add(END);
        }

        /** Returns when the stream ends or the client was too slow; throws when the client went away. */
        void run(OutputStream out, Lease lease, Duration perEvent) throws IOException {
            try {
                Message message = HEARTBEAT; // so that the client sees at once that it is connected
                while (true) {
                    out.write(message.bytes);
                    out.flush();
                    if (message.last) {
                        return;
                    }
                    lease.suspend();
                    Message next = queue.poll(heartbeat.toNanos(), TimeUnit.NANOSECONDS);
                    lease.renew(perEvent);
                    message = next == null ? HEARTBEAT : next;
                }
            } catch (InterruptedException e) {
                throw new IOException("interrupted", e);
            }
        }
    }
}
