package io.pathlore.ingest.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/** Puts texts on a topic. One that is told again has the same key: what was told last counts. Belongs to one thread. */
public final class TextPublisher implements AutoCloseable {
    private static final Duration LAST_CHANCE = Duration.ofMillis(500);

    private final String topic;
    private final KafkaProducer<byte[], byte[]> producer;

    private TextPublisher(String topic, KafkaProducer<byte[], byte[]> producer) {
        this.topic = topic;
        this.producer = producer;
    }

    /** Connects, and finds the topic. */
    public static TextPublisher open(Brokers brokers, String topic, long bufferBytes) throws BrokerException {
        return new TextPublisher(topic, brokers.open(topic, bufferBytes));
    }

    /** Sends them, each by its key, and waits until all have arrived. */
    public void publish(Map<String, String> texts) throws BrokerException {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        texts.forEach((key, text) -> records.add(record(null, key, text)));
        send(records);
    }

    /** Sends one text to every partition, and waits until it has arrived in all of them: it stands behind all that was published before. */
    public void publishToAll(String key, String text) throws BrokerException {
        try {
            send(producer.partitionsFor(topic).stream()
                    .map(partition -> record(partition.partition(), key, text))
                    .toList());
        } catch (InterruptException e) {
            throw new BrokerException("stopped", e);
        } catch (KafkaException e) {
            throw new BrokerException(e);
        }
    }

    private ProducerRecord<byte[], byte[]> record(@Nullable Integer partition, String key, String text) {
        return new ProducerRecord<>(
                topic, partition, key.getBytes(StandardCharsets.UTF_8), text.getBytes(StandardCharsets.UTF_8));
    }

    private void send(List<ProducerRecord<byte[], byte[]>> records) throws BrokerException {
        AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
        try {
            for (ProducerRecord<byte[], byte[]> record : records) {
                Future<RecordMetadata> _ = producer.send(record, (metadata, e) -> {
                    if (e != null) {
                        failure.compareAndSet(null, e);
                    }
                });
            }
            producer.flush();
        } catch (InterruptException e) {
            throw new BrokerException("stopped", e);
        } catch (KafkaException e) {
            throw new BrokerException(e);
        }
        Exception failed = failure.get();
        if (failed != null) {
            throw new BrokerException(failed);
        }
    }

    @Override
    public void close() {
        Brokers.close(producer, LAST_CHANCE);
    }
}
