package io.pathlore.cli.config;

import io.pathlore.analysis.event.EventJson;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Names of drop reasons. No specification lists them; these are the ones fabric-tna sends, and a node may have its own. */
public final class DropReasons {
    /** The table whose names are used where nothing else is said. */
    public static final String FABRIC_TNA = "fabric-tna";

    private static final Map<Integer, String> OF_FABRIC_TNA = Map.ofEntries(
            Map.entry(0, "unknown"),
            Map.entry(26, "IP TTL zero"),
            Map.entry(29, "routing miss"),
            Map.entry(55, "port-VLAN mapping miss"),
            Map.entry(71, "traffic manager"),
            Map.entry(80, "ACL deny"),
            Map.entry(89, "bridging miss"),
            Map.entry(128, "next id miss"),
            Map.entry(129, "MPLS miss"),
            Map.entry(130, "egress next miss"),
            Map.entry(131, "MPLS TTL zero"),
            Map.entry(132, "UPF downlink session miss"),
            Map.entry(133, "UPF downlink session drop"),
            Map.entry(134, "UPF uplink session miss"),
            Map.entry(135, "UPF uplink session drop"),
            Map.entry(136, "UPF downlink session drop, buffering"),
            Map.entry(137, "UPF downlink termination miss"),
            Map.entry(138, "UPF downlink termination drop"),
            Map.entry(139, "UPF uplink termination miss"),
            Map.entry(140, "UPF uplink termination drop"),
            Map.entry(150, "UPF uplink recirculation denied"),
            Map.entry(160, "ingress QoS meter"),
            Map.entry(170, "IPv4 routing drop"),
            Map.entry(171, "IPv6 routing drop"));

    /** Its drop reports always carry this one: packets that were counted where an attack is stopped. */
    private static final Map<Integer, String> OF_TRANSPARENT_SECURITY = Map.of(15, "mitigation of an attack");

    private static final Map<String, Map<Integer, String>> TABLES =
            Map.of(FABRIC_TNA, OF_FABRIC_TNA, "transparent-security", OF_TRANSPARENT_SECURITY);

    private DropReasons() {}

    /** Names of the tables. */
    public static List<String> tables() {
        return TABLES.keySet().stream().sorted().toList();
    }

    /** Names by number; empty for a table that there is not. */
    public static Map<Integer, String> table(String name) {
        return TABLES.getOrDefault(name, Map.of());
    }

    /** As events have them. */
    public static EventJson.ReasonNames of(Inventory inventory) {
        return (node, reason) -> {
            String name = name(reason, inventory.byId(node));
            return name == null ? "" : name;
        };
    }

    /** Null when the number has no name. */
    public static @Nullable String name(int reason, Inventory.@Nullable Node node) {
        if (node != null && node.dropReasons().containsKey(reason)) {
            return node.dropReasons().get(reason);
        }
        return OF_FABRIC_TNA.get(reason);
    }

    /** The numbers of each name; on different nodes one name may have different ones. */
    public static Map<String, Set<Long>> byName(Inventory inventory) {
        Map<String, Set<Long>> numbers = new TreeMap<>();
        OF_FABRIC_TNA.forEach((number, name) -> add(numbers, name, number));
        for (Inventory.Node node : inventory.nodes()) {
            node.dropReasons().forEach((number, name) -> add(numbers, name, number));
        }
        return numbers;
    }

    private static void add(Map<String, Set<Long>> numbers, String name, long number) {
        numbers.computeIfAbsent(name, unknown -> new TreeSet<>()).add(number);
    }
}
