package io.pathlore.cli;

import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.EventJson;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.cli.config.Inventory;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Writes events as they are found. */
final class EventFile implements EventSink {
    private final EventJson json;
    private final @Nullable BufferedWriter out;

    /** Without a file nothing is written. */
    EventFile(@Nullable Path file, Inventory inventory) throws IOException {
        json = new EventJson((node, reason) -> {
            String name = DropReasons.name(reason, inventory.byId(node));
            return name == null ? "" : name;
        });
        out = file == null ? null : Files.newBufferedWriter(file);
    }

    @Override
    public void on(Event event) {
        if (out != null) {
            try {
                out.write(json.line(event));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    void close() throws IOException {
        if (out != null) {
            out.close();
        }
    }
}
