package io.pathlore.analysis.rollup;

import io.pathlore.analysis.LongMap;
import io.pathlore.model.ReportRow;
import org.jspecify.annotations.Nullable;

/** Which exporters tell of a node: a few, the last ones. */
final class Tellers {
    static final int COUNT = 4;

    /** The exporters of one node, by their hashes. */
    static final class OfNode {
        final long[] exporters = new long[COUNT];
        int known;
        private int next;

        private boolean add(long exporter) {
            for (int i = 0; i < known; i++) {
                if (exporters[i] == exporter) {
                    return false;
                }
            }
            exporters[next] = exporter;
            next = (next + 1) % COUNT;
            known = Math.min(COUNT, known + 1);
            return true;
        }
    }

    private final LongMap<OfNode> nodes;

    Tellers(int nodes) {
        this.nodes = new LongMap<>(nodes);
    }

    /** Whether it was not one of them. */
    boolean add(long node, long exporter) {
        return nodes.get(ReportRow.mix(node), OfNode::new, gone -> {}).add(exporter);
    }

    /** Null where nobody does. */
    @Nullable
    OfNode of(long node) {
        return nodes.get(ReportRow.mix(node));
    }
}
