package io.pathlore.ingest.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads texts from all partitions of some topics. How far it has come is told in words that whoever reads keeps beside what it read; nothing is
 * left with the brokers, so that nothing has to agree with what they know. Belongs to one thread, but for {@link #wakeUp}.
 */
public final class TopicReader implements AutoCloseable {
    private static final int MOST_AT_ONCE = 2_000;
    private static final int ANSWER_MILLIS = 5_000;
    private static final Duration LAST_CHANCE = Duration.ofMillis(500);

    /** One text; {@code text} is null where only its key is left. */
    public record Told(
            String topic, int partition, @Nullable String text) {}

    private final KafkaConsumer<byte[], byte[]> consumer;
    private long missed;

    private TopicReader(KafkaConsumer<byte[], byte[]> consumer) {
        this.consumer = consumer;
    }

    /**
     * Connects, and finds the topics.
     *
     * @param positions what {@link #positions} said; a partition that is not among them is read from its beginning
     */
    public static TopicReader open(Brokers brokers, List<String> topics, Map<String, String> positions)
            throws BrokerException {
        Map<String, Object> all = new HashMap<>(brokers.settings());
        all.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, brokers.bootstrap());
        all.put(ConsumerConfig.CLIENT_ID_CONFIG, brokers.client());
        all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        all.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        all.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MOST_AT_ONCE);
        all.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ANSWER_MILLIS);
        all.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, ANSWER_MILLIS);
        KafkaConsumer<byte[], byte[]> consumer = null;
        try {
            consumer = new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer());
            TopicReader reader = new TopicReader(consumer);
            reader.assign(topics, positions);
            consumer = null;
            return reader;
        } catch (WakeupException | InterruptException e) {
            throw new BrokerException("stopped", e);
        } catch (KafkaException e) {
            throw new BrokerException(e);
        } finally {
            if (consumer != null) {
                close(consumer);
            }
        }
    }

    private void assign(List<String> topics, Map<String, String> positions) {
        List<TopicPartition> partitions = new ArrayList<>();
        for (String topic : topics) {
            List<PartitionInfo> found = consumer.partitionsFor(topic);
            if (found == null || found.isEmpty()) {
                throw new KafkaException("there is no topic " + topic);
            }
            found.forEach(each -> partitions.add(new TopicPartition(topic, each.partition())));
        }
        consumer.assign(partitions);
        Map<TopicPartition, Long> first = consumer.beginningOffsets(partitions);
        Map<TopicPartition, Long> end = consumer.endOffsets(partitions);
        for (TopicPartition partition : partitions) {
            String known = positions.get(name(partition));
            long begin = first.getOrDefault(partition, 0L);
            long wanted = known == null ? begin : Long.parseLong(known);
            // Behind the end: it is another topic of the same name. Before the beginning: what was there is gone.
            boolean other = wanted > end.getOrDefault(partition, Long.MAX_VALUE);
            missed += known != null && wanted < begin ? begin - wanted : 0;
            consumer.seek(partition, other ? begin : Math.max(begin, wanted));
        }
    }

    private static String name(TopicPartition partition) {
        return partition.topic() + "/" + partition.partition();
    }

    /** What there is, or what comes in this time. */
    public List<Told> poll(Duration patience) throws BrokerException {
        try {
            List<Told> told = new ArrayList<>();
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(patience)) {
                byte[] value = record.value();
                told.add(new Told(
                        record.topic(),
                        record.partition(),
                        value == null ? null : new String(value, StandardCharsets.UTF_8)));
            }
            return told;
        } catch (WakeupException | InterruptException e) {
            throw new BrokerException("stopped", e);
        } catch (OffsetOutOfRangeException e) {
            throw new BrokerException("the brokers removed what was to be read next", e);
        } catch (KafkaException e) {
            throw new BrokerException(e);
        }
    }

    /** Where to read on, behind all that was told. */
    public Map<String, String> positions() {
        Map<String, String> positions = new TreeMap<>();
        for (TopicPartition partition : consumer.assignment()) {
            positions.put(name(partition), Long.toString(consumer.position(partition)));
        }
        return positions;
    }

    /** Partitions of a topic. */
    public List<Integer> partitions(String topic) {
        return consumer.assignment().stream()
                .filter(each -> each.topic().equals(topic))
                .map(TopicPartition::partition)
                .toList();
    }

    /** How many are there that were not told yet; asks a broker, and so says whether one is there. */
    public long waiting(Duration patience) throws BrokerException {
        try {
            long waiting = 0;
            for (Map.Entry<TopicPartition, Long> end :
                    consumer.endOffsets(consumer.assignment(), patience).entrySet()) {
                waiting += Math.max(0, end.getValue() - consumer.position(end.getKey()));
            }
            return waiting;
        } catch (WakeupException | InterruptException e) {
            throw new BrokerException("stopped", e);
        } catch (KafkaException e) {
            throw new BrokerException(e);
        }
    }

    /** Records that the brokers had removed before they were read. */
    public long missed() {
        return missed;
    }

    /** Ends whatever it waits for. Any thread. */
    public void wakeUp() {
        consumer.wakeup();
    }

    private static void close(KafkaConsumer<?, ?> consumer) {
        try {
            consumer.close(CloseOptions.timeout(LAST_CHANCE));
        } catch (KafkaException e) {
            // There is nobody left whom it could matter to.
        }
    }

    @Override
    public void close() {
        close(consumer);
    }
}
