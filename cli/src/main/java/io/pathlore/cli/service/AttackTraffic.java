package io.pathlore.cli.service;

import io.pathlore.analysis.event.AttackSecond;
import io.pathlore.model.EventId;
import io.pathlore.model.JsonLine;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/** What came in of each of the last attacks, and what rules stopped of it, in steps of time: to be drawn. Any thread. */
final class AttackTraffic {
    static final int ATTACKS = 128;

    /** Of an attack that lasts longer, two steps become one. */
    static final int STEPS = 900;

    private static final long SECOND = 1_000_000_000L;

    private final LinkedHashMap<EventId, Series> all = new LinkedHashMap<>();

    synchronized void on(AttackSecond second) {
        Series series = of(second.attack(), second.startNanos());
        series.packets &= second.packets();
        series.limit = second.limit();
        int at = series.index(second.startNanos());
        if (at >= 0) {
            series.arrived[at] += second.amount();
            series.told[at]++;
        }
    }

    /** Nobody knows when in that time it was: it counts as even. */
    synchronized void stopped(EventId attack, long fromNanos, long untilNanos, long packets) {
        Series series = of(attack, fromNanos);
        if (series.index(untilNanos - 1) < 0) {
            return;
        }
        double perNano = (double) packets / Math.max(1, untilNanos - fromNanos);
        long stepNanos = series.step * SECOND;
        for (long at = Math.max(fromNanos, series.firstNanos); at < untilNanos; ) {
            int index = series.index(at);
            long end = Math.min(untilNanos, series.firstNanos + (index + 1) * stepNanos);
            series.stopped[index] += perNano * (end - at);
            series.counted[index] = true;
            at = end;
        }
        series.stoppedUntil = Math.max(series.stoppedUntil, untilNanos);
    }

    private Series of(EventId attack, long nanos) {
        Series series = all.computeIfAbsent(attack, _ -> new Series(Math.floorDiv(nanos, SECOND) * SECOND));
        if (all.size() > ATTACKS) {
            all.pollFirstEntry();
        }
        return series;
    }

    /** Null where nothing is known of it, or no longer. */
    synchronized @Nullable String json(EventId attack) {
        Series series = all.get(attack);
        return series == null ? null : series.json();
    }

    private static final class Series {
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

        Series(long firstNanos) {
            this.firstNanos = firstNanos;
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
}
