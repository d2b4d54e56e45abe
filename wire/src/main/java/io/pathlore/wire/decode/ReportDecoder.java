package io.pathlore.wire.decode;

import io.pathlore.model.Fault;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.Warnings;
import io.pathlore.wire.net.PacketView;
import io.pathlore.wire.net.PacketWalker.Start;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Decodes telemetry reports of every version and dialect, strictly or leniently. It never throws, whatever the bytes, and
 * allocates nothing once warm. Hot path: owned by one thread; make one per thread.
 *
 * <p>Exporters send the same shape of report again and again. Lenient decoding remembers the shapes it saw and, where every
 * bit that decided the last time is as it was, moves that result to the new bytes instead of finding it anew.
 */
public final class ReportDecoder {
    private final DatagramDecoder decoder;
    private final ShapeMemory shapes;

    public ReportDecoder(DecodeOptions options) {
        this(options, !options.strict());
    }

    /** Without shapes every datagram is decoded from scratch; results are the same. */
    ReportDecoder(DecodeOptions options, boolean rememberShapes) {
        decoder = new DatagramDecoder(options);
        shapes = new ShapeMemory(options, rememberShapes);
    }

    /**
     * Decodes the datagram in {@code [from, end)} of a big-endian buffer and hands its reports to the sink.
     *
     * @return NONE, or the fault for which the whole datagram was rejected (also told to the sink)
     */
    public Fault decode(ByteBuffer buffer, int from, int end, Exporter exporter, ReportSink sink) {
        ReportView known = shapes.recall(buffer, from, end, exporter);
        if (known != null) {
            sink.onReport(known);
            return Fault.NONE;
        }
        return decodeNew(buffer, from, end, exporter, sink);
    }

    private Fault decodeNew(ByteBuffer buffer, int from, int end, Exporter exporter, ReportSink sink) {
        if (buffer.order() != ByteOrder.BIG_ENDIAN) {
            throw new IllegalArgumentException("telemetry is big endian, the buffer is not");
        }
        Fault fault = decoder.decode(buffer, from, end, exporter, sink);
        ReportView only = decoder.onlyReport();
        if (only != null) {
            shapes.consider(buffer, from, end, exporter, only);
        }
        return fault;
    }

    /** A data packet rather than a report, with the same search for telemetry as a report with F = 1. */
    public void decodePacket(ByteBuffer buffer, int from, int end, Start start, Exporter exporter) {
        decoder.decodePacket(buffer, from, end, start, exporter);
    }

    /** What {@link #decodePacket} found. */
    public PacketView packet() {
        return decoder.packet();
    }

    /** What was noticed in the packet at hand, or in a report before it was rejected. */
    public Warnings warnings() {
        return decoder.warnings();
    }
}
