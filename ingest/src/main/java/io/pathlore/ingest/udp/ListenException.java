package io.pathlore.ingest.udp;

import java.io.IOException;

/** A socket that cannot be opened. The message is one line that says what to do. */
public final class ListenException extends IOException {
    private static final long serialVersionUID = 1;

    ListenException(String message) {
        super(message);
    }
}
