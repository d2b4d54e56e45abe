package io.pathlore.cli.scale;

import io.pathlore.cli.config.Service;
import io.pathlore.model.ReportRow;
import io.pathlore.wire.envelope.Envelope;
import java.nio.ByteBuffer;

/**
 * How the analysis is divided. The number of parts is chosen once: what they remember is moved part by part, and never divided anew.
 *
 * @param datagrams parts that all exporters are spread over
 * @param flows parts that all flows are spread over
 * @param hops parts that all nodes are spread over
 * @param attacks parts that all networks are spread over, for those who are attacked
 * @param seed of hashes, so that nobody can choose what shares a place; only where nothing is remembered yet
 * @param waitingBytes of reports that may wait for their time, in all parts of a stage
 */
public record Parts(Service service, int datagrams, int flows, int hops, int attacks, long seed, long waitingBytes) {
    /** Where nobody says otherwise. */
    public static final int DEFAULT = 32;

    private static final long LEAST_WAITING = 8L << 20;
    private static final long HALF = 0xFFFF_FFFFL;

    public int count(Stage stage) {
        return switch (stage) {
            case DATAGRAMS -> datagrams;
            case FLOWS -> flows;
            case HOPS -> hops;
            case ATTACKS -> attacks;
            case VERDICTS -> 1;
        };
    }

    /** The part an envelope belongs to, of so many: all datagrams of an exporter go to one. What is no envelope goes somewhere, too. */
    public static int partOf(byte[] envelope, int parts) {
        Envelope view = new Envelope();
        if (!view.wrap(ByteBuffer.wrap(envelope), 0, envelope.length)) {
            return 0;
        }
        return part(ReportRow.mix(view.exporterLow() ^ ReportRow.mix(view.exporterHigh())), parts);
    }

    /** Of one part. */
    long waitingBytes(Stage stage) {
        return Math.max(LEAST_WAITING, waitingBytes / count(stage));
    }

    static int part(long hash, int parts) {
        return (int) ((hash & HALF) * parts >>> 32);
    }

    /** Who say how far their rows are complete. */
    public int sources() {
        return datagrams + flows + hops + attacks;
    }

    /** Makes a part that remembers nothing. */
    public Part make(Stage stage, int part, Outbox outbox) {
        return switch (stage) {
            case DATAGRAMS -> new DatagramPart(this, part, outbox);
            case FLOWS -> FlowPart.of(this, part, outbox);
            case ATTACKS -> AttackPart.of(this, part, outbox);
            case HOPS -> HopPart.of(this, part, outbox);
            case VERDICTS -> VerdictPart.of(this, outbox);
        };
    }
}
