package io.pathlore.cli.service;

import io.pathlore.analysis.event.AttackSecond;
import io.pathlore.model.EventId;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/** The last attacks that this process told of, as {@link AttackSeries}: what is drawn while they go on. Any thread. */
final class AttackTraffic {
    static final int ATTACKS = 128;

    private final LinkedHashMap<EventId, AttackSeries> all = new LinkedHashMap<>();

    synchronized void on(AttackSecond second) {
        of(second.attack(), second.startNanos())
                .arrived(second.startNanos(), second.amount(), second.packets(), second.limit());
    }

    synchronized void stopped(EventId attack, long fromNanos, long untilNanos, long packets) {
        of(attack, fromNanos).stopped(fromNanos, untilNanos, packets);
    }

    private AttackSeries of(EventId attack, long nanos) {
        AttackSeries series = all.computeIfAbsent(attack, _ -> new AttackSeries(nanos));
        if (all.size() > ATTACKS) {
            all.pollFirstEntry();
        }
        return series;
    }

    /** Null where nothing is known of it, or no longer. */
    synchronized @Nullable String json(EventId attack) {
        AttackSeries series = all.get(attack);
        return series == null ? null : series.json();
    }

    /** Null where it is not known from that time on. */
    synchronized @Nullable String json(EventId attack, long sinceNanos) {
        AttackSeries series = all.get(attack);
        return series == null || series.since() > sinceNanos ? null : series.json();
    }
}
