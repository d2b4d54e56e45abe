package io.pathlore.analysis.ddos;

import io.pathlore.model.ReportRow;

/** Interfaces, and until when something of them is known. Where there is no room, the one that ends first leaves. Hot path. */
final class Places {
    private static final int WAYS = 4;
    private static final int UNTIL = 1;
    private static final int CELL = 2;

    private final int mask;
    private final long[] cells;

    /** {@code capacity} is a power of two. */
    Places(int capacity) {
        mask = capacity / WAYS - 1;
        cells = new long[capacity * CELL];
    }

    /** Of a node; never 0. */
    static long place(long node, long ingress) {
        long mixed = ReportRow.mix(ReportRow.mix(node) ^ ingress);
        return mixed == 0 ? 1 : mixed;
    }

    private int bucket(long place) {
        return ((int) (place >>> 40) & mask) * WAYS * CELL;
    }

    /** 0 where nothing is known. */
    long until(long place) {
        int bucket = bucket(place);
        for (int cell = bucket; cell < bucket + WAYS * CELL; cell += CELL) {
            if (cells[cell] == place) {
                return cells[cell + UNTIL];
            }
        }
        return 0;
    }

    /** Never for a shorter time than before, so it makes no difference who says so first. */
    void add(long place, long until) {
        int bucket = bucket(place);
        int first = bucket;
        for (int cell = bucket; cell < bucket + WAYS * CELL; cell += CELL) {
            if (cells[cell] == place) {
                cells[cell + UNTIL] = Math.max(cells[cell + UNTIL], until);
                return;
            }
            first = cells[cell + UNTIL] < cells[first + UNTIL] ? cell : first;
        }
        cells[first] = place;
        cells[first + UNTIL] = until;
    }
}
