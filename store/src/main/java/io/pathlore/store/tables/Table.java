package io.pathlore.store.tables;

import static io.pathlore.store.tables.Column.Kind.ADDRESS;
import static io.pathlore.store.tables.Column.Kind.BYTES;
import static io.pathlore.store.tables.Column.Kind.FLAG;
import static io.pathlore.store.tables.Column.Kind.NUMBER;
import static io.pathlore.store.tables.Column.Kind.NUMBERS;
import static io.pathlore.store.tables.Column.Kind.SHARE;
import static io.pathlore.store.tables.Column.Kind.TEXT;
import static io.pathlore.store.tables.Column.Kind.TIME;

import io.pathlore.store.tables.Column.Kind;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The tables. Columns are in the order in which a {@link Row} writes its values. */
public enum Table {
    HOPS_1S(Tier.SECONDS, "time", false, List.of("time", "node", "interface", "queue"), hops()),
    HOPS_1M(Tier.MINUTES, "time", false, List.of("time", "node", "interface", "queue"), hops()),
    FLOWS_1M(
            Tier.MINUTES,
            "time",
            false,
            List.of("time", "flow_id"),
            column("time", TIME),
            column("flow_id", TEXT),
            column("source", TEXT),
            column("source_number", ADDRESS),
            column("destination", TEXT),
            column("destination_number", ADDRESS),
            column("protocol", NUMBER),
            column("source_port", NUMBER),
            column("destination_port", NUMBER),
            column("icmp_type", NUMBER),
            column("icmp_code", NUMBER),
            column("vni", NUMBER),
            column("reports", NUMBER),
            column("packets", NUMBER),
            column("path_id", TEXT),
            column("latency_p50", NUMBER),
            column("latency_p99", NUMBER),
            column("drops", NUMBER)),
    PATHS(
            Tier.MINUTES,
            "last_seen",
            true,
            List.of("path_id"),
            column("path_id", TEXT),
            column("nodes", NUMBERS),
            column("complete", FLAG),
            column("last_seen", TIME)),
    LINKS_1M(
            Tier.MINUTES,
            "time",
            false,
            List.of("time", "from_node", "from_interface", "to_node", "to_interface"),
            column("time", TIME),
            column("from_node", NUMBER),
            column("from_interface", NUMBER),
            column("to_node", NUMBER),
            column("to_interface", NUMBER),
            column("reports", NUMBER),
            column("latency", NUMBER),
            column("latency_error", NUMBER),
            column("hidden_hops", NUMBER)),
    DROPS_1S(
            Tier.SECONDS,
            "time",
            false,
            List.of("time", "node", "interface", "queue", "reason"),
            column("time", TIME),
            column("node", NUMBER),
            column("interface", NUMBER),
            column("queue", NUMBER),
            column("reason", NUMBER),
            column("reports", NUMBER),
            column("packets", NUMBER)),
    ATTACKS_1S(
            Tier.MINUTES,
            "time",
            true,
            List.of("time", "attack_id"),
            column("time", TIME),
            column("attack_id", TEXT),
            column("amount", NUMBER),
            column("unit", TEXT),
            column("threshold", NUMBER)),
    STOPPED(
            Tier.MINUTES,
            "time",
            true,
            List.of("time", "attack_id", "mitigation_id"),
            column("time", TIME),
            column("since", TIME),
            column("attack_id", TEXT),
            column("mitigation_id", TEXT),
            column("packets", NUMBER)),
    EPISODES(
            Tier.EVENTS,
            "start",
            true,
            List.of("id"),
            column("id", TEXT),
            column("node", NUMBER),
            column("interface", NUMBER),
            column("queue", NUMBER),
            column("start", TIME),
            column("end", TIME),
            column("peak_occupancy", NUMBER),
            column("completeness", SHARE),
            column("packets", NUMBER),
            column("json", TEXT)),
    EVENTS(
            Tier.EVENTS,
            "start",
            true,
            List.of("id"),
            column("kind", TEXT),
            column("id", TEXT),
            column("start", TIME),
            column("end", TIME),
            column("detected_at", TIME),
            column("severity", TEXT),
            column("completeness", SHARE),
            column("node", NUMBER),
            column("interface", NUMBER),
            column("queue", NUMBER),
            column("flow_id", TEXT),
            column("json", TEXT)),
    EXPORTERS_1M(
            Tier.MINUTES,
            "time",
            false,
            List.of("time", "exporter"),
            column("time", TIME),
            column("exporter", TEXT),
            column("exporter_number", ADDRESS),
            column("datagrams", NUMBER),
            column("bytes", NUMBER),
            column("undecodable", NUMBER),
            column("reports", NUMBER),
            column("rejected_reports", NUMBER),
            column("duplicates", NUMBER),
            column("lost", NUMBER),
            column("completeness", SHARE)),
    NODES(
            Tier.EVENTS,
            "last_seen",
            true,
            List.of("node"),
            column("node", NUMBER),
            column("name", TEXT),
            column("exporter", TEXT),
            column("exporter_number", ADDRESS),
            column("version", TEXT),
            column("first_seen", TIME),
            column("last_seen", TIME));

    /** Which of the configured times a table is kept for. */
    enum Tier {
        SECONDS,
        MINUTES,
        EVENTS
    }

    private final Tier tier;
    private final String timeColumn;
    private final boolean replaced;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> identity;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<Column> columns;

    Table(Tier tier, String timeColumn, boolean replaced, List<String> identity, Column... columns) {
        this.tier = tier;
        this.timeColumn = timeColumn;
        this.replaced = replaced;
        this.identity = identity;
        this.columns = List.of(columns);
    }

    private static Column column(String name, Kind kind) {
        return new Column(name, kind);
    }

    private static Column[] hops() {
        return new Column[] {
            column("time", TIME),
            column("node", NUMBER),
            column("interface", NUMBER),
            column("queue", NUMBER),
            column("reports", NUMBER),
            column("latency_min", NUMBER),
            column("latency_p50", NUMBER),
            column("latency_p99", NUMBER),
            column("latency_max", NUMBER),
            column("latency_histogram", BYTES),
            column("occupancy_max", NUMBER),
            column("utilization_max", NUMBER),
            column("drops", NUMBER),
            column("completeness", SHARE)
        };
    }

    /** As in SQL. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The table of that name, in upper or lower case; null if there is none. */
    public static @Nullable Table named(String name) {
        for (Table table : values()) {
            if (table.name().equalsIgnoreCase(name)) {
                return table;
            }
        }
        return null;
    }

    public List<String> columnNames() {
        return columns.stream().map(Column::name).toList();
    }

    public List<Column> columns() {
        return columns;
    }

    Tier tier() {
        return tier;
    }

    /** What {@code since}, {@code until} and retention look at. */
    public String timeColumn() {
        return timeColumn;
    }

    /**
     * Whether a row that is found again takes the place of the earlier; elsewhere rows only come on top, and are removed first where a time is
     * read again.
     */
    public boolean isReplaced() {
        return replaced;
    }

    /** Columns that tell its rows apart. */
    public List<String> identity() {
        return identity;
    }

    /** Where a column stands, from the left. */
    public int indexOf(String column) {
        return columnNames().indexOf(column);
    }
}
