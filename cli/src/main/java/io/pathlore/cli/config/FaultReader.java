package io.pathlore.cli.config;

import io.pathlore.dataplane.fault.Fault;
import io.pathlore.dataplane.lab.BlockRule;
import io.pathlore.dataplane.scenario.Forging;
import io.pathlore.dataplane.topology.Topology;
import io.pathlore.model.Prefix;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code faults} of a scenario. */
final class FaultReader {
    /** Every kind and the keys it has beside kind, start and duration. */
    static final Map<String, List<String>> KEYS = Map.ofEntries(
            Map.entry("link-down", List.of("link")),
            Map.entry("link-loss", List.of("link", "loss")),
            Map.entry("slow-hop", List.of("node", "towards", "delay")),
            Map.entry("queue-buildup", List.of("node", "towards", "rate")),
            Map.entry("acl-drop", List.of("node", "device", "source", "destination", "protocol", "destination-port")),
            Map.entry(
                    "device-blocked",
                    List.of("node", "device", "source", "destination", "protocol", "destination-port")),
            Map.entry("routing-loop", List.of("nodes", "to")),
            Map.entry("small-mtu", List.of("link", "mtu")),
            Map.entry("node-restart", List.of("node")),
            Map.entry("silent-exporter", List.of("node")),
            Map.entry("report-loss", List.of("node", "loss")),
            Map.entry("forged-reports", List.of("node", "address", "interval")));

    private static final long RESTART_NANOS = 500_000_000L;
    private static final Map<String, Integer> PROTOCOLS = Map.of("icmp", 1, "tcp", 6, "udp", 17, "icmpv6", 58);

    private final Topology topology;
    private final List<Fault> faults = new ArrayList<>();
    private final List<Forging> forgings = new ArrayList<>();

    FaultReader(Topology topology) {
        this.topology = topology;
    }

    List<Fault> faults() {
        return faults;
    }

    List<Forging> forgings() {
        return forgings;
    }

    void read(Part part) {
        if (!part.has("kind")) {
            throw part.error("a fault needs 'kind': " + String.join(", ", kinds()));
        }
        String kind = part.word("kind", "", kinds());
        List<String> allowed = new ArrayList<>(List.of("kind", "start", "duration"));
        allowed.addAll(KEYS.getOrDefault(kind, List.of()));
        part.allow(allowed);
        long start = part.nanos("start", 0);
        long duration = part.nanos("duration", kind.equals("node-restart") ? RESTART_NANOS : Fault.FOREVER);
        if (kind.equals("forged-reports")) {
            int device = node(part);
            int address = Addresses.ipv4(part, "address");
            long interval = part.nanos("interval", 100_000_000L);
            forgings.add(part.wrap("interval", () -> new Forging(start, duration, device, address, interval)));
        } else {
            faults.add(part.wrap(() -> fault(part, kind, start, duration)));
        }
    }

    static List<String> kinds() {
        return KEYS.keySet().stream().sorted().toList();
    }

    private Fault fault(Part part, String kind, long start, long duration) {
        return switch (kind) {
            case "link-down" -> new Fault.LinkDown(start, duration, link(part));
            case "link-loss" -> new Fault.LinkLoss(start, duration, link(part), share(part));
            case "slow-hop" ->
                new Fault.SlowHop(
                        start,
                        duration,
                        node(part),
                        towards(part),
                        needed(part, "delay").nanos("delay", 0));
            case "queue-buildup" ->
                new Fault.QueueBuildup(
                        start,
                        duration,
                        node(part),
                        needed(part, "towards").has("towards") ? towards(part) : 0,
                        needed(part, "rate").bitsPerSecond("rate", 0));
            case "acl-drop" -> new Fault.AclDrop(start, duration, node(part), rule(part));
            case "device-blocked" -> new Fault.DeviceBlocked(start, duration, node(part), rule(part));
            case "routing-loop" -> loop(part, start, duration);
            case "small-mtu" ->
                new Fault.SmallMtu(
                        start, duration, link(part), needed(part, "mtu").integer("mtu", 0, 576, 65_535));
            case "node-restart" -> new Fault.NodeRestart(start, duration, node(part));
            case "silent-exporter" -> new Fault.SilentExporter(start, duration, node(part));
            case "report-loss" -> new Fault.ReportLoss(start, duration, node(part), share(part));
            default -> throw new IllegalStateException(kind);
        };
    }

