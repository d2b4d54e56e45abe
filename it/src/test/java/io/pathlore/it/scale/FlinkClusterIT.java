package io.pathlore.it.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.it.collect.Broker;
import io.pathlore.it.collect.RunningCollector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Whoever dies in between, and however many do the work after: every record counts once. */
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class FlinkClusterIT {
    private static final int PARTITIONS = 3;
    private static final int KEYS = 100;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path temp;

    @Test
    void countsOnceWhatIsKilledStoppedAndResumedWithMore() throws Exception {
        Stopwatch watch = new Stopwatch();
        try (Broker broker = Broker.in(Files.createDirectory(temp.resolve("broker")))) {
            watch.lap("broker started");
            try (FlinkCluster cluster = FlinkCluster.Setup.in(
                            Files.createDirectory(temp.resolve("flink")), "FlinkClusterIT")
                    .checkpoints(Duration.ofSeconds(3))
                    .start()) {
                watch.lap("cluster started");
                broker.topic("in", PARTITIONS);
                broker.topic("out", 1);
                String job = cluster.submit(FlinkCluster.JOB, broker.bootstrap(), "in", "out");
                watch.lap("job submitted");
                cluster.awaitState(job, "RUNNING", PATIENCE);
                watch.lap("job runs");
                send(broker, 0, 50);
                cluster.awaitCheckpoint(job);
                watch.lap("5,000 records sent and a checkpoint");
                send(broker, 50, 70);
                received(broker, "read_uncommitted", 70 * KEYS);
                cluster.killTaskManager();
                watch.lap("2,000 more sent and killed");
                cluster.awaitLoss(job, PATIENCE);
                watch.lap("loss noticed");
                send(broker, 70, 100);
                cluster.startTaskManager();
                cluster.awaitState(job, "RUNNING", PATIENCE);
                watch.lap("runs again");
                assertThat(received(broker, "read_committed", 100 * KEYS))
                        .containsExactlyInAnyOrderElementsOf(expected(100));
                watch.lap("10,000 committed");
                String savepoint = cluster.stopWithSavepoint(job);
                watch.lap("stopped with a savepoint");
                send(broker, 100, 110);
                String next = cluster.submitFrom(savepoint, FlinkCluster.JOB, 2, broker.bootstrap(), "in", "out");
                cluster.awaitState(next, "RUNNING", PATIENCE);
                watch.lap("resumed with two");
                assertThat(received(broker, "read_committed", 110 * KEYS))
                        .containsExactlyInAnyOrderElementsOf(expected(110));
                watch.lap("11,000 committed");
                assertThat(received(broker, "read_uncommitted", 110 * KEYS))
                        .as("some were written in vain, or it was killed when nothing was at stake")
                        .hasSizeGreaterThan(110 * KEYS);
                watch.lap("all written looked at");
            }
        }
    }

    /** A record is its key and its number within the key; those of one key are in one partition, in order. */
    private static void send(Broker broker, int from, int to) throws Exception {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrap()), new StringSerializer(), new StringSerializer())) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (int number = from; number < to; number++) {
                for (int key = 0; key < KEYS; key++) {
                    sent.add(producer.send(new ProducerRecord<>("in", "k" + key, "k" + key + ' ' + number)));
                }
            }
            producer.flush();
            for (Future<RecordMetadata> record : sent) {
                record.get();
            }
        }
    }

    private static List<String> expected(int each) {
        List<String> all = new ArrayList<>();
        for (int number = 0; number < each; number++) {
            for (int key = 0; key < KEYS; key++) {
                all.add("k" + key + ' ' + number + ' ' + (number + 1));
            }
        }
        return all;
    }

    /** All that there are, once they are as many. */
    private static List<String> received(Broker broker, String isolation, int count) throws IOException {
        List<String> all = new ArrayList<>();
        Map<String, Object> settings = Map.of("bootstrap.servers", broker.bootstrap(), "isolation.level", isolation);
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            TopicPartition partition = new TopicPartition("out", 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            RunningCollector.until(count + " records", () -> {
                consumer.poll(Duration.ofMillis(100)).forEach(record -> all.add(record.value()));
                return all.size() >= count && consumer.position(partition) >= end(consumer, partition);
            });
        }
        return all;
    }

    private static long end(KafkaConsumer<String, String> consumer, TopicPartition partition) {
        return Objects.requireNonNull(consumer.endOffsets(List.of(partition)).get(partition));
    }

    /** Prints what took how long. */
    private static final class Stopwatch {
        private long last = System.nanoTime();

        void lap(String what) {
            long now = System.nanoTime();
            System.out.printf("%6d ms  %s%n", (now - last) / 1_000_000, what);
            last = now;
        }
    }
}
