package io.pathlore.dataplane.lab;

import io.pathlore.dataplane.traffic.Stage.Timer;
import java.util.Arrays;

/** Timers by time, then by order; four children per entry. Hot path: nothing is allocated but when it grows. */
final class TimerHeap {
    private static final int ARITY = 4;

    /** Time and order, two per entry. */
    private long[] keys = new long[2 * 64];

    private Timer[] timers = new Timer[64];
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    long firstNanos() {
        return keys[0];
    }

    long firstOrder() {
        return keys[1];
    }

    Timer first() {
        return timers[0];
    }

    void add(long atNanos, long order, Timer timer) {
        if (size == timers.length) {
            timers = Arrays.copyOf(timers, 2 * size);
            keys = Arrays.copyOf(keys, 4 * size);
        }
        int at = size++;
        while (at > 0) {
            int parent = (at - 1) / ARITY;
            if (!isBefore(atNanos, order, parent)) {
                break;
            }
            move(parent, at);
            at = parent;
        }
        put(at, atNanos, order, timer);
    }

    void removeFirst() {
        size--;
        if (size > 0) {
            replaceFirst(keys[2 * size], keys[2 * size + 1], timers[size]);
        }
    }

    void replaceFirst(long atNanos, long order, Timer timer) {
        int at = 0;
        while (true) {
            int child = ARITY * at + 1;
            if (child >= size) {
                break;
            }
            int least = child;
            int end = Math.min(child + ARITY, size);
            for (int i = child + 1; i < end; i++) {
                if (isBefore(keys[2 * i], keys[2 * i + 1], least)) {
                    least = i;
                }
            }
            if (isBefore(atNanos, order, least)) {
                break;
            }
            move(least, at);
            at = least;
        }
        put(at, atNanos, order, timer);
    }

    private boolean isBefore(long atNanos, long order, int other) {
        long otherNanos = keys[2 * other];
        return atNanos < otherNanos || atNanos == otherNanos && order < keys[2 * other + 1];
    }

    private void move(int from, int to) {
        keys[2 * to] = keys[2 * from];
        keys[2 * to + 1] = keys[2 * from + 1];
        timers[to] = timers[from];
    }

    private void put(int at, long atNanos, long order, Timer timer) {
        keys[2 * at] = atNanos;
        keys[2 * at + 1] = order;
        timers[at] = timer;
    }
}