    private static Part needed(Part part, String key) {
        part.text(key);
        return part;
    }

    private static int share(Part part) {
        return needed(part, "loss").share("loss", 0);
    }

    private int node(Part part) {
        String name = part.text("node");
        return part.wrap("node", () -> TopologyReader.switchNamed(topology, name));
    }

    /** The interface towards a neighbour, 0 for all. */
    private int towards(Part part) {
        if (!part.has("towards")) {
            return 0;
        }
        int node = node(part);
        return part.wrap("towards", () -> {
            int other = TopologyReader.deviceNamed(topology, part.text("towards"));
            if (topology.link(node, other) < 0) {
                throw new IllegalArgumentException(part.text("node") + " has no link to " + part.text("towards"));
            }
            return topology.interfaceTowards(node, other);
        });
    }

    private int link(Part part) {
        List<String> ends = part.texts("link");
        if (ends.size() != 2) {
            throw part.error("link", "expected the two ends of a link, like [leaf-1, spine-1]");
        }
        return part.wrap("link", () -> {
            int link = topology.link(
                    TopologyReader.deviceNamed(topology, ends.get(0)),
                    TopologyReader.deviceNamed(topology, ends.get(1)));
            if (link < 0) {
                throw new IllegalArgumentException("no link between " + ends.get(0) + " and " + ends.get(1));
            }
            return link;
        });
    }

    private Fault loop(Part part, long start, long duration) {
        List<String> nodes = part.texts("nodes");
        if (nodes.size() != 2) {
            throw part.error("nodes", "expected two neighbours, like [leaf-1, spine-1]");
        }
        int[] devices = part.wrap("nodes", () -> {
            int a = TopologyReader.switchNamed(topology, nodes.get(0));
            int b = TopologyReader.switchNamed(topology, nodes.get(1));
            if (topology.link(a, b) < 0) {
                throw new IllegalArgumentException("no link between " + nodes.get(0) + " and " + nodes.get(1));
            }
            return new int[] {a, b};
        });
        String to = part.text("to");
        int host = part.wrap("to", () -> TopologyReader.hostNamed(topology, to));
        return new Fault.RoutingLoop(start, duration, devices[0], devices[1], host);
    }

    private BlockRule rule(Part part) {
        BlockRule rule = new BlockRule(
                part.has("device") ? Long.valueOf(mac(part)) : null,
                prefix(part, "source"),
                prefix(part, "destination"),
                part.has("protocol") ? Integer.valueOf(protocol(part, "protocol")) : null,
                part.has("destination-port") ? Integer.valueOf(part.integer("destination-port", 0, 0, 65_535)) : null);
        if (rule.equals(new BlockRule(null, null, null, null, null))) {
            throw part.error("needs at least one of device, source, destination, protocol, destination-port");
        }
        return rule;
    }

    private long mac(Part part) {
        String name = part.text("device");
        return part.wrap(
                "device",
                () -> topology.hosts()
                        .get(TopologyReader.hostNamed(topology, name))
                        .mac());
    }

    private @Nullable Prefix prefix(Part part, String key) {
        if (!part.has(key)) {
            return null;
        }
        Addresses.Prefix prefix = Addresses.prefix(part, key, topology);
        return part.wrap(key, () -> new Prefix(prefix.v6(), prefix.high(), prefix.low(), prefix.length()));
    }

    static int protocol(Part part, String key) {
        Integer known = PROTOCOLS.get(part.text(key));
        return known != null ? known : part.integer(key, 0, 0, 255);
    }
}
