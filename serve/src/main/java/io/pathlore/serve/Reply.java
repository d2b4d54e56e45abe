package io.pathlore.serve;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** What a route answers. */
public sealed interface Reply {
    record Content(int status, String type, byte[] body) implements Reply {}

    /** From now on whatever the stream publishes, until the client goes or is too slow. */
    record Events(EventStream stream) implements Reply {}

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
