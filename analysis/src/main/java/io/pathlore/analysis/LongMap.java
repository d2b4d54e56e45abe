package io.pathlore.analysis;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Values by a number that is already well mixed, as hashes are: looking up allocates nothing. Bounded: where it is full, the value
 * that was not asked for since the hand of the clock last passed it leaves. Hot path.
 */
public final class LongMap<V> {
    /** Is told of a value that had to leave. */
    @FunctionalInterface
    public interface Leaving<V> {
        void leaves(V value);
    }

    private static final int FIRST = 64;

    private final int capacity;
    private long[] keys = new long[FIRST];
    private @Nullable Object[] values = new Object[FIRST];
    private boolean[] recent = new boolean[FIRST];
    private int size;
    private int hand;
    private long evicted;

    public LongMap(int capacity) {
        if (capacity < 1 || capacity > 1 << 28) {
            throw new IllegalArgumentException("a map of " + capacity);
        }
        this.capacity = capacity;
    }

    public int size() {
        return size;
    }

    /** Whoever is put in now makes another leave. */
    public boolean isFull() {
        return size == capacity;
    }

    /** Values that had to leave. */
    public long evicted() {
        return evicted;
    }

    @SuppressWarnings("unchecked") // only values of this type are put in
    public @Nullable V get(long key) {
        int mask = keys.length - 1;
        for (int at = home(key, mask); ; at = at + 1 & mask) {
            Object there = values[at];
            if (there == null) {
                return null;
            }
            if (keys[at] == key) {
                if (!recent[at]) {
                    recent[at] = true;
                }
                return (V) there;
            }
        }
    }

    /** As {@link #get(long)}, by somebody who does not need it yet: that is not remembered. */
    @SuppressWarnings("unchecked")
    public @Nullable V look(long key) {
        int mask = keys.length - 1;
        int at = home(key, mask);
        while (values[at] != null && keys[at] != key) {
            at = at + 1 & mask;
        }
        return (V) values[at];
    }

    /** The value, made where there is none. Who asks often asks {@link #get(long)} first: a maker may have to be made, too. */
    public V get(long key, Supplier<V> maker, Leaving<? super V> leaving) {
        V there = get(key);
        if (there != null) {
            return there;
        }
        if (size == capacity) {
            evict(leaving);
        } else if (2 * (size + 1) > keys.length) {
            grow();
        }
        V made = maker.get();
        put(key, made);
        size++;
        return made;
    }

    /** Puts in what is not there yet, without an object on the way. There must be room. */
    public void add(long key, V value) {
        if (size == capacity) {
            throw new IllegalStateException("a map of " + capacity + " is full");
        }
        if (2 * (size + 1) > keys.length) {
            grow();
        }
        put(key, value);
        size++;
    }

    private void put(long key, Object value) {
        int mask = keys.length - 1;
        int at = home(key, mask);
        while (values[at] != null) {
            at = at + 1 & mask;
        }
        keys[at] = key;
        values[at] = value;
        recent[at] = false;
    }

    private static int home(long key, int mask) {
        return (int) (key >>> 32 ^ key) & mask;
    }

    @SuppressWarnings("unchecked")
    private void evict(Leaving<? super V> leaving) {
        int mask = keys.length - 1;
        while (values[hand] == null || recent[hand]) {
            recent[hand] = false;
            hand = hand + 1 & mask;
        }
        V value = (V) values[hand];
        removeAt(hand);
        evicted++;
        if (value != null) {
            leaving.leaves(value);
        }
    }

    public void remove(long key) {
        int mask = keys.length - 1;
        for (int at = home(key, mask); values[at] != null; at = at + 1 & mask) {
            if (keys[at] == key) {
                removeAt(at);
                return;
            }
        }
    }

    /** Those behind it move up, so that a search may stop at the first empty place [Knuth, TAOCP 3, 6.4 R]. */
    private void removeAt(int place) {
        int mask = keys.length - 1;
        int hole = place;
        for (int at = hole + 1 & mask; values[at] != null; at = at + 1 & mask) {
            int home = home(keys[at], mask);
            if ((at - home & mask) >= (at - hole & mask)) {
                keys[hole] = keys[at];
                values[hole] = values[at];
                recent[hole] = recent[at];
                hole = at;
            }
        }
        values[hole] = null;
        recent[hole] = false;
        size--;
    }

    private void grow() {
        long[] oldKeys = keys;
        @Nullable Object[] oldValues = values;
        keys = new long[2 * oldKeys.length];
        values = new Object[keys.length];
        recent = new boolean[keys.length];
        hand = 0;
        for (int at = 0; at < oldKeys.length; at++) {
            Object value = oldValues[at];
            if (value != null) {
                put(oldKeys[at], value);
            }
        }
    }

    @SuppressWarnings("unchecked")
    public void forEach(Consumer<? super V> to) {
        for (Object value : values) {
            if (value != null) {
                to.accept((V) value);
            }
        }
    }

    /** In an order that does not depend on who came first. */
    @SuppressWarnings("unchecked")
    public List<V> sorted(Comparator<? super V> order) {
        return Arrays.stream(values)
                .filter(value -> value != null)
                .map(value -> (V) value)
                .sorted(order)
                .toList();
    }
}
