package io.pathlore.cli;

import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.EventJson;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.cli.config.DropReasons;
import io.pathlore.cli.config.Inventory;
import io.pathlore.model.EventId;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes events as they are found, and keeps them. A disk that is full does not end the analysis. */
final class EventFile implements EventSink {
    private static final int KEPT = 10_000;

    private final EventJson json;
    private final String name;
    private final @Nullable BufferedWriter out;
    private @Nullable IOException failure;

    /** As they were told last. */
    private final Map<EventId, Event> events = new LinkedHashMap<>();

    /** Without a file nothing is written. {@code directory} is where relative names are looked up. */
    EventFile(@Nullable Path file, Path directory, Inventory inventory) {
        json = new EventJson(DropReasons.of(inventory));
        name = String.valueOf(file);
        try {
            out = file == null ? null : Files.newBufferedWriter(directory.resolve(file));
        } catch (IOException e) {
            throw Failure.cannotWrite(name, e);
        }
    }

    @Override
    public void on(Event event) {
        EventId id = event.id();
        if (events.size() < KEPT || events.containsKey(id)) {
            events.put(id, event);
        }
        if (out != null && failure == null) {
            try {
                out.write(json.line(event));
            } catch (IOException e) {
                failure = e;
            }
        }
    }

    /** By when they began. */
    List<Event> events() {
        return events.values().stream()
                .sorted(Comparator.comparingLong(Event::startNanos).thenComparing(Event::id))
                .toList();
    }

    String json(Event event) {
        return json.line(event).strip();
    }

    /** Tells whether all was written. */
    void close() {
        try {
            if (out != null) {
                out.close();
            }
        } catch (IOException e) {
            failure = failure == null ? e : failure;
        }
        if (failure != null) {
            throw Failure.cannotWrite(name, failure);
        }
    }
}
