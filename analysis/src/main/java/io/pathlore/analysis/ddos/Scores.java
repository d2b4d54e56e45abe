package io.pathlore.analysis.ddos;

/**
 * How much each key had of late, by its hash alone: what little it takes to know who is worth more. Where there is no room, who had least
 * leaves. Hot path: nothing is allocated.
 */
final class Scores {
    private static final int PROBES = 8;
    private static final int HALF = 32;
    private static final int TICK_BITS = Integer.MAX_VALUE; // seven years
    private static final int MOST = Integer.MAX_VALUE / 2;

    /** Octets that one key takes. */
    static final int BYTES_PER_KEY = 2 * Long.BYTES;

    private final int mask;

    /** Hash, never 0; then the tick of the last that it had, and its score. */
    private final long[] cells;

    /** Nobody needs it: what is looked at goes somewhere, so that it is looked at. */
    long looked;

    /** {@code capacity} is a power of two. */
    Scores(int capacity) {
        mask = capacity - 1;
        cells = new long[2 * capacity];
    }

    /** Adds to what a key had, and answers how much that now is. Ticks do not go back. */
    int add(long hash, long tick, int amount) {
        int now = (int) tick & TICK_BITS;
        int home = (int) (hash >>> 24) & mask;
        int least = 0;
        int leastScore = Integer.MAX_VALUE;
        for (int i = 0; i < PROBES; i++) {
            int cell = 2 * (home + i & mask);
            if (cells[cell] == hash || cells[cell] == 0) {
                cells[cell] = hash;
                int sum = Math.min(MOST, next(cell, now) + amount);
                put(cell, now, sum);
                return sum;
            }
            int score = next(cell, now);
            if (score < leastScore) {
                least = cell;
                leastScore = score;
            }
        }
        cells[least] = hash;
        put(least, now, amount);
        return amount;
    }

    /** Looks at where these keys would be; 0 is none. */
    void look(long[] hashes, int from, int until) {
        long seen = 0;
        for (int i = from; i < until; i++) {
            seen ^= cells[2 * ((int) (hashes[i] >>> 24) & mask)];
        }
        looked ^= seen;
    }

    private void put(int cell, int tick, int score) {
        cells[cell + 1] = (long) tick << HALF | score;
    }

    /** What is left of it at a tick. */
    private int next(int cell, int tick) {
        int score = (int) cells[cell + 1];
        long away = tick - (cells[cell + 1] >>> HALF);
        return away <= 0 ? score : Counters.next(score, away);
    }

    /** How much it had of late, when it last had something; 0 where nobody knows. */
    int of(long hash) {
        int home = (int) (hash >>> 24) & mask;
        for (int i = 0; i < PROBES; i++) {
            int cell = 2 * (home + i & mask);
            if (cells[cell] == hash) {
                return (int) cells[cell + 1];
            }
            if (cells[cell] == 0) {
                return 0;
            }
        }
        return 0;
    }
}
