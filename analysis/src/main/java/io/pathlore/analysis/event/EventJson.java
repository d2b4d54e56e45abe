package io.pathlore.analysis.event;

import io.pathlore.analysis.event.Event.Culprit;
import io.pathlore.analysis.event.Event.Details;
import io.pathlore.analysis.event.Event.LinkEnd;
import io.pathlore.analysis.event.Event.Reporter;
import io.pathlore.model.JsonLine;
import java.util.List;

/** An event as one line of JSON. The same event gives the same bytes. */
public final class EventJson {
    /** Names of drop reasons; empty where a number has none. */
    @FunctionalInterface
    public interface ReasonNames {
        ReasonNames NONE = (node, reason) -> "";

        String of(long node, int reason);
    }

    private static final int WHOLE = 10_000;

    private final JsonLine json = new JsonLine();
    private final ReasonNames reasons;

    public EventJson(ReasonNames reasons) {
        this.reasons = reasons;
    }

    /** With a line feed. */
    public String line(Event event) {
        json.begin()
                .text("kind", event.kind().label())
                .text("id", event.id().toString())
                .time("start", event.startNanos())
                .time("end", event.endNanos())
                .time("detectedAt", event.detectedAtNanos())
                .text("severity", event.kind().severity().label());
        if (Double.isFinite(event.completeness())) {
            json.share("completeness", (int) Math.round(event.completeness() * WHOLE));
        }
        switch (event.details()) {
            case Details.PathChange change ->
                json.flow("flow", change.flow())
                        .numbers("before", change.before())
                        .numbers("after", change.after());
            case Details.Loop loop -> json.flow("flow", loop.flow()).numbers("path", loop.path());
            case Details.Congestion congestion -> congestion(congestion, event);
            case Details.Latency latency ->
                json.integer("node", latency.node())
                        .integer("interface", latency.interfaceId())
                        .number("queue", latency.queue())
                        .integer("baselineNs", latency.baselineNanos())
                        .integer("observedNs", latency.observedNanos());
            case Details.Drops drops -> drops(drops);
            case Details.LinkDown down -> link(down.from(), down.to());
            case Details.LinkUp up -> link(up.from(), up.to());
            case Details.ReportLoss loss ->
                reporter(loss.reporter(), loss.hwId()).integer("lost", loss.lost());
            case Details.ExporterRestart restart -> reporter(restart.reporter(), restart.hwId());
            case Details.ExporterSilent silent -> reporter(silent.reporter(), silent.hwId());
            case Details.SpoofSuspected spoof ->
                json.integer("node", spoof.node()).texts("addresses", spoof.addresses());
            case Details.Attack attack -> attack(attack);
        }
        return json.end();
    }

    private void congestion(Details.Congestion congestion, Event event) {
        json.integer("node", congestion.node())
                .integer("interface", congestion.interfaceId())
                .integer("queue", congestion.queue())
                .number("peakOccupancy", congestion.peakOccupancy())
                .openArray("culprits");
        for (Culprit culprit : congestion.culprits()) {
            json.openElement()
                    .flow("flow", culprit.flow())
                    .share("share", culprit.share())
                    .close();
        }
        json.closeArray().flows("victims", congestion.victims());
        if (event.endNanos() != Event.OPEN && congestion.packets() > 0) {
            json.text("burst", event.id().toString());
        }
    }

    private void drops(Details.Drops drops) {
        json.integer("node", drops.node()).integer("reason", drops.reason());
        String name = reasons.of(drops.node(), drops.reason());
        if (!name.isEmpty()) {
            json.text("reasonName", name);
        }
        List<?> flows = drops.flows();
        if (flows.size() == 1) {
            json.flow("flow", drops.flows().getFirst());
        } else if (!flows.isEmpty()) {
            json.flows("flows", drops.flows());
        }
        json.integer("count", drops.count());
    }

    private void attack(Details.Attack attack) {
        json.text("vector", attack.vector().label())
                .open("victim")
                .text(
                        attack.victim().isAddress() ? "address" : "prefix",
                        attack.victim().toString())
                .number("port", attack.port())
                .number("protocol", attack.protocol())
                .close()
                .openArray("sources");
        for (AttackSource source : attack.sources()) {
            json.openElement()
                    .text("device", source.device())
                    .number("firstNode", source.firstNode())
                    .number("interface", source.ingress());
            if (source.address() != null) {
                json.text("address", source.address().toString());
            }
            json.share("share", source.share())
                    .share("spoofed", source.spoofed())
                    .text("witness", source.witness().label())
                    .close();
        }
        json.closeArray()
                .integer("devices", attack.devices())
                .integer(attack.packets() ? "packetsPerSecond" : "reportsPerSecond", attack.perSecond())
                .number("bytesPerSecond", attack.bytesPerSecond())
                .number("flowsPerSecond", attack.flowsPerSecond())
                .integer("windows", attack.windows())
                .numbers("reporters", attack.reporters())
                .numbers("hops", attack.hops())
                .share("confidence", attack.confidence())
                .time("lastSeen", attack.lastNanos());
    }

    private void link(LinkEnd from, LinkEnd to) {
        end("from", from);
        end("to", to);
    }

    private void end(String name, LinkEnd end) {
        json.open(name)
                .integer("node", end.node())
                .integer("interface", end.interfaceId())
                .close();
    }

    private JsonLine reporter(Reporter reporter, int hwId) {
        String address = reporter.address();
        if (reporter.node() != Event.ABSENT) {
            json.integer("node", reporter.node());
        } else if (address != null) {
            json.text("exporter", address);
        }
        return json.integer("hwId", hwId);
    }
}
