package io.pathlore.cli.service;

import io.pathlore.cli.config.Service;
import io.pathlore.ingest.kafka.BrokerException;
import io.pathlore.ingest.kafka.Brokers;
import io.pathlore.ingest.kafka.TopicReader;
import io.pathlore.ingest.kafka.Topics;
import io.pathlore.serve.JsonText;
import io.pathlore.serve.Sources;
import io.pathlore.serve.metrics.MetricWriter;
import io.pathlore.store.journal.DiskFiles;
import io.pathlore.store.tables.Mark;
import io.pathlore.store.tables.Row;
import io.pathlore.store.tables.TableException;
import io.pathlore.store.tables.TableStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Events and rows that others found, from Kafka, in tables of its own. How far each partition was read is the tables' mark: it is stored with the
 * rows, in one transaction. So after a crash it reads on behind what is stored, and what comes again takes the place of what is there.
 */
final class KafkaIn implements Origin {
    private static final List<String> TOPICS = List.of(Topics.EVENTS, Topics.ROLLUPS);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration ANSWER = Duration.ofSeconds(3);
    private static final long NANOS = 1_000_000_000L;
    private static final long LOOK_NANOS = NANOS;
    private static final long PAUSE_NANOS = 5_000_000;
    private static final long FIRST_PAUSE_NANOS = NANOS / 2;
    private static final long LONGEST_PAUSE_NANOS = 5 * NANOS;
    private static final long CROWDED_BYTES = 8L << 20;

    private final Service service;
    private final Brokers brokers;
    private final Tables tables;
    private final EventBook events;
    private final Notes notes;
    private final Thread thread;
    private volatile boolean stopping;
    private volatile @Nullable TopicReader reading;

    // Written by the thread, read by who asks.
    private final AtomicLong eventsRead = new AtomicLong();
    private final AtomicLong rollupsRead = new AtomicLong();
    private final AtomicLong rejected = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong missed = new AtomicLong();
    private volatile long waiting;
    private volatile boolean connected;
    private volatile String trouble = "";

    private CompleteTimes complete = new CompleteTimes(Row.ABSENT, List.of());

    private KafkaIn(Service service, Brokers brokers, Tables tables, EventBook events, Notes notes) {
        this.service = service;
        this.brokers = brokers;
        this.tables = tables;
        this.events = events;
        this.notes = notes;
        thread = Thread.ofPlatform().name("pathlore-kafka").unstarted(this::run);
    }

    /** Makes sure that these tables are filled by nobody else. */
    static void requireOwn(Service service) throws ServiceException {
        try {
            if (DiskFiles.isJournal(service.journalDirectory())) {
                throw new ServiceException(ofACollector(service));
            }
        } catch (IOException e) {
            throw new ServiceException(String.valueOf(e.getMessage()), e);
        }
    }

    private static String ofACollector(Service service) {
        return "data " + service.data() + ": is a collector's; what comes from Kafka needs a directory of its own:"
                + " --data DIR. Or serve it as it is: --set kafka.bootstrap=null";
    }

    /** Begins to read, once the tables are open. */
    static KafkaIn start(Service service, Service.Kafka kafka, Tables tables, EventBook events, Notes notes)
            throws ServiceException {
        Mark mark = tables.await().stored();
        if (mark.flush() > 0 && mark.positions().isEmpty()) {
            throw new ServiceException(ofACollector(service));
        }
        KafkaIn in = new KafkaIn(service, kafka.brokers().as("pathlore-serve"), tables, events, notes);
        tables.filledBy(() -> in.waiting > 0);
        in.thread.start();
        return in;
    }

    private void run() {
        long pause = FIRST_PAUSE_NANOS;
        while (!stopping) {
            try {
                TableStore store = tables.store();
                if (store == null) {
                    park(PAUSE_NANOS);
                    continue;
                }
                Mark from = store.resume();
                try (TopicReader reader = TopicReader.open(brokers, TOPICS, from.positions())) {
                    reading = reader;
                    complete = new CompleteTimes(from.storedToNanos(), reader.partitions(Topics.ROLLUPS));
                    answered();
                    tellMissed(reader.missed());
                    read(store, reader);
                    pause = FIRST_PAUSE_NANOS;
                } finally {
                    reading = null;
                }
            } catch (TableException e) {
                park(NANOS); // who stores has told why
            } catch (BrokerException | RuntimeException e) {
                if (!stopping) {
                    fails(e instanceof RuntimeException ? e.toString() : String.valueOf(e.getMessage()));
                    park(pause);
                    pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
                }
            } catch (InterruptedException e) {
                return; // by stop()
            }
        }
    }

    private void park(long nanos) {
        long end = System.nanoTime() + nanos;
        while (!stopping && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(this, end - System.nanoTime());
        }
    }

    private void answered() {
        if (!connected && !trouble.isEmpty()) {
            notes.info("kafka " + brokers.bootstrap() + ": answers again");
        }
        connected = true;
        trouble = "";
    }

    private void fails(String why) {
        if (connected || trouble.isEmpty()) {
            failures.incrementAndGet();
        }
        connected = false;
        trouble = why;
        notes.warn(
                "kafka",
                "kafka " + brokers.bootstrap() + ": " + why
                        + "; what was read before is served, and it is tried again");
    }

