package io.pathlore.dataplane.watch;

import java.util.Arrays;

/**
 * A table of fixed size from keys to slots. A key has four slots it can be in; when all are taken, the one of them that was
 * asked for longest ago is forgotten. So an eviction depends on the keys asked for and their order alone. Hot path: no
 * allocation.
 */
final class RecentKeys {
    private static final int WAYS = 4;

    private final long[] keys;
    /** When each slot was last asked for, in calls; 0 for a free one. */
    private final long[] lastUse;

    private final int setMask;
    private long uses;
    private long evictions;
    private boolean added;

    /** @param capacity rounded up to a power of two, at least four */
    RecentKeys(int capacity) {
        if (capacity < 1 || capacity > 1 << 28) {
            throw new IllegalArgumentException("a table of " + capacity);
        }
        int slots = Math.max(WAYS, capacity == 1 ? 1 : Integer.highestOneBit(capacity - 1) << 1);
        keys = new long[slots];
        lastUse = new long[slots];
        setMask = slots / WAYS - 1;
    }

    int capacity() {
        return keys.length;
    }

    /** Keys forgotten to make room for others. */
    long evictions() {
        return evictions;
    }

    /** Whether the key of the last {@link #slot} was not in the table before. */
    boolean added() {
        return added;
    }

    /** The slot of a key, which is its own until it is forgotten. */
    int slot(long key) {
        int first = ((int) (FlowHash.finish(key) >>> 32) & setMask) * WAYS;
        int oldest = first;
        uses++;
        for (int slot = first; slot < first + WAYS; slot++) {
            if (lastUse[slot] != 0 && keys[slot] == key) {
                lastUse[slot] = uses;
                added = false;
                return slot;
            }
            if (lastUse[slot] < lastUse[oldest]) {
                oldest = slot;
            }
        }
        if (lastUse[oldest] != 0) {
            evictions++;
        }
        keys[oldest] = key;
        lastUse[oldest] = uses;
        added = true;
        return oldest;
    }

    void clear() {
        Arrays.fill(lastUse, 0);
    }
}
