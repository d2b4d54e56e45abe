package io.pathlore.serve;

import java.nio.charset.StandardCharsets;

/** What a route answers. */
public sealed interface Reply {
    record Content(int status, String type, byte[] body) implements Reply {}

    /** From now on whatever the stream publishes, until the client goes or is too slow. */
    record Events(EventStream stream) implements Reply {}

    static Reply json(int status, String json) {
        return new Content(status, "application/json", json.getBytes(StandardCharsets.UTF_8));
    }
}
