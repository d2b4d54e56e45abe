package io.pathlore.cli.service;

import io.pathlore.cli.config.Service;
import io.pathlore.ingest.kafka.BrokerException;
import io.pathlore.ingest.kafka.Brokers;
import io.pathlore.ingest.kafka.DatagramPublisher;
import io.pathlore.ingest.kafka.Topics;
import io.pathlore.serve.JsonText;
import io.pathlore.serve.metrics.MetricWriter;
import io.pathlore.store.journal.DiskFiles;
import io.pathlore.store.journal.JournalReader;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Publishes what is journalled. It reads the journal as anybody can, in a thread of its own: who receives does not know of it, and while no
 * broker answers the journal keeps. After a crash it goes on behind what {@link PublishedMark} says; what is sent twice by that can be told by its
 * position.
 */
final class KafkaEdge implements AutoCloseable {
    private static final long NANOS = 1_000_000_000L;
    private static final long IDLE_NANOS = 5_000_000;
    private static final long MARK_NANOS = NANOS;
    private static final long FIRST_PAUSE_NANOS = NANOS / 2;
    private static final long LONGEST_PAUSE_NANOS = 30 * NANOS;
    private static final long LAST_WORDS_NANOS = 3 * NANOS;

    /** How often who is read is asked how far it has come. */
    private static final int SETTLE_EVERY = 256;

    /** How long nothing may arrive, while something waits, before the operator is told. */
    private static final long SILENCE_NANOS = 10 * NANOS;

    static final long BUFFER_BYTES = 32L << 20;

    private final Service service;
    private final Brokers brokers;
    private final LongSupplier epochNanos;
    private final Notes notes;
    private final PublishedMark mark;
    private final Thread thread;
    private volatile boolean stopping;
    private volatile long stopAtNanos;

    // Written by the thread, read by who asks.
    private volatile long published;
    private volatile long missed;
    private final AtomicLong failures = new AtomicLong();
    private volatile long waiting;
    private volatile long lastNanos;
    private volatile long movedNanos;
    private volatile boolean isAtEnd = true;
    private volatile boolean isConnecting;
    private volatile String trouble = "";

    private long position = PublishedMark.NONE;
    private long edgeId;
    private long publishedBefore;
    private long missedBefore;
    private long markedAtNanos;

    private KafkaEdge(Service service, Brokers brokers, PublishedMark mark, LongSupplier epochNanos, Notes notes) {
        this.service = service;
        this.brokers = brokers;
        this.mark = mark;
        this.epochNanos = epochNanos;
        this.notes = notes;
        movedNanos = System.nanoTime();
        thread = Thread.ofPlatform().name("pathlore-kafka").unstarted(this::run);
    }

    static KafkaEdge start(Service service, Brokers brokers, LongSupplier epochNanos, Notes notes)
            throws ServiceException {
        PublishedMark mark = KafkaOut.mark(service, PublishedMark.DATAGRAMS);
        KafkaEdge edge = new KafkaEdge(service, brokers, mark, epochNanos, notes);
        edge.thread.start();
        return edge;
    }

