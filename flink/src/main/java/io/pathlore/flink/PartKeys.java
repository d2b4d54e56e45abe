package io.pathlore.flink;

import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/** A key for each part, so that each has a key group of its own: that is what a cluster spreads over its machines, and moves. */
final class PartKeys {
    private PartKeys() {}

    static int[] of(int parts) {
        int[] keys = new int[parts];
        boolean[] found = new boolean[parts];
        int left = parts;
        for (int key = 0; left > 0; key++) {
            int group = KeyGroupRangeAssignment.assignToKeyGroup(key, parts);
            if (!found[group]) {
                found[group] = true;
                keys[group] = key;
                left--;
            }
        }
        return keys;
    }
}
