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
    private static final long SECOND = 1_000_000_000L;

    /** One exporter: numbers that came, and that are missing, in each of the last seconds. */
    static final class Source {
        /** By which it is found again, for a long time. */
        final int number;

        final long exporter;
        private final long[] seconds = new long[SECONDS];
        private final int[] arrived = new int[SECONDS];
        private final int[] missing = new int[SECONDS];

        Source(int number, long exporter) {
            this.number = number;
            this.exporter = exporter;
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

    private final LongMap<Source> sources;
    private final @Nullable Source[] numbered;
    private int next;
    private final Tellers tellers;
    private @Nullable Source last;

    public Completeness(int exporters, int nodes) {
        sources = new LongMap<>(exporters);
        numbered = new Source[4 * exporters]; // who had to leave stays known for a while
        tellers = new Tellers(nodes);
    }

    /** Whose report it is. Hot path. */
    Source of(ReportRow row) {
        long key = Arrivals.exporter(row);
        Source source = last;
        if (source == null || source.exporter != key) {
            source = source(key);
            last = source;
        }
        return source;
    }

    private Source source(long exporter) {
        Source known = sources.get(exporter);
        return known != null ? known : sources.get(exporter, () -> make(exporter), gone -> {});
    }

    /** What came in a tenth of a second. */
    public void arrived(Arrived what) {
        source(what.exporter()).add(Math.floorDiv(what.nanos() - 1, SECOND), what.numbers(), what.gap());
    }

    private Source make(long exporter) {
        Source made = new Source(next, exporter);
        numbered[next] = made;
        next = (next + 1) % numbered.length;
        return made;
    }

    Source numbered(int number) {
        return Objects.requireNonNull(numbered[number]);
    }

    /** A node is spoken of by this exporter. */
    public void tells(Teller who) {
        tellers.add(who.node(), who.exporter());
    }

    /** Of the reports of those who tell of a node, between two times; not a number where they are not numbered. */
    public double of(long node, long fromNanos, long toNanos) {
        Tellers.OfNode ofNode = tellers.of(node);
        if (ofNode == null) {
            return Double.NaN;
        }
        long end = Math.floorDiv(toNanos, SECOND);
        long start = Math.max(Math.floorDiv(fromNanos, SECOND), end - SECONDS + 1);
        long arrived = 0;
        long missing = 0;
        for (int i = 0; i < ofNode.known; i++) {
            Source source = sources.get(ofNode.exporters[i]);
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
