package io.pathlore.dataplane.lab;

import java.util.ArrayList;
import java.util.List;

/** The rules of one switch in the order they were installed; the first that matches counts. */
final class BlockTable {
    private final List<Entry> entries = new ArrayList<>();

    private static final class Entry {
        final BlockRule rule;
        long dropped;

        Entry(BlockRule rule) {
            this.rule = rule;
        }
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Hot path, where there are rules. */
    boolean drops(Frame frame) {
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            if (entry.rule.matches(frame)) {
                entry.dropped++;
                return true;
            }
        }
        return false;
    }

    boolean add(BlockRule rule) {
        return indexOf(rule) < 0 && entries.add(new Entry(rule));
    }

    /** What the rule dropped, or -1 where there is none. */
    long dropped(BlockRule rule) {
        int index = indexOf(rule);
        return index < 0 ? -1 : entries.get(index).dropped;
    }

    void remove(BlockRule rule) {
        int index = indexOf(rule);
        if (index >= 0) {
            entries.remove(index);
        }
    }

    private int indexOf(BlockRule rule) {
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i).rule.equals(rule)) {
                return i;
            }
        }
        return -1;
    }
}
