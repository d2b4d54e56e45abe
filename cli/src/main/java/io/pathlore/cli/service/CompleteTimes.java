package io.pathlore.cli.service;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Up to when everything was read from all partitions: each of them tells for itself. */
final class CompleteTimes {
    private final Map<Integer, Long> byPartition = new HashMap<>();
    private final long atLeast;
    private long edgeId;

    /** @param atLeast what was known before; it does not fall */
    CompleteTimes(long atLeast, List<Integer> partitions) {
        this.atLeast = atLeast;
        partitions.forEach(partition -> byPartition.put(partition, atLeast));
    }

    /** A partition says so. True if that was another publisher than the last time. */
    boolean reach(int partition, RollupJson.Complete until) {
        byPartition.merge(partition, until.untilNanos(), Math::max);
        boolean other = edgeId != 0 && edgeId != until.edgeId();
        edgeId = until.edgeId();
        return other;
    }

    long all() {
        return Math.max(
                atLeast,
                byPartition.values().stream().mapToLong(Long::longValue).min().orElse(atLeast));
    }
}
