package io.pathlore.cli.service;

import io.pathlore.analysis.filter.Filter;
import io.pathlore.cli.config.Config;
import io.pathlore.store.journal.DiskFiles;
import io.pathlore.store.journal.JournalReader;
import io.pathlore.wire.envelope.Envelope;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The reports in a journal, decoded as one comes to them, also while the journal is written. Nothing of it is on the way of what is
 * received. Belongs to one thread; what it uses most memory for is used again after {@link #begin}.
 */
final class JournalReports implements Closeable {
    /**
     * Records of several receiving threads stand some milliseconds out of order, and more where the disk was slow: this much is
     * looked at beyond both ends of a span of time.
     */
    static final long DISORDER_NANOS = 1_000_000_000L;

    private final JournalReader reader;
    private final DecodedReports decoded = new DecodedReports();
    private long damaged;
    private long octetsBefore;

    JournalReports(Path directory) throws IOException {
        reader = new JournalReader(DiskFiles.of(directory), damage -> damaged++);
    }

    /** From the start of the journal on, or as the reader is then told, decoded as this configuration says. */
    JournalReader begin(Config config, Filter wanted) throws IOException {
        decoded.begin(config, wanted);
        damaged = 0;
        octetsBefore = 0;
        return reader.restart().assumingOrder(DISORDER_NANOS);
    }

    /** Another part of the journal, for the same question. */
    JournalReader again() throws IOException {
        octetsBefore += reader.octets();
        return reader.restart().assumingOrder(DISORDER_NANOS);
    }

    /** Goes to the next datagram, and tells of the reports in it that are wanted. False: there is none now. */
    boolean next(DecodedReports.Taker taker) throws IOException {
        if (!reader.next()) {
            return false;
        }
        decoded.decode(reader.envelope(), taker);
        return true;
    }

    Envelope envelope() {
        return reader.envelope();
    }

    long octets() {
        return octetsBefore + reader.octets();
    }

    long datagrams() {
        return decoded.datagrams();
    }

    /** Also those that were rejected. */
    long reports() {
        return decoded.reports();
    }

    /** Places of the journal that cannot be read. */
    long damaged() {
        return damaged;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
