package io.pathlore.cli.network;

import io.pathlore.serve.Problem;
import io.pathlore.store.tables.Queries;
import io.pathlore.store.tables.Row;

/**
 * The time that is asked about, in whole seconds.
 *
 * @param minutesFrom the first minute that {@code hops_1m} has and that lies in it whole
 * @param minutesTo the end of the last of these
 */
record Span(long since, long until, long minutesFrom, long minutesTo) {
    static final long SECOND = 1_000_000_000L;
    static final long MINUTE = 60 * SECOND;

    /** How far the tables are filled, in stream time; {@link Row#ABSENT} where they are empty. */
    static long newest(Queries queries) throws Problem {
        long[] found = {Row.ABSENT};
        Question.of("""
                WITH marked AS (SELECT max(time) AS time FROM stored_to)
                SELECT epoch_ns((SELECT time FROM marked)) AS marked,
                    epoch_ns((SELECT max(time) FROM hops_1s
                        WHERE time >= coalesce((SELECT time FROM marked), make_timestamp_ns(0)))) AS hops
                """).ask(queries, row -> {
            long hops = row.number("hops");
            found[0] = Math.max(row.number("marked"), hops == Row.ABSENT ? Row.ABSENT : hops + SECOND);
        });
        return found[0];
    }

    static Span of(long since, long until, Queries queries) throws Problem {
        long from = Math.floorDiv(since, SECOND) * SECOND;
        long to = Math.ceilDiv(until, SECOND) * SECOND;
        long first = Math.ceilDiv(from, MINUTE) * MINUTE;
        long[] last = {first};
        Question.of("""
                SELECT epoch_ns(max(time)) AS last, (SELECT epoch_ns(max(time)) FROM stored_to) AS marked FROM hops_1m
                WHERE time >= make_timestamp_ns(?) AND time < make_timestamp_ns(?)
                """, from, to).ask(queries, row -> {
            // Behind the mark some rows of a minute may be there and others not.
            long whole = Math.floorDiv(Math.min(to, row.number("marked")), MINUTE) * MINUTE;
            last[0] = Math.max(first, Math.min(row.number("last") + MINUTE, whole));
        });
        return new Span(from, to, first, last[0]);
    }

    /** Rows of queues that cover each moment once: minutes as far as there are any, seconds for the rest. */
    Question hops() {
        return Question.of("""
                (SELECT * FROM hops_1m WHERE time >= make_timestamp_ns(?) AND time < make_timestamp_ns(?)
                UNION ALL SELECT * FROM hops_1s WHERE time >= make_timestamp_ns(?) AND time < make_timestamp_ns(?)
                    AND NOT (time >= make_timestamp_ns(?) AND time < make_timestamp_ns(?)))
                """, minutesFrom, minutesTo, since, until, minutesFrom, minutesTo);
    }

    /** Of a table of minutes: those that lie in it, if only in part. */
    Question minutes() {
        return Question.of("time > make_timestamp_ns(?) AND time < make_timestamp_ns(?)", since - MINUTE, until);
    }

    /** Of a table of seconds. */
    Question seconds() {
        return Question.of("time >= make_timestamp_ns(?) AND time < make_timestamp_ns(?)", since, until);
    }

    /** Of what has a start, and an end or none yet. */
    Question episodes() {
        return Question.of(
                "start < make_timestamp_ns(?) AND (\"end\" IS NULL OR \"end\" >= make_timestamp_ns(?))", until, since);
    }
}
