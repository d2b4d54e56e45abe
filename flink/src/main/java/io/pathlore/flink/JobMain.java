package io.pathlore.flink;

import io.pathlore.cli.config.Service;
import io.pathlore.cli.scale.Parts;
import io.pathlore.cli.scale.Stage;
import io.pathlore.ingest.kafka.Brokers;
import io.pathlore.ingest.kafka.Topics;
import io.pathlore.wire.envelope.Envelope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.admin.Admin;

/**
 * The analysis as a job of Flink: datagrams in their envelopes from Kafka, events and rollups to Kafka, each exactly once. What is computed is that of
 * {@link io.pathlore.cli.scale}; here is only how it is spread over machines.
 */
public final class JobMain {
    /** Below the 15 minutes that a broker allows, where Flink would ask for an hour; above any pause between checkpoints. */
    private static final String TRANSACTION_MILLIS = "600000";

    private static final long MILLI = 1_000_000;

    /** As over a journal: what several threads of an edge received comes block by block. */
    private static final Duration SLACK = Duration.ofMillis(500);

    /** A partition without data holds nobody up for longer. */
    private static final Duration IDLE = Duration.ofSeconds(30);

    /** How far one partition may be read ahead of another: what is ahead has to wait in memory. */
    private static final Duration AHEAD = Duration.ofSeconds(2);

    /** Where the cluster says nothing of them. */
    private static final Duration CHECKPOINTS = Duration.ofSeconds(10);

    /** No clock of an edge is so far ahead: whoever says so must not take time along. */
    private static final long TOO_FAR_MILLIS = 3_600_000;

    private static final Duration OFTEN = Duration.ofMillis(100);

    private JobMain() {}

    /** The entry of the jar. */
    public static void main(String[] args) throws Exception {
        if (List.of(args).contains("--help")) {
            System.out.print(JobOptions.USAGE);
            return;
        }
        JobOptions options = JobOptions.parse(args);
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
        build(environment, options);
        environment.execute("pathlore");
    }

    /** Puts the job together. */
    static void build(StreamExecutionEnvironment environment, JobOptions options)
            throws IOException, InterruptedException {
        Path config = options.config();
        Plan plan = new Plan(
                config == null ? "" : Files.readString(config),
                options.sets(),
                options.parts(),
                new SecureRandom().nextLong());
        Service service = plan.submitted();
        if (service.kafka() == null) {
            throw new IllegalArgumentException("kafka.bootstrap is not set: where are the datagrams?");
        }
        Brokers brokers = service.kafka().brokers();
        Parts parts = plan.open(); // what would fail on every machine fails here, with one line
        if (!environment.getCheckpointConfig().isCheckpointingEnabled()) {
            environment.enableCheckpointing(CHECKPOINTS.toMillis()); // nothing is told before a checkpoint
        }
        int rollupPartitions = partitions(brokers, Topics.ROLLUPS);
        partitions(brokers, Topics.EVENTS);
        int parallelism = Math.min(environment.getParallelism(), options.parts());
        environment.getConfig().setAutoWatermarkInterval(OFTEN.toMillis());

        DataStream<Tuple2<Integer, byte[]>> envelopes = environment
                .fromSource(source(brokers, options), watermarks(), Topics.DATAGRAMS)
                .uid("datagrams")
                .setParallelism(parallelism);
        SingleOutputStreamOperator<Tuple3<Integer, String, String>> datagrams =
                stage(envelopes, plan, Stage.DATAGRAMS, parallelism);
        SingleOutputStreamOperator<Tuple3<Integer, String, String>> flows =
                stage(datagrams.getSideOutput(StageOperator.tag(Stage.FLOWS)), plan, Stage.FLOWS, parallelism);
        SingleOutputStreamOperator<Tuple3<Integer, String, String>> attacks = stage(
                datagrams
                        .getSideOutput(StageOperator.tag(Stage.ATTACKS))
                        .union(flows.getSideOutput(StageOperator.tag(Stage.ATTACKS))),
                plan,
                Stage.ATTACKS,
                parallelism);
        SingleOutputStreamOperator<Tuple3<Integer, String, String>> hops = stage(
                datagrams
                        .getSideOutput(StageOperator.tag(Stage.HOPS))
                        .union(flows.getSideOutput(StageOperator.tag(Stage.HOPS))),
                plan,
                Stage.HOPS,
                parallelism);
        SingleOutputStreamOperator<Tuple3<Integer, String, String>> verdicts = stage(
                datagrams
                        .getSideOutput(StageOperator.tag(Stage.VERDICTS))
                        .union(
                                flows.getSideOutput(StageOperator.tag(Stage.VERDICTS)),
                                attacks.getSideOutput(StageOperator.tag(Stage.VERDICTS)),
                                hops.getSideOutput(StageOperator.tag(Stage.VERDICTS))),
                plan,
                Stage.VERDICTS,
                1);

        DataStream<Tuple3<Integer, String, String>> results = datagrams.union(flows, attacks, hops, verdicts);
        results.filter(result -> result.f0 == Told.EVENT)
                .returns(Told.RESULT)
                .setParallelism(1)
                .sinkTo(sink(brokers, Topics.EVENTS))
                .uid("events")
                .name(Topics.EVENTS)
                .setParallelism(1);
        results.filter(result -> result.f0 != Told.EVENT)
                .returns(Told.RESULT)
                .setParallelism(1)
                .transform("rollups", Told.RESULT, new RollupOperator(rollupPartitions, parts.sources()))
                .uid("complete")
                .setParallelism(1)
                .setMaxParallelism(1)
                .sinkTo(sink(brokers, Topics.ROLLUPS))
                .uid("rollups")
                .name(Topics.ROLLUPS)
                .setParallelism(1);
    }

