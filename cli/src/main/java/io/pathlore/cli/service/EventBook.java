package io.pathlore.cli.service;

import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Details.Attack;
import io.pathlore.analysis.event.EventJson;
import io.pathlore.model.AttackVector;
import io.pathlore.model.EventId;
import io.pathlore.model.EventKind;
import io.pathlore.serve.EventStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What happened lately, each event as it was told last. Any thread. */
public final class EventBook implements AutoCloseable {
    private static final int EVENTS = 10_000;

    /** Some events name many flows. */
    private static final int OCTETS = 16 << 20;

    private static final int LISTENERS = 64;
    private static final int QUEUE = 1_024;
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    /** One event and its JSON. */
    public record Entry(Event event, String json) {}

    private final EventJson writer;
    private final EventStream<Event> stream = new EventStream<>(LISTENERS, QUEUE, HEARTBEAT);
    private final LinkedHashMap<EventId, Entry> entries = new LinkedHashMap<>();
    private final Map<EventKind, Long> counts = new EnumMap<>(EventKind.class);
    private final Map<AttackVector, Long> attacks = new EnumMap<>(AttackVector.class);
    private long octets;
    private long forgotten;

    public EventBook(EventJson.ReasonNames reasons) {
        writer = new EventJson(reasons);
    }

    /** Keeps it, and gives it to who listens. */
    synchronized Entry add(Event event) {
        EventId id = event.id();
        String json = writer.line(event).strip();
        Entry entry = new Entry(event, json);
        Entry former = entries.put(id, entry);
        octets += json.length();
        if (former == null) {
            counts.merge(event.kind(), 1L, Long::sum);
            if (event.details() instanceof Attack attack) {
                attacks.merge(attack.vector(), 1L, Long::sum);
            }
        } else {
            octets -= former.json.length();
        }
        while (entries.size() > EVENTS || octets > OCTETS) {
            octets -= entries.pollFirstEntry().getValue().json.length();
            forgotten++;
        }
        stream.publish(event, "event", json);
        return entry;
    }

    /** All that are here, the oldest first. */
    synchronized List<Entry> all() {
        return List.copyOf(entries.values());
    }

    /** The newest first, at most so many. */
    public List<Entry> newest(int limit, Predicate<Event> wanted) {
        List<Entry> all;
        synchronized (this) {
            all = new ArrayList<>(entries.sequencedValues().reversed());
        }
        // Nobody who tells of an event waits for this.
        return all.stream()
                .filter(entry -> wanted.test(entry.event))
                .limit(limit)
                .toList();
    }

    /** As it was told last; null where it is not known, or no longer. */
    synchronized @Nullable Entry find(EventId id) {
        return entries.get(id);
    }

    /** Events of each kind since the start. */
    public synchronized Map<EventKind, Long> counts() {
        return new EnumMap<>(counts);
    }

    /** Attacks of each vector since the start. */
    synchronized Map<AttackVector, Long> attacks() {
        return new EnumMap<>(attacks);
    }

    /** Events that are no longer here. */
    public synchronized long forgotten() {
        return forgotten;
    }

    EventStream<Event> stream() {
        return stream;
    }

    @Override
    public void close() {
        stream.close();
    }
}