    private void run() {
        long pause = FIRST_PAUSE_NANOS;
        while (!isOver()) {
            long before = published;
            try (JournalReader reader = new JournalReader(DiskFiles.of(service.journalDirectory()), damage -> {})) {
                if (!find(reader)) {
                    continue;
                }
                isConnecting = true;
                try (DatagramPublisher publisher = DatagramPublisher.open(brokers, BUFFER_BYTES, position)) {
                    isConnecting = false;
                    trouble = "";
                    publish(reader, publisher);
                }
            } catch (BrokerException | IOException | RuntimeException e) {
                if (stopping) {
                    stopAtNanos = System.nanoTime(); // what is left is for the next start
                } else {
                    failures.incrementAndGet();
                    trouble = e instanceof RuntimeException ? e.toString() : String.valueOf(e.getMessage());
                    notes.warn(
                            "kafka",
                            "kafka " + brokers.bootstrap() + ": " + trouble
                                    + "; the journal keeps what waits, and it is tried again");
                    pause = published > before ? FIRST_PAUSE_NANOS : Math.min(2 * pause, LONGEST_PAUSE_NANOS);
                    park(pause);
                }
            }
        }
        boolean _ = Thread.interrupted(); // or the file could not be written
        keepMark();
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

    /** Waits for a first record, which says whose positions these are; false when there is no time left. */
    private boolean find(JournalReader reader) throws IOException {
        while (!reader.next()) {
            if (stopping) {
                stopAtNanos = System.nanoTime();
                return false;
            }
            LockSupport.parkNanos(this, IDLE_NANOS);
        }
        edgeId = reader.envelope().edgeId();
        position = Math.max(position, mark.positionOf(edgeId));
        return true;
    }

    private void publish(JournalReader reader, DatagramPublisher publisher) throws IOException, BrokerException {
        reader.restart().fromPosition(position + 1);
        publishedBefore = published;
        missedBefore = missed;
        try {
            int unsettled = 0;
            while (!isOver()) {
                boolean sent = publisher.hasRoom() && reader.next();
                if (sent) {
                    isAtEnd = false;
                    publisher.send(reader.envelope());
                }
                if (!sent || ++unsettled == SETTLE_EVERY) {
                    unsettled = 0;
                    settle(reader, publisher);
                    if (!sent) {
                        isAtEnd = publisher.waiting() == 0;
                        if (isAtEnd && stopping) {
                            stopAtNanos = System.nanoTime();
                            return;
                        }
                        LockSupport.parkNanos(this, IDLE_NANOS);
                    }
                }
            }
        } finally {
            take(reader, publisher);
        }
    }

    private void settle(JournalReader reader, DatagramPublisher publisher) throws BrokerException {
        try {
            publisher.settle();
        } finally {
            take(reader, publisher);
        }
        if (System.nanoTime() - markedAtNanos > MARK_NANOS) {
            keepMark();
        }
    }

    private void take(JournalReader reader, DatagramPublisher publisher) {
        if (publisher.lastPosition() > position) {
            position = publisher.lastPosition();
            lastNanos = publisher.lastReceivedNanos();
            movedNanos = System.nanoTime();
        }
        waiting = publisher.waiting();
        if (waiting == 0) {
            movedNanos = System.nanoTime();
        }
        published = publishedBefore + publisher.acknowledged();
        if (missedBefore + reader.missed() > missed) {
            missed = missedBefore + reader.missed();
            notes.warn(
                    "kafka-missed",
                    "kafka: the journal had to remove datagrams before they were published, " + missed
                            + " so far; see journal.keep and journal.keep-bytes");
        }
    }

    private void keepMark() {
        markedAtNanos = System.nanoTime();
        if (position != PublishedMark.NONE) {
            try {
                mark.keep(edgeId, position);
            } catch (IOException e) {
                notes.warn("kafka-mark", "kafka: cannot remember what was published: " + e.getMessage());
            }
        }
    }

    /** Tells the operator when nothing moves that should. Asked now and then. */
    void watch() {
        if (waiting > 0 && System.nanoTime() - movedNanos > SILENCE_NANOS && trouble.isEmpty()) {
            notes.warn(
                    "kafka",
                    "kafka " + brokers.bootstrap() + ": nothing was acknowledged for "
                            + (System.nanoTime() - movedNanos) / NANOS
                            + " s; the journal keeps what waits, until journal.keep");
        }
    }

    /** How long ago the last that arrived was received, while others wait; NaN where none arrived yet. */
    private double behindSeconds() {
        if (isAtEnd) {
            return 0;
        }
        return lastNanos == 0 ? Double.NaN : Math.max(0, epochNanos.getAsLong() - lastNanos) / (double) NANOS;
    }

    private String state() {
        if (!trouble.isEmpty()) {
            return "error";
        }
        if (isConnecting) {
            return "connecting";
        }
        return waiting > 0 && System.nanoTime() - movedNanos > SILENCE_NANOS ? "silent" : "ok";
    }

    void status(JsonText json) {
        json.name("datagrams").open('{');
        json.name("topic").value(Topics.DATAGRAMS);
        json.name("state").value(state());
        if (!trouble.isEmpty()) {
            json.name("detail").value(trouble);
        }
        json.name("published").value(published);
        json.name("waiting").value(waiting);
        json.name("missed").value(missed);
        double behind = behindSeconds();
        if (!Double.isNaN(behind)) {
            json.name("behindSeconds").value(behind);
        }
        json.close('}');
    }

    void write(MetricWriter out) {
        out.counter("pathlore_kafka_published_total", "Datagrams a Kafka broker has acknowledged.")
                .value(published);
        out.counter("pathlore_kafka_missed_total", "Datagrams the journal removed before they were published.")
                .value(missed);
        out.counter("pathlore_kafka_failures_total", "Times publishing failed and was begun again.")
                .value(failures.get());
        out.gauge("pathlore_kafka_waiting", "Datagrams sent and not yet acknowledged.")
                .value(waiting);
        double behind = behindSeconds();
        if (!Double.isNaN(behind)) {
            out.gauge("pathlore_kafka_behind_seconds", "How long ago the last published datagram was received.")
                    .value(behind);
        }
    }

    /** Publishes what the journal has, for a little while; the rest is for the next start. */
    @Override
    public void close() {
        stopAtNanos = System.nanoTime() + LAST_WORDS_NANOS;
        stopping = true;
        LockSupport.unpark(thread);
        if (isConnecting) {
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
