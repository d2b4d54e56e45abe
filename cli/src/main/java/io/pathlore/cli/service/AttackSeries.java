package io.pathlore.cli.service;

import io.pathlore.model.JsonLine;
import java.util.List;

/** What came in of an attack, and what rules stopped of it, in steps of time: to be drawn. One thread. */
final class AttackSeries {
    /** Of an attack that lasts longer, two steps become one. */
    static final int STEPS = 900;

    private static final long SECOND = 1_000_000_000L;

    private final long firstNanos;
    private final long[] arrived = new long[STEPS];
    private final int[] told = new int[STEPS];
    private final double[] stopped = new double[STEPS];
    private final boolean[] counted = new boolean[STEPS];
    private long step = 1;
    private int length;
    private boolean packets = true;
    private long limit;
    private long stoppedUntil;
    private long since = Long.MAX_VALUE;

    /** From the second on that has this moment. */
    AttackSeries(long nanos) {
        firstNanos = Math.floorDiv(nanos, SECOND) * SECOND;
    }

    /** Nothing is known of any step. */
    static String unknown(long nanos) {
        return new JsonLine()
                .begin()
                .time("first", Math.floorDiv(nanos, SECOND) * SECOND)
                .integer("stepSeconds", 1)
                .texts("arrived", List.of())
                .texts("stopped", List.of())
                .end()
                .strip();
    }

    /** One second. */
    void arrived(long startNanos, long amount, boolean inPackets, long nowLimit) {
        packets &= inPackets;
        limit = nowLimit;
        int at = index(startNanos);
        if (at >= 0) {
            arrived[at] += amount;
            told[at]++;
            since = Math.min(since, startNanos);
        }
    }

    /** When the first second begins that was told of. */
    long since() {
        return since;
    }

    /** Nobody knows when in that time it was: it counts as even. */
    void stopped(long fromNanos, long untilNanos, long count) {
        if (index(untilNanos - 1) < 0) {
            return;
        }
        double perNano = (double) count / Math.max(1, untilNanos - fromNanos);
        long stepNanos = step * SECOND;
        for (long at = Math.max(fromNanos, firstNanos); at < untilNanos; ) {
            int index = index(at);
            long end = Math.min(untilNanos, firstNanos + (index + 1) * stepNanos);
            stopped[index] += perNano * (end - at);
            counted[index] = true;
            at = end;
        }
        stoppedUntil = Math.max(stoppedUntil, untilNanos);
    }

    /** Of the step that has this moment, or below 0 where it is before all. */
    private int index(long nanos) {
        if (nanos < firstNanos) {
            return -1;
        }
        while ((nanos - firstNanos) / (step * SECOND) >= STEPS) {
            halve();
        }
        int index = (int) ((nanos - firstNanos) / (step * SECOND));
        length = Math.max(length, index + 1);
        return index;
    }

    private void halve() {
        for (int i = 0; i < STEPS; i++) {
            boolean there = 2 * i < STEPS;
            arrived[i] = there ? arrived[2 * i] + arrived[2 * i + 1] : 0;
            told[i] = there ? told[2 * i] + told[2 * i + 1] : 0;
            stopped[i] = there ? stopped[2 * i] + stopped[2 * i + 1] : 0;
            counted[i] = there && (counted[2 * i] || counted[2 * i + 1]);
        }
        step *= 2;
        length = (length + 1) / 2;
    }

    /** The last step is not over when the last drop report comes. */
    private double seconds(int index) {
        long told = stoppedUntil - firstNanos - index * step * SECOND;
        return Math.clamp((double) told / SECOND, 0.05, (double) step);
    }

    String json() {
        JsonLine json = new JsonLine()
                .begin()
                .time("first", firstNanos)
                .integer("stepSeconds", step)
                .text("unit", packets ? "packets" : "reports")
                .integer("limit", limit);
        StringBuilder in = new StringBuilder();
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < length; i++) {
            String comma = i == 0 ? "" : ",";
            in.append(comma).append(told[i] == 0 ? "null" : Long.toString(arrived[i] / told[i]));
            out.append(comma).append(counted[i] ? Long.toString(Math.round(stopped[i] / seconds(i))) : "null");
        }
        String head = json.end().strip();
        return head.substring(0, head.length() - 1) + ",\"arrived\":[" + in + "],\"stopped\":[" + out + "]}";
    }
}
