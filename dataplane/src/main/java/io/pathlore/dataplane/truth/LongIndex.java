package io.pathlore.dataplane.truth;

import java.util.Arrays;

/** Numbers keys from 0 in the order they come, without boxing them. */
final class LongIndex {
    static final int UNKNOWN = -1;
    private static final int EMPTY = 0;

    private long[] keys = new long[16];
    private int size;
    private int[] slots = new int[64];

    int size() {
        return size;
    }

    int find(long key) {
        for (int at = slot(key); slots[at] != EMPTY; at = next(at)) {
            if (keys[slots[at] - 1] == key) {
                return slots[at] - 1;
            }
        }
        return UNKNOWN;
    }

    int add(long key) {
        int known = find(key);
        if (known != UNKNOWN) {
            return known;
        }
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, 2 * size);
        }
        keys[size++] = key;
        if (2 * size > slots.length) {
            slots = new int[2 * slots.length];
            for (int i = 0; i < size; i++) {
                put(i);
            }
        } else {
            put(size - 1);
        }
        return size - 1;
    }

    private void put(int index) {
        int at = slot(keys[index]);
        while (slots[at] != EMPTY) {
            at = next(at);
        }
        slots[at] = index + 1;
    }

    private int slot(long key) {
        return (int) (FlowTable.mix(0, key) >>> 32) & slots.length - 1;
    }

    private int next(int slot) {
        return slot + 1 & slots.length - 1;
    }

    long key(int index) {
        return keys[index];
    }
}
