package io.pathlore.dataplane.lab;

import io.pathlore.dataplane.report.ReportDestination;
import java.nio.ByteBuffer;

/** The collector's end of the management network. */
@FunctionalInterface
public interface ReportSink {
    ReportSink NOWHERE = (timeNanos, sourceAddress, sourcePort, destination, payload, from, end) -> {};

    /** In the order of time; the payload in {@code [from, end)} is borrowed. */
    void onDatagram(
            long timeNanos,
            int sourceAddress,
            int sourcePort,
            ReportDestination destination,
            ByteBuffer payload,
            int from,
            int end);
}
