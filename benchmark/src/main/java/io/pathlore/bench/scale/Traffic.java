package io.pathlore.bench.scale;

import io.pathlore.bench.decode.Corpus;
import io.pathlore.wire.envelope.Envelope;
import java.nio.ByteBuffer;

/** The datagrams that the sender of {@code ./bench whole} sends, numbered exporter by exporter as there, each in an envelope. */
final class Traffic {
    static final int DATAGRAM = Corpus.Kind.FABRIC.datagramBytes();

    /** As many as the sender repeats. */
    static final int REPORTS = 16_000;

    /** Half a minute before one is over: what is told once a minute is told while it is measured. */
    static final long START = 1_790_000_070_000_000_000L;

    private static final int NUMBERS = 0x3F_FFFF;
    private static final int FIRST_EXPORTER = 0x0A01_0001;
    private static final int COLLECTOR = 0x0A02_0001;
    private static final int PORT = 8_555;

    private final ByteBuffer corpus = Corpus.make(Corpus.Kind.FABRIC, REPORTS);
    private final int sourceOffset = Corpus.innerSourceOffset();
    private final int[] sequences = new int[Corpus.REPORTERS];
    private final long apartNanos;
    private boolean eachItsFlow;
    private long skippedNanos;
    private long sent;

    private Traffic(boolean eachItsFlow, long apartNanos) {
        this.eachItsFlow = eachItsFlow;
        this.apartNanos = apartNanos;
    }

    static Traffic ofAFabric(int perSecond) {
        return new Traffic(false, Ticks.SECOND / perSecond);
    }

    /** Each report is of a flow that no other is of. */
    static Traffic ofFlows(int perSecond) {
        return new Traffic(true, Ticks.SECOND / perSecond);
    }

    /** From here on, whether each is of a flow that no other is of. */
    void eachItsFlow(boolean itsOwn) {
        eachItsFlow = itsOwn;
    }

    /** Nothing comes for so long. */
    void skip(long nanos) {
        skippedNanos += nanos;
    }

    /** When the next one is received. */
    long nanos() {
        return START + skippedNanos + sent * apartNanos;
    }

    /** Whose the next one is. */
    int exporter() {
        return (int) (sent / Corpus.IN_A_ROW % Corpus.REPORTERS);
    }

    /** As an edge makes it. */
    static byte[] key(int exporter) {
        return ByteBuffer.allocate(16)
                .putInt(8, 0xFFFF)
                .putInt(12, FIRST_EXPORTER + exporter)
                .array();
    }

    byte[][] next(int count) {
        byte[][] envelopes = new byte[count][];
        for (int i = 0; i < count; i++) {
            envelopes[i] = next();
        }
        return envelopes;
    }

    byte[] next() {
        byte[] envelope = new byte[Envelope.LENGTH + DATAGRAM];
        ByteBuffer out = ByteBuffer.wrap(envelope);
        int exporter = exporter();
        int at = Envelope.encode(
                out,
                0,
                Envelope.KERNEL_TIME,
                DATAGRAM,
                nanos(),
                1,
                sent + 1,
                false,
                0,
                FIRST_EXPORTER + exporter,
                PORT,
                0,
                COLLECTOR,
                PORT);
        int from = (int) (sent % REPORTS) * (Corpus.LENGTH_BYTES + DATAGRAM) + Corpus.LENGTH_BYTES;
        out.put(at, corpus, from, DATAGRAM);
        out.putInt(at, 2 << 28 | sequences[exporter]++ & NUMBERS);
        out.putInt(at + 4, 1 + exporter);
        if (eachItsFlow) {
            out.putInt(at + sourceOffset, (int) (0x0B00_0000 + sent));
        }
        sent++;
        return envelope;
    }
}
