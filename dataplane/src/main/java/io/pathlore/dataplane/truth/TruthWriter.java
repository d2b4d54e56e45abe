package io.pathlore.dataplane.truth;

import io.pathlore.model.FlowId;
import io.pathlore.model.JsonLine;
import java.util.Comparator;
import java.util.List;

/** The ground truth as JSON Lines: what the run was, then what happened in it. The same facts give the same bytes. */
public final class TruthWriter {
    /** By start, then by id. */
    public static final Comparator<Fact> ORDER =
            Comparator.comparingLong((Fact fact) -> fact.span().startNanos()).thenComparing(Fact::id);

    /**
     * What a run was.
     *
     * @param mode as the command line has it: {@code md}, {@code mx}, {@code xd}
     * @param reportVersion {@code 0.5}, {@code 1.0}, {@code 2.0}
     */
    public record Run(String scenario, long seed, String mode, String reportVersion, long startNanos) {}

    private final JsonLine json = new JsonLine();

    /** The whole file. */
    public String write(Run run, List<Fact> facts) {
        StringBuilder all = new StringBuilder(run(run));
        facts.stream().sorted(ORDER).map(this::fact).forEach(all::append);
        return all.toString();
    }

    public String run(Run run) {
        return json.begin()
                .text("kind", "lab")
                .text("scenario", run.scenario)
                .integer("seed", run.seed)
                .text("mode", run.mode)
                .text("reportVersion", run.reportVersion)
                .time("start", run.startNanos)
                .end();
    }

    public String fact(Fact fact) {
        Span span = fact.span();
        json.begin()
                .text("kind", fact.kind().label())
                .text("id", fact.id().toString())
                .time("start", span.startNanos())
                .time("end", span.endNanos())
                .time("visibleAt", span.visibleAtNanos())
                .text("severity", fact.severity().label());
        switch (fact) {
            case Fact.PathChange change ->
                json.flow("flow", change.flow())
                        .numbers("before", change.before())
                        .numbers("after", change.after());
            case Fact.Loop loop -> json.flow("flow", loop.flow()).numbers("path", loop.path());
            case Fact.Congestion congestion -> congestion(congestion);
            case Fact.Latency latency ->
                json.integer("node", latency.node())
                        .integer("interface", latency.interfaceId())
                        .number("queue", latency.queue())
                        .integer("baselineNs", latency.baselineNanos())
                        .integer("observedNs", latency.observedNanos());
            case Fact.Drops drops -> drops(drops);
            case Fact.LinkDown down -> link(down.from(), down.to());
            case Fact.LinkUp up -> link(up.from(), up.to());
            case Fact.ReportLoss loss -> stream(loss.node(), loss.hwId()).integer("lost", loss.lost());
            case Fact.ExporterRestart restart -> stream(restart.node(), restart.hwId());
            case Fact.ExporterSilent silent -> stream(silent.node(), silent.hwId());
            case Fact.SpoofSuspected spoof -> json.integer("node", spoof.node()).texts("addresses", spoof.addresses());
            case Fact.Attack attack -> attack(attack);
        }
        return json.end();
    }

    private void congestion(Fact.Congestion congestion) {
        json.integer("node", congestion.node())
                .integer("interface", congestion.interfaceId())
                .integer("queue", congestion.queue())
                .integer("peakOccupancy", congestion.peakOccupancy())
                .openArray("culprits");
        for (Fact.Culprit culprit : congestion.culprits()) {
            json.openElement()
                    .flow("flow", culprit.flow())
                    .share("share", culprit.share())
                    .close();
        }
        json.closeArray().flows("victims", congestion.victims());
    }

    private void drops(Fact.Drops drops) {
        json.integer("node", drops.node()).integer("reason", drops.reason());
        String name = drops.reasonName();
        if (name != null) {
            json.text("reasonName", name);
        }
        if (drops.flows().size() == 1) {
            json.flow("flow", drops.flows().getFirst());
        } else if (!drops.flows().isEmpty()) {
            json.flows("flows", drops.flows());
        }
        json.integer("count", drops.count());
    }

    private void link(Fact.LinkEnd from, Fact.LinkEnd to) {
        linkEnd("from", from);
        linkEnd("to", to);
    }

    private void linkEnd(String name, Fact.LinkEnd end) {
        json.open(name)
                .integer("node", end.node())
                .integer("interface", end.interfaceId())
                .close();
    }

    private JsonLine stream(long node, int hwId) {
        return json.integer("node", node).integer("hwId", hwId);
    }

    private void attack(Fact.Attack attack) {
        Fact.Victim victim = attack.victim();
        json.text("vector", attack.vector())
                .open("victim")
                .text(
                        victim.prefix().isAddress() ? "address" : "prefix",
                        victim.prefix().toString())
                .number("port", victim.port())
                .number("protocol", victim.protocol())
                .close()
                .openArray("sources");
        for (Fact.AttackSource source : attack.sources()) {
            json.openElement()
                    .text("device", source.device())
                    .integer("firstNode", source.firstNode())
                    .share("share", source.share())
                    .close();
        }
        json.closeArray().integer("packetsPerSecond", attack.packetsPerSecond());
    }

    /** One packet that reached its host. {@code path}: the first {@code hops} are the nodes it met, INT or not. */
    public String delivered(long sentNanos, long arrivedNanos, FlowId flow, long[] path, int hops, int reports) {
        return packet(sentNanos, flow, path, hops, reports)
                .bool("delivered", true)
                .time("arrived", arrivedNanos)
                .end();
    }

    /** One packet that did not. */
    public String dropped(
            long sentNanos,
            long droppedNanos,
            FlowId flow,
            long[] path,
            int hops,
            int reports,
            long droppedAtNode,
            int reason) {
        return packet(sentNanos, flow, path, hops, reports)
                .bool("delivered", false)
                .open("dropped")
                .time("time", droppedNanos)
                .number("node", droppedAtNode)
                .number("reason", reason)
                .close()
                .end();
    }

    private JsonLine packet(long sentNanos, FlowId flow, long[] path, int hops, int reports) {
        return json.begin()
                .text("kind", "packet")
                .time("time", sentNanos)
                .text("flow", flow.toString())
                .numbers("path", path, hops)
                .integer("reports", reports);
    }
}
