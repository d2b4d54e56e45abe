package io.pathlore.ingest.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/** Puts events on their topic. One that is told again has the same key: what was told last counts. Belongs to one thread. */
public final class EventPublisher implements AutoCloseable {
    /** contracts: the name outsiders read from. */
    public static final String TOPIC = "pathlore.events.v1";

    private static final Duration LAST_CHANCE = Duration.ofMillis(500);

    private final KafkaProducer<byte[], byte[]> producer;

    private EventPublisher(KafkaProducer<byte[], byte[]> producer) {
        this.producer = producer;
    }

    /** Connects, and finds the topic. */
    public static EventPublisher open(Brokers brokers, long bufferBytes) throws PublishException {
        return new EventPublisher(brokers.open(TOPIC, bufferBytes));
    }

    /** Sends them, JSON by id, and waits until all have arrived. */
    public void publish(Map<String, String> events) throws PublishException {
        AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
        try {
            events.forEach((id, json) -> {
                byte[] key = id.getBytes(StandardCharsets.US_ASCII);
                byte[] value = json.getBytes(StandardCharsets.UTF_8);
                Future<RecordMetadata> _ = producer.send(new ProducerRecord<>(TOPIC, key, value), (metadata, e) -> {
                    if (e != null) {
                        failure.compareAndSet(null, e);
                    }
                });
            });
            producer.flush();
        } catch (InterruptException e) {
            throw new PublishException("stopped", e);
        } catch (KafkaException e) {
            throw new PublishException(e);
        }
        Exception failed = failure.get();
        if (failed != null) {
            throw new PublishException(failed);
        }
    }

    @Override
    public void close() {
        Brokers.close(producer, LAST_CHANCE);
    }
}
