package io.pathlore.serve.metrics;

import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/** A histogram that any thread may add to. */
public final class Buckets {
    private final double[] bounds;
    private final LongAdder[] counts;
    private final DoubleAdder sum = new DoubleAdder();

    public Buckets(double... bounds) {
        this.bounds = bounds.clone();
        this.counts = new LongAdder[bounds.length + 1];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = new LongAdder();
        }
    }

    public void add(double value) {
        int bucket = 0;
        while (bucket < bounds.length && value > bounds[bucket]) {
            bucket++;
        }
        counts[bucket].increment();
        sum.add(value);
    }

    public void write(MetricWriter out, String name, String help) {
        long[] now = new long[counts.length];
        for (int i = 0; i < now.length; i++) {
            now[i] = counts[i].sum();
        }
        out.histogram(name, help, bounds).value(now, sum.sum());
    }
}
