package io.pathlore.analysis.rollup;

import io.pathlore.analysis.LongMap;
import io.pathlore.model.ReportRow;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How much of what exporters sent has arrived, by second, as far as their sequence numbers tell. What a node did may be told by
 * others than itself: by the sinks of the packets that passed it. So it is known, too, who tells of a node.
 */
public final class Completeness {
    private static final int SECONDS = 32;
    private static final int TELLERS = 4;
    private static final long SECOND = 1_000_000_000L;

    /** One exporter: numbers that came, and that are missing, in each of the last seconds. */
    static final class Source {
        /** By which it is found again, for a long time. */
        final int number;

        private final long[] seconds = new long[SECONDS];
        private final int[] arrived = new int[SECONDS];
        private final int[] missing = new int[SECONDS];

        Source(int number) {
            this.number = number;
        }

        private void add(long second, int numbers, int gap) {
            int at = (int) (second & SECONDS - 1);
            if (seconds[at] != second) {
                seconds[at] = second;
                arrived[at] = 0;
                missing[at] = 0;
            }
            arrived[at] += numbers;
            missing[at] += gap;
        }

        long arrived(long second) {
            int at = (int) (second & SECONDS - 1);
            return seconds[at] == second ? arrived[at] : 0;
        }

        /** What came later than it should is missing in the one second and one too many in the next. */
        long missing(long second) {
            int at = (int) (second & SECONDS - 1);
            return seconds[at] == second ? missing[at] : 0;
        }
    }

    /** Who tells of a node: a few, the last ones. */
    private static final class Tellers {
        final @Nullable Source[] sources = new Source[TELLERS];
        int next;

        @SuppressWarnings("ReferenceEquality") // there is one of each
        void add(Source source) {
            for (Source known : sources) {
                if (known == source) {
                    return;
                }
            }
            sources[next] = source;
            next = (next + 1) % TELLERS;
        }
    }

    private final LongMap<Source> sources;
    private final @Nullable Source[] numbered;
    private int next;
    private final LongMap<Tellers> nodes;
    private long lastKey;
    private @Nullable Source last;

    Completeness(int exporters, int nodes) {
        sources = new LongMap<>(exporters);
        numbered = new Source[4 * exporters]; // who had to leave stays known for a while
        this.nodes = new LongMap<>(nodes);
    }

    /** Counts a report, and says whose it is. Hot path. */
    Source on(ReportRow row) {
        long key = ReportRow.mix(row.exporterLow() ^ ReportRow.mix(row.exporterHigh()));
        Source source = last;
        if (source == null || key != lastKey) {
            source = sources.get(key, this::make, gone -> {});
            last = source;
            lastKey = key;
        }
        if (row.numbers() != 0 || row.gap() != 0) {
            source.add(Math.floorDiv(row.receivedNanos(), SECOND), row.numbers(), row.gap());
        }
        return source;
    }

    private Source make() {
        Source made = new Source(next);
        numbered[next] = made;
        next = (next + 1) % numbered.length;
        return made;
    }

    Source source(int number) {
        return Objects.requireNonNull(numbered[number]);
    }

    /** A node is spoken of by this exporter. Seldom: when somebody first does in a second. */
    void tells(Source source, long node) {
        nodes.get(ReportRow.mix(node), Tellers::new, gone -> {}).add(source);
    }

    /** Of the reports of those who tell of a node, between two times; not a number where they are not numbered. */
    public double of(long node, long fromNanos, long toNanos) {
        Tellers tellers = nodes.get(ReportRow.mix(node));
        if (tellers == null) {
            return Double.NaN;
        }
        long end = Math.floorDiv(toNanos, SECOND);
        long start = Math.max(Math.floorDiv(fromNanos, SECOND), end - SECONDS + 1);
        long arrived = 0;
        long missing = 0;
        for (Source source : tellers.sources) {
            for (long second = start; source != null && second <= end; second++) {
                arrived += source.arrived(second);
                missing += source.missing(second);
            }
        }
        return share(arrived, missing);
    }

    /** Not a number where nothing is numbered. */
    static double share(long arrived, long missing) {
        return arrived == 0 ? Double.NaN : (double) arrived / (arrived + Math.max(0, missing));
    }
}
