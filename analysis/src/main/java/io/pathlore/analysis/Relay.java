package io.pathlore.analysis;

import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands on what one operator tells another, when all reports of the step of time in which it was told have been seen. So it makes no difference
 * whether the two are told of reports by turns or one is far ahead, in one thread or on two machines.
 */
public final class Relay<T> implements Operator {
    private final transient @Nullable Comparator<? super T> order;
    private final transient Consumer<? super T> to;
    private final TreeMap<Long, List<T>> waiting = new TreeMap<>();
    private long now = Long.MIN_VALUE;

    /** Those of one time, most often that of the next: they are found without a detour. */
    private transient @Nullable List<T> latest;

    private transient long latestNanos;

    /** In the order in which it is told. */
    public Relay(Consumer<? super T> to) {
        this(null, to);
    }

    /** Who is told in one step of time is told in an order that does not depend on who spoke first. */
    public Relay(@Nullable Comparator<? super T> order, Consumer<? super T> to) {
        this.order = order;
        this.to = to;
    }

    /** Told now. */
    public void add(T what) {
        add(now, what);
    }

    /** Told at that time, where that was known. */
    public void add(long nanos, T what) {
        List<T> told = latest;
        if (told == null || latestNanos != nanos) {
            told = waiting.computeIfAbsent(nanos, unused -> new ArrayList<>());
            latest = told;
            latestNanos = nanos;
        }
        told.add(what);
    }

    @Override
    public void on(ReportRow report) {}

    @Override
    public boolean seesReports() {
        return false;
    }

    @Override
    public void at(long nanos) {
        now = nanos;
    }

    @Override
    public long wakeAtNanos() {
        return waiting.isEmpty() ? NEVER : waiting.firstKey();
    }

    @Override
    public void onWake(long nowNanos) {
        while (!waiting.isEmpty() && waiting.firstKey() <= nowNanos) {
            List<T> told = waiting.pollFirstEntry().getValue();
            latest = null;
            if (order != null) {
                told.sort(order);
            }
            told.forEach(to);
        }
    }

    @Override
    public void end() {
        onWake(NEVER);
    }
}
