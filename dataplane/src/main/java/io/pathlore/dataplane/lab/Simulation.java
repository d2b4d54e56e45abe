package io.pathlore.dataplane.lab;

import io.pathlore.dataplane.traffic.Stage.Timer;
import java.util.Arrays;

/**
 * Virtual time: timers in the order of their time and, at the same time, in the order they were started. Hot path: nothing is
 * allocated but when something grows.
 *
 * <p>Most timers wait microseconds, some for seconds. Those of the microsecond that is going on are in a small heap; those of
 * the next milliseconds in a wheel with a slot per microsecond, unsorted, which become the heap when their slot's time comes;
 * all others in a large heap that is seldom looked at.
 */
public final class Simulation {
    private static final int SLOT_SHIFT = 10;
    private static final int SLOTS = 1 << 13;
    private static final int NONE = -1;

    private final TimerHeap near = new TimerHeap();
    private final TimerHeap far = new TimerHeap();

    /** The slot of the near ones, counted from time 0; the wheel has the {@link #SLOTS} after it. */
    private long slot;

    /** Which slots are in use. */
    private final long[] used = new long[SLOTS / Long.SIZE];

    private final int[] firstOfSlot = new int[SLOTS];

    // Entries of the slots, as lists.
    private int[] next = new int[1024];
    private long[] keys = new long[2 * 1024];
    private Timer[] timers = new Timer[1024];
    private int free;
    private int inWheel;

    /** The first of the near ones is the one that fires: what it starts may take its place, which saves work. */
    private boolean vacant;

    private long nowNanos;
    private long started;
    private long fired;

    public Simulation() {
        link(0, next.length);
    }

    private void link(int from, int end) {
        for (int i = from; i < end; i++) {
            next[i] = i + 1 == end ? NONE : i + 1;
        }
        free = from;
    }

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
        long ahead = (atNanos >>> SLOT_SHIFT) - slot;
        if (ahead > SLOTS) {
            far.add(atNanos, order, timer);
        } else if (ahead > 0) {
            turnIn(atNanos, order, timer);
        } else if (vacant) {
            vacant = false;
            near.replaceFirst(atNanos, order, timer);
        } else {
            near.add(atNanos, order, timer);
        }
    }

    /** Fires everything that is due until then, and at that time. */
    public void runUntil(long untilNanos) {
        while (!near.isEmpty() || advance()) {
            if (near.firstNanos() > untilNanos) {
                break;
            }
            Timer timer = near.first();
            nowNanos = near.firstNanos();
            timer.order = 0;
            vacant = true;
            fired++;
            timer.run(nowNanos);
            if (vacant) {
                vacant = false;
                near.removeFirst();
            }
        }
        nowNanos = Math.max(nowNanos, untilNanos);
    }

    private void turnIn(long atNanos, long order, Timer timer) {
        if (free == NONE) {
            int length = next.length;
            next = Arrays.copyOf(next, 2 * length);
            keys = Arrays.copyOf(keys, 4 * length);
            timers = Arrays.copyOf(timers, 2 * length);
            link(length, 2 * length);
        }
        int entry = free;
        free = next[entry];
        int at = (int) (atNanos >>> SLOT_SHIFT) & SLOTS - 1;
        long bit = 1L << at;
        boolean first = (used[at / Long.SIZE] & bit) == 0;
        next[entry] = first ? NONE : firstOfSlot[at];
        used[at / Long.SIZE] |= bit;
        firstOfSlot[at] = entry;
        keys[2 * entry] = atNanos;
        keys[2 * entry + 1] = order;
        timers[entry] = timer;
        inWheel++;
    }

    /** Makes the next timers the near ones; false where there are no more. Nothing is near. */
    private boolean advance() {
        if (inWheel > 0) {
            slot += distance();
            int at = (int) slot & SLOTS - 1;
            used[at / Long.SIZE] &= ~(1L << at);
            for (int entry = firstOfSlot[at]; entry != NONE; ) {
                near.add(keys[2 * entry], keys[2 * entry + 1], timers[entry]);
                inWheel--;
                int following = next[entry];
                next[entry] = free;
                free = entry;
                entry = following;
            }
        } else if (!far.isEmpty()) {
            slot = far.firstNanos() >>> SLOT_SHIFT;
        } else {
            return false;
        }
        while (!far.isEmpty() && (far.firstNanos() >>> SLOT_SHIFT) - slot <= SLOTS) {
            long atNanos = far.firstNanos();
            if (atNanos >>> SLOT_SHIFT == slot) {
                near.add(atNanos, far.firstOrder(), far.first());
            } else {
                turnIn(atNanos, far.firstOrder(), far.first());
            }
            far.removeFirst();
        }
        return true;
    }

    /** From the current slot to the next that is in use. */
    private int distance() {
        int from = (int) (slot + 1) & SLOTS - 1;
        int word = from / Long.SIZE;
        long bits = used[word] & -1L << from;
        while (bits == 0) {
            word = word + 1 & used.length - 1;
            bits = used[word];
        }
        int found = word * Long.SIZE + Long.numberOfTrailingZeros(bits);
        return (found - from & SLOTS - 1) + 1;
    }
}
