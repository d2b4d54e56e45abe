package io.pathlore.analysis.ddos;

/**
 * Who told of a packet or a flow, by its print. Where there is no room, the one that was told of longest ago leaves. Hot path: an entry is half a
 * line of memory.
 */
final class Prints {
    static final int NOBODY = -1;

    /** Octets that one of them takes. */
    static final int BYTES_PER_PRINT = 32;

    private static final int WAYS = 4;
    private static final int NODE = 1;
    /** Interface above, TTL below. */
    private static final int INGRESS_TTL = 2;

    private static final int NANOS = 3;
    private static final int CELL = 4;
    private static final int HALF = 32;

    private final int mask;
    private final long[] cells;

    /** With room for at least so many. */
    Prints(int capacity) {
        int size = Math.max(WAYS, Integer.highestOneBit(Math.max(1, capacity - 1)) << 1);
        mask = size / WAYS - 1;
        cells = new long[size * CELL];
    }

    private int bucket(long print) {
        return ((int) (print >>> 40) & mask) * WAYS * CELL;
    }

    /** Where it is, or {@link #NOBODY}. No print is 0. */
    int find(long print) {
        int bucket = bucket(print);
        for (int cell = bucket; cell < bucket + WAYS * CELL; cell += CELL) {
            if (cells[cell] == print) {
                return cell;
            }
        }
        return NOBODY;
    }

    /** Where one can be that is not there. */
    int room(long print) {
        int bucket = bucket(print);
        int oldest = bucket;
        for (int cell = bucket; cell < bucket + WAYS * CELL; cell += CELL) {
            if (cells[cell] == 0) {
                return cell;
            }
            oldest = cells[cell + NANOS] < cells[oldest + NANOS] ? cell : oldest;
        }
        return oldest;
    }

    void put(int cell, long print, long node, int ingress, int ttl, long nanos) {
        cells[cell] = print;
        cells[cell + NODE] = node;
        cells[cell + INGRESS_TTL] = (long) ingress << HALF | ttl & 0xFFFF_FFFFL;
        cells[cell + NANOS] = nanos;
    }

    long node(int cell) {
        return cells[cell + NODE];
    }

    int ingress(int cell) {
        return (int) (cells[cell + INGRESS_TTL] >> HALF);
    }

    int ttl(int cell) {
        return (int) cells[cell + INGRESS_TTL];
    }
}
