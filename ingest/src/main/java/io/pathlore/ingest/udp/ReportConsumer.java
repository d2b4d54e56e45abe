package io.pathlore.ingest.udp;

import io.pathlore.model.Fault;
import io.pathlore.wire.decode.ReportView;

/**
 * Takes decoded reports, on the thread that decodes. Whoever takes a report counts what becomes of it: analysed, duplicates
 * or shed. Everything passed is borrowed.
 */
public interface ReportConsumer {
    /** The datagram it came in is at {@code index} of the batch; {@link DatagramBatch#mark} tells the journal of it. */
    void onReport(ReportView report, DatagramBatch batch, int index);

    /** The datagram was decoded, with so many reports, good and bad. Those told of before are the good ones. */
    default void onDatagram(DatagramBatch batch, int index, int reports) {}

    /** The datagram could not be decoded. */
    default void onUndecodable(Fault fault, DatagramBatch batch, int index) {}

    /** All of a batch has been told of: what was kept back is done now, and counted. */
    default void flush() {}

    /** A batch has ended. */
    default void endBatch() {}

    /** Some time has passed; the reports of what was received before then have been told of. */
    default void onTick(long nowNanos) {}

    /**
     * How full the queue in front of the reader is.
     *
     * @param ticks a monotonic clock
     */
    default void onPressure(int percent, long ticks) {}

    /** There will be no more reports. */
    default void end() {}
}
