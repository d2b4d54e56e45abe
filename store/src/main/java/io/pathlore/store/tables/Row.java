package io.pathlore.store.tables;

import io.pathlore.model.FlowKey;
import io.pathlore.model.IpText;
import io.pathlore.model.LatencyHistogram;
import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One row of a table. A number that is unknown is {@link #ABSENT}, a share that is unknown is not a number, everything else null;
 * all of them are NULL in the table. Times are nanoseconds since 1970, of the stream.
 */
public sealed interface Row {
    long ABSENT = ReportRow.ABSENT;

    Table table();

    /** What tells this row from others where a later one takes its place; null in other tables. */
    default @Nullable Object key() {
        return null;
    }

    /** When it begins, or began; what has a key may be older than what is stored already. */
    long time();

    /** Writes the values in the order of the table's columns. */
    void write(RowWriter out);

    /** The same row as another publishes it. */
    default Told told() {
        ToldRowWriter values = new ToldRowWriter();
        write(values);
        return new Told(table(), values.values());
    }

    /** About as many octets as it takes while it waits to be stored. */
    default long weight() {
        return FIXED_WEIGHT;
    }

    long FIXED_WEIGHT = 160;

    private static long length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }

    /**
     * A queue of a node in a second or, where {@code minute}, in a minute.
     *
     * @param latencyHistogram what {@link LatencyHistogram#encode} gave
     */
    record Hop(
            boolean minute,
            long time,
            long node,
            long interfaceId,
            long queue,
            long reports,
            long latencyMin,
            long latencyP50,
            long latencyP99,
            long latencyMax,
            byte @Nullable [] latencyHistogram,
            long occupancyMax,
            long utilizationMax,
            long drops,
            double completeness)
            implements Row {
        @Override
        public Table table() {
            return minute ? Table.HOPS_1M : Table.HOPS_1S;
        }

        @Override
        public void write(RowWriter out) {
            out.number(time)
                    .number(node)
                    .number(interfaceId)
                    .number(queue)
                    .number(reports)
                    .number(latencyMin)
                    .number(latencyP50)
                    .number(latencyP99)
                    .number(latencyMax)
                    .bytes(latencyHistogram)
                    .number(occupancyMax)
                    .number(utilizationMax)
                    .number(drops)
                    .share(completeness);
        }

        @Override
        public long weight() {
            return FIXED_WEIGHT + (latencyHistogram == null ? 0 : latencyHistogram.length);
        }
    }

    /** A flow in a minute. */
    record Flow(
            long time,
            FlowKey flow,
            long reports,
            long packets,
            @Nullable String pathId,
            long latencyP50,
            long latencyP99,
            long drops)
            implements Row {
        @Override
        public Table table() {
            return Table.FLOWS_1M;
        }

        @Override
        public void write(RowWriter out) {
            out.number(time)
                    .text(flow.id().toString())
                    .text(flow.source())
                    .address(flow.sourceHigh(), flow.sourceLow())
                    .text(flow.destination())
                    .address(flow.destinationHigh(), flow.destinationLow())
                    .number(flow.protocol())
                    .number(flow.sourcePort())
                    .number(flow.destinationPort())
                    .number(flow.icmpType())
                    .number(flow.icmpCode())
                    .number(flow.vni())
                    .number(reports)
                    .number(packets)
                    .text(pathId)
                    .number(latencyP50)
                    .number(latencyP99)
                    .number(drops);
        }

        @Override
        public long weight() {
            return FIXED_WEIGHT + FIXED_WEIGHT;
        }
    }

    /** A path, which a flow names by its id. Later ones take the place of earlier ones. */
    record Path(String pathId, List<Long> nodes, boolean complete, long lastSeen) implements Row {
        public Path {
            nodes = List.copyOf(nodes);
        }

        @Override
        public Table table() {
            return Table.PATHS;
        }

        @Override
        public Object key() {
            return pathId;
        }

        @Override
        public long time() {
            return lastSeen;
        }

        @Override
        public void write(RowWriter out) {
            out.text(pathId).numbers(nodes).flag(complete).number(lastSeen);
        }

        @Override
        public long weight() {
            return FIXED_WEIGHT + 32L * nodes.size();
        }
    }

    /**
     * A link in a minute.
     *
     * @param latency from node to node; null where it is unknown, and below 0 where clocks are not as good as believed
     */
    record Link(
            long time,
            long fromNode,
            long fromInterface,
            long toNode,
            long toInterface,
            long reports,
            @Nullable Long latency,
            long latencyError,
            long hiddenHops)
            implements Row {
        @Override
        public Table table() {
            return Table.LINKS_1M;
        }

        @Override
        public void write(RowWriter out) {
            out.number(time)
                    .number(fromNode)
                    .number(fromInterface)
                    .number(toNode)
                    .number(toInterface)
                    .number(reports)
                    .signed(latency)
                    .number(latencyError)
                    .number(hiddenHops);
        }
    }

    /** What a queue of a node dropped for one reason in a second. */
    record Drop(long time, long node, long interfaceId, long queue, long reason, long reports, long packets)
            implements Row {
        @Override
        public Table table() {
            return Table.DROPS_1S;
        }

        @Override
        public void write(RowWriter out) {
            out.number(time)
                    .number(node)
                    .number(interfaceId)
                    .number(queue)
                    .number(reason)
                    .number(reports)
                    .number(packets);
        }
    }

    /**
     * What came in of an attack in a second. Later ones take the place of earlier ones.
     *
     * @param amount packets, or where it is not known how many a report stands for, reports
     * @param threshold what is too much for the victim in a second
     */
    record AttackSecond(long time, String attackId, long amount, boolean packets, long threshold) implements Row {
        /** As in the table. */
        public static final String PACKETS = "packets";

        public static final String REPORTS = "reports";

        @Override
        public Table table() {
            return Table.ATTACKS_1S;
        }

        @Override
        public Object key() {
            return List.of(time, attackId);
        }

        @Override
        public void write(RowWriter out) {
            out.number(time)
                    .text(attackId)
                    .number(amount)
                    .text(packets ? PACKETS : REPORTS)
                    .number(threshold);
        }
    }

    /**
     * What a rule stopped of an attack, between two of its drop reports. Later ones take the place of earlier ones.
     *
     * @param time of the later one
     * @param since of the one before, or of the moment from which on it counted
     */
    record Stopped(long time, long since, String attackId, String mitigationId, long packets) implements Row {
        @Override
        public Table table() {
            return Table.STOPPED;
        }

        @Override
        public Object key() {
            return List.of(time, attackId, mitigationId);
        }

        @Override
        public void write(RowWriter out) {
            out.number(time).number(since).text(attackId).text(mitigationId).number(packets);
        }
    }

    /** A queue that filled and emptied. Later ones take the place of earlier ones. */
    record Episode(
            String id,
            long node,
            long interfaceId,
            long queue,
            long start,
            long end,
            long peakOccupancy,
            double completeness,
            long packets,
            String json)
            implements Row {
        @Override
        public Table table() {
            return Table.EPISODES;
        }

        @Override
        public Object key() {
            return id;
        }

        @Override
        public long time() {
            return start;
        }

        @Override
        public void write(RowWriter out) {
            out.text(id)
                    .number(node)
                    .number(interfaceId)
                    .number(queue)
                    .number(start)
                    .number(end)
                    .number(peakOccupancy)
                    .share(completeness)
                    .number(packets)
                    .text(json);
        }

        @Override
        public long weight() {
            return FIXED_WEIGHT + length(json);
        }
    }

    /** An event, whole in {@code json}. Later ones take the place of earlier ones. */
    record Event(
            String kind,
            String id,
            long start,
            long end,
            long detectedAt,
            String severity,
            double completeness,
            long node,
            long interfaceId,
            long queue,
            @Nullable String flowId,
            String json)
            implements Row {
        @Override
        public Table table() {
            return Table.EVENTS;
        }

        @Override
        public Object key() {
            return id;
        }

        @Override
        public long time() {
            return start;
        }

        @Override
        public void write(RowWriter out) {
            out.text(kind)
                    .text(id)
                    .number(start)
                    .number(end)
                    .number(detectedAt)
                    .text(severity)
                    .share(completeness)
                    .number(node)
                    .number(interfaceId)
                    .number(queue)
                    .text(flowId)
                    .text(json);
        }

        @Override
        public long weight() {
            return FIXED_WEIGHT + length(json);
        }
    }

    /** An address, of four octets or sixteen, as {@link FlowKey} has it. */
    record Address(boolean v6, long high, long low) {
        @Override
        public String toString() {
            return IpText.of(v6, high, low);
        }
    }

    /** An exporter in a minute. */
    record Exporter(
            long time,
            Address exporter,
            long datagrams,
            long bytes,
            long undecodable,
            long reports,
            long rejectedReports,
            long duplicates,
            long lost,
            double completeness)
            implements Row {
        @Override
        public Table table() {
            return Table.EXPORTERS_1M;
        }

        @Override
        public void write(RowWriter out) {
            out.number(time)
                    .text(exporter.toString())
                    .address(exporter.high, exporter.low)
                    .number(datagrams)
                    .number(bytes)
                    .number(undecodable)
                    .number(reports)
                    .number(rejectedReports)
                    .number(duplicates)
                    .number(lost)
                    .share(completeness);
        }
    }

    /** A node. Later ones take the place of earlier ones. */
    record Node(
            long node,
            @Nullable String name,
            @Nullable Address exporter,
            @Nullable String version,
            long firstSeen,
            long lastSeen)
            implements Row {
        @Override
        public Table table() {
            return Table.NODES;
        }

        @Override
        public Object key() {
            return node;
        }

        @Override
        public long time() {
            return lastSeen;
        }

        @Override
        public void write(RowWriter out) {
            out.number(node).text(name).text(exporter == null ? null : exporter.toString());
            if (exporter == null) {
                out.noAddress();
            } else {
                out.address(exporter.high, exporter.low);
            }
            out.text(version).number(firstSeen).number(lastSeen);
        }

        @Override
        public long weight() {
            return FIXED_WEIGHT + length(name) + length(version);
        }
    }

    /**
     * A row as another process told it, column by column: in every table it takes the place of one with the same {@link Table#identity}.
     *
     * @param values {@code Long}, {@code Double}, {@code Boolean}, {@code String}, {@code byte[]}, {@code List<Long>} or {@code BigInteger}, as the
     *     {@link Column.Kind} says; null where it is not known
     */
    record Told(Table table, List<@Nullable Object> values) implements Row {
        // Written out: a short one would not say in its class file what may be null.
        public Told(Table table, List<@Nullable Object> values) {
            this.table = table;
            this.values = Collections.unmodifiableList(new ArrayList<>(values));
        }

        @Nullable
        Object value(String column) {
            return values.get(table.indexOf(column));
        }

        @Override
        public Object key() {
            List<@Nullable Object> key = new ArrayList<>();
            table.identity().forEach(column -> key.add(value(column)));
            return key;
        }

        @Override
        public long time() {
            return value(table.timeColumn()) instanceof Long time ? time : ABSENT;
        }

        @Override
        public void write(RowWriter out) {
            for (int i = 0; i < values.size(); i++) {
                out.value(table.columns().get(i).kind(), values.get(i));
            }
        }

        @Override
        public long weight() {
            long weight = 2 * FIXED_WEIGHT;
            for (Object value : values) {
                weight += switch (value) {
                    case String text -> text.length();
                    case byte[] bytes -> bytes.length;
                    case List<?> list -> 32L * list.size();
                    case null, default -> 0;
                };
            }
            return weight;
        }
    }
}
