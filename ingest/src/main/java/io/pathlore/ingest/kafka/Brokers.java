package io.pathlore.ingest.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Where Kafka is, and who asks there.
 *
 * @param bootstrap {@code HOST:PORT}, several parted by commas
 * @param settings of the client, such as for TLS; what order and safety depend on is not theirs
 * @param client the name the brokers know this process by
 */
public record Brokers(String bootstrap, Map<String, String> settings, String client) {
    private static final int BATCH_BYTES = 256 << 10;
    private static final int LINGER_MILLIS = 10;
    private static final int ANSWER_MILLIS = 10_000;

    public Brokers {
        settings = Map.copyOf(settings);
    }

    /** The same, for another part of the program. */
    public Brokers as(String name) {
        return new Brokers(bootstrap, settings, name);
    }

    /** Without the settings, which may hold passwords. */
    @Override
    public String toString() {
        return bootstrap + " as " + client;
    }

    /** Who is interrupted meanwhile has closed it all the same. */
    static void close(KafkaProducer<?, ?> producer, Duration lastChance) {
        try {
            producer.close(lastChance);
        } catch (KafkaException e) {
            // There is nobody left whom it could matter to.
        }
    }

    /** Connects, and finds the topic. */
    KafkaProducer<byte[], byte[]> open(String topic, long bufferBytes) throws BrokerException {
        Map<String, Object> all = new HashMap<>(settings);
        all.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        all.put(ProducerConfig.CLIENT_ID_CONFIG, client);
        all.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        all.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        // Order and each once, also where the client tries again; and it tries for as long as a broker may be away.
        all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        all.put(ProducerConfig.ACKS_CONFIG, "all");
        all.put(ProducerConfig.RETRIES_CONFIG, Integer.MAX_VALUE);
        all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
        // A broker that comes back without its memory of who sent what takes a later request for the first one.
        all.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, ANSWER_MILLIS);
        all.put(ProducerConfig.BUFFER_MEMORY_CONFIG, bufferBytes);
        all.putIfAbsent(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        all.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, LINGER_MILLIS);
        all.putIfAbsent(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
        KafkaProducer<byte[], byte[]> producer = null;
        try {
            producer = new KafkaProducer<>(all);
            if (producer.partitionsFor(topic).isEmpty()) {
                throw new KafkaException("topic " + topic + " has no partitions");
            }
            KafkaProducer<byte[], byte[]> opened = producer;
            producer = null;
            return opened;
        } catch (InterruptException e) {
            throw new BrokerException("stopped", e);
        } catch (KafkaException e) {
            throw new BrokerException(e);
        } finally {
            if (producer != null) {
                close(producer, Duration.ZERO);
            }
        }
    }
}
