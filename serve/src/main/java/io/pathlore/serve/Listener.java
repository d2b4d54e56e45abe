package io.pathlore.serve;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One client of an {@link EventStream}: a queue between whoever tells it something, who never waits, and the thread of its request,
 * which writes. One whose queue is full is told so and let go; it may come back.
 */
public final class Listener {
    /** What may wait for one client; one message more is taken however long it is, so that a long one can be told at all. */
    private static final int QUEUED_BYTES = 4 << 20;

    private static final Message HEARTBEAT = new Message(":\n\n".getBytes(StandardCharsets.US_ASCII), false);
    private static final Message DROPPED = new Message(encode("dropped", "too slow"), true);
    private static final Message END = new Message(new byte[0], true);

    private record Message(byte[] bytes, boolean last) {}

    private final ArrayBlockingQueue<Message> queue;
    private final Duration heartbeat;
    private final Consumer<Listener> onSlow;
    private final CountDownLatch gone = new CountDownLatch(1);
    private int queuedBytes;
    private boolean out;

    Listener(int queueLength, Duration heartbeat, Consumer<Listener> onSlow) {
        queue = new ArrayBlockingQueue<>(queueLength);
        this.heartbeat = heartbeat;
        this.onSlow = onSlow;
    }

    static byte[] encode(String event, String data) {
        StringBuilder text = new StringBuilder("event: ").append(event).append('\n');
        data.lines().forEach(line -> text.append("data: ").append(line).append('\n'));
        return text.append('\n').toString().getBytes(StandardCharsets.UTF_8);
    }

    /** {@code event} is a word of ours, {@code data} any text. False: nobody listens any more. */
    public boolean tell(String event, String data) {
        return tell(encode(event, data));
    }

    boolean tell(byte[] message) {
        synchronized (this) {
            if (out) {
                return false;
            }
            if (queuedBytes <= QUEUED_BYTES && queue.offer(new Message(message, false))) {
                queuedBytes += message.length;
                return true;
            }
            leave(DROPPED); // read by a client that is only behind; one that is stuck runs into its lease
        }
        onSlow.accept(this);
        return false;
    }

    /** Waits so long, or until the client goes; false if it has. */
    public boolean stays(Duration time) throws InterruptedException {
        return !gone.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Nothing more is told. */
    synchronized void end() {
        leave(END);
    }

    private void leave(Message last) {
        if (!out) {
            out = true;
            queue.clear();
            queue.add(last);
            gone.countDown();
        }
    }

    private synchronized void taken(Message message) {
        queuedBytes -= message.bytes.length;
    }

    /** Returns when the stream ends or the client was too slow; throws when the client went away. */
    void run(OutputStream to, Lease lease, Duration perEvent) throws IOException {
        try {
            Message message = HEARTBEAT; // so that the client sees at once that it is connected
            while (true) {
                to.write(message.bytes);
                to.flush();
                if (message.last) {
                    return;
                }
                lease.suspend();
                Message next = poll();
                lease.renew(perEvent);
                message = next == null ? HEARTBEAT : next;
            }
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        }
    }

    private @Nullable Message poll() throws InterruptedException {
        Message next = queue.poll(heartbeat.toNanos(), TimeUnit.NANOSECONDS);
        if (next != null) {
            taken(next);
        }
        return next;
    }
}
