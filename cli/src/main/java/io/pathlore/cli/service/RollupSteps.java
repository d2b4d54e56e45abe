package io.pathlore.cli.service;

import io.pathlore.ingest.kafka.BrokerException;
import io.pathlore.store.tables.QueryException;
import io.pathlore.store.tables.Row;
import io.pathlore.store.tables.Table;
import io.pathlore.store.tables.TablePages;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * What of the tables is published when. Rows before the mark of the tables do not change any more: they are published minute by minute, and where they end
 * everybody is told. Up to where they are acknowledged is a line in a file, from which it goes on after a crash. What is sent twice by that has the same key.
 *
 * <p>Rows of seconds are wanted at once, before the mark has come so far. They are published as they are found, and counted: where the minute has another
 * number of them in the end, they are published again. Belongs to one thread.
 */
final class RollupSteps {
    /** Where rows go; what it took has arrived. */
    interface Outlet {
        /** Texts by their keys. */
        void publish(Map<String, String> texts) throws BrokerException;

        /** Behind all that was published before, wherever that is. */
        void publishToAll(String key, String text) throws BrokerException;
    }

    private static final long NANOS = 1_000_000_000L;
    private static final long MINUTE = 60 * NANOS;

    /** Of those that may be told when the mark is past them. */
    private static final long LATE_NANOS = 2 * MINUTE;

    /** A second before the newest two has been told of whole. */
    private static final long SETTLED_NANOS = NANOS;

    /** Rows on their way at a time. */
    private static final int PAGE = 2_000;

    /** Brokers refuse records of a megabyte. */
    private static final int LONGEST = 900_000;

    private static final List<Table> SECONDS = List.of(Table.HOPS_1S, Table.DROPS_1S);

    /** An episode is told a moment after it has ended; the seconds before an attack, when it is found. */
    private static final List<Table> LATE = List.of(Table.EPISODES, Table.ATTACKS_1S, Table.STOPPED);

    /** What somebody may be looking at. */
    private static final List<Table> AHEAD = Stream.concat(SECONDS.stream(), Stream.of(Table.ATTACKS_1S, Table.STOPPED))
            .toList();

    /** Events have a topic of their own. */
    private static final List<Table> MINUTES = List.of(
            Table.HOPS_1M,
            Table.FLOWS_1M,
            Table.LINKS_1M,
            Table.EXPORTERS_1M,
            Table.PATHS,
            Table.NODES,
            Table.EPISODES,
            Table.ATTACKS_1S,
            Table.STOPPED);

    private static final List<Table> ALL =
            Stream.concat(SECONDS.stream(), MINUTES.stream()).toList();

    private final TablePages pages;
    private final Outlet outlet;
    private final PublishedMark mark;
    private final long edgeId;
    private final long keepSecondsNanos;
    private final Notes notes;
    private long publishedTo;
    private long missed;

    /** Seconds before this time were published ahead of the mark. */
    private long aheadTo = Row.ABSENT;

    /** How many of them there were in each minute, by table. */
    private final Map<Long, Map<Table, Long>> ahead = new LinkedHashMap<>();

    /** @param keepSecondsNanos how long the tables have seconds; 0 for ever */
    RollupSteps(TablePages pages, Outlet outlet, PublishedMark mark, long edgeId, long keepSecondsNanos, Notes notes) {
        this.pages = pages;
        this.outlet = outlet;
        this.mark = mark;
        this.edgeId = edgeId;
        this.keepSecondsNanos = keepSecondsNanos;
        this.notes = notes;
        publishedTo = mark.positionOf(edgeId);
    }

    /** Everything before this time was published; {@link PublishedMark#NONE}. */
    long publishedTo() {
        return publishedTo;
    }

    /** Minutes whose seconds were gone, and rows that were too long. */
    long missed() {
        return missed;
    }

