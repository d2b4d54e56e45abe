package io.pathlore.analysis.hop;

import io.pathlore.analysis.LongMap;
import io.pathlore.model.FlowKey;
import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Amounts by flow, as many flows as there is room for. */
final class FlowTally {
    /** Equal amounts have an order that does not depend on who came first. */
    private static final Comparator<Entry> MOST =
            Comparator.comparingLong((Entry one) -> -one.amount).thenComparing(one -> one.flow.canonical());

    static final class Entry {
        final FlowKey flow;
        long amount;

        Entry(FlowKey flow) {
            this.flow = flow;
        }
    }

    private final LongMap<Entry> flows;
    private long total;

    /** Those that come again and again stay; of the others as many as there is room for. */
    FlowTally(int capacity) {
        flows = new LongMap<>(capacity);
    }

    void add(ReportRow row, long amount) {
        total += amount;
        Entry entry = flows.get(row.flowHash());
        if (entry == null) {
            FlowKey key = row.flow();
            if (key == null) {
                return;
            }
            entry = flows.get(row.flowHash(), () -> new Entry(key), left -> {});
        }
        entry.amount += amount;
    }

    long total() {
        return total;
    }

    /** The largest first. */
    List<Entry> largest(int count) {
        List<Entry> sorted = new ArrayList<>(flows.sorted(MOST));
        return sorted.size() > count ? sorted.subList(0, count) : sorted;
    }
}
