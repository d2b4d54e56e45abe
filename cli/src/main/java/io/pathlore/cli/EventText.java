package io.pathlore.cli;

import io.pathlore.analysis.event.AttackSource;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Details;
import io.pathlore.analysis.event.Event.LinkEnd;
import io.pathlore.analysis.event.Event.Reporter;
import io.pathlore.cli.config.DropReasons;
import io.pathlore.cli.config.Inventory;
import io.pathlore.model.FlowKey;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** An event in words, with the names of the inventory. */
final class EventText {
    private static final double PERCENT = 100;

    private final Inventory inventory;

    EventText(Inventory inventory) {
        this.inventory = inventory;
    }

    /** The name of a node, or its number. */
    static String node(Inventory inventory, long node) {
        Inventory.Node known = inventory.byId(node);
        return known == null || known.name() == null ? "node " + node : known.name();
    }

    private String node(long node) {
        return node(inventory, node);
    }

    private String port(long node, long interfaceId) {
        Inventory.Node known = inventory.byId(node);
        String name = known == null ? null : known.interfaces().get(interfaceId);
        return node(node) + " " + (name == null ? "interface " + interfaceId : name);
    }

    String of(Event event) {
        return switch (event.details()) {
            case Details.PathChange change ->
                flow(change.flow()) + "  " + way(change.before()) + " is now " + way(change.after());
            case Details.Loop loop ->
                flow(loop.flow()) + (loop.path().isEmpty() ? "  until its TTL is used up" : "  " + way(loop.path()));
            case Details.Congestion queue -> congestion(queue);
            case Details.Latency slow ->
                String.format(
                        Locale.ROOT,
                        "%s: %s, usually %s",
                        port(slow.node(), slow.interfaceId()),
                        Durations.text(slow.observedNanos()),
                        Durations.text(slow.baselineNanos()));
            case Details.Drops drops ->
                String.format(
                        Locale.ROOT,
                        "%s reason %s: %,d packets of %,d flows",
                        node(drops.node()),
                        reason(drops),
                        drops.count(),
                        drops.flows().size());
            case Details.LinkDown down -> end(down.from()) + " to " + end(down.to());
            case Details.LinkUp up -> end(up.from()) + " to " + end(up.to());
            case Details.ReportLoss loss ->
                String.format(Locale.ROOT, "%s: %,d datagrams", who(loss.reporter(), loss.hwId()), loss.lost());
            case Details.ExporterRestart restart -> who(restart.reporter(), restart.hwId()) + " counts anew";
            case Details.ExporterSilent silent -> who(silent.reporter(), silent.hwId()) + " sends nothing";
            case Details.SpoofSuspected spoof ->
                node(spoof.node()) + " is also spoken for by " + String.join(", ", spoof.addresses());
            case Details.Attack attack -> attack(attack);
        };
    }

    private String attack(Details.Attack attack) {
        String what = String.format(
                Locale.ROOT,
                "%s of %s%s: %,d %s/s",
                attack.vector().label(),
                attack.victim(),
                attack.port() == Event.ABSENT ? "" : " port " + attack.port(),
                attack.perSecond(),
                attack.packets() ? "packets" : "reports");
        if (attack.sources().isEmpty()) {
            return what;
        }
        AttackSource most = attack.sources().getFirst();
        return what
                + String.format(
                        Locale.ROOT,
                        " from %,d device%s; %.0f %% by %s at %s",
                        attack.sources().size(),
                        attack.sources().size() == 1 ? "" : "s",
                        most.share() / PERCENT,
                        most.device(),
                        node(most.firstNode()));
    }

    private String reason(Details.Drops drops) {
        String name = DropReasons.name(drops.reason(), inventory.byId(drops.node()));
        return drops.reason() + (name == null ? "" : " (" + name + ")");
    }

    private String congestion(Details.Congestion queue) {
        String place = port(queue.node(), queue.interfaceId()) + " queue " + queue.queue();
        String peak = queue.peakOccupancy() == Event.ABSENT
                ? ""
                : String.format(Locale.ROOT, ", up to %,d", queue.peakOccupancy());
        if (queue.culprits().isEmpty()) {
            return place + peak;
        }
        Event.Culprit most = queue.culprits().getFirst();
        return place + peak + String.format(Locale.ROOT, "; %.0f %% by %s", most.share() / PERCENT, flow(most.flow()));
    }

    private String who(Reporter reporter, int hwId) {
        return (reporter.node() == Event.ABSENT ? "exporter " + reporter.text() : node(reporter.node()))
                + (hwId == 0 ? "" : " hw_id " + hwId);
    }

    private String end(LinkEnd end) {
        return port(end.node(), end.interfaceId());
    }

    private String way(List<Long> nodes) {
        boolean named = nodes.stream().allMatch(node -> {
            Inventory.Node known = inventory.byId(node);
            return known != null && known.name() != null;
        });
        return nodes.stream()
                .map(node -> named ? node(node) : String.valueOf(node))
                .collect(Collectors.joining(named ? " > " : "-"));
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
