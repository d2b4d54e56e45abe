package io.pathlore.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.cli.config.Inventory;
import io.pathlore.model.AttackVector;
import io.pathlore.model.EventKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** An event of the API in words: what happened, what it means, and what to look at next. Knows only what is in the event. */
public final class EventWords {
    private static final double MICRO = 1e3;
    private static final int PERCENT = 100;

    private EventWords() {}

    /** {@code 10.0.1.1:5000 > 10.0.2.2:80 tcp}; empty where there is no flow. */
    public static String flow(JsonNode flow) {
        if (!flow.isObject()) {
            return "";
        }
        String icmp = flow.has("icmpType")
                ? " " + flow.path("icmpType").asText() + "/"
                        + flow.path("icmpCode").asText()
                : "";
        String vni = flow.has("vni") ? " vni " + flow.path("vni").asText() : "";
        return side(flow, "source", "sourcePort") + " > " + side(flow, "destination", "destinationPort") + " "
                + protocol(flow.path("protocol").asInt()) + icmp + vni;
    }

    private static String side(JsonNode flow, String address, String port) {
        String host = clean(flow.path(address).asText("?"));
        if (!flow.has(port)) {
            return host;
        }
        return (host.contains(":") ? "[" + host + "]" : host) + ":"
                + flow.path(port).asText();
    }

    private static String protocol(int number) {
        return switch (number) {
            case 1 -> "icmp";
            case 6 -> "tcp";
            case 17 -> "udp";
            case 58 -> "icmpv6";
            case 132 -> "sctp";
            default -> "protocol " + number;
        };
    }

