package io.pathlore.dataplane.lab;

import io.pathlore.dataplane.traffic.Stage.Timer;
import java.util.Arrays;

/**
 * Virtual time: timers in the order of their time and, at the same time, in the order they were started. Hot path: a heap with
 * four children per entry over plain arrays, nothing is allocated but when it grows.
 */
public final class Simulation {
    private static final int ARITY = 4;

    /** Time and order, two per entry. */
    private long[] keys = new long[2 * 1024];

    private Timer[] timers = new Timer[1024];
    private int size;

    /** The first entry is the one that fires: what it starts takes its place, which saves every second walk of the heap. */
    private boolean vacant;

    private long nowNanos;
    private long started;
    private long fired;

    public long nowNanos() {
        return nowNanos;
    }

    /** How many timers fired so far. */
    public long fired() {
        return fired;
    }

    /** Also how a timer is known to wait: its order is 0 while it does not. */
    public void start(Timer timer, long atNanos) {
        if (atNanos < nowNanos) {
            throw new IllegalArgumentException("started for " + atNanos + " at " + nowNanos);
        }
        long order = ++started;
        timer.atNanos = atNanos;
        timer.order = order;
        if (vacant) {
            vacant = false;
            sink(atNanos, order, timer);
        } else {
            rise(atNanos, order, timer);
        }
    }

    /** Fires everything that is due until then, and at that time. */
    public void runUntil(long untilNanos) {
        while (size > 0 && keys[0] <= untilNanos) {
            Timer timer = timers[0];
            nowNanos = keys[0];
            timer.order = 0;
            vacant = true;
            fired++;
            timer.run(nowNanos);
            if (vacant) {
                vacant = false;
                removeFirst();
            }
        }
        nowNanos = Math.max(nowNanos, untilNanos);
    }

    private void removeFirst() {
        size--;
        Timer last = timers[size];
        // The slot keeps its timer until it is written again: nothing is lost by that, and NullAway has no nulls to
        // see.
        if (size > 0) {
            sink(keys[2 * size], keys[2 * size + 1], last);
        }
    }

    private void rise(long atNanos, long order, Timer timer) {
        if (size == timers.length) {
            timers = Arrays.copyOf(timers, 2 * size);
            keys = Arrays.copyOf(keys, 4 * size);
        }
        int at = size++;
        while (at > 0) {
            int parent = (at - 1) / ARITY;
            // An equal time was started earlier: later ones stay below.
            if (keys[2 * parent] <= atNanos) {
                break;
            }
            move(parent, at);
            at = parent;
        }
        put(at, atNanos, order, timer);
    }

    /** From the first place down. */
    private void sink(long atNanos, long order, Timer timer) {
        long[] keys = this.keys;
        int at = 0;
        while (true) {
            int child = ARITY * at + 1;
            if (child >= size) {
                break;
            }
            int least = child;
            long leastTime = keys[2 * child];
            int end = Math.min(child + ARITY, size);
            for (int i = child + 1; i < end; i++) {
                long time = keys[2 * i];
                if (time < leastTime || time == leastTime && keys[2 * i + 1] < keys[2 * least + 1]) {
                    least = i;
                    leastTime = time;
                }
            }
            if (atNanos < leastTime || atNanos == leastTime && order < keys[2 * least + 1]) {
                break;
            }
            move(least, at);
            at = least;
        }
        put(at, atNanos, order, timer);
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
