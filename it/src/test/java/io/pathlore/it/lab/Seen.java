package io.pathlore.it.lab;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One report as a collector reads it, from what the reference decoder makes of it.
 *
 * @param node who reports: by the report, else by the address it comes from
 * @param forged the address is not one of that node
 * @param flow id of the flow
 * @param hops the stack in travel order; the reporting node is the last, with what it says beside the stack
 * @param stack there is one
 * @param gaps some node on the way could not add itself
 * @param whole the stack is of the whole way
 * @param replica a copy sent other ways on request
 * @param packet what does not change on the way of the packet, or null
 */
record Seen(
        long timeNanos,
        @Nullable Long node,
        boolean forged,
        long hwId,
        long sequence,
        boolean dropped,
        boolean congested,
        @Nullable Long dropReason,
        @Nullable String flow,
        Map<String, Object> tuple,
        List<Hop> hops,
        boolean stack,
        boolean gaps,
        boolean whole,
        boolean replica,
        @Nullable String packet,
        int ttl) {
    static Seen of(long timeNanos, @Nullable Long own, Map<String, Object> json, @Nullable PacketFields fields) {
        Map<String, Object> report = object(json, "report");
        Map<String, Object> metadata = object(json, "metadata");
        Map<String, Object> tuple = object(json, "flow");
        Long claimed = Hop.number(report, "nodeId");
        Long node = claimed != null ? claimed : own;
        Long counted = Hop.number(object(json, "drop"), "count");
        boolean dropped = is(report, "dropped") || counted != null && counted > 0;
        List<Hop> hops = new ArrayList<>();
        boolean gaps = false;
        boolean replica = false;
        boolean whole = !dropped && !is(report, "intermediate");
        for (Object each : json.get("int") instanceof List<?> list ? list : List.of()) {
            if (!(each instanceof Map<?, ?> header) || !Objects.equals(header.get("type"), "md")) {
                continue;
            }
            gaps |= is(header, "hopLimitExceeded") || is(header, "mtuExceeded");
            replica |= is(header, "replica");
            whole &= !is(header, "truncated");
            for (Object entry : header.get("hops") instanceof List<?> list ? list : List.of()) {
                if (entry instanceof Map<?, ?> hop && !hop.containsKey("raw")) {
                    hops.add(Hop.of(Hop.number(hop, "nodeId"), hop));
                } else {
                    whole = false;
                }
            }
        }
        boolean stack = !hops.isEmpty();
        if (node != null) {
            Hop beside = Hop.of(node, metadata);
            if (stack && hops.getLast().isOf(node)) {
                hops.add(hops.removeLast().or(beside));
            } else {
                hops.add(beside);
            }
        }
        String flow = tuple.isEmpty() ? null : Ids.flow(tuple);
        return new Seen(
                timeNanos,
                node,
                !Objects.equals(node, own),
                Objects.requireNonNullElse(Hop.number(report, "hwId"), 0L),
                Objects.requireNonNullElse(Hop.number(report, "sequence"), 0L),
                dropped,
                is(report, "congested"),
                Hop.number(metadata, "dropReason"),
                flow,
                tuple,
                hops,
                stack,
                gaps,
                stack && whole && !gaps,
                replica,
                fields == null || flow == null ? null : flow + "/" + fields.identity(),
                fields == null ? -1 : fields.ttl());
    }

    boolean isFrom(long someNode) {
        return node != null && node == someNode;
    }

    /** The hop with which the reporter speaks of itself; there is one where it is known. */
    Hop own() {
        return hops.getLast();
    }

    Set<Long> nodes() {
        Set<Long> nodes = new LinkedHashSet<>();
        for (Hop hop : hops) {
            if (hop.node() != null) {
                nodes.add(hop.node());
            }
        }
        return nodes;
    }

    private static boolean is(Map<?, ?> json, String key) {
        return Boolean.TRUE.equals(json.get(key));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> object(Map<String, Object> json, String key) {
        return json.get(key) instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
    }
}
