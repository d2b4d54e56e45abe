package io.pathlore.cli.service;

import io.pathlore.ingest.kafka.BrokerException;
import io.pathlore.ingest.kafka.Brokers;
import io.pathlore.ingest.kafka.TextPublisher;
import io.pathlore.ingest.kafka.Topics;
import io.pathlore.serve.JsonText;
import io.pathlore.serve.metrics.MetricWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Publishes what happens, each event as it was told last. Who tells does not wait: events wait here, as many as the book of events has
 * room for. After a restart those that are in the tables are published again, for nobody knows which of them arrived; they have the same key.
 */
final class KafkaEvents implements AutoCloseable {
    private static final int MOST_WAITING = EventBook.EVENTS;
    private static final int AT_ONCE = 500;
    static final long BUFFER_BYTES = 8L << 20;
    private static final long FIRST_PAUSE_MILLIS = 500;
    private static final long LONGEST_PAUSE_MILLIS = 30_000;
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);

    private final Brokers brokers;
    private final Notes notes;
    private final Thread thread;
    private final AtomicLong published = new AtomicLong();

    // Guarded by this.
    private final LinkedHashMap<String, String> waiting = new LinkedHashMap<>();
    private long missed;
    private boolean stopping;

    private volatile String trouble = "";

    private KafkaEvents(Brokers brokers, Notes notes) {
        this.brokers = brokers;
        this.notes = notes;
        thread = Thread.ofPlatform().name("pathlore-kafka-events").unstarted(this::run);
    }

    static KafkaEvents start(Brokers brokers, EventBook events, Notes notes) {
        KafkaEvents publishing = new KafkaEvents(brokers, notes);
        events.tell(publishing::on);
        publishing.thread.start();
        return publishing;
    }

    private synchronized void on(EventBook.Entry entry) {
        String id = entry.event().id().toString();
        waiting.remove(id); // it goes to the end: an event that is over comes after one that began before that
        waiting.put(id, entry.json());
        if (waiting.size() > MOST_WAITING) {
            waiting.pollFirstEntry();
            missed++;
        }
        notifyAll();
    }

    private void run() {
        long pause = FIRST_PAUSE_MILLIS;
        while (true) {
            try {
                if (!await()) {
                    return;
                }
                try (TextPublisher publisher = TextPublisher.open(brokers, Topics.EVENTS, BUFFER_BYTES)) {
                    trouble = "";
                    publish(publisher);
                    return;
                }
            } catch (BrokerException e) {
                synchronized (this) {
                    if (stopping) {
                        return;
                    }
                }
                trouble = String.valueOf(e.getMessage());
                notes.warn("kafka-events", "kafka " + brokers.bootstrap() + ": " + trouble + "; events wait");
                if (!pause(pause)) {
                    return;
                }
                pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
            } catch (InterruptedException e) {
                return; // by close()
            }
        }
    }

    /** Until something is to be published; false if that is over. */
    private synchronized boolean await() throws InterruptedException {
        while (waiting.isEmpty() && !stopping) {
            wait();
        }
        return !waiting.isEmpty();
    }

    private synchronized boolean pause(long millis) {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left = until - System.nanoTime(); left > 0 && !stopping; left = until - System.nanoTime()) {
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException e) {
                return false; // by close()
            }
        }
        return !stopping;
    }

    private void publish(TextPublisher publisher) throws BrokerException, InterruptedException {
        while (await()) {
            Map<String, String> some = take();
            boolean done = false;
            try {
                publisher.publish(some);
                published.addAndGet(some.size());
                done = true;
            } finally {
                if (!done) {
                    putBack(some);
                }
            }
        }
    }

    private synchronized Map<String, String> take() {
        Map<String, String> some = new LinkedHashMap<>();
        while (some.size() < AT_ONCE && !waiting.isEmpty()) {
            Map.Entry<String, String> first = waiting.pollFirstEntry();
            some.put(first.getKey(), first.getValue());
        }
        return some;
    }

    /** Before the others, unless it was told again meanwhile. */
    private synchronized void putBack(Map<String, String> some) {
        Map<String, String> later = new LinkedHashMap<>(waiting);
        waiting.clear();
        waiting.putAll(some);
        later.forEach((id, json) -> {
            waiting.remove(id);
            waiting.put(id, json);
        });
    }

    synchronized void status(JsonText json) {
        json.name("events").open('{');
        json.name("topic").value(Topics.EVENTS);
        json.name("state").value(trouble.isEmpty() ? "ok" : "error");
        if (!trouble.isEmpty()) {
            json.name("detail").value(trouble);
        }
        json.name("published").value(published.get());
        json.name("waiting").value(waiting.size());
        json.name("missed").value(missed).close('}');
    }

    synchronized void write(MetricWriter out) {
        out.counter(
                        "pathlore_kafka_events_published_total",
                        "Events a Kafka broker has acknowledged, told again or not.")
                .value(published.get());
        out.counter("pathlore_kafka_events_missed_total", "Events there was no room for while no broker answered.")
                .value(missed);
    }

    /** Publishes what waits, for a little while. */
    @Override
    public void close() {
        synchronized (this) {
            stopping = true;
            notifyAll();
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                if (!thread.join(LAST_WORDS)) {
                    thread.interrupt();
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
