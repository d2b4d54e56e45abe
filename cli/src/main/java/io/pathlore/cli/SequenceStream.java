package io.pathlore.cli;

/**
 * What the sequence numbers of one counter tell: one node, hardware id and destination. Numbers wrap; what lies up to half
 * the range ahead is a gap, what lies behind came late [TR 2.0 §3.2].
 */
final class SequenceStream {
    private static final long REORDER_WINDOW = 1024;
    /** A gap larger than this is a counter that was set anew: no capture loses so many in a row. */
    private static final long LARGEST_GAP = 1_000_000;
    /** So many equal numbers, and nothing else, are a counter that does not count. */
    private static final int CONSTANT_AFTER = 3;

    private final long mask;
    private long last = -1;
    private long seen;
    private long lost;
    private long late;
    private long repeated;
    private long restarts;

    SequenceStream(int bits) {
        mask = (1L << bits) - 1;
    }

    void on(long number) {
        seen++;
        if (last < 0) {
            last = number;
            return;
        }
        long delta = number - last & mask;
        if (delta == 0) {
            repeated++;
        } else if (delta <= mask >>> 1) {
            forward(number, delta);
        } else if (mask + 1 - delta <= REORDER_WINDOW) {
            late++;
            lost = Math.max(0, lost - 1);
        } else {
            restarts++;
            last = number;
        }
    }

    private void forward(long number, long delta) {
        if (delta > LARGEST_GAP) {
            restarts++;
        } else {
            lost += delta - 1;
        }
        last = number;
    }

    boolean isConstant() {
        return repeated == seen - 1 && seen >= CONSTANT_AFTER;
    }

    long seen() {
        return seen;
    }

    long lost() {
        return lost;
    }

    long late() {
        return late;
    }

    long repeated() {
        return repeated;
    }

    long restarts() {
        return restarts;
    }
}
