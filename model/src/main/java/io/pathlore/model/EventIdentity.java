package io.pathlore.model;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What tells an event from others of its kind, as text: the values of its identity keys in the order docs/reference/events.md
 * gives, joined by {@code |}. Flows are written by their id, node lists with commas, the end of a link as
 * {@code NODE/INTERFACE}; what is absent is empty.
 */
public final class EventIdentity {
    public static final int ABSENT = -1;

    private EventIdentity() {}

    public static String pathChange(FlowId flow, List<Long> after) {
        return flow + "|" + after.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    public static String loop(FlowId flow) {
        return flow.toString();
    }

    public static String congestion(long node, long interfaceId, long queue) {
        return node + "|" + interfaceId + "|" + queue;
    }

    public static String latency(long node, long interfaceId) {
        return node + "|" + interfaceId;
    }

    public static String drops(long node, long reason) {
        return node + "|" + reason;
    }

    /** Of link-down and link-up. */
    public static String link(long fromNode, long fromInterface, long toNode, long toInterface) {
        return fromNode + "/" + fromInterface + "|" + toNode + "/" + toInterface;
    }

    /** Of report-loss, exporter-restart and exporter-silent. {@code reporter}: node id, or address where there is none. */
    public static String stream(String reporter, long hwId) {
        return reporter + "|" + hwId;
    }

    public static String spoof(long node) {
        return Long.toString(node);
    }

    /** {@code victim}: address, or prefix with its length; {@code port} and {@code protocol} may be {@link #ABSENT}. */
    public static String attack(String vector, String victim, long port, long protocol) {
        return vector + "|" + victim + "," + optional(port) + "," + optional(protocol);
    }

    private static String optional(long value) {
        return value == ABSENT ? "" : Long.toString(value);
    }
}
