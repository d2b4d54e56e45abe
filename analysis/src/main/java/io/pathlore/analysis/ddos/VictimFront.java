package io.pathlore.analysis.ddos;

/**
 * Everybody who gets packets, in one line of memory each: what came in the tick at hand, and how much came of late. {@link Counters}, which
 * remember each tick of a second, are told at the end of the tick of those who have so much that it may matter, which are few of many; whether
 * somebody is one of them depends on his own packets alone. Where there is no room, who had least leaves. Hot path: nothing is allocated.
 */
final class VictimFront {
    /** Places that a key may be in, one behind the other. */
    private static final int PROBES = 8;

    private static final int NOWHERE = -1;

    // Of a cell: one line, whose first word is the hash, 0 where there is none. Two numbers of 32 bits share a word:
    // the first above, the
    // second below.
    private static final int LOW = 1;
    private static final int HIGH = 2;
    private static final int META_SUSPECT = 3;
    private static final int AMOUNT_OTHER = 4; // since the tick began
    private static final int SCORE_LAST = 5;
    private static final int LEAD_PORT = 6;
    private static final int TICK = 7; // and two bits
    private static final int CELL = 8;

    private static final int HALF = 32;
    private static final long LOW_HALF = 0xFFFF_FFFFL;
    private static final int TICK_SHIFT = 2;

    /** It is one of those that had something since the last look. */
    private static final long LISTED = 2;

    /** It is among the counters, or was. */
    private static final long COUNTED = 1;

    /** Octets that one key takes. */
    static final int BYTES_PER_KEY = CELL * Long.BYTES + Integer.BYTES;

    /** From so many packets in a second on it may matter who gets them. */
    interface Worth {
        long of(int kind);
    }

    private final Counters counters;
    private final transient Worth worth;
    private final int mask;
    private final long[] cells;
    private final int[] listed;
    private int listedCount;
    private int size;
    private long evicted;

    /** Nobody needs it: what is looked at goes somewhere, so that it is looked at. */
    long looked;

    /** With as much room as the counters have. */
    VictimFront(Counters counters, Worth worth) {
        this.counters = counters;
        this.worth = worth;
        mask = counters.capacity() - 1;
        cells = new long[counters.capacity() * CELL];
        listed = new int[counters.capacity()];
    }

    // ---- per packet

    private int home(long hash) {
        return (int) (hash >>> 24) & mask;
    }

    /** Looks at where a key would be. */
    void look(long hash) {
        int cell = home(hash) * CELL;
        looked ^= cells[cell] ^ cells[cell + CELL - 1]; // an array does not begin with a line
    }

    private boolean is(int cell, long hash, int meta, long high, long low) {
        return cells[cell] == hash && cells[cell + LOW] == low && cells[cell + HIGH] == high && meta(cell) == meta;
    }

    /** Where a key is, now if not before, at this tick. */
    int at(long hash, int meta, long high, long low, long tick) {
        int home = home(hash);
        int free = NOWHERE;
        for (int i = 0; i < PROBES && free == NOWHERE; i++) {
            int cell = (home + i & mask) * CELL;
            if (is(cell, hash, meta, high, low)) {
                if (tick(cell) != tick) {
                    goOn(cell, tick);
                }
                return cell;
            }
            free = cells[cell] == 0 ? cell : NOWHERE;
        }
        int cell = free == NOWHERE ? makeRoom(home, tick) : free;
        size += free == NOWHERE ? 0 : 1;
        cells[cell] = hash;
        cells[cell + LOW] = low;
        cells[cell + HIGH] = high;
        cells[cell + META_SUSPECT] = (long) meta << HALF;
        cells[cell + AMOUNT_OTHER] = 0;
        cells[cell + SCORE_LAST] = 0;
        begin(cell, tick, counters.find(hash, meta, high, low), cells[cell + TICK] & LISTED);
        return cell;
    }

    /** Of all places that of the one with least of late; of several, of the one whose last was longest ago. */
    private int makeRoom(int home, long tick) {
        int least = home * CELL;
        int leastScore = Integer.MAX_VALUE;
        for (int i = 0; i < PROBES; i++) {
            int cell = (home + i & mask) * CELL;
            int score = Counters.faded(score(cell), tick - tick(cell));
            if (score < leastScore || score == leastScore && tick(cell) < tick(least)) {
                least = cell;
                leastScore = score;
            }
        }
        settle(least);
        evicted++;
        return least;
    }

    private void goOn(int cell, long tick) {
        settle(cell);
        int score = Counters.next(score(cell), tick - tick(cell));
        cells[cell + SCORE_LAST] = (long) score << HALF;
        long bits = cells[cell + TICK];
        int slot = (bits & COUNTED) == 0
                ? Counters.NOBODY
                : counters.find(cells[cell], meta(cell), cells[cell + HIGH], cells[cell + LOW]);
        begin(cell, tick, slot, bits & LISTED);
    }

    private void begin(int cell, long tick, int slot, long isListed) {
        int suspect = slot == Counters.NOBODY ? Counters.NOBODY : counters.suspect(slot);
        cells[cell + META_SUSPECT] = cells[cell + META_SUSPECT] & ~LOW_HALF | suspect & LOW_HALF;
        cells[cell + LEAD_PORT] = Counters.NOBODY & LOW_HALF;
        cells[cell + TICK] = tick << TICK_SHIFT | isListed | (slot == Counters.NOBODY ? 0 : COUNTED);
    }

