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
    HOPS_1S(Tier.SECONDS, "time", null, hops()),
    HOPS_1M(Tier.MINUTES, "time", null, hops()),
    FLOWS_1M(
            Tier.MINUTES,
            "time",
            null,
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
            "path_id",
            column("path_id", TEXT),
            column("nodes", NUMBERS),
            column("complete", FLAG),
            column("last_seen", TIME)),
    LINKS_1M(
            Tier.MINUTES,
            "time",
            null,
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
            null,
            column("time", TIME),
            column("node", NUMBER),
            column("interface", NUMBER),
            column("queue", NUMBER),
            column("reason", NUMBER),
            column("reports", NUMBER),
            column("packets", NUMBER)),
    EPISODES(
            Tier.EVENTS,
            "start",
            "id",
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
            "id",
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
            null,
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
            "node",
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
    private final @Nullable String key;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<Column> columns;

    Table(Tier tier, String timeColumn, @Nullable String key, Column... columns) {
        this.tier = tier;
        this.timeColumn = timeColumn;
        this.key = key;
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

    List<Column> columns() {
        return columns;
    }

    Tier tier() {
        return tier;
    }

    /** What {@code since}, {@code until} and retention look at. */
    String timeColumn() {
        return timeColumn;
    }

    /** A later row with the same value here takes the place of the earlier; null where rows only come on top. */
    @Nullable
    String key() {
        return key;
    }
}
