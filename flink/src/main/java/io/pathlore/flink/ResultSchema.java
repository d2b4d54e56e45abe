package io.pathlore.flink;

import java.nio.charset.StandardCharsets;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/** A result is a record of its topic: by its key, or for a partition. */
final class ResultSchema implements KafkaRecordSerializationSchema<Tuple3<Integer, String, String>> {
    private static final long serialVersionUID = 1;

    private final String topic;

    ResultSchema(String topic) {
        this.topic = topic;
    }

    @Override
    public ProducerRecord<byte[], byte[]> serialize(
            Tuple3<Integer, String, String> result, KafkaSinkContext context, Long timestamp) {
        byte[] key = result.f1.getBytes(StandardCharsets.UTF_8);
        byte[] value = result.f2.getBytes(StandardCharsets.UTF_8);
        return new ProducerRecord<>(topic, result.f0 < 0 ? null : result.f0, key, value);
    }
}
