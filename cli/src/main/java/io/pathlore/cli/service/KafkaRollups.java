package io.pathlore.cli.service;

import io.pathlore.cli.config.Service;
import io.pathlore.ingest.kafka.BrokerException;
import io.pathlore.ingest.kafka.Brokers;
import io.pathlore.ingest.kafka.TextPublisher;
import io.pathlore.ingest.kafka.Topics;
import io.pathlore.serve.JsonText;
import io.pathlore.serve.metrics.MetricWriter;
import io.pathlore.store.tables.QueryException;
import io.pathlore.store.tables.QueryLimits;
import io.pathlore.store.tables.Row;
import io.pathlore.store.tables.TablePages;
import io.pathlore.store.tables.TableStore;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Publishes the rows of the tables, in {@link RollupSteps}. It reads the tables as anybody can, in a thread of its own: who analyses does not know of
 * it, and while no broker answers the tables keep.
 */
final class KafkaRollups implements AutoCloseable {
    static final long BUFFER_BYTES = 16L << 20;

    private static final long NANOS = 1_000_000_000L;
    private static final long IDLE_NANOS = NANOS / 2;
    private static final long FIRST_PAUSE_NANOS = NANOS / 2;
    private static final long LONGEST_PAUSE_NANOS = 30 * NANOS;
    private static final long LAST_WORDS_NANOS = 3 * NANOS;
    private static final long SILENCE_NANOS = 10 * NANOS;

    private final Service service;
    private final Brokers brokers;
    private final Tables tables;
    private final Notes notes;
    private final PublishedMark mark;
    private final long edgeId;
    private final Thread thread;
    private volatile boolean stopping;
    private volatile long stopAtNanos;

    // Written by the thread, read by who asks.
    private final AtomicLong published = new AtomicLong();
    private volatile long publishedTo;
    private volatile long missed;
    private volatile int waiting;
    private volatile long waitingSince;
    private volatile boolean isConnecting;
    private volatile boolean connected;
    private volatile String trouble = "";

    private KafkaRollups(Service service, Brokers brokers, Tables tables, PublishedMark mark, Notes notes) {
        this.service = service;
        this.brokers = brokers;
        this.tables = tables;
        this.mark = mark;
        this.notes = notes;
        edgeId = mark.edgeId() == 0 ? ThreadLocalRandom.current().nextLong() | 1 : mark.edgeId();
        publishedTo = mark.positionOf(edgeId);
        thread = Thread.ofPlatform().name("pathlore-kafka-rollups").unstarted(this::run);
    }

    static KafkaRollups start(Service service, Brokers brokers, Tables tables, Notes notes) throws ServiceException {
        PublishedMark mark = KafkaOut.mark(service, PublishedMark.ROLLUPS);
        KafkaRollups publishing = new KafkaRollups(service, brokers, tables, mark, notes);
        publishing.thread.start();
        return publishing;
    }

    private void run() {
        long pause = FIRST_PAUSE_NANOS;
        while (!isOver()) {
            long before = published.get();
            try {
                TableStore store = tables.store();
                if (store == null) {
                    park(IDLE_NANOS);
                    continue;
                }
                isConnecting = true;
                try (TextPublisher publisher = TextPublisher.open(brokers, Topics.ROLLUPS, BUFFER_BYTES)) {
                    isConnecting = false;
                    connected = true;
                    trouble = "";
                    publish(store, publisher);
                }
            } catch (BrokerException | QueryException | IOException | RuntimeException e) {
                if (stopping) {
                    return; // what is left is for the next start
                }
                trouble = e instanceof RuntimeException ? e.toString() : String.valueOf(e.getMessage());
                notes.warn(
                        "kafka-rollups",
                        "kafka " + brokers.bootstrap() + ": rollups: " + trouble
                                + "; the tables keep what waits, and it is tried again");
                pause = published.get() > before ? FIRST_PAUSE_NANOS : Math.min(2 * pause, LONGEST_PAUSE_NANOS);
                park(pause);
            } catch (InterruptedException e) {
                return; // by close()
            }
        }
    }

