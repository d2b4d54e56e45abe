package io.pathlore.cli.config;

import io.pathlore.dataplane.topology.Access;
import io.pathlore.dataplane.topology.FatTree;
import io.pathlore.dataplane.topology.LeafSpine;
import io.pathlore.dataplane.topology.Line;
import io.pathlore.dataplane.topology.LinkSpec;
import io.pathlore.dataplane.topology.Ring;
import io.pathlore.dataplane.topology.Topology;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** {@code topology} of a scenario, and the names in it. */
final class TopologyReader {
    private static final List<String> KINDS = List.of("line", "ring", "leaf-spine", "fat-tree", "access");
    private static final int MOST = 10_000;
    private static final int MOST_HOSTS = 254;

    private TopologyReader() {}

    static Topology read(Part part) {
        Topology topology = switch (part.word("kind", "leaf-spine", KINDS)) {
            case "line" -> line(part);
            case "ring" -> ring(part);
            case "fat-tree" -> fatTree(part);
            case "access" -> access(part);
            default -> leafSpine(part);
        };
        Set<Integer> silent = new TreeSet<>();
        for (String name : part.texts("without-int")) {
            silent.add(part.wrap("without-int", () -> switchNamed(topology, name)));
        }
        int first = part.integer("first-node", 1, 1, MOST);
        Topology cabled = silent.isEmpty() ? topology : topology.withoutInt(silent);
        return first == 1 ? cabled : cabled.numberedFrom(first);
    }

    private static Topology line(Part part) {
        part.allow("kind", "switches", "hosts-per-end", "links", "without-int", "first-node");
        Part links = part.part("links").allow("host", "trunk");
        Line usual = Line.of(3);
        return part.wrap(() -> new Line(
                        part.integer("switches", 3, 1, MOST),
                        part.integer("hosts-per-end", 1, 1, MOST_HOSTS),
                        link(links, "host", usual.hostLink()),
                        link(links, "trunk", usual.trunk()))
                .build());
    }

    private static Topology ring(Part part) {
        part.allow("kind", "switches", "hosts-per-switch", "links", "without-int", "first-node");
        Part links = part.part("links").allow("host", "trunk");
        Ring usual = Ring.of(4);
        return part.wrap(() -> new Ring(
                        part.integer("switches", 4, 3, MOST),
                        part.integer("hosts-per-switch", 2, 1, MOST_HOSTS),
                        link(links, "host", usual.hostLink()),
                        link(links, "trunk", usual.trunk()))
                .build());
    }

    private static Topology leafSpine(Part part) {
        part.allow("kind", "leaves", "spines", "hosts-per-leaf", "links", "without-int", "first-node");
        Part links = part.part("links").allow("host", "fabric");
        LeafSpine usual = LeafSpine.of(4, 2, 4);
        return part.wrap(() -> new LeafSpine(
                        part.integer("leaves", 4, 1, MOST),
                        part.integer("spines", 2, 1, MOST),
                        part.integer("hosts-per-leaf", 4, 1, MOST_HOSTS),
                        link(links, "host", usual.hostLink()),
                        link(links, "fabric", usual.fabricLink()))
                .build());
    }

    private static Topology fatTree(Part part) {
        part.allow("kind", "k", "links", "without-int", "first-node");
        Part links = part.part("links").allow("host", "fabric");
        FatTree usual = FatTree.of(4);
        return part.wrap(() -> new FatTree(
                        part.integer("k", 4, 2, 48),
                        link(links, "host", usual.hostLink()),
                        link(links, "fabric", usual.fabricLink()))
                .build());
    }

    private static Topology access(Part part) {
        part.allow(
                "kind",
                "aggregations",
                "homes-per-aggregation",
                "devices-per-home",
                "cores",
                "internet-hosts",
                "links",
                "without-int",
                "first-node");
        Part links = part.part("links").allow("home", "access", "trunk", "internet");
        Access usual = Access.of(2, 4, 4, 4);
        return part.wrap(() -> new Access(
                        part.integer("aggregations", 2, 1, MOST),
                        part.integer("homes-per-aggregation", 4, 1, MOST),
                        part.integer("devices-per-home", 4, 1, MOST_HOSTS),
                        part.integer("cores", 1, 1, MOST),
                        part.integer("internet-hosts", 4, 1, 2 * MOST_HOSTS),
                        link(links, "home", usual.homeLink()),
                        link(links, "access", usual.accessLink()),
                        link(links, "trunk", usual.trunk()),
                        link(links, "internet", usual.internetLink()))
                .build());
    }

    private static LinkSpec link(Part links, String key, LinkSpec usual) {
        Part link = links.part(key).allow("rate", "delay", "mtu");
        long rate = link.bitsPerSecond("rate", usual.bitsPerSecond());
        long delay = link.nanos("delay", usual.delayNanos());
        int mtu = link.integer("mtu", usual.mtu(), 576, 65_535);
        return links.wrap(key, () -> new LinkSpec(rate, delay, mtu));
    }

    /** The device of that name. */
    static int switchNamed(Topology topology, String name) {
        for (Topology.Switch each : topology.switches()) {
            if (each.name().equals(name)) {
                return each.device();
            }
        }
        throw unknown(
                "switch",
                name,
                topology,
                topology.switches().stream().map(Topology.Switch::name).toList());
    }

    /** The place in the list of hosts. */
    static int hostNamed(Topology topology, String name) {
        for (int i = 0; i < topology.hosts().size(); i++) {
            if (topology.hosts().get(i).name().equals(name)) {
                return i;
            }
        }
        throw unknown(
                "host",
                name,
                topology,
                topology.hosts().stream().map(Topology.Host::name).toList());
    }

    /** A switch or a host. */
    static int deviceNamed(Topology topology, String name) {
        for (Topology.Host host : topology.hosts()) {
            if (host.name().equals(name)) {
                return host.device();
            }
        }
        return switchNamed(topology, name);
    }

    private static IllegalArgumentException unknown(String what, String name, Topology topology, List<String> names) {
        String nearest = Nearest.to(name, names);
        String some = names.size() <= 12
                ? "; there are " + String.join(", ", names)
                : "; there are " + names.getFirst() + " to " + names.getLast();
        return new IllegalArgumentException("no " + what + " is '" + name + "' in " + topology.name()
                + (nearest != null ? "; did you mean '" + nearest + "'?" : some));
    }
}
