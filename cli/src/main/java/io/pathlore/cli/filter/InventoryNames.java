package io.pathlore.cli.filter;

import io.pathlore.analysis.filter.Names;
import io.pathlore.cli.config.DropReasons;
import io.pathlore.cli.config.Inventory;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the inventory calls nodes and drop reasons, for filters. */
public final class InventoryNames {
    private InventoryNames() {}

    public static Names of(Inventory inventory) {
        Map<String, Set<Long>> nodes = new TreeMap<>();
        for (Inventory.Node node : inventory.nodes()) {
            Long id = node.id();
            String name = node.name();
            if (id != null && name != null) {
                nodes.computeIfAbsent(name, unknown -> new TreeSet<>()).add(id);
            }
        }
        return new Names(nodes, DropReasons.byName(inventory));
    }
}
