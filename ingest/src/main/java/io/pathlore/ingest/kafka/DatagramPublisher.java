package io.pathlore.ingest.kafka;

import io.pathlore.wire.envelope.Envelope;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * Puts datagrams on their topic, those of one exporter in their order, and knows up to where all of them have arrived. A broker that is
 * away is waited for without an end: what is given up is worse than what is late. Belongs to one thread.
 */
public final class DatagramPublisher implements AutoCloseable {
    /** How many may be on their way. A power of two. */
    static final int ROOM = 1 << 16;

    private static final int ADDRESS_OCTETS = 16;
    private static final Duration LAST_CHANCE = Duration.ofMillis(500);

    private final KafkaProducer<byte[], byte[]> producer;
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private final AtomicIntegerArray arrived = new AtomicIntegerArray(ROOM);
    private final long[] positions = new long[ROOM];
    private final long[] receivedNanos = new long[ROOM];
    private long sent;
    private long acknowledged;
    private long lastPosition;
    private long lastNanos;

    private DatagramPublisher(KafkaProducer<byte[], byte[]> producer, long lastPosition) {
        this.producer = producer;
        this.lastPosition = lastPosition;
    }

    /**
     * Connects, and finds the topic.
     *
     * @param bufferBytes of what waits for the broker
     * @param lastPosition behind which it will be sent from
     */
    public static DatagramPublisher open(Brokers brokers, long bufferBytes, long lastPosition) throws BrokerException {
        return new DatagramPublisher(brokers.open(Topics.DATAGRAMS, bufferBytes), lastPosition);
    }

    /** Whether another may be sent now; where not, {@link #settle} makes room with time. */
    public boolean hasRoom() {
        return sent - acknowledged < ROOM;
    }

    /** Sends one, which is copied. Waits while the client's buffer is full. */
    public void send(Envelope envelope) throws BrokerException {
        int slot = (int) (sent & ROOM - 1);
        positions[slot] = envelope.position();
        receivedNanos[slot] = envelope.receivedNanos();
        arrived.set(slot, 0);
        sent++;
        try {
            Future<RecordMetadata> _ = producer.send(
                    new ProducerRecord<>(Topics.DATAGRAMS, key(envelope), value(envelope)), (metadata, e) -> {
                        if (e == null) {
                            arrived.set(slot, 1);
                        } else {
                            failure.compareAndSet(null, e);
                        }
                    });
        } catch (InterruptException e) {
            throw new BrokerException("stopped", e);
        } catch (KafkaException e) {
            throw new BrokerException(e);
        }
    }

    private static byte[] key(Envelope envelope) {
        byte[] key = new byte[ADDRESS_OCTETS];
        envelope.copyExporterAddress(key);
        return key;
    }

    private static byte[] value(Envelope envelope) {
        int start = envelope.offset();
        byte[] value = new byte[envelope.datagramEnd() - start];
        ByteBuffer buffer = envelope.buffer();
        buffer.get(start, value);
        return value;
    }

    /** Looks how far it has come. */
    public void settle() throws BrokerException {
        while (acknowledged < sent && arrived.get((int) (acknowledged & ROOM - 1)) == 1) {
            int slot = (int) (acknowledged++ & ROOM - 1);
            lastPosition = positions[slot];
            lastNanos = receivedNanos[slot];
        }
        Exception failed = failure.get();
        if (failed != null) {
            throw new BrokerException(failed);
        }
    }

    /** Everything up to this position has arrived, as of the last {@link #settle}. */
    public long lastPosition() {
        return lastPosition;
    }

    /** When that was received; 0 where none has arrived yet. */
    public long lastReceivedNanos() {
        return lastNanos;
    }

    /** Of those sent here. */
    public long acknowledged() {
        return acknowledged;
    }

    /** Sent, and not known to have arrived. */
    public long waiting() {
        return sent - acknowledged;
    }

    /** What is on its way may still arrive; what did not is not lost to who knows {@link #lastPosition}. */
    @Override
    public void close() {
        Brokers.close(producer, failure.get() == null ? LAST_CHANCE : Duration.ZERO);
    }
}
