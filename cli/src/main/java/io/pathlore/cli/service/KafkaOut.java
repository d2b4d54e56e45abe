package io.pathlore.cli.service;

import io.pathlore.cli.config.Service;
import io.pathlore.serve.JsonText;
import io.pathlore.serve.metrics.MetricWriter;
import java.io.IOException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** All that this process publishes to Kafka, which may be nothing. */
final class KafkaOut implements AutoCloseable {
    private final @Nullable String where;
    private final @Nullable KafkaEdge datagrams;
    private final @Nullable KafkaEvents events;
    private final @Nullable KafkaRollups rollups;

    private KafkaOut(
            @Nullable String where,
            @Nullable KafkaEdge datagrams,
            @Nullable KafkaEvents events,
            @Nullable KafkaRollups rollups) {
        this.where = where;
        this.datagrams = datagrams;
        this.events = events;
        this.rollups = rollups;
    }

    /** Begins, as far as the configuration says so. */
    static KafkaOut start(Service service, EventBook events, Tables tables, LongSupplier epochNanos, Notes notes)
            throws ServiceException {
        Service.Kafka kafka = service.kafka();
        if (kafka == null || kafka.isSilent()) {
            return new KafkaOut(null, null, null, null);
        }
        return new KafkaOut(
                kafka.brokers().bootstrap(),
                kafka.datagrams() ? KafkaEdge.start(service, kafka.brokers(), epochNanos, notes) : null,
                kafka.events() ? KafkaEvents.start(kafka.brokers(), events, notes) : null,
                kafka.rollups() ? KafkaRollups.start(service, kafka.brokers(), tables, notes) : null);
    }

    /** How far somebody came with publishing. */
    static PublishedMark mark(Service service, String name) throws ServiceException {
        try {
            return PublishedMark.in(service.kafkaDirectory(), name);
        } catch (IOException e) {
            throw new ServiceException(
                    service.kafkaDirectory() + " cannot be used: " + e.getMessage()
                            + "; it says what was published, mend it, or remove it and everything is published again",
                    e);
        }
    }

    /** Memory that it takes. */
    static long bytes(Service service) {
        Service.Kafka kafka = service.kafka();
        return kafka == null
                ? 0
                : (kafka.datagrams() ? KafkaEdge.BUFFER_BYTES : 0)
                        + (kafka.events() ? KafkaEvents.BUFFER_BYTES : 0)
                        + (kafka.rollups() ? KafkaRollups.BUFFER_BYTES : 0);
    }

    void watch() {
        if (datagrams != null) {
            datagrams.watch();
        }
    }

    void status(JsonText json) {
        if (where == null) {
            return;
        }
        json.name("kafka").open('{').name("bootstrap").value(where);
        if (datagrams != null) {
            datagrams.status(json);
        }
        if (events != null) {
            events.status(json);
        }
        if (rollups != null) {
            rollups.status(json);
        }
        json.close('}');
    }

    void write(MetricWriter out) {
        if (datagrams != null) {
            datagrams.write(out);
        }
        if (events != null) {
            events.write(out);
        }
        if (rollups != null) {
            rollups.write(out);
        }
    }

    @Override
    public void close() {
        if (datagrams != null) {
            datagrams.close();
        }
        if (events != null) {
            events.close();
        }
        if (rollups != null) {
            rollups.close();
        }
    }
}
