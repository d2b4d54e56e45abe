package io.pathlore.cli;

import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Details;
import io.pathlore.analysis.event.Event.LinkEnd;
import io.pathlore.analysis.event.Event.Reporter;
import io.pathlore.model.FlowKey;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** An event in words. */
final class EventText {
    private static final double MICROS = 1e3;
    private static final double PERCENT = 100;

    private EventText() {}

    static String of(Event event) {
        return switch (event.details()) {
            case Details.PathChange change ->
                flow(change.flow()) + "  " + way(change.before()) + " is now " + way(change.after());
            case Details.Loop loop ->
                flow(loop.flow()) + (loop.path().isEmpty() ? "  until its TTL is used up" : "  " + way(loop.path()));
            case Details.Congestion queue -> congestion(queue);
            case Details.Latency slow ->
                String.format(
                        Locale.ROOT,
                        "node %d interface %d: %.1f us, usually %.1f us",
                        slow.node(),
                        slow.interfaceId(),
                        slow.observedNanos() / MICROS,
                        slow.baselineNanos() / MICROS);
            case Details.Drops drops ->
                String.format(
                        Locale.ROOT,
                        "node %d reason %d: %,d packets of %,d flows",
                        drops.node(),
                        drops.reason(),
                        drops.count(),
                        drops.flows().size());
            case Details.LinkDown down -> end(down.from()) + " to " + end(down.to());
            case Details.LinkUp up -> end(up.from()) + " to " + end(up.to());
            case Details.ReportLoss loss ->
                String.format(Locale.ROOT, "%s: %,d datagrams", who(loss.reporter(), loss.hwId()), loss.lost());
            case Details.ExporterRestart restart -> who(restart.reporter(), restart.hwId()) + " counts anew";
            case Details.ExporterSilent silent -> who(silent.reporter(), silent.hwId()) + " sends nothing";
            case Details.SpoofSuspected spoof ->
                "node " + spoof.node() + " is also spoken for by " + String.join(", ", spoof.addresses());
        };
    }

    private static String congestion(Details.Congestion queue) {
        String place = String.format(
                Locale.ROOT, "node %d interface %d queue %d", queue.node(), queue.interfaceId(), queue.queue());
        String peak = queue.peakOccupancy() == Event.ABSENT
                ? ""
                : String.format(Locale.ROOT, ", up to %,d", queue.peakOccupancy());
        if (queue.culprits().isEmpty()) {
            return place + peak;
        }
        Event.Culprit most = queue.culprits().getFirst();
        return place + peak + String.format(Locale.ROOT, "; %.0f %% by %s", most.share() / PERCENT, flow(most.flow()));
    }

    private static String who(Reporter reporter, int hwId) {
        return (reporter.node() == Event.ABSENT ? "exporter " : "node ")
                + reporter.text()
                + (hwId == 0 ? "" : " hw_id " + hwId);
    }

    private static String end(LinkEnd end) {
        return "node " + end.node() + " interface " + end.interfaceId();
    }

    private static String way(List<Long> nodes) {
        return nodes.stream().map(String::valueOf).collect(Collectors.joining("-"));
    }

    private static String flow(FlowKey flow) {
        return side(flow, flow.source(), flow.sourcePort()) + " > "
                + side(flow, flow.destination(), flow.destinationPort()) + " " + protocol(flow.protocol());
    }

    private static String protocol(int number) {
        String name = Protocols.name(number);
        return name == null ? "protocol " + number : name;
    }

    private static String side(FlowKey flow, String address, int port) {
        String host = flow.v6() ? "[" + address + "]" : address;
        return port == FlowKey.ABSENT ? host : host + ":" + port;
    }
}
