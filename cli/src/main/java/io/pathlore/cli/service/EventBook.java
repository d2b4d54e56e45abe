package io.pathlore.cli.service;

import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Details.Attack;
import io.pathlore.analysis.event.EventJson;
import io.pathlore.model.AttackVector;
import io.pathlore.model.EventId;
import io.pathlore.model.EventKind;
import io.pathlore.serve.EventStream;
import io.pathlore.serve.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What happened lately, each event as it was told last. Any thread. */
public final class EventBook implements AutoCloseable {
    static final int EVENTS = 10_000;

    /** Of the first that is told here; those of an earlier process have smaller ones. */
    private static final long FIRST = 1L << 20;

    /** Some events name many flows. */
    private static final int MOST_OCTETS = 16 << 20;

    private static final int LEAST_OCTETS = 1 << 20;

    /** An event is as large as its text. */
    private static final int BYTES_PER_OCTET = 2;

    private static final int LISTENERS = 64;
    private static final int QUEUE = 1_024;
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    /**
     * One event and its JSON.
     *
     * @param ordinal which one it was when it was told for the first time; what comes later never has a smaller one
     */
    public record Entry(Event event, String json, long ordinal) {}

    /** Some of them, the newest first; {@code next} is null where there are no more. */
    record Page(List<Entry> entries, @Nullable String next) {}

    private final EventJson writer;
    private final EventStream<Event> stream = new EventStream<>(LISTENERS, QUEUE, HEARTBEAT);
    private final LinkedHashMap<EventId, Entry> entries = new LinkedHashMap<>();
    private final Map<EventKind, Long> counts = new EnumMap<>(EventKind.class);
    private final Map<AttackVector, Long> attacks = new EnumMap<>(AttackVector.class);
    private final int room = Room.HEAP.of(BYTES_PER_OCTET, LEAST_OCTETS, MOST_OCTETS);
    /** Cursors are good as long as this book is: another one counts anew. */
    private final String edition = Long.toString(ThreadLocalRandom.current().nextLong() >>> 1, Character.MAX_RADIX);

    private Consumer<Entry> listener = entry -> {};
    private long octets;
    private long forgotten;
    private long told = FIRST;

    public EventBook(EventJson.ReasonNames reasons) {
        writer = new EventJson(reasons);
    }

    /** Who is told of each event, and may not wait. */
    synchronized void tell(Consumer<Entry> who) {
        listener = who;
        entries.values().forEach(who);
    }

    /** Keeps it, and gives it to who listens. */
    synchronized Entry add(Event event) {
        EventId id = event.id();
        String json = writer.line(event).strip();
        Entry former = entries.get(id);
        Entry entry = new Entry(event, json, former == null ? told++ : former.ordinal);
        entries.put(id, entry);
        octets += json.length();
        if (former == null) {
            counts.merge(event.kind(), 1L, Long::sum);
            if (event.details() instanceof Attack attack) {
                attacks.merge(attack.vector(), 1L, Long::sum);
            }
        } else {
            octets -= former.json.length();
        }
        while (entries.size() > EVENTS || octets > room) {
            octets -= entries.pollFirstEntry().getValue().json.length();
            forgotten++;
        }
        stream.publish(event, "event", json);
        listener.accept(entry);
        return entry;
    }

    /**
     * Takes in what an earlier process told, the oldest first, as far as there is room beside what was told here. Of those who hear of events
     * only {@link #tell}'s is told of it.
     */
    synchronized void restore(List<Event> earlier) {
        LinkedHashMap<EventId, Entry> later = new LinkedHashMap<>(entries);
        entries.clear();
        long ordinal = FIRST - earlier.size();
        for (Event event : earlier) {
            String json = writer.line(event).strip();
            Entry entry = new Entry(event, json, ordinal++);
            if (!later.containsKey(event.id()) && entries.put(event.id(), entry) == null) {
                octets += json.length();
                listener.accept(entry);
            }
        }
        entries.putAll(later);
        while (entries.size() > EVENTS || octets > room) {
            octets -= entries.pollFirstEntry().getValue().json.length();
            forgotten++;
        }
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

    /**
     * So many of the newest, or of those that come after what a cursor says. What is told in the meantime stands before them, so nothing is
     * missed and nothing comes twice.
     */
    Page page(int limit, @Nullable String cursor, Predicate<Event> wanted) throws Problem {
        long before = cursor == null ? Long.MAX_VALUE : ordinal(cursor);
        List<Entry> all;
        synchronized (this) {
            all = new ArrayList<>(entries.sequencedValues().reversed());
        }
        List<Entry> page = new ArrayList<>();
        for (Entry entry : all) {
            if (entry.ordinal < before && wanted.test(entry.event)) {
                if (page.size() == limit) {
                    return new Page(page, edition + "." + Long.toString(page.getLast().ordinal, Character.MAX_RADIX));
                }
                page.add(entry);
            }
        }
        return new Page(page, null);
    }

    private long ordinal(String cursor) throws Problem {
        String[] parts = cursor.split("\\.", -1);
        if (parts.length == 2 && parts[1].matches("[0-9a-z]{1,12}")) {
            if (!parts[0].equals(edition)) {
                throw new Problem(400, "cursor: of before the last start of this server; begin again without it");
            }
            return Long.parseLong(parts[1], Character.MAX_RADIX);
        }
        throw new Problem(400, "cursor: not one that this server gave out");
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