    /** Publishes some of what is stored up to a time. False if all of that was. */
    boolean step(long storedTo) throws BrokerException, QueryException, InterruptedException, IOException {
        if (storedTo == Row.ABSENT || publishedTo >= storedTo) {
            return false;
        }
        long from = Math.max(0, publishedTo);
        long to = storedTo;
        long first = pages.first(ALL, from, storedTo); // or there is nothing in many minutes
        if (first != Row.ABSENT) {
            from = Math.max(from, Math.floorDiv(first, MINUTE) * MINUTE);
            to = Math.min(storedTo, (Math.floorDiv(from, MINUTE) + 1) * MINUTE);
            countMissed(from, storedTo);
            for (Table table : SECONDS) {
                if (!wasAhead(table, from, to)) {
                    send(table, from, to, () -> false);
                }
            }
            for (Table table : MINUTES) {
                send(table, from(table, from), to, () -> false);
            }
        }
        outlet.publishToAll(RollupJson.COMPLETE, RollupJson.json(new RollupJson.Complete(edgeId, to)));
        mark.keep(edgeId, to);
        publishedTo = to;
        long reached = to;
        ahead.keySet().removeIf(minute -> minute < reached);
        return true;
    }

    private static long from(Table table, long nanos) {
        return LATE.contains(table) ? Math.max(0, nanos - LATE_NANOS) : nanos;
    }

    /** What was to be published for longer than tables are kept is gone. */
    private void countMissed(long from, long storedTo) {
        if (publishedTo != PublishedMark.NONE && keepSecondsNanos > 0 && from < storedTo - keepSecondsNanos) {
            missed++;
            notes.warn(
                    "kafka-rollups-missed",
                    "kafka: the seconds of " + missed + " minutes so far were removed before they were published;"
                            + " see store.seconds");
        }
    }

    /** Publishes the seconds that have come since, though the mark is not so far. */
    void goAhead() throws BrokerException, QueryException, InterruptedException {
        if (publishedTo == PublishedMark.NONE) {
            return;
        }
        long from = Math.max(aheadTo, publishedTo);
        long newest = pages.last(Table.HOPS_1S, from, Long.MAX_VALUE);
        // Up to the end of a minute at most, so that each span is of one.
        long minute = Math.floorDiv(from, MINUTE) * MINUTE;
        long to = Math.min(newest - SETTLED_NANOS, minute + MINUTE);
        if (newest == Row.ABSENT || to <= from) {
            return;
        }
        Map<Table, Long> counts = ahead.computeIfAbsent(minute, _ -> new LinkedHashMap<>());
        for (Table table : AHEAD) {
            // Counted before they are read: what comes in between is one too many, and all are published again.
            counts.merge(table, pages.count(table, from, to), Long::sum);
            send(table, from, to, () -> false);
        }
        aheadTo = to;
    }

    private boolean wasAhead(Table table, long from, long to) throws QueryException, InterruptedException {
        Map<Table, Long> counts = ahead.get(from);
        return counts != null
                && aheadTo >= to
                && counts.getOrDefault(table, Row.ABSENT) == pages.count(table, from, to);
    }

    /** The last minute too, as far as it has come: whoever starts again publishes it whole, with the same keys. */
    void finish(BooleanSupplier isOver) throws BrokerException, QueryException, InterruptedException {
        for (Table table : ALL) {
            long from = SECONDS.contains(table) ? Math.max(aheadTo, publishedTo) : from(table, publishedTo);
            send(table, from, Long.MAX_VALUE, isOver);
        }
    }

    private void send(Table table, long from, long to, BooleanSupplier isOver)
            throws BrokerException, QueryException, InterruptedException {
        TablePages.Walk walk = pages.walk(table, from, to, PAGE);
        for (List<Row.Told> page = walk.next(); !page.isEmpty() && !isOver.getAsBoolean(); page = walk.next()) {
            Map<String, String> texts = new LinkedHashMap<>();
            for (Row.Told row : page) {
                String json = RollupJson.json(row);
                if (json.length() > LONGEST) {
                    missed++;
                    notes.warn("kafka-rollups-long", "kafka: " + RollupJson.key(row) + " is too long to be published");
                } else {
                    texts.put(RollupJson.key(row), json);
                }
            }
            outlet.publish(texts);
        }
    }
}