    /** {@code offset} is how far into the tick it came. */
    void add(int cell, int amount, int other, int offset) {
        cells[cell + AMOUNT_OTHER] += ((long) amount << HALF) + other;
        long last = cells[cell + SCORE_LAST];
        cells[cell + SCORE_LAST] = last & ~LOW_HALF | Math.max(last & LOW_HALF, offset);
        list(cell);
    }

    private void list(int cell) {
        if ((cells[cell + TICK] & LISTED) == 0) {
            cells[cell + TICK] |= LISTED;
            listed[listedCount++] = cell;
        }
    }

    /** Adds to what is counted beside it, where the key is known; else nobody asks. */
    void addOther(long hash, int meta, long high, long low, long tick, int amount) {
        int home = home(hash);
        for (int i = 0; i < PROBES; i++) {
            int cell = (home + i & mask) * CELL;
            if (is(cell, hash, meta, high, low)) {
                if (tick(cell) != tick) {
                    goOn(cell, tick);
                }
                cells[cell + AMOUNT_OTHER] += amount;
                list(cell);
                return;
            }
            if (cells[cell] == 0) {
                break;
            }
        }
        int slot = counters.find(hash, meta, high, low);
        if (slot != Counters.NOBODY) {
            counters.addOther(slot, tick, amount);
        }
    }

    /** As {@link Counters#vote}. */
    void vote(int cell, int candidate, int amount) {
        long votes = cells[cell + LEAD_PORT];
        int lead = (int) (votes >>> HALF);
        boolean same = (int) votes == candidate;
        if (same || lead >= amount) {
            cells[cell + LEAD_PORT] = votes + ((long) (same ? amount : -amount) << HALF);
        } else {
            cells[cell + LEAD_PORT] = (long) amount << HALF | candidate & LOW_HALF;
        }
    }

    /** Who looks at it closely. */
    int suspect(int cell) {
        return (int) cells[cell + META_SUSPECT];
    }

    private int score(int cell) {
        return (int) Math.min(
                Integer.MAX_VALUE / 2, (cells[cell + SCORE_LAST] >>> HALF) + (cells[cell + AMOUNT_OTHER] >>> HALF));
    }

    /** As {@link Counters#atMostOfSecond}. */
    long atMostOfSecond(int cell) {
        return Counters.atMostOf(score(cell));
    }

    // ---- per tick

    /** Who had something since the last look, in the order in which they first had. */
    int listedCount() {
        return listedCount;
    }

    int listed(int index) {
        return listed[index];
    }

    int meta(int cell) {
        return (int) (cells[cell + META_SUSPECT] >>> HALF);
    }

    long high(int cell) {
        return cells[cell + HIGH];
    }

    long low(int cell) {
        return cells[cell + LOW];
    }

    private long tick(int cell) {
        return cells[cell + TICK] >> TICK_SHIFT;
    }

    /** What came in this tick, as far as it is the last one. */
    int amount(int cell, long tick) {
        return tick(cell) == tick ? (int) (cells[cell + AMOUNT_OTHER] >>> HALF) : 0;
    }

    /** How far into the tick the last one came. */
    int last(int cell) {
        return (int) cells[cell + SCORE_LAST];
    }

    /** The port that has most of them, where one has more than all others. */
    int favourite(int cell) {
        return (int) cells[cell + LEAD_PORT];
    }

    /** Looks at some of them, and changes nothing. */
    void lookAtListed(int from, int until) {
        long seen = 0;
        for (int i = from; i < until; i++) {
            seen ^= cells[listed[i]] ^ cells[listed[i] + CELL - 1];
        }
        looked ^= seen;
    }

    /** The counters are told of those of some who are worth it. */
    void settle(int from, int until) {
        for (int i = from; i < until; i++) {
            settle(listed[i]);
            cells[listed[i] + TICK] &= ~LISTED;
        }
    }

    /** When all have been settled. */
    void beginList() {
        listedCount = 0;
    }

    private void settle(int cell) {
        long amounts = cells[cell + AMOUNT_OTHER];
        if (amounts == 0) {
            return;
        }
        int score = score(cell);
        int meta = meta(cell);
        long tick = tick(cell);
        boolean counted = (cells[cell + TICK] & COUNTED) != 0;
        if (counted || Counters.atMostOf(score) >= worth.of(Counters.kind(meta))) {
            int slot = counters.at(
                    cells[cell], meta, cells[cell + HIGH], cells[cell + LOW], tick, tick * AttackWatch.TICK_NANOS);
            if (slot != Counters.NOBODY) {
                counters.add(slot, tick, (int) (amounts >>> HALF), (int) amounts, last(cell));
                long votes = cells[cell + LEAD_PORT];
                if (votes >>> HALF != 0) {
                    counters.vote(slot, (int) votes, (int) (votes >>> HALF));
                }
                cells[cell + TICK] |= COUNTED;
            }
        }
        cells[cell + AMOUNT_OTHER] = 0;
        cells[cell + SCORE_LAST] = (long) score << HALF;
        cells[cell + LEAD_PORT] = Counters.NOBODY & LOW_HALF;
    }

    /** Keys that are known. */
    int size() {
        return size;
    }

    /** Keys that had to leave. */
    long evicted() {
        return evicted;
    }
}
