package io.pathlore.analysis.hop;

import io.pathlore.analysis.LongMap;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Details;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Packets that a node dropped for one reason; those that come close together are one event. */
final class DropWatch {
    private static final int SERIES = 4_096;
    private static final int MAX_FLOWS = 100;
    private static final int COUNTED_FLOWS = 128;

    /** Drops that are closer are one event. */
    private static final long APART_NANOS = 5_000_000_000L;

    /** Who counts drops tells of them every ten seconds [Transparent Security]; each report stands for that time. */
    private static final long COUNTED_NANOS = 10_000_000_000L;

    private static final long NEVER = Long.MIN_VALUE;
    private static final Comparator<Series> ORDER =
            Comparator.<Series>comparingLong(one -> one.node).thenComparingInt(one -> one.reason);

    private static final class Series {
        final long node;
        final int reason;
        long first = NEVER;
        long last = NEVER;
        long count;
        long told = NEVER;
        long apart = APART_NANOS;
        FlowTally flows = new FlowTally(COUNTED_FLOWS);

        Series(long node, int reason) {
            this.node = node;
            this.reason = reason;
        }
    }

    private final LongMap<Series> series = new LongMap<>(SERIES);
    private final List<Series> open = new ArrayList<>();
    private final transient EventSink events;

    DropWatch(EventSink events) {
        this.events = events;
    }

    void on(ReportRow row) {
        long node = row.node();
        int reason = row.dropReason();
        if (node == ReportRow.ABSENT || reason == ReportRow.ABSENT) {
            return;
        }
        long now = row.receivedNanos();
        long key = ReportRow.mix(ReportRow.mix(node) ^ reason);
        Series one = series.get(key);
        if (one == null) {
            one = series.get(key, () -> new Series(node, reason), this::close);
        }
        one.apart = row.dropCount() == ReportRow.ABSENT ? APART_NANOS : APART_NANOS + COUNTED_NANOS;
        if (one.first != NEVER && now - one.last >= one.apart) {
            close(one);
        }
        if (one.first == NEVER) {
            one.first = now;
            one.last = now;
            one.count = 0;
            one.told = NEVER;
            one.flows = new FlowTally(COUNTED_FLOWS);
            open.add(one);
        }
        one.first = Math.min(one.first, now);
        one.last = Math.max(one.last, now);
        long packets = row.dropCount() == ReportRow.ABSENT ? 1 : row.dropCount();
        one.count += packets;
        one.flows.add(row, packets);
    }

    void onTick(long now) {
        open.sort(ORDER);
        for (Series one : List.copyOf(open)) {
            if (one.told == NEVER) {
                events.on(event(one, Event.OPEN, now));
            }
            if (now - one.last >= one.apart) {
                close(one, now);
            }
        }
    }

    private void close(Series one) {
        if (one.first != NEVER) {
            close(one, one.last);
        }
    }

    private void close(Series one, long now) {
        events.on(event(one, one.last, now));
        one.first = NEVER;
        open.remove(one);
    }

    /** It was detected when it was first told of. */
    private static Event event(Series one, long end, long now) {
        one.told = one.told == NEVER ? now : one.told;
        var flows =
                one.flows.largest(MAX_FLOWS).stream().map(entry -> entry.flow).toList();
        return new Event(one.first, end, one.told, new Details.Drops(one.node, one.reason, flows, one.count));
    }

    void end(long now) {
        onTick(now);
        for (Series one : List.copyOf(open)) {
            events.on(event(one, Event.OPEN, now));
        }
    }
}
