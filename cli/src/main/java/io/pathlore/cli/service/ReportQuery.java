package io.pathlore.cli.service;

import io.pathlore.analysis.filter.Filter;
import io.pathlore.analysis.filter.FilterException;
import io.pathlore.analysis.filter.Names;
import io.pathlore.cli.config.Quantities;
import io.pathlore.cli.filter.ReportSubject;
import io.pathlore.model.TimeText;
import io.pathlore.serve.Operation;
import io.pathlore.serve.Parameter;
import io.pathlore.serve.Problem;
import io.pathlore.serve.Request;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which reports somebody asks for. */
record ReportQuery(Filter filter, Cursor from, int limit, boolean raw, boolean capture) {
    static final int MAX_LIMIT = 10_000;
    private static final int DEFAULT_LIMIT = 1_000;
    private static final long DEFAULT_SPAN_NANOS = 10_000_000_000L;
    static final String GROUP = "Reports";
    static final Operation OPERATION = Operation.of(
                    GROUP, "What was received, decoded; without a time the last ten seconds, or the newest")
            .takes(
                    Parameter.filter("reports"),
                    Parameter.SINCE,
                    Parameter.UNTIL,
                    Parameter.choice("order", "which end comes first", "oldest", "newest"),
                    new Parameter(
                            "limit",
                            "so many at most: " + DEFAULT_LIMIT + ", of a capture " + MAX_LIMIT,
                            new Parameter.Form.Range(1, MAX_LIMIT),
                            null),
                    Parameter.CURSOR,
                    Parameter.choice("raw", "with the datagram in hex", "false", "true"),
                    Parameter.choice("format", "`pcap`: as a capture", "json", "pcap"))
            .answers("ReportList")
            .answers(200, ReportPage.CAPTURE_TYPE, "")
            .refuses(409);
    private static final Pattern DURATION = Pattern.compile("[0-9]+(\\.[0-9]+)? ?[a-z]+");

    /**
     * Where to go on, as text that whoever asked gives back: the span that was asked for is part of it, or "the last ten seconds" would
     * be others the next time.
     *
     * @param newest the latest first
     * @param position first datagram that is still wanted; of the latest first, the first one that no longer is
     * @param ordinal first report of that datagram that is still wanted, or no longer
     */
    record Cursor(boolean newest, long since, long until, long position, int ordinal) {
        private static final Pattern TEXT = Pattern.compile("[on](\\.-?[0-9a-z]{1,13}){4}");
        private static final int RADIX = 36;

        static @Nullable Cursor parse(String text) {
            if (!TEXT.matcher(text).matches()) {
                return null;
            }
            String[] parts = text.split("\\.", -1);
            try {
                Cursor cursor = new Cursor(
                        parts[0].equals("n"),
                        Long.parseLong(parts[1], RADIX),
                        Long.parseLong(parts[2], RADIX),
                        Long.parseLong(parts[3], RADIX),
                        Integer.parseInt(parts[4], RADIX));
                return cursor.position < 0 || cursor.ordinal < 0 || cursor.since > cursor.until ? null : cursor;
            } catch (NumberFormatException e) {
                return null;
            }
        }

        Cursor at(long nextPosition, int nextOrdinal) {
            return new Cursor(newest, since, until, nextPosition, nextOrdinal);
        }

        @Override
        public String toString() {
            return (newest ? "n." : "o.") + Long.toString(since, RADIX) + "." + Long.toString(until, RADIX) + "."
                    + Long.toString(position, RADIX) + "." + Integer.toString(ordinal, RADIX);
        }
    }

    static ReportQuery of(Request request, Names names, long nowNanos) throws Problem {
        Map<String, String> query = request.query();
        boolean capture = "pcap".equals(query.get("format"));
        boolean newest = "newest".equals(query.get("order"));
        boolean raw = "true".equals(query.get("raw"));
        if (capture && newest) {
            throw new Problem(400, "order: a capture has the oldest first");
        }
        String limit = query.getOrDefault("limit", Integer.toString(capture ? MAX_LIMIT : DEFAULT_LIMIT));
        Filter filter = filter(query, names);
        String text = query.get("cursor");
        Cursor cursor = text == null ? begin(query, newest, nowNanos) : Cursor.parse(text);
        if (cursor == null) {
            throw new Problem(400, "cursor: not one that this server gave out");
        }
        return new ReportQuery(filter, cursor, Integer.parseInt(limit), raw, capture);
    }

    private static Cursor begin(Map<String, String> query, boolean newest, long nowNanos) throws Problem {
        long until = time(query, "until", nowNanos, nowNanos);
        // The latest need no bound: they are there at once.
        long since = time(query, "since", newest ? 0 : until - DEFAULT_SPAN_NANOS, nowNanos);
        if (since > until) {
            throw new Problem(400, "since: is later than until");
        }
        return new Cursor(newest, since, until, newest ? Long.MAX_VALUE : 0, 0);
    }

    static Filter filter(Map<String, String> query, Names names) throws Problem {
        try {
            return Filter.parse(query.getOrDefault("filter", ""), names).only(ReportSubject.FIELDS, "reports");
        } catch (FilterException e) {
            throw wrong(e);
        }
    }

    static Problem wrong(FilterException e) {
        return new Problem(400, "filter: " + e.getMessage(), e.place());
    }

    private static long time(Map<String, String> query, String name, long otherwise, long nowNanos) throws Problem {
        String text = query.get(name);
        if (text == null) {
            return otherwise;
        }
        if (DURATION.matcher(text).matches()) {
            try {
                return nowNanos - Quantities.nanos(text);
            } catch (IllegalArgumentException e) {
                throw new Problem(400, name + ": " + e.getMessage());
            }
        }
        Long nanos = text.equals("now") ? Long.valueOf(nowNanos) : TimeText.parse(text);
        if (nanos == null) {
            throw new Problem(400, name + ": a time like 2026-11-15T18:00:00Z, or 5m (ago)");
        }
        return nanos;
    }
}
