package io.pathlore.bench.scale;

import io.pathlore.ingest.kafka.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** A broker that is its own controller, on the loopback, and somebody who fills its topic of datagrams. */
final class KafkaBroker implements AutoCloseable {
    private static final List<String> JVM = List.of("-Xmx1g", "-XX:+UseSerialGC", "-XX:-UsePerfData");
    private static final long START_SECONDS = 60;
    private static final int ASK_SECONDS = 5;

    private final Program program;
    private final String bootstrap;
    private final int partitions;
    private final KafkaProducer<byte[], byte[]> producer;
    private volatile @Nullable Exception failure;
    private long filled;

    KafkaBroker(Path directory, Path libraries, int partitions) throws IOException, InterruptedException {
        this.partitions = partitions;
        int port = Program.freePort();
        Path properties = Files.writeString(directory.resolve("server.properties"), """
                process.roles=broker,controller
                node.id=1
                controller.quorum.voters=1@127.0.0.1:%2$d
                listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
                advertised.listeners=PLAINTEXT://127.0.0.1:%1$d
                inter.broker.listener.name=PLAINTEXT
                controller.listener.names=CONTROLLER
                listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
                log.dirs=%3$s
                offsets.topic.replication.factor=1
                offsets.topic.num.partitions=1
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                transaction.state.log.num.partitions=1
                share.coordinator.state.topic.replication.factor=1
                share.coordinator.state.topic.min.isr=1
                group.initial.rebalance.delay.ms=0
                auto.create.topics.enable=false
                """.formatted(
                        port, Program.freePort(), directory.resolve("log")));
        List<String> format = List.of("format", "-t", "AAAAAAAAAAAAAAAAAAAAAQ", "-c", properties.toString());
        try (Program formatting =
                Program.start("format", directory, libraries, JVM, "kafka.tools.StorageTool", format)) {
            if (formatting.process().waitFor() != 0) {
                throw new IOException("the broker's disk cannot be made: " + formatting.tail());
            }
        }
        program = Program.start("broker", directory, libraries, JVM, "kafka.Kafka", List.of(properties.toString()));
        bootstrap = "127.0.0.1:" + port;
        boolean ready = false;
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            Program.await("a topic", START_SECONDS, List.of(program), () -> make(admin));
            ready = true;
        } finally {
            if (!ready) {
                program.close();
            }
        }
        producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers", bootstrap,
                        "compression.type", "lz4",
                        "linger.ms", "5",
                        "batch.size", "262144",
                        "buffer.memory", "134217728"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    private boolean make(Admin admin) {
        try {
            admin.createTopics(List.of(
                            new NewTopic(Topics.DATAGRAMS, partitions, (short) 1),
                            new NewTopic(Topics.EVENTS, 1, (short) 1),
                            new NewTopic(Topics.ROLLUPS, 1, (short) 1)))
                    .all()
                    .get(ASK_SECONDS, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException e) {
            return e.getCause() instanceof TopicExistsException; // it was made, and only the answer was late
        } catch (TimeoutException e) {
            return false; // it is not there yet
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    String bootstrap() {
        return bootstrap;
    }

    Program program() {
        return program;
    }

    /** Exporters are spread evenly, as many of them would be by their hashes. */
    void fill(Traffic traffic, long reports) throws IOException {
        for (long i = 0; i < reports; i++) {
            int exporter = traffic.exporter();
            var record = new ProducerRecord<>(
                    Topics.DATAGRAMS, exporter % partitions, Traffic.key(exporter), traffic.next());
            var _ = producer.send(record, (place, e) -> failure = e == null ? failure : e);
        }
        producer.flush();
        Exception last = failure;
        if (last != null) {
            throw new IOException("the topic cannot be filled: " + last.getMessage(), last);
        }
        filled += reports;
    }

    /** All that are there. */
    long filled() {
        return filled;
    }

    @Override
    public void close() {
        producer.close();
        program.close();
    }
}
