package io.pathlore.serve;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a route answers. */
public sealed interface Reply {
    /** {@code headers} beside those that every answer has; names and values are ours. */
    record Content(int status, String type, byte[] body, Map<String, String> headers) implements Reply {
        public Content {
            headers = Map.copyOf(headers);
        }

        public Content(int status, String type, byte[] body) {
            this(status, type, body, Map.of());
        }
    }

    /** The same for everybody until the program changes: it is compressed and stamped once, and browsers may keep it. */
    record Fixed(String type, byte[] body, byte[] gzip, String tag) implements Reply {}

    static Fixed fixed(String type, byte[] body) {
        return new Fixed(type, body, Sender.gzip(body), Sender.tag(body));
    }

    /** From now on what an {@link EventStream} tells, until the client goes or is too slow. */
    final class Events implements Reply {
        private final Supplier<@Nullable Listener> entry;
        private final Consumer<Listener> exit;

        Events(Supplier<@Nullable Listener> entry, Consumer<Listener> exit) {
            this.entry = entry;
            this.exit = exit;
        }

        /** Null where there are too many already, or the stream has ended. */
        @Nullable
        Listener enter() {
            return entry.get();
        }

        void leave(Listener listener) {
            exit.accept(listener);
        }
    }

    /**
     * A file that is made for this answer, and removed after it. Making it may take longer than a request has; sending it lasts as
     * long as the client goes on reading.
     *
     * @param name what the client may call it
     */
    record Made(String type, String name, Maker maker) implements Reply {}

    @FunctionalInterface
    interface Maker {
        /** Interrupted when the server stops. */
        Path make() throws Problem;
    }

    static Reply json(int status, String json) {
        return new Content(status, "application/json", json.getBytes(StandardCharsets.UTF_8));
    }
}
