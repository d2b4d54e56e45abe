package io.pathlore.cli;

import io.pathlore.model.Fault;
import io.pathlore.wire.Warnings;
import io.pathlore.wire.decode.ReportView;
import io.pathlore.wire.json.ReportJson;
import io.pathlore.wire.net.PacketView;
import java.nio.ByteBuffer;

/** One JSON object per line. Hot path: bytes go straight from the JSON buffer to the output's. */
final class JsonPrinter implements ReportPrinter {
    private final Output out;
    private final ReportJson json = new ReportJson();

    JsonPrinter(Output out) {
        this.out = out;
    }

    @Override
    public void report(Place place, ReportView report) {
        json.report(place.origin, report);
        out.write(json.bytes(), 0, json.length());
    }

    @Override
    public void packet(Place place, PacketView packet, Warnings warnings) {
        json.packet(place.origin, packet, warnings);
        out.write(json.bytes(), 0, json.length());
    }

    @Override
    public void rejected(Place place, Fault fault, int offset, Warnings warnings, ByteBuffer buffer, int end) {
        json.rejected(place.origin, fault, offset, warnings);
        out.write(json.bytes(), 0, json.length());
    }
}
