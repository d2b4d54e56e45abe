package io.pathlore.cli;

import io.pathlore.model.Fault;
import io.pathlore.wire.Warnings;
import io.pathlore.wire.decode.ReportView;
import io.pathlore.wire.net.PacketView;
import java.nio.ByteBuffer;

/** Writes what was decoded in one of the output formats. Everything passed is borrowed. */
interface ReportPrinter {
    void report(Place place, ReportView report);

    void packet(Place place, PacketView packet, Warnings warnings);

    /**
     * {@code offset} counts from the start of the datagram, which is {@code [place.start, end)} of the buffer;
     * {@code warnings} are what was noticed before the fault.
     */
    void rejected(Place place, Fault fault, int offset, Warnings warnings, ByteBuffer buffer, int end);

    /** Hands on what was held back to make it look better. */
    default void flush() {}
}
