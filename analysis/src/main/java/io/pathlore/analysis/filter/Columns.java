package io.pathlore.analysis.filter;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where a table keeps what fields ask for. A column is an SQL expression over a row, written by us and never by a user: a whole
 * number in the unit of its {@link FieldType}; text for words, flows and devices; a severity's word; for a flag a condition; for a
 * path text, the node ids with {@code >} between them and {@code ?} where one is not known. An address is text, and beside it,
 * in the column of that name and {@code _number}, a number: of 32 bits for IPv4, of 128 for IPv6. NULL is unknown.
 *
 * <p>Several columns for one field mean any of them, as several hops do.
 */
public final class Columns {
    private static final String NODE = "node";

    /** {@code hops_1s} and {@code hops_1m}. */
    public static Columns hops(String table) {
        return new Columns(
                table,
                Map.of(
                        Field.NODE, List.of(NODE),
                        Field.HOP_NODE, List.of(NODE),
                        Field.HOP_INTERFACE, List.of("interface"),
                        Field.HOP_QUEUE, List.of("queue"),
                        Field.HOP_LATENCY, List.of("latency_p99"),
                        Field.HOP_OCCUPANCY, List.of("occupancy_max"),
                        Field.DROPPED, List.of("drops > 0")));
    }

    public static Columns flows() {
        return new Columns(
                "flows_1m",
                Map.of(
                        Field.FLOW, List.of("flow_id"),
                        Field.SRC, List.of("source"),
                        Field.DST, List.of("destination"),
                        Field.PROTO, List.of("protocol"),
                        Field.SPORT, List.of("source_port"),
                        Field.DPORT, List.of("destination_port"),
                        Field.VNI, List.of("vni"),
                        Field.LATENCY, List.of("latency_p99"),
                        Field.DROPPED, List.of("drops > 0")));
    }

    public static Columns links() {
        return new Columns(
                "links_1m",
                Map.of(
                        Field.HOP_NODE, List.of("from_node", "to_node"),
                        Field.HOP_INTERFACE, List.of("from_interface"),
                        Field.LATENCY, List.of("latency")));
    }

    public static Columns drops() {
        return new Columns(
                "drops_1s",
                Map.of(
                        Field.NODE, List.of(NODE),
                        Field.HOP_NODE, List.of(NODE),
                        Field.HOP_INTERFACE, List.of("interface"),
                        Field.HOP_QUEUE, List.of("queue"),
                        Field.DROP_REASON, List.of("reason")));
    }

    public static Columns episodes() {
        return new Columns(
                "episodes",
                Map.of(
                        Field.NODE, List.of(NODE),
                        Field.HOP_NODE, List.of(NODE),
                        Field.HOP_INTERFACE, List.of("interface"),
                        Field.HOP_QUEUE, List.of("queue"),
                        Field.HOP_OCCUPANCY, List.of("peak_occupancy")));
    }

    public static Columns events() {
        return new Columns(
                "events",
                Map.of(
                        Field.KIND, List.of("kind"),
                        Field.SEVERITY, List.of("severity"),
                        Field.NODE, List.of(NODE),
                        Field.HOP_NODE, List.of(NODE),
                        Field.HOP_INTERFACE, List.of("interface"),
                        Field.HOP_QUEUE, List.of("queue"),
                        Field.FLOW, List.of("flow_id")));
    }

    public static Columns exporters() {
        return new Columns("exporters_1m", Map.of(Field.EXPORTER, List.of("exporter")));
    }

    public static Columns nodes() {
        return new Columns("nodes", Map.of(Field.NODE, List.of(NODE), Field.EXPORTER, List.of("exporter")));
    }

    public static Columns paths() {
        return new Columns(
                "paths",
                Map.of(
                        Field.PATH,
                        List.of("array_to_string([coalesce(CAST(n AS VARCHAR), '?') FOR n IN nodes], '>')")));
    }

    private final String table;
    private final Map<Field, List<String>> columns = new EnumMap<>(Field.class);

    public Columns(String table, Map<Field, List<String>> columns) {
        this.table = table;
        columns.forEach((field, expressions) -> {
            if (field.parts() > 1 || expressions.isEmpty()) {
                throw new IllegalArgumentException(field + " has no columns of its own, or none were given");
            }
            this.columns.put(field, List.copyOf(expressions));
        });
    }

    public String table() {
        return table;
    }

    public Set<Field> fields() {
        return columns.keySet();
    }

    /** Empty where the table lacks it. */
    List<String> of(Field field) {
        return columns.getOrDefault(field, List.of());
    }
}
