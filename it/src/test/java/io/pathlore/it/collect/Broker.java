package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.Hex;
import io.pathlore.testkit.journal.PlainJournal.Datagram;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A real Kafka broker that is its own controller, in a process of its own, on the loopback. */
public final class Broker implements AutoCloseable {
    public static final String TOPIC = "pathlore.datagrams.v1";
    private static final String EVENTS = "pathlore.events.v1";
    private static final String ROLLUPS = "pathlore.rollups.v1";
    private static final int PARTITIONS = 3;
    private static final List<String> JVM =
            List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData");
    private static final Duration POLL = Duration.ofMillis(100);

    private final Path directory;
    private final int port;
    private final Path properties;
    private JavaProcess process;

    private Broker(Path directory, int port, Path properties) throws IOException {
        this.directory = directory;
        this.port = port;
        this.properties = properties;
        process = JavaProcess.start(directory, List.of(), JVM, "kafka.Kafka", List.of(properties.toString()));
    }

    /** Starts one with nothing on it but the topics. */
    public static Broker in(Path directory) throws Exception {
        int port = RunningCollector.freeTcpPort();
        int controller = RunningCollector.freeTcpPort();
        Path properties = Files.writeString(
                directory.resolve("server.properties"), """
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
                log.flush.interval.messages=1
                """.formatted(port, controller, directory.resolve("log")));
        List<String> format = List.of("format", "-t", "AAAAAAAAAAAAAAAAAAAAAQ", "-c", properties.toString());
        JavaProcess.Ended formatted = JavaProcess.start(directory, List.of(), JVM, "kafka.tools.StorageTool", format)
                .await();
        assertThat(formatted.status()).as(formatted.out() + formatted.err()).isZero();
        Broker broker = new Broker(directory, port, properties);
        boolean done = false;
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
            RunningCollector.until("a topic is made", () -> broker.make(admin));
            done = true;
            return broker;
        } finally {
            if (!done) {
                broker.close();
            }
        }
    }

    private boolean make(Admin admin) throws IOException {
        assertThat(process.process().isAlive()).as(process.errors()).isTrue();
        try {
            admin.createTopics(List.of(
                            new NewTopic(TOPIC, PARTITIONS, (short) 1),
                            new NewTopic(EVENTS, 1, (short) 1),
                            new NewTopic(ROLLUPS, PARTITIONS, (short) 1)))
                    .all()
                    .get(5, TimeUnit.SECONDS);
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

    public String bootstrap() {
        return "127.0.0.1:" + port;
    }

    /** One more topic. */
    public void topic(String name, int partitions) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap()))) {
            admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1)))
                    .all()
                    .get(30, TimeUnit.SECONDS);
        }
    }

    /** {@code kill -9}. */
    public void kill() throws InterruptedException {
        process.process().destroyForcibly().waitFor();
    }

    public void startAgain() throws IOException {
        process = JavaProcess.start(directory, List.of(), JVM, "kafka.Kafka", List.of(properties.toString()));
    }

    /** All that came from one edge, partition by partition, until so many positions are among them. */
    List<Datagram> read(long edge, long positions) throws IOException {
        List<Datagram> all = new ArrayList<>();
        follow(TOPIC, PARTITIONS, positions + " datagrams on the topic", records -> {
            for (ConsumerRecord<byte[], byte[]> record : records) {
                Datagram datagram = datagram(record.value());
                assertThat(Hex.text(record.key())).isEqualTo(datagram.exporter());
                if (datagram.edge() == edge) {
                    all.add(datagram);
                }
            }
            return all.stream().map(Datagram::position).distinct().count() >= positions;
        });
        return all;
    }

    /** Events as they were told last, by id, from the first on until that one has ended. */
    Map<String, String> events(String until) throws IOException {
        Map<String, String> events = new HashMap<>();
        follow(EVENTS, 1, "event " + until, records -> {
            for (ConsumerRecord<byte[], byte[]> record : records) {
                events.put(
                        new String(record.key(), StandardCharsets.US_ASCII),
                        new String(record.value(), StandardCharsets.UTF_8));
            }
            return events.getOrDefault(until, "").contains("\"end\"");
        });
        return events;
    }

    private void follow(
            String topic, int count, String what, Predicate<Iterable<ConsumerRecord<byte[], byte[]>>> enough)
            throws IOException {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", bootstrap(), "isolation.level", "read_committed", "check.crcs", "true");
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                partitions.add(new TopicPartition(topic, i));
            }
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            RunningCollector.until(what, () -> enough.test(consumer.poll(POLL)));
        }
    }

    /** As docs/reference/envelope.md has it. */
    private static Datagram datagram(byte[] value) {
        ByteBuffer in = ByteBuffer.wrap(value);
        assertThat(in.get(0)).isEqualTo((byte) 1);
        int header = Short.toUnsignedInt(in.getShort(2));
        return new Datagram(
                in.getLong(24),
                in.getLong(16),
                Byte.toUnsignedInt(in.get(1)),
                in.getLong(8),
                Hex.text(Arrays.copyOfRange(value, 32, 48)),
                Short.toUnsignedInt(in.getShort(64)),
                Hex.text(Arrays.copyOfRange(value, 48, 64)),
                Short.toUnsignedInt(in.getShort(66)),
                Integer.toUnsignedLong(in.getInt(4)),
                Hex.text(Arrays.copyOfRange(value, header, value.length)));
    }

    @Override
    public void close() {
        process.process().destroyForcibly();
    }
}
