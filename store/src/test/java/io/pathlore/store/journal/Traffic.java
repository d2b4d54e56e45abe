package io.pathlore.store.journal;

import io.pathlore.testkit.Hex;
import io.pathlore.testkit.journal.PlainJournal.Datagram;
import io.pathlore.wire.envelope.Envelope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Random datagrams for a journal, and the memory of what was offered and taken. */
final class Traffic {
    private static final long START_NANOS = 1_800_000_000_000_000_000L;

    private final RandomGenerator random;
    private final int maxLength;
    private final NavigableMap<Long, Datagram> accepted = new TreeMap<>();
    private @Nullable Journal journal;
    private long next;
    private long timeNanos = START_NANOS;
    private long refused;

    Traffic(RandomGenerator random, int maxLength) {
        this.random = random;
        this.maxLength = maxLength;
    }

    /** By position. */
    NavigableMap<Long, Datagram> accepted() {
        return accepted;
    }

    long refused() {
        return refused;
    }

    /** To the only ring there is: positions are given in the order of offers. */
    void offer(JournalWriter writer, Journal to) {
        if (journal != to) {
            journal = to;
            next = to.firstPosition();
        }
        Datagram kept = offer(writer.ring(0), to.edgeId(), next);
        if (kept != null) {
            accepted.put(next++, kept);
        }
    }

    /** Somebody else's record comes next. */
    void skipPosition() {
        next++;
    }

    /** To one of several, with the position it is expected to get. Null if it was refused. */
    @Nullable
    Datagram offer(JournalRing ring, long edge, long position) {
        byte[] bytes = new byte[random.nextInt(maxLength + 1)];
        random.nextBytes(bytes);
        boolean v6 = random.nextBoolean();
        long fromHigh = v6 ? 0xfd00_0000_0000_0000L | random.nextInt() : 0;
        long fromLow = v6 ? random.nextLong() : random.nextLong(1L << 32);
        long toHigh = v6 ? 0xfd00_0000_0000_0000L : 0;
        long toLow = random.nextLong(1L << 32);
        int flags = random.nextInt(8);
        int fromPort = random.nextInt(65_536);
        // Mostly forward, sometimes a little back, as kernel times of several sockets are.
        timeNanos += random.nextLong(-100_000, 10_000_000);
        int margin = random.nextInt(4);
        ByteBuffer datagram = ByteBuffer.allocate(bytes.length + margin).put(margin, bytes);
        boolean taken = ring.offer(
                flags,
                bytes.length + 7,
                timeNanos,
                v6,
                fromHigh,
                fromLow,
                fromPort,
                toHigh,
                toLow,
                8555,
                datagram,
                margin,
                bytes.length);
        ring.publish();
        if (!taken) {
            refused++;
            return null;
        }
        return new Datagram(
                position,
                edge,
                flags,
                timeNanos,
                address(v6, fromHigh, fromLow),
                fromPort,
                address(v6, toHigh, toLow),
                8555,
                bytes.length + 7,
                Hex.text(bytes));
    }

    private static String address(boolean v6, long high, long low) {
        return v6
                ? String.format("%016x%016x", high, low)
                : String.format("00000000000000000000ffff%08x", low & 0xFFFF_FFFFL);
    }

    static Datagram datagram(Envelope envelope) {
        byte[] bytes = new byte[envelope.datagramLength()];
        envelope.buffer().get(envelope.datagramOffset(), bytes);
        return new Datagram(
                envelope.position(),
                envelope.edgeId(),
                envelope.flags(),
                envelope.receivedNanos(),
                address(envelope.v6(), envelope.exporterHigh(), envelope.exporterLow()),
                envelope.exporterPort(),
                address(envelope.v6(), envelope.destinationHigh(), envelope.destinationLow()),
                envelope.destinationPort(),
                envelope.originalLength(),
                Hex.text(bytes));
    }

    static List<Datagram> readAll(JournalFiles files, List<JournalDamage> damage) throws IOException {
        try (JournalReader reader = new JournalReader(files, damage::add)) {
            return rest(reader);
        }
    }

    static List<Datagram> rest(JournalReader reader) throws IOException {
        List<Datagram> all = new ArrayList<>();
        while (reader.next()) {
            all.add(datagram(reader.envelope()));
        }
        return all;
    }
}
