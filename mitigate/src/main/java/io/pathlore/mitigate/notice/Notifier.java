package io.pathlore.mitigate.notice;

import io.pathlore.mitigate.http.Destination;
import io.pathlore.mitigate.http.HttpCaller;
import io.pathlore.mitigate.http.Secret;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Tells one webhook. Whoever has something to tell leaves it and goes on. */
public final class Notifier implements AutoCloseable {
    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final long LONGEST_SLEEP_MILLIS = 10_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** How it goes. */
    public record Health(long sent, long turnedAway, long lost, int waiting, String trouble) {}

    private final Destination to;
    private final @Nullable Secret secret;
    private final Predicate<Notice> filter;
    private final HttpCaller http = new HttpCaller(TIMEOUT);
    private final NoticeQueue queue;
    private final Object lock = new Object();
    private final Thread thread;
    private long sent;
    private String trouble = "";
    private boolean closed;

    public Notifier(Destination to, @Nullable Secret secret, Grouping grouping, Predicate<Notice> filter) {
        queue = new NoticeQueue(grouping);
        this.to = to;
        this.secret = secret;
        this.filter = filter;
        thread = Thread.ofVirtual().name("pathlore-notify").start(this::run);
    }

    public void tell(Notice notice) {
        if (filter.test(notice)) {
            synchronized (lock) {
                queue.add(notice, System.nanoTime());
                lock.notifyAll();
            }
        }
    }

    /** Whom it tells. */
    public String host() {
        return String.valueOf(to.uri().getHost());
    }

    public Health health() {
        synchronized (lock) {
            return new Health(sent, queue.turnedAway(), queue.lost(), queue.size(), trouble);
        }
    }

    private void run() {
        try {
            while (true) {
                NoticeQueue.Message message;
                synchronized (lock) {
                    long wait = queue.waitNanos(System.nanoTime());
                    while (wait > 0 && !closed) {
                        lock.wait(Math.min(LONGEST_SLEEP_MILLIS, wait / NANOS_PER_MILLI + 1));
                        wait = queue.waitNanos(System.nanoTime());
                    }
                    if (closed) {
                        return;
                    }
                    message = queue.next();
                }
                String failure = post(message.json());
                synchronized (lock) {
                    sent += failure.isEmpty() ? message.notices().size() : 0;
                    trouble = failure;
                    queue.done(message, failure.isEmpty(), System.nanoTime());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Empty where it was taken. */
    private String post(String body) throws InterruptedException {
        try {
            to.check();
            Map<String, String> headers = secret == null ? Map.of() : Map.of(Secret.HEADER, secret.signature(body));
            int status = http.send("POST", to.uri(), body, headers);
            return status / 100 == 2 ? "" : to.uri().getHost() + " answered " + status;
        } catch (IOException e) {
            return String.valueOf(e.getMessage()).replaceAll("\\p{Cntrl}", "?");
        }
    }

    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            lock.notifyAll();
        }
        thread.interrupt();
        http.close();
    }
}
