package io.pathlore.flink;

import java.util.Properties;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Stands where the job will be: counts the records of each key. Proves the jar, the state and exactly once. */
public final class JobMain {
    /** Below the 15 minutes that a broker allows, where Flink would ask for an hour; above any pause between checkpoints. */
    private static final String TRANSACTION_MILLIS = "600000";

    private JobMain() {}

    /**
     * The entry of the jar.
     *
     * @param args the broker, the topic to read and the one to write
     */
    public static void main(String[] args) throws Exception {
        String bootstrap = args[0];
        KafkaSource<String> in = KafkaSource.<String>builder()
                .setBootstrapServers(bootstrap)
                .setTopics(args[1])
                .setGroupId("pathlore-job")
                .setStartingOffsets(OffsetsInitializer.earliest())
                .setValueOnlyDeserializer(new SimpleStringSchema())
                .build();
        Properties producer = new Properties();
        producer.setProperty("transaction.timeout.ms", TRANSACTION_MILLIS);
        KafkaSink<String> out = KafkaSink.<String>builder()
                .setBootstrapServers(bootstrap)
                .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
                .setTransactionalIdPrefix("pathlore-job-" + args[2])
                .setKafkaProducerConfig(producer)
                .setRecordSerializer(KafkaRecordSerializationSchema.<String>builder()
                        .setTopic(args[2])
                        .setValueSerializationSchema(new SimpleStringSchema())
                        .build())
                .build();

        StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
        environment
                .fromSource(in, WatermarkStrategy.noWatermarks(), "in")
                .uid("in")
                .keyBy(record -> record.substring(0, record.indexOf(' ')), Types.STRING)
                .map(new Count())
                .uid("count")
                .sinkTo(out)
                .uid("out");
        environment.execute("pathlore");
    }

    /** Appends to a record how many of its key there were, itself included. */
    private static final class Count extends RichMapFunction<String, String> {
        @SuppressWarnings("NullAway.Init") // set when it is opened
        private transient ValueState<Long> count;

        @Override
        public void open(OpenContext context) {
            count = getRuntimeContext().getState(new ValueStateDescriptor<>("count", Types.LONG));
        }

        @Override
        public String map(String record) throws Exception {
            Long before = count.value();
            long now = before == null ? 1 : before + 1;
            count.update(now);
            return record + ' ' + now;
        }
    }
}
