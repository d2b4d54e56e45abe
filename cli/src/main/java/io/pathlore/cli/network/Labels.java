package io.pathlore.cli.network;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pathlore.cli.config.DropReasons;
import io.pathlore.cli.config.Inventory;
import io.pathlore.model.TimeText;
import io.pathlore.store.tables.Row;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Names of the inventory beside numbers of the wire, and JSON from which the unknown is left out. */
record Labels(Inventory inventory) {
    private static final double PARTS = 1e6;

    @Nullable
    String node(long id) {
        Inventory.Node node = inventory.byId(id);
        return node == null ? null : node.name();
    }

    /** For people, who are given a number where there is no name. */
    String called(long node) {
        String name = node(node);
        return name == null ? Long.toString(node) : name;
    }

    String way(List<Long> nodes) {
        return nodes.stream().map(this::called).collect(Collectors.joining(" > "));
    }

    @Nullable
    String interfaceName(long node, long number) {
        Inventory.Node known = inventory.byId(node);
        return known == null ? null : known.interfaces().get(number);
    }

    String interfaceCalled(long node, long number) {
        String name = interfaceName(node, number);
        return name == null ? Long.toString(number) : name;
    }

    @Nullable
    String reason(long node, long reason) {
        return DropReasons.name((int) reason, inventory.byId(node));
    }

    // Each of these leaves out what is absent.
    // --------------------------------------------------------------------------------------------------------------

    static void number(ObjectNode json, String key, long value) {
        if (value != Row.ABSENT) {
            json.put(key, value);
        }
    }

    static void share(ObjectNode json, String key, double value) {
        if (!Double.isNaN(value)) {
            json.put(key, Math.round(value * PARTS) / PARTS);
        }
    }

    static void text(ObjectNode json, String key, @Nullable String value) {
        if (value != null) {
            json.put(key, value);
        }
    }

    static void time(ObjectNode json, String key, long nanos) {
        if (nanos != Row.ABSENT) {
            json.put(key, TimeText.of(nanos));
        }
    }

    /** {@code node} and {@code interface}, each with its name. */
    void place(ObjectNode json, long node, long number) {
        number(json, "node", node);
        if (node != Row.ABSENT) {
            text(json, "name", node(node));
        }
        number(json, "interface", number);
        if (node != Row.ABSENT && number != Row.ABSENT) {
            text(json, "interfaceName", interfaceName(node, number));
        }
    }

    void path(ObjectNode json, List<Long> nodes) {
        ArrayNode ids = json.putArray("nodes");
        ArrayNode names = json.putArray("names");
        for (long node : nodes) {
            ids.add(node);
            names.add(node(node));
        }
    }
}
