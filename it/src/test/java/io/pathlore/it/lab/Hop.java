package io.pathlore.it.lab;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What one node says in a report; null is what it does not say. */
record Hop(
        @Nullable Long node,
        @Nullable Long egress,
        @Nullable Long queue,
        @Nullable Long occupancy,
        boolean timed) {
    static Hop of(@Nullable Long node, Map<?, ?> json) {
        return new Hop(
                node,
                number(json, "egressInterface"),
                number(json, "queueId"),
                number(json, "queueOccupancy"),
                json.containsKey("hopLatency")
                        || json.containsKey("ingressTimestamp") && json.containsKey("egressTimestamp"));
    }

    /** What the node says here and, where that is nothing, there. */
    Hop or(Hop other) {
        return new Hop(
                node,
                egress != null ? egress : other.egress,
                queue != null ? queue : other.queue,
                occupancy != null ? occupancy : other.occupancy,
                timed || other.timed);
    }

    boolean isOf(long someNode) {
        return node != null && node == someNode;
    }

    static @Nullable Long number(Map<?, ?> json, String key) {
        return json.get(key) instanceof Long value ? value : null;
    }
}
