package io.pathlore.analysis.ddos;

import io.pathlore.model.ReportRow;
import java.util.Arrays;

/**
 * Counts by key over the last second, in tenths, for the keys that count most: where there is no room, the key of its bucket that
 * had least of late leaves, and that is counted. So whatever is forged, memory stays as it is, and who is large is not pushed out
 * by the many who are small. Keys that somebody looks at closely do not leave. Hot path: nothing is allocated once it is there.
 */
final class Counters {
    static final int NOBODY = -1;
    static final int TICKS = 10;

    /** Octets that one key takes, all in all. */
    static final int BYTES_PER_KEY = 8 + 8 + 4 + 3 * TICKS * 4 + 8 + 8 + 8 + 5 * 4;

    private static final int WAYS = 8;
    /** A key that was away for so long begins anew. */
    private static final int FORGOTTEN_TICKS = 600;

    private final int mask;
    private final long seed;
    private final long[] high;
    private final long[] low;
    /** Kind, family and port; 0 where there is no key. */
    private final int[] meta;

    private final int[] first;
    private final int[] second;
    private final int[] last;
    private final long[] tick;
    private final long[] since;
    private final long[] distinct;
    private final int[] score;
    private final int[] port;
    private final int[] majority;
    private final int[] suspect;
    private final int[] touched;
    private final boolean[] isTouched;
    private int touchedCount;
    private int size;
    private long evicted;
    private long refused;

    Counters(int capacity, long seed) {
        int slots = Math.max(WAYS, Integer.highestOneBit(Math.max(1, capacity - 1)) << 1);
        mask = slots / WAYS - 1;
        this.seed = seed;
        high = new long[slots];
        low = new long[slots];
        meta = new int[slots];
        first = new int[slots * TICKS];
        second = new int[slots * TICKS];
        last = new int[slots * TICKS];
        tick = new long[slots];
        since = new long[slots];
        distinct = new long[slots];
        score = new int[slots];
        port = new int[slots];
        majority = new int[slots];
        suspect = new int[slots];
        Arrays.fill(suspect, NOBODY);
        touched = new int[slots];
        isTouched = new boolean[slots];
    }

    static int meta(int kind, boolean v6, int port) {
        return kind << 24 | (v6 ? 1 << 20 : 0) | port + 1;
    }

    static int kind(int meta) {
        return meta >>> 24;
    }

    static boolean isV6(int meta) {
        return (meta & 1 << 20) != 0;
    }

    static int port(int meta) {
        return (meta & 0xF_FFFF) - 1;
    }

    /** Where a key is, or {@link #NOBODY}. */
    int find(int meta, long high, long low) {
        int bucket = bucket(meta, high, low);
        for (int slot = bucket; slot < bucket + WAYS; slot++) {
            if (this.low[slot] == low && this.meta[slot] == meta && this.high[slot] == high) {
                return slot;
            }
        }
        return NOBODY;
    }

    private int bucket(int meta, long high, long low) {
        long hash = ReportRow.mix(ReportRow.mix(seed ^ high ^ (long) meta << 32) ^ low);
        return ((int) (hash >>> 32) & mask) * WAYS;
    }

    /** Where a key is, now if not before, at this tick; {@link #NOBODY} where all of its bucket are looked at closely. */
    int at(int meta, long high, long low, long now, long nanos) {
        int bucket = bucket(meta, high, low);
        for (int slot = bucket; slot < bucket + WAYS; slot++) {
            if (this.low[slot] == low && this.meta[slot] == meta && this.high[slot] == high) {
                if (now > tick[slot]) {
                    advance(slot, now, nanos);
                }
                return slot;
            }
        }
        int slot = least(bucket, now);
        if (slot == NOBODY) {
            refused++;
            return NOBODY;
        }
        if (this.meta[slot] == 0) {
            size++;
        } else {
            evicted++;
        }
        this.meta[slot] = meta;
        this.high[slot] = high;
        this.low[slot] = low;
        begin(slot, now, nanos);
        return slot;
    }

    /** An empty place, else who had least, and of those whose last was longest ago. */
    private int least(int bucket, long now) {
        int least = NOBODY;
        int leastScore = Integer.MAX_VALUE;
        for (int slot = bucket; slot < bucket + WAYS; slot++) {
            if (meta[slot] == 0) {
                return slot;
            }
            if (suspect[slot] != NOBODY) {
                continue;
            }
            int of = faded(slot, now);
            if (of < leastScore || of == leastScore && tick[slot] < tick[least]) {
                least = slot;
                leastScore = of;
            }
        }
        return least;
    }

    private void begin(int slot, long now, long nanos) {
        int from = slot * TICKS;
        Arrays.fill(first, from, from + TICKS, 0);
        Arrays.fill(second, from, from + TICKS, 0);
        Arrays.fill(last, from, from + TICKS, 0);
        tick[slot] = now;
        since[slot] = nanos;
        distinct[slot] = 0;
        score[slot] = 0;
        port[slot] = NOBODY;
        majority[slot] = 0;
    }