    private boolean isOver() {
        return stopping && System.nanoTime() - stopAtNanos >= 0;
    }

    private void park(long nanos) {
        long end = System.nanoTime() + nanos;
        while (!stopping && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(this, end - System.nanoTime());
        }
    }

    private void publish(TableStore store, TextPublisher publisher)
            throws BrokerException, QueryException, InterruptedException, IOException {
        RollupSteps steps = new RollupSteps(
                new TablePages(store.queries(QueryLimits.DEFAULT)),
                counting(publisher),
                mark,
                edgeId,
                service.store().seconds().toNanos(),
                notes);
        long missedBefore = missed;
        while (!stopping) {
            boolean more = steps.step(store.stored().storedToNanos());
            publishedTo = steps.publishedTo();
            missed = missedBefore + steps.missed();
            if (!more) {
                steps.goAhead();
                park(IDLE_NANOS);
            }
        }
        while (store.health().waitingBytes() > 0 && !isOver()) {
            LockSupport.parkNanos(this, IDLE_NANOS / 100);
        }
        steps.finish(this::isOver);
        stopAtNanos = System.nanoTime();
    }

    private RollupSteps.Outlet counting(TextPublisher publisher) {
        return new RollupSteps.Outlet() {
            @Override
            public void publish(Map<String, String> texts) throws BrokerException {
                waitingSince = System.nanoTime();
                waiting = texts.size();
                publisher.publish(texts);
                waiting = 0;
                published.addAndGet(texts.size());
            }

            @Override
            public void publishToAll(String key, String text) throws BrokerException {
                publisher.publishToAll(key, text);
            }
        };
    }

    // Telling
    // --------------------------------------------------------------------------------------------------------------

    private String state() {
        if (!trouble.isEmpty()) {
            return "error";
        }
        if (isConnecting || !connected) {
            return "connecting";
        }
        return waiting > 0 && System.nanoTime() - waitingSince > SILENCE_NANOS ? "silent" : "ok";
    }

    /** Of what is in the tables for good and was not published yet; 0 where all was. */
    private double behindSeconds() {
        TableStore store = tables.store();
        long stored = store == null ? Row.ABSENT : store.stored().storedToNanos();
        return stored == Row.ABSENT || publishedTo == PublishedMark.NONE
                ? 0
                : Math.max(0, stored - publishedTo) / (double) NANOS;
    }

    void status(JsonText json) {
        json.name("rollups").open('{');
        json.name("topic").value(Topics.ROLLUPS);
        json.name("state").value(state());
        if (!trouble.isEmpty()) {
            json.name("detail").value(trouble);
        }
        json.name("published").value(published.get());
        json.name("waiting").value(waiting);
        json.name("missed").value(missed);
        json.name("behindSeconds").value(behindSeconds()).close('}');
    }

    void write(MetricWriter out) {
        out.counter("pathlore_kafka_rollups_published_total", "Rows of tables a Kafka broker has acknowledged.")
                .value(published.get());
        out.counter(
                        "pathlore_kafka_rollups_missed_total",
                        "Minutes whose seconds were removed from the tables, and rows too long, before they were published.")
                .value(missed);
        out.gauge("pathlore_kafka_rollups_behind_seconds", "Time in the tables for good that was not published yet.")
                .value(behindSeconds());
    }

    /** Publishes what the tables have, for a little while; the rest is for the next start. */
    @Override
    public void close() {
        stopAtNanos = System.nanoTime() + LAST_WORDS_NANOS;
        stopping = true;
        LockSupport.unpark(thread);
        if (isConnecting || waiting > 0 && !state().equals("ok")) {
            thread.interrupt(); // nobody is there to be told
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                if (!thread.join(Duration.ofNanos(LAST_WORDS_NANOS + NANOS))) {
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
