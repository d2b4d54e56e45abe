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

    // Of the counts of a tick.
    private static final int OTHER = 1;
    private static final int LAST = 2;
    private static final int PARTS = 3;

    /** Those of a key, with two to spare: two lines. */
    private static final int COUNTS = 32;

    // Of the head of a key: one line.
    private static final int LOW = 0;
    private static final int HIGH = 1;
    /** Above kind, family and port, below one more than the number of who looks at it closely: what is empty is all zero, as state has it short. */
    private static final int KIND = 2;

    private static final int TICK = 3;
    private static final int SINCE = 4;
    private static final int DISTINCT = 5;
    /** Above how much it had of late, below whether it is among the touched. */
    private static final int SCORE = 6;

    private static final long TOUCHED = 1;
    /** Above by how much the favourite port leads, below which it is. */
    private static final int VOTES = 7;

    private static final int HEAD = 8;

    /** Octets that one key takes, all in all. */
    static final int BYTES_PER_KEY = 4 + HEAD * 8 + COUNTS * 4 + 4;

    private static final int WAYS = 8;
    /** A key that was away for so long begins anew. */
    private static final int FORGOTTEN_TICKS = 600;

    private static final long LOW_HALF = 0xFFFF_FFFFL;

    private final int mask;
    private final long seed;

    // What belongs to a key lies side by side: a look at it costs a line of prints, one of its head and one of its
    // counts.

    /** Of the keys, those of a bucket side by side; 0 where there is none. */
    private final int[] prints;

    private final long[] heads;

    /** For each tick of the last second: the first count, the second, and how far into it the last one came. */
    private final int[] counts;

    private final int[] touched;
    private int touchedCount;
    private int size;
    private long evicted;
    private long refused;

    Counters(int capacity, long seed) {
        int slots = Math.max(WAYS, Integer.highestOneBit(Math.max(1, capacity - 1)) << 1);
        mask = slots / WAYS - 1;
        this.seed = seed;
        prints = new int[slots];
        heads = new long[slots * HEAD];
        counts = new int[slots * COUNTS];
        touched = new int[slots];
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
        return find(hash(meta, high, low), meta, high, low);
    }

    /** With the {@link #hash} of the key. */
    int find(long hash, int meta, long high, long low) {
        int print = print(hash);
        int bucket = bucket(hash);
        for (int slot = bucket; slot < bucket + WAYS; slot++) {
            if (prints[slot] == print && is(slot, meta, high, low)) {
                return slot;
            }
        }
        return NOBODY;
    }

    /** Whether a key with this {@link #hash} may be there. */
    boolean mayHave(long hash) {
        int print = print(hash);
        int bucket = bucket(hash);
        boolean some = false;
        for (int slot = bucket; slot < bucket + WAYS; slot++) {
            some |= prints[slot] == print;
        }
        return some;
    }

    private boolean is(int slot, int meta, long high, long low) {
        int head = slot * HEAD;
        return heads[head + LOW] == low && heads[head + HIGH] == high && (int) (heads[head + KIND] >>> 32) == meta;
    }

    /** Never 0. */
    long hash(int meta, long high, long low) {
        long hash = ReportRow.mix(ReportRow.mix(seed ^ high ^ (long) meta << 32) ^ low);
        return hash == 0 ? 1 : hash;
    }

    /** Keys there is room for. */
    int capacity() {
        return prints.length;
    }

    private int bucket(long hash) {
        return ((int) (hash >>> 32) & mask) * WAYS;
    }

    private static int print(long hash) {
        return (int) hash | 1;
    }

    /** Where a key is, now if not before, at this tick; {@link #NOBODY} where all of its bucket are looked at closely. */
    int at(int meta, long high, long low, long now, long nanos) {
        return at(hash(meta, high, low), meta, high, low, now, nanos);
    }

    /** With the {@link #hash} of the key. */
    int at(long hash, int meta, long high, long low, long now, long nanos) {
        int known = find(hash, meta, high, low);
        if (known != NOBODY) {
            if (now > tick(known)) {
                advance(known, now, nanos);
            }
            return known;
        }
        int slot = least(bucket(hash), now);
        if (slot == NOBODY) {
            refused++;
            return NOBODY;
        }
        if (prints[slot] == 0) {
            size++;
        } else {
            evicted++;
        }
        prints[slot] = print(hash);
        int head = slot * HEAD;
        heads[head + LOW] = low;
        heads[head + HIGH] = high;
        heads[head + KIND] = (long) meta << 32;
        begin(slot, now, nanos);
        return slot;
    }

    /** An empty place, else who had least, and of those whose last was longest ago. */
    private int least(int bucket, long now) {
        int least = NOBODY;
        int leastScore = Integer.MAX_VALUE;
        for (int slot = bucket; slot < bucket + WAYS; slot++) {
            if (prints[slot] == 0) {
                return slot;
            }
            if (suspect(slot) != NOBODY) {
                continue;
            }
            int of = faded(score(slot), now - tick(slot));
            if (of < leastScore || of == leastScore && tick(slot) < tick(least)) {
                least = slot;
                leastScore = of;
            }
        }
        return least;
    }

    private void begin(int slot, long now, long nanos) {
        int head = slot * HEAD;
        Arrays.fill(counts, slot * COUNTS, (slot + 1) * COUNTS, 0);
        heads[head + TICK] = now;
        heads[head + SINCE] = nanos;
        heads[head + DISTINCT] = 0;
        heads[head + SCORE] = heads[head + SCORE] & TOUCHED;
        heads[head + VOTES] = NOBODY & LOW_HALF;
    }

    /** Where the counts of a tick are. */
    private static int cell(int slot, long tick) {
        return slot * COUNTS + (int) Math.floorMod(tick, (long) TICKS) * PARTS;
    }

    private int score(int slot) {
        return (int) (heads[slot * HEAD + SCORE] >>> 32);
    }

    private void score(int slot, int score) {
        int at = slot * HEAD + SCORE;
        heads[at] = (long) score << 32 | heads[at] & LOW_HALF;
    }

    /** What is left of a score so many ticks later, before anything is added to it. */
    static int next(int score, long ticks) {
        return ticks <= 0 ? score : Math.max(0, faded(score, ticks) - (score >> 3));
    }

    static int faded(int score, long ticks) {
        return ticks <= 0 ? score : score >> (int) Math.min(31, ticks / TICKS);
    }

    private void advance(int slot, long now, long nanos) {
        long before = tick(slot);
        if (now - before > FORGOTTEN_TICKS && suspect(slot) == NOBODY) {
            begin(slot, now, nanos);
            return;
        }
        for (long t = Math.max(before + 1, now - TICKS + 1); t <= now; t++) {
            int cell = cell(slot, t);
            counts[cell] = 0;
            counts[cell + OTHER] = 0;
            counts[cell + LAST] = 0;
        }
        score(slot, next(score(slot), now - before));
        votes(slot, favourite(slot), favouriteLead(slot) - (favouriteLead(slot) >> 3));
        heads[slot * HEAD + TICK] = now;
    }

    /** Adds to a tick that is not too long ago; {@code offset} is how far into it. */
    void add(int slot, long at, int amount, int other, int offset) {
        if (tick(slot) - at >= TICKS) {
            return;
        }
        int cell = cell(slot, at);
        counts[cell] += amount;
        counts[cell + OTHER] += other;
        counts[cell + LAST] = Math.max(counts[cell + LAST], offset);
        score(slot, Math.min(Integer.MAX_VALUE / 2, score(slot) + amount));
        int state = slot * HEAD + SCORE;
        if ((heads[state] & TOUCHED) == 0) {
            heads[state] |= TOUCHED;
            touched[touchedCount++] = slot;
        }
    }

    /** Adds to what is counted beside it, of a key that is there. */
    void addOther(int slot, long at, int amount) {
        if (at > tick(slot)) {
            advance(slot, at, since(slot));
        }
        if (tick(slot) - at < TICKS) {
            counts[cell(slot, at) + OTHER] += amount;
        }
    }

    /** What is counted beside it is the largest of its parts. */
    void raiseOther(int slot, long at, int amount) {
        int cell = cell(slot, at) + OTHER;
        counts[cell] = Math.max(counts[cell], amount);
    }

    private void votes(int slot, int port, int majority) {
        heads[slot * HEAD + VOTES] = (long) majority << 32 | port & LOW_HALF;
    }

    /** Of all ports, the one that has most, where one has more than all others [Boyer and Moore]. */
    void vote(int slot, int candidate, int amount) {
        int port = favourite(slot);
        int majority = favouriteLead(slot);
        if (port == candidate) {
            votes(slot, port, majority + amount);
        } else if (majority >= amount) {
            votes(slot, port, majority - amount);
        } else {
            votes(slot, candidate, amount);
        }
    }

    void mark(int slot, long hash) {
        heads[slot * HEAD + DISTINCT] |= 1L << (hash >>> 58);
    }

    long distinct(int slot) {
        return heads[slot * HEAD + DISTINCT];
    }

    void forgetDistinct(int slot, long nanos) {
        heads[slot * HEAD + DISTINCT] = 0;
        heads[slot * HEAD + SINCE] = nanos;
    }

    int favourite(int slot) {
        return (int) heads[slot * HEAD + VOTES];
    }

    int favouriteLead(int slot) {
        return (int) (heads[slot * HEAD + VOTES] >>> 32);
    }

    int meta(int slot) {
        return (int) (heads[slot * HEAD + KIND] >>> 32);
    }

    long high(int slot) {
        return heads[slot * HEAD + HIGH];
    }

    long low(int slot) {
        return heads[slot * HEAD + LOW];
    }

    private long tick(int slot) {
        return heads[slot * HEAD + TICK];
    }

    long since(int slot) {
        return heads[slot * HEAD + SINCE];
    }

    int suspect(int slot) {
        return (int) heads[slot * HEAD + KIND] - 1;
    }

    void suspect(int slot, int index) {
        int at = slot * HEAD + KIND;
        heads[at] = heads[at] & ~LOW_HALF | index + 1 & LOW_HALF;
    }

    /** Of one tick; 0 where it is too long ago, or was not yet. */
    int first(int slot, long at) {
        return isKept(slot, at) ? counts[cell(slot, at)] : 0;
    }

    int second(int slot, long at) {
        return isKept(slot, at) ? counts[cell(slot, at) + OTHER] : 0;
    }

    int last(int slot, long at) {
        return isKept(slot, at) ? counts[cell(slot, at) + LAST] : 0;
    }

    private boolean isKept(int slot, long at) {
        long newest = tick(slot);
        return at <= newest && newest - at < TICKS;
    }

    /**
     * No more than that has been counted in the last second. What it had of late fades by an eighth with each tick, so what is older
     * than a second by less than a tick still counts for a quarter.
     */
    long atMostOfSecond(int slot) {
        return atMostOf(score(slot));
    }

    static long atMostOf(int score) {
        return 4L * score;
    }

    /** Of the second that ends with a tick. */
    long firstOfSecond(int slot, long until) {
        return ofSecond(0, slot, until);
    }

    long secondOfSecond(int slot, long until) {
        return ofSecond(OTHER, slot, until);
    }

    private long ofSecond(int part, int slot, long until) {
        long sum = 0;
        if (tick(slot) == until) { // as it mostly is: then all that is kept is of this second
            for (int cell = slot * COUNTS + part; cell < slot * COUNTS + TICKS * PARTS; cell += PARTS) {
                sum += counts[cell];
            }
            return sum;
        }
        for (long t = until - TICKS + 1; t <= until; t++) {
            sum += isKept(slot, t) ? counts[cell(slot, t) + part] : 0;
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
            if (tick(slot) > done) {
                touched[kept++] = slot;
            } else {
                heads[slot * HEAD + SCORE] &= ~TOUCHED;
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