    /** What comes from a server may come from a stranger: nothing of it may steer a terminal. */
    static String clean(String text) {
        return text.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]", "?");
    }

    static String node(JsonNode id, Inventory inventory) {
        if (!id.isIntegralNumber()) {
            return "?";
        }
        Inventory.Node node = inventory.byId(id.longValue());
        return node == null || node.name() == null ? "node " + id.asText() : node.name();
    }

    private static String way(JsonNode nodes) {
        List<String> ids = new ArrayList<>();
        nodes.forEach(node -> ids.add(node.asText()));
        return String.join("-", ids);
    }

    private static String end(JsonNode end, Inventory inventory) {
        return node(end.path("node"), inventory) + " interface "
                + end.path("interface").asText("?");
    }

    private static String reporter(JsonNode event, Inventory inventory) {
        String who = event.has("node")
                ? node(event.path("node"), inventory)
                : "exporter " + clean(event.path("exporter").asText("?"));
        long hardware = event.path("hwId").asLong();
        return hardware == 0 ? who : who + " hw_id " + hardware;
    }

    private static String micros(JsonNode nanos) {
        return String.format(Locale.ROOT, "%.1f us", nanos.asDouble() / MICRO);
    }

    private static String count(JsonNode number) {
        return String.format(Locale.ROOT, "%,d", number.asLong());
    }

    private static EventKind kind(JsonNode event) {
        return EventKind.ofLabel(event.path("kind").asText()).orElse(EventKind.ATTACK);
    }

    /** One line. */
    public static String of(JsonNode event, Inventory inventory) {
        return switch (kind(event)) {
            case PATH_CHANGE ->
                flow(event.path("flow")) + "  " + way(event.path("before")) + " is now " + way(event.path("after"));
            case LOOP ->
                flow(event.path("flow"))
                        + (event.path("path").isEmpty()
                                ? "  until its TTL is used up"
                                : "  " + way(event.path("path")));
            case CONGESTION ->
                queue(event, inventory)
                        + (event.has("peakOccupancy") ? ", up to " + count(event.path("peakOccupancy")) : "")
                        + culprit(event);
            case LATENCY ->
                node(event.path("node"), inventory) + " interface "
                        + event.path("interface").asText("?") + ": " + micros(event.path("observedNs")) + ", usually "
                        + micros(event.path("baselineNs"));
            case DROPS ->
                node(event.path("node"), inventory) + ": " + count(event.path("count")) + " packets, reason "
                        + reason(event) + flows(event);
            case LINK_DOWN, LINK_UP -> end(event.path("from"), inventory) + " to " + end(event.path("to"), inventory);
            case REPORT_LOSS -> reporter(event, inventory) + ": " + count(event.path("lost")) + " datagrams";
            case EXPORTER_RESTART -> reporter(event, inventory) + " counts anew";
            case EXPORTER_SILENT -> reporter(event, inventory) + " sends nothing";
            case SPOOF_SUSPECTED ->
                node(event.path("node"), inventory) + " is also spoken for by " + texts(event.path("addresses"));
            case ATTACK -> attack(event, inventory);
        };
    }

    private static String attack(JsonNode event, Inventory inventory) {
        if (!event.has("vector")) {
            return clean(event.path("kind").asText("?"));
        }
        JsonNode most = event.path("sources").path(0);
        String rate = event.has("packetsPerSecond")
                ? count(event.path("packetsPerSecond")) + " packets/s"
                : count(event.path("reportsPerSecond")) + " reports/s";
        return clean(event.path("vector").asText()) + " of " + victim(event) + ": " + rate + " from "
                + count(event.path("devices")) + (event.path("devices").asInt() == 1 ? " device" : " devices")
                + (most.isObject()
                        ? String.format(
                                Locale.ROOT,
                                "; %.0f %% by %s at %s",
                                PERCENT * most.path("share").asDouble(),
                                clean(most.path("device").asText("?")),
                                node(most.path("firstNode"), inventory))
                        : "");
    }

    private static String victim(JsonNode event) {
        JsonNode victim = event.path("victim");
        return clean(victim.path("address").asText(victim.path("prefix").asText("?")))
                + (victim.has("port") ? " port " + victim.path("port").asText() : "");
    }

    private static String queue(JsonNode event, Inventory inventory) {
        return node(event.path("node"), inventory) + " interface "
                + event.path("interface").asText("?") + " queue "
                + event.path("queue").asText("?");
    }

    private static String culprit(JsonNode event) {
        JsonNode most = event.path("culprits").path(0);
        return most.isObject()
                ? String.format(
                                Locale.ROOT,
                                "; %.0f %% by ",
                                PERCENT * most.path("share").asDouble())
                        + flow(most.path("flow"))
                : "";
    }

    private static String reason(JsonNode event) {
        String number = event.path("reason").asText("?");
        return event.has("reasonName")
                ? number + " (" + clean(event.path("reasonName").asText()) + ")"
                : number;
    }

    private static String flows(JsonNode event) {
        if (event.has("flow")) {
            return ", " + flow(event.path("flow"));
        }
        return event.has("flows") ? ", " + event.path("flows").size() + " flows" : "";
    }

    private static String texts(JsonNode array) {
        List<String> all = new ArrayList<>();
        array.forEach(text -> all.add(clean(text.asText())));
        return String.join(", ", all);
    }

    /** What it means, in general and as far as this event tells. */
    public static String meaning(JsonNode event) {
        return switch (kind(event)) {
            case PATH_CHANGE ->
                "Packets of this flow take another way since then. After a link or node went down, or came back, or somebody"
                        + " changed routes, that is what should happen; without such a reason it is worth asking why.";
            case LOOP ->
                "Packets of this flow come to a node a second time, and go round until their TTL is used up. They do not"
                        + " arrive, and they load every link of the circle.";
            case CONGESTION ->
                "Packets waited in this queue, longer than it was set up for. The culprits are the flows that had most of the"
                        + " octets in it; the victims had to wait behind them.";
            case LATENCY ->
                "Packets take longer through this node than they usually do there, and its queue does not explain it.";
            case DROPS -> DropCause.of(event.path("reasonName").asText("")).meaning();
            case LINK_DOWN ->
                "Flows that used this link left it, nothing travels it any more, and no other link explains their moves"
                        + " better.";
            case LINK_UP -> "Packets travel this link again.";
            case REPORT_LOSS ->
                "Numbers in the stream of reports are missing: reports were sent that did not arrive. What is told of this node"
                        + " at that time is incomplete.";
            case EXPORTER_RESTART ->
                "Its reports are numbered from a new beginning: the node, or the part of it that reports, has restarted.";
            case EXPORTER_SILENT ->
                "It used to report and does not any more: the node is down, cannot reach the collector, or has nothing left to"
                        + " report.";
            case SPOOF_SUSPECTED ->
                "Reports in the name of this node come from addresses that are not its own. Either the inventory is wrong, or"
                        + " somebody makes reports up.";
            case ATTACK -> attackMeaning(event.path("vector").asText());
        };
    }

    private static String attackMeaning(String label) {
        AttackVector vector = AttackVector.ofLabel(label).orElse(null);
        if (vector == null) {
            return "Traffic towards the victim looks like an attack.";
        }
        return switch (vector) {
            case UDP_FLOOD ->
                "The victim gets more UDP than its limit, or than is usual for it, and answers next to none of it.";
            case SYN_FLOOD ->
                "Connections to the victim are begun, and far fewer are gone on with than people who want something would.";
            case ICMP_FLOOD -> "The victim gets more ICMP than its limit and does not answer it.";
            case REFLECTION ->
                "Services that answer strangers send the victim far more than it asked them for: somebody asks in its name.";
            case FRAGMENT_FLOOD ->
                "The victim gets more pieces of packets than its limit; it has to keep each until the rest comes.";
            case CARPET_BOMBING ->
                "Many addresses of the prefix get a little each that nobody answers; what they share gets too much.";
            case SCAN ->
                "A source asks many hosts for the same port and does not go on: it looks for who is there. An administrator"
                        + " does that too.";
        };
    }

    /** What to look at next, the most likely first; commands can be copied. */
    public static List<String> next(JsonNode event) {
        String node = event.path("node").asText("?");
        String flow = event.path("flow").path("id").asText("?");
        String around = "what else happened then: pathlore get events";
        return switch (kind(event)) {
            case PATH_CHANGE ->
                List.of(
                        "links that went down or up at the same time: pathlore observe events --last 50 --filter 'kind like link-*'",
                        "what the flow meets on the new way: pathlore observe --filter 'flow = " + flow + "'",
                        "whether others moved with it: pathlore observe events --last 50 --filter 'kind = path-change'");
            case LOOP ->
                List.of(
                        "the routes for this destination on the nodes of the circle, which point at each other",
                        "the packets: pathlore observe --filter 'flow = " + flow + "'",
                        "path changes right before it: pathlore observe events --last 50 --filter 'kind = path-change'");
            case CONGESTION ->
                List.of(
                        "the culprits: is that traffic expected there, and at that rate?",
                        "the queue now: pathlore observe --filter 'hop.node = " + node + " and congested'",
                        "drops of the same node: pathlore observe events --last 50 --filter 'kind = drops and node = "
                                + node + "'");
            case LATENCY ->
                List.of(
                        "the node itself: processor, slow path, a new feature or table that packets now pass",
                        "the packets: pathlore observe --filter 'hop.node = " + node + " and hop.latency > "
                                + event.path("baselineNs").asText("0") + "ns'",
                        around);
            case DROPS -> drops(event, node);
            case LINK_DOWN ->
                List.of(
                        "the interface at both ends: cable, optics, errors, somebody at work",
                        "flows that had to move: pathlore observe events --last 50 --filter 'kind = path-change'",
                        "whether it came back: an event link-up of the same ends");
            case LINK_UP ->
                List.of(
                        "whether it stays: several pairs of link-down and link-up are a link that flaps",
                        "flows that moved back: pathlore observe events --last 50 --filter 'kind = path-change'");
            case REPORT_LOSS ->
                List.of(
                        "whether they were lost here: pathlore doctor",
                        "the way from the node to the collector: its load, policers for the control plane, MTU",
                        "who else loses: pathlore get exporters --sort lost");
            case EXPORTER_RESTART ->
                List.of("the log of the node for that time: a reboot, an upgrade, a crash", around);
            case EXPORTER_SILENT ->
                List.of(
                        "whether the node is up and has a route to the collector",
                        "whether traffic still passes it: pathlore observe --filter 'hop.node = " + node + "'",
                        "the ports and the allow-list here: pathlore doctor");
            case SPOOF_SUSPECTED ->
                List.of(
                        "the addresses of the node: give them in the inventory, where they are good",
                        "where the others are: who has " + texts(event.path("addresses")) + "?",
                        "to take no reports from them: listen.binding: enforce");
            case ATTACK -> attack(event);
        };
    }

    private static List<String> attack(JsonNode event) {
        JsonNode victim = event.path("victim");
        String to = victim.has("prefix")
                ? "dst in " + clean(victim.path("prefix").asText())
                : "dst = " + clean(victim.path("address").asText("?"));
        return List.of(
                "the devices, and the switch nearest to each: pathlore get attacks",
                "the packets: pathlore observe --filter '" + to + "'",
                "the reports, to keep: pathlore get attacks "
                        + clean(event.path("id").asText("ID")) + " --evidence attack.pcap",
                "whether it is meant: then raise the limit of its prefix, defend.thresholds");
    }

    private static List<String> drops(JsonNode event, String node) {
        List<String> next = new ArrayList<>();
        next.add("the packets: pathlore observe --filter 'dropped and node = " + node + "'");
        next.addAll(DropCause.of(event.path("reasonName").asText("")).next());
        return next;
    }
}
