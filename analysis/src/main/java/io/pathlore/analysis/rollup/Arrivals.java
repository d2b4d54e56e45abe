package io.pathlore.analysis.rollup;

import io.pathlore.analysis.LongMap;
import io.pathlore.analysis.Operator;
import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts what came of the numbers of each exporter, and tells it ten times a second: who has to know how complete reports were need not see
 * them all. Hot path.
 */
public final class Arrivals implements Operator {
    /** What is told belongs to steps of a tenth of a second. */
    public static final long TICK_NANOS = 100_000_000L;

    private static final class Tally {
        final long exporter;
        long end;
        int numbers;
        int gap;
        long lastNanos;
        boolean open;

        Tally(long exporter) {
            this.exporter = exporter;
        }
    }

    private final LongMap<Tally> tallies;
    private final List<Tally> open = new ArrayList<>();
    private final transient Consumer<Arrived> to;
    private long due = NEVER;
    private @Nullable Tally last;

    public Arrivals(int exporters, Consumer<Arrived> to) {
        tallies = new LongMap<>(exporters);
        this.to = to;
    }

    /** By which an exporter is known. */
    static long exporter(ReportRow row) {
        return ReportRow.mix(row.exporterLow() ^ ReportRow.mix(row.exporterHigh()));
    }

    /** The end of the step that a time belongs to. */
    static long end(long nanos) {
        return (Math.floorDiv(nanos, TICK_NANOS) + 1) * TICK_NANOS;
    }

    @Override
    public void on(ReportRow row) {
        if (row.unbound()) {
            return;
        }
        long exporter = exporter(row);
        Tally tally = last;
        if (tally == null || tally.exporter != exporter) {
            tally = tallies.get(exporter);
            if (tally == null) {
                tally = tallies.get(exporter, () -> new Tally(exporter), this::leaves);
            }
            last = tally;
        }
        long nanos = row.receivedNanos();
        if (!tally.open || nanos >= tally.end || nanos < tally.end - TICK_NANOS) {
            begin(tally, nanos);
        }
        tally.numbers += row.numbers();
        tally.gap += row.gap();
        tally.lastNanos = Math.max(tally.lastNanos, nanos);
    }

    private void begin(Tally tally, long nanos) {
        if (tally.open) {
            tell(tally);
        } else {
            open.add(tally);
        }
        tally.open = true;
        tally.end = end(nanos);
        tally.numbers = 0;
        tally.gap = 0;
        tally.lastNanos = nanos;
        due = Math.min(due, tally.end);
    }

    private void leaves(Tally tally) {
        if (tally.open) {
            tell(tally);
            open.remove(tally);
            tally.open = false;
        }
    }

    private void tell(Tally tally) {
        to.accept(new Arrived(tally.end, tally.exporter, tally.numbers, tally.gap, tally.lastNanos));
    }

    @Override
    public long wakeAtNanos() {
        return due;
    }

    @Override
    public void onWake(long nowNanos) {
        if (nowNanos < due) {
            return;
        }
        due = NEVER;
        int kept = 0;
        for (int i = 0; i < open.size(); i++) {
            Tally tally = open.get(i);
            if (tally.end <= nowNanos) {
                tell(tally);
                tally.open = false;
            } else {
                due = Math.min(due, tally.end);
                open.set(kept++, tally);
            }
        }
        open.subList(kept, open.size()).clear();
    }

    @Override
    public void end() {
        onWake(NEVER);
    }
}