    private static SingleOutputStreamOperator<Tuple3<Integer, String, String>> stage(
            DataStream<Tuple2<Integer, byte[]>> blocks, Plan plan, Stage stage, int parallelism) {
        int[] keys = PartKeys.of(plan.count(stage));
        String name = stage.name().toLowerCase(Locale.ROOT);
        return blocks.keyBy(block -> keys[block.f0], Types.INT)
                .transform(name, Told.RESULT, new StageOperator(plan, stage))
                .uid("stage-" + name)
                .setParallelism(parallelism)
                .setMaxParallelism(keys.length);
    }

    private static KafkaSource<Tuple2<Integer, byte[]>> source(Brokers brokers, JobOptions options) {
        Properties settings = new Properties();
        settings.putAll(brokers.settings());
        KafkaSourceBuilder<Tuple2<Integer, byte[]>> source = KafkaSource.<Tuple2<Integer, byte[]>>builder()
                .setProperties(settings)
                .setBootstrapServers(brokers.bootstrap())
                .setTopics(Topics.DATAGRAMS)
                .setGroupId("pathlore-job")
                // Where there is no state: all that there is. What is told again has the same ids and keys.
                .setStartingOffsets(OffsetsInitializer.earliest())
                .setProperty("partition.discovery.interval.ms", "60000")
                .setDeserializer(new EnvelopeSchema(options.parts()));
        if (options.untilNow()) {
            source.setBounded(OffsetsInitializer.latest());
        }
        return source.build();
    }

    /** How time passes, for each partition. */
    static WatermarkStrategy<Tuple2<Integer, byte[]>> watermarks() {
        return WatermarkStrategy.<Tuple2<Integer, byte[]>>forBoundedOutOfOrderness(SLACK)
                .withTimestampAssigner((block, ofRecord) -> receivedMillis(block.f1, ofRecord))
                .withIdleness(IDLE)
                .withWatermarkAlignment("pathlore", AHEAD, OFTEN);
    }

    /** Of what is no envelope, or from a future that nobody can have seen, the time is that of its record. */
    private static long receivedMillis(byte[] octets, long ofRecord) {
        Envelope envelope = new Envelope();
        long now = System.currentTimeMillis();
        long received = envelope.wrap(ByteBuffer.wrap(octets), 0, octets.length)
                ? Math.floorDiv(envelope.receivedNanos(), MILLI)
                : ofRecord;
        return received > now + TOO_FAR_MILLIS ? Math.min(ofRecord, now) : received;
    }

    private static KafkaSink<Tuple3<Integer, String, String>> sink(Brokers brokers, String topic) {
        Properties settings = new Properties();
        settings.putAll(brokers.settings());
        settings.putIfAbsent("compression.type", "lz4");
        settings.putIfAbsent("transaction.timeout.ms", TRANSACTION_MILLIS);
        return KafkaSink.<Tuple3<Integer, String, String>>builder()
                .setBootstrapServers(brokers.bootstrap())
                .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
                .setTransactionalIdPrefix("pathlore-job-" + topic)
                .setKafkaProducerConfig(settings)
                .setRecordSerializer(new ResultSchema(topic))
                .build();
    }

    private static int partitions(Brokers brokers, String topic) throws InterruptedException {
        Properties settings = new Properties();
        settings.putAll(brokers.settings());
        settings.setProperty("bootstrap.servers", brokers.bootstrap());
        settings.setProperty("default.api.timeout.ms", "10000");
        settings.setProperty("request.timeout.ms", "10000");
        try (Admin admin = Admin.create(settings)) {
            var found = admin.describeTopics(List.of(topic)).allTopicNames().get();
            return Objects.requireNonNull(found.get(topic)).partitions().size();
        } catch (ExecutionException e) {
            String why = e.getCause() == null ? e.getMessage() : e.getCause().getMessage();
            throw new IllegalArgumentException("topic " + topic + " at " + brokers.bootstrap() + ": " + why, e);
        }
    }
}