    private static int cell(long tick) {
        return (int) Math.floorMod(tick, (long) TICKS);
    }

    private int faded(int slot, long now) {
        long away = now - tick[slot];
        return away <= 0 ? score[slot] : score[slot] >> (int) Math.min(31, away / TICKS);
    }

    private void advance(int slot, long now, long nanos) {
        long away = now - tick[slot];
        if (away > FORGOTTEN_TICKS && suspect[slot] == NOBODY) {
            begin(slot, now, nanos);
            return;
        }
        for (long t = Math.max(tick[slot] + 1, now - TICKS + 1); t <= now; t++) {
            int cell = slot * TICKS + cell(t);
            first[cell] = 0;
            second[cell] = 0;
            last[cell] = 0;
        }
        score[slot] = faded(slot, now) - (score[slot] >> 3);
        score[slot] = Math.max(0, score[slot]);
        majority[slot] -= majority[slot] >> 3;
        tick[slot] = now;
    }

    /** Adds to a tick that is not too long ago; {@code offset} is how far into it. */
    void add(int slot, long at, int amount, int other, int offset) {
        if (tick[slot] - at >= TICKS) {
            return;
        }
        int cell = slot * TICKS + cell(at);
        first[cell] += amount;
        second[cell] += other;
        last[cell] = Math.max(last[cell], offset);
        score[slot] = Math.min(Integer.MAX_VALUE / 2, score[slot] + amount);
        if (!isTouched[slot]) {
            isTouched[slot] = true;
            touched[touchedCount++] = slot;
        }
    }

    /** Adds to what is counted beside it, of a key that is there. */
    void addOther(int slot, long at, int amount) {
        if (at > tick[slot]) {
            advance(slot, at, since[slot]);
        }
        if (tick[slot] - at < TICKS) {
            second[slot * TICKS + cell(at)] += amount;
        }
    }

    /** What is counted beside it is the largest of its parts. */
    void raiseOther(int slot, long at, int amount) {
        int cell = slot * TICKS + cell(at);
        second[cell] = Math.max(second[cell], amount);
    }

    /** Of all ports, the one that has most, where one has more than all others [Boyer and Moore]. */
    void vote(int slot, int candidate, int amount) {
        if (port[slot] == candidate) {
            majority[slot] += amount;
        } else if (majority[slot] >= amount) {
            majority[slot] -= amount;
        } else {
            port[slot] = candidate;
            majority[slot] = amount;
        }
    }

    void mark(int slot, long hash) {
        distinct[slot] |= 1L << (hash >>> 58);
    }

    long distinct(int slot) {
        return distinct[slot];
    }

    void forgetDistinct(int slot, long nanos) {
        distinct[slot] = 0;
        since[slot] = nanos;
    }

    int favourite(int slot) {
        return port[slot];
    }

    int favouriteLead(int slot) {
        return majority[slot];
    }

    int meta(int slot) {
        return meta[slot];
    }

    long high(int slot) {
        return high[slot];
    }

    long low(int slot) {
        return low[slot];
    }

    long since(int slot) {
        return since[slot];
    }

    int suspect(int slot) {
        return suspect[slot];
    }

    void suspect(int slot, int index) {
        suspect[slot] = index;
    }

    /** Of one tick; 0 where it is too long ago, or was not yet. */
    int first(int slot, long at) {
        return isKept(slot, at) ? first[slot * TICKS + cell(at)] : 0;
    }

    int second(int slot, long at) {
        return isKept(slot, at) ? second[slot * TICKS + cell(at)] : 0;
    }

    int last(int slot, long at) {
        return isKept(slot, at) ? last[slot * TICKS + cell(at)] : 0;
    }

    private boolean isKept(int slot, long at) {
        return at <= tick[slot] && tick[slot] - at < TICKS;
    }

    /** Of the second that ends with a tick. */
    long firstOfSecond(int slot, long until) {
        long sum = 0;
        for (long t = until - TICKS + 1; t <= until; t++) {
            sum += first(slot, t);
        }
        return sum;
    }

    long secondOfSecond(int slot, long until) {
        long sum = 0;
        for (long t = until - TICKS + 1; t <= until; t++) {
            sum += second(slot, t);
        }
        return sum;
    }

    int touchedCount() {
        return touchedCount;
    }

    int touched(int index) {
        return touched[index];
    }

    /** Those that have had nothing since are no longer among the touched. */
    void settle(long done) {
        int kept = 0;
        for (int i = 0; i < touchedCount; i++) {
            int slot = touched[i];
            if (tick[slot] > done) {
                touched[kept++] = slot;
            } else {
                isTouched[slot] = false;
            }
        }
        touchedCount = kept;
    }

    int size() {
        return size;
    }

    /** Keys that had to leave. */
    long evicted() {
        return evicted;
    }

    /** Keys that found no room at all. */
    long refused() {
        return refused;
    }
}
