package io.pathlore.dataplane.truth;

import java.util.Arrays;

/** Amounts per flow. */
final class Tally {
    private final LongIndex flows = new LongIndex();
    private long[] amounts = new long[16];
    private long total;

    void add(int flow, long amount) {
        total += amount;
        if (flow == FlowTable.UNKNOWN) {
            return;
        }
        int at = flows.add(flow);
        if (at >= amounts.length) {
            amounts = Arrays.copyOf(amounts, 2 * amounts.length);
        }
        amounts[at] += amount;
    }

    /** With what came from flows nobody named. */
    long total() {
        return total;
    }

    int size() {
        return flows.size();
    }

    int flow(int index) {
        return (int) flows.key(index);
    }

    long amount(int index) {
        return amounts[index];
    }
}
