package io.pathlore.flink;

import io.pathlore.cli.scale.Parts;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A record is an envelope, for the part that knows its exporter. */
final class EnvelopeSchema implements KafkaRecordDeserializationSchema<Tuple2<Integer, byte[]>> {
    private static final long serialVersionUID = 1;

    private final int parts;

    EnvelopeSchema(int parts) {
        this.parts = parts;
    }

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<Tuple2<Integer, byte[]>> out) {
        if (record.value() != null) {
            out.collect(Tuple2.of(Parts.partOf(record.value(), parts), record.value()));
        }
    }

    @Override
    public TypeInformation<Tuple2<Integer, byte[]>> getProducedType() {
        return Told.BLOCK;
    }
}