    private void tellMissed(long more) {
        if (more > 0) {
            missed.addAndGet(more);
            notes.warn(
                    "kafka-missed",
                    "kafka: the brokers had removed " + more + " records before they were read; see the topics'"
                            + " retention.ms");
        }
    }

    /** Until the tables have to be asked again where to begin. */
    private void read(TableStore store, TopicReader reader) throws BrokerException {
        long lookAt = System.nanoTime();
        while (!stopping) {
            List<TopicReader.Told> told = reader.poll(POLL);
            if (!told.isEmpty() && !take(store, reader, told)) {
                return;
            }
            if (System.nanoTime() - lookAt >= 0) {
                try {
                    waiting = reader.waiting(ANSWER);
                    answered();
                } catch (BrokerException e) {
                    if (!stopping) {
                        fails("no broker answers: " + e.getMessage());
                    }
                }
                lookAt = System.nanoTime() + LOOK_NANOS;
            }
        }
    }

    /** Appends them with the mark behind them. False where the tables did not take them, or never will. */
    private boolean take(TableStore store, TopicReader reader, List<TopicReader.Told> told) {
        while (store.health().waitingBytes() > CROWDED_BYTES) {
            if (stopping) {
                return false;
            }
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
        for (TopicReader.Told each : told) {
            Row row = row(each);
            if (row != null && !store.append(row)) {
                return false;
            }
        }
        return store.mark(complete.all(), reader.positions());
    }

    /** Null where it is none. */
    private @Nullable Row row(TopicReader.Told told) {
        String text = told.text();
        if (text == null) {
            return null; // an operator took it away
        }
        Row row;
        if (told.topic().equals(Topics.EVENTS)) {
            row = EventReader.read(text)
                    .map(events::add)
                    .map(entry -> TableFeed.event(entry.event(), entry.json()))
                    .orElse(null);
            eventsRead.incrementAndGet();
        } else {
            Object read = RollupJson.read(text).orElse(null);
            rollupsRead.incrementAndGet();
            if (read instanceof RollupJson.Complete until) {
                if (complete.reach(told.partition(), until)) {
                    notes.warn(
                            "kafka-edges",
                            "kafka: several collectors publish rollups to " + Topics.ROLLUPS
                                    + ": where they tell of the same, the last counts and not the sum;"
                                    + " let one of them publish rollups, or give each a topic of its own cluster");
                }
                return null;
            }
            row = read instanceof Row.Told good ? good : null;
        }
        if (row == null) {
            rejected.incrementAndGet();
            notes.warn(
                    "kafka-rejected",
                    "kafka: a record of " + told.topic()
                            + " is not one that this program knows; is another, or a newer,"
                            + " program publishing there?");
        }
        return row;
    }

    @Override
    public @Nullable Path kept() {
        return null;
    }

    @Override
    public long nowNanos() {
        return CollectorProcess.epochNanos();
    }

    private String state() {
        return !trouble.isEmpty() ? "error" : connected ? "ok" : "connecting";
    }

    @Override
    public void status(JsonText json) {
        json.name("kafka").open('{').name("bootstrap").value(brokers.bootstrap());
        json.name("read").open('{').name("state").value(state());
        if (!trouble.isEmpty()) {
            json.name("detail").value(trouble);
        }
        json.name("events").value(eventsRead.get());
        json.name("rollups").value(rollupsRead.get());
        json.name("rejected").value(rejected.get());
        json.name("missed").value(missed.get());
        json.name("waiting").value(waiting).close('}').close('}');
    }

    @Override
    public void write(MetricWriter out) {
        out.gauge("pathlore_kafka_read_up", "1 while a Kafka broker answers who reads.")
                .value(state().equals("ok") ? 1 : 0);
        out.counter("pathlore_kafka_read_events_total", "Events read from Kafka, told again or not.")
                .value(eventsRead.get());
        out.counter("pathlore_kafka_read_rollups_total", "Records of rollups read from Kafka.")
                .value(rollupsRead.get());
        out.counter("pathlore_kafka_read_rejected_total", "Records from Kafka that are none of ours.")
                .value(rejected.get());
        out.counter("pathlore_kafka_read_missed_total", "Records the brokers removed before they were read.")
                .value(missed.get());
        out.counter("pathlore_kafka_read_failures_total", "Times no Kafka broker answered any more.")
                .value(failures.get());
        out.gauge("pathlore_kafka_read_waiting", "Records on the brokers that were not read yet.")
                .value(waiting);
    }

    /** What was read before is served without a broker, so none of them has to be there for this to be ready. */
    @Override
    public List<Sources.Check> checks() {
        return List.of();
    }

    @Override
    public String greeting() {
        return "reads " + String.join(", ", TOPICS) + " from kafka " + brokers.bootstrap() + " into " + service.data()
                + "; nothing is received";
    }

    @Override
    public void close() {}

    @Override
    public void stop() {
        stopping = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        while (thread.isAlive()) {
            TopicReader reader = reading;
            if (reader != null) {
                reader.wakeUp();
            } else {
                thread.interrupt();
            }
            try {
                boolean _ = thread.join(Duration.ofSeconds(1));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
