package io.pathlore.engine.state;

import org.jspecify.annotations.Nullable;

/** Which number an object has, from 1 on in the order in which they came: of millions of objects, without one more for each. */
final class Numbering {
    private static final int ROOM = 64;

    private @Nullable Object[] objects = new @Nullable Object[ROOM];
    private int[] numbers = new int[ROOM];
    private int count;

    /** Its number, below 0 when it was given just now. */
    int of(Object object) {
        int slot = slot(object);
        if (objects[slot] != null) {
            return numbers[slot];
        }
        if (2 * (count + 1) > objects.length) {
            grow();
            slot = slot(object);
        }
        count++;
        objects[slot] = object;
        numbers[slot] = count;
        return -count;
    }

    /** Where it is, or would be. */
    @SuppressWarnings("ReferenceEquality") // that is what is asked
    private int slot(Object object) {
        int mask = objects.length - 1;
        int hash = System.identityHashCode(object) * 0x9E37_79B9;
        int slot = (hash ^ hash >>> 16) & mask;
        while (objects[slot] != null && objects[slot] != object) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private void grow() {
        @Nullable Object[] before = objects;
        int[] had = numbers;
        objects = new @Nullable Object[4 * before.length];
        numbers = new int[objects.length];
        for (int i = 0; i < before.length; i++) {
            Object object = before[i];
            if (object != null) {
                int slot = slot(object);
                objects[slot] = object;
                numbers[slot] = had[i];
            }
        }
    }
}
