package io.pathlore.cli.service;

import io.pathlore.model.EventId;
import io.pathlore.model.EventKind;
import io.pathlore.serve.Problem;
import io.pathlore.store.tables.Row;
import org.jspecify.annotations.Nullable;

/**
 * What came in of an attack and what was stopped of it, for who asks: as this process told it, without a look at the tables, or as the tables
 * have it, where it began before this process, or elsewhere.
 */
final class ShownTraffic {
    /** The first second of which is told may be the one after the first packet. */
    private static final long FIRST_NANOS = 2_000_000_000L;

    private static final int NOT_FOUND = 404;

    private final Tables tables;
    private final EventBook events;
    private final AttackTraffic told;

    /** @param told by this process; nothing where it only reads */
    ShownTraffic(Tables tables, EventBook events, AttackTraffic told) {
        this.tables = tables;
        this.events = events;
        this.told = told;
    }

    String json(EventId attack) throws Problem {
        EventBook.Entry entry = events.find(attack);
        String whole = entry == null ? null : told.json(attack, entry.event().startNanos() + FIRST_NANOS);
        if (whole != null) {
            return whole;
        }
        Problem trouble = null;
        try {
            AttackSeries stored = stored(attack);
            if (stored != null) {
                return stored.json();
            }
        } catch (Problem e) {
            trouble = e;
        }
        String rest = told.json(attack);
        if (rest != null) {
            return rest;
        }
        if (trouble != null && trouble.status() != NOT_FOUND) {
            throw trouble;
        }
        if (entry == null || entry.event().kind() != EventKind.ATTACK) {
            throw new Problem(NOT_FOUND, "no such attack: the last ten thousand events are kept");
        }
        // A scan, one that was found this moment, or one older than the tables: it is there, and no second of it is
        // known.
        return AttackSeries.unknown(entry.event().startNanos());
    }

    private @Nullable AttackSeries stored(EventId attack) throws Problem {
        Stored stored = new Stored();
        String ofAttack = " WHERE attack_id = '" + attack + "' ORDER BY time";
        tables.read("SELECT epoch_ns(time) AS time, amount, unit, threshold FROM attacks_1s" + ofAttack, row -> {
            long time = row.number("time");
            boolean packets = Row.AttackSecond.PACKETS.equals(row.text("unit"));
            stored.from(time).arrived(time, row.number("amount"), packets, row.number("threshold"));
        });
        tables.read("SELECT epoch_ns(since) AS since, epoch_ns(time) AS time, packets FROM stopped" + ofAttack, row -> {
            long since = row.number("since");
            stored.from(since).stopped(since, row.number("time"), row.number("packets"));
        });
        return stored.series;
    }

    /** Begins with the first row. */
    private static final class Stored {
        private @Nullable AttackSeries series;

        AttackSeries from(long nanos) {
            AttackSeries there = series == null ? new AttackSeries(nanos) : series;
            series = there;
            return there;
        }
    }
}
