package io.pathlore.wire.decode;

import io.pathlore.model.Fault;
import io.pathlore.testkit.vectors.Start;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.json.Origin;
import io.pathlore.wire.json.ReportJson;
import io.pathlore.wire.net.PacketWalker;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** One decoder, used again and again as a collector does, and all it says of a datagram or packet as JSON lines. */
final class JsonLines {
    private final ReportDecoder decoder;
    private final ReportJson json = new ReportJson();
    private final StringBuilder lines = new StringBuilder();

    JsonLines(DecodeOptions options) {
        decoder = new ReportDecoder(options);
    }

    /** Of bytes that start at this layer, from nobody known; option bodies must have been dressed up as frames. */
    String of(Start start, ByteBuffer buffer, int from, int end) {
        return of(start, buffer, from, end, new Exporter());
    }

    String of(Start start, ByteBuffer buffer, int from, int end, Exporter exporter) {
        return switch (start) {
            case REPORT -> reports(buffer, from, end, exporter);
            case IPV4 -> packet(PacketWalker.Start.IPV4, buffer, from, end);
            case IPV6 -> packet(PacketWalker.Start.IPV6, buffer, from, end);
            case GENEVE -> packet(PacketWalker.Start.GENEVE, buffer, from, end);
            case VXLAN_GPE -> packet(PacketWalker.Start.VXLAN_GPE, buffer, from, end);
            case IOAM_INCREMENTAL_TRACE, IOAM_E2E, IPV6_OPTION ->
                packet(PacketWalker.Start.ETHERNET, buffer, from, end);
        };
    }

    String packet(PacketWalker.Start start, ByteBuffer buffer, int from, int end) {
        decoder.decodePacket(buffer, from, end, start, new Exporter());
        json.packet(new Origin(), decoder.packet(), decoder.warnings());
        return text();
    }

    String reports(ByteBuffer buffer, int from, int end) {
        return reports(buffer, from, end, new Exporter());
    }

    private String reports(ByteBuffer buffer, int from, int end, Exporter exporter) {
        lines.setLength(0);
        decoder.decode(buffer, from, end, exporter, new ReportSink() {
            @Override
            public void onReport(ReportView report) {
                json.report(new Origin(), report);
                lines.append(text());
            }

            @Override
            public void onRejected(Fault fault, int offset) {
                json.rejected(new Origin(), fault, offset - from, decoder.warnings());
                lines.append(text());
            }
        });
        return lines.toString();
    }

    private String text() {
        return new String(json.bytes(), 0, json.length(), StandardCharsets.US_ASCII);
    }
}
