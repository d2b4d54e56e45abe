package io.pathlore.cli.service;

import io.pathlore.analysis.event.Burst;
import io.pathlore.analysis.event.Event.Details;
import io.pathlore.model.JsonLine;

/** A burst as one line of JSON, as {@code GET bursts/{id}} gives it. */
final class BurstJson {
    private BurstJson() {}

    static String of(Burst burst, Details.Congestion queue) {
        JsonLine json = new JsonLine()
                .begin()
                .text("id", burst.event().id().toString())
                .integer("node", queue.node())
                .integer("interface", queue.interfaceId())
                .integer("queue", queue.queue())
                .time("start", burst.event().startNanos())
                .time("end", burst.event().endNanos())
                .number("peakOccupancy", queue.peakOccupancy())
                .integer("packetsSeen", burst.seen())
                .flows("flows", burst.flows())
                .openArray("packets");
        long first = burst.packets().getFirst().nanos();
        for (Burst.Packet packet : burst.packets()) {
            json.openElement()
                    .integer("atNs", packet.nanos() - first)
                    .number("flow", packet.flow())
                    .number("bytes", packet.octets())
                    .number("occupancy", packet.occupancy())
                    .number("latency", packet.latency());
            if (packet.dropped()) {
                json.bool("dropped", true);
            }
            json.close();
        }
        return json.closeArray().end().strip();
    }
}
