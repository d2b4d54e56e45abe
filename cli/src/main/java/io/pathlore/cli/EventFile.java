package io.pathlore.cli;

import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.EventJson;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.cli.config.DropReasons;
import io.pathlore.cli.config.Inventory;
import io.pathlore.model.EventId;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes events as they are found, and keeps them. */
final class EventFile implements EventSink {
    private static final int KEPT = 10_000;

    private final EventJson json;
    private final @Nullable BufferedWriter out;

    /** As they were told last, in the order they were found. */
    private final Map<EventId, Event> events = new LinkedHashMap<>();

    /** Without a file nothing is written. */
    EventFile(@Nullable Path file, Inventory inventory) throws IOException {
        json = new EventJson(DropReasons.of(inventory));
        out = file == null ? null : Files.newBufferedWriter(file);
    }

    @Override
    public void on(Event event) {
        if (events.size() < KEPT || events.containsKey(event.id())) {
            events.put(event.id(), event);
        }
        if (out != null) {
            try {
                out.write(json.line(event));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    Collection<Event> events() {
        return events.values();
    }

    void close() throws IOException {
        if (out != null) {
            out.close();
        }
    }
}
