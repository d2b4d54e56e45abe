package io.pathlore.analysis;

import io.pathlore.model.ReportRow;
import java.util.Arrays;

/** A few of many values, each with the same chance to be among them [Knuth, TAOCP 2, 3.4.2 R]; the same values give the same few. */
public final class Samples {
    private static final int ROOM = 32;
    private static final int FIRST = 4;
    private static final long[] NONE = {};

    private long[] values = NONE;
    private int count;

    /** Where the value goes that so many came before, one of as many and one: most often too far out to stay. */
    public static int place(int before) {
        return (int) Math.unsignedMultiplyHigh(ReportRow.mix(before), before + 1L);
    }

    public void add(long value) {
        int place = count < ROOM ? count : place(count);
        if (place < ROOM) {
            if (place >= values.length) {
                values = Arrays.copyOf(values, Math.max(FIRST, 2 * values.length));
            }
            values[place] = value;
        }
        count++;
    }

    public void clear() {
        count = 0;
    }

    public boolean isEmpty() {
        return count == 0;
    }

    /** The value that so many hundredths of them lie below. */
    public long percentile(int percent) {
        long[] sorted = Arrays.copyOf(values, Math.min(count, ROOM));
        Arrays.sort(sorted);
        return sorted[Math.min(sorted.length - 1, sorted.length * percent / 100)];
    }
}
