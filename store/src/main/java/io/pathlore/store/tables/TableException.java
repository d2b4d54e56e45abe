package io.pathlore.store.tables;

import java.io.IOException;
import java.nio.file.Path;

/** Tables that cannot be used. The message is one line: what, where, what to do. */
public final class TableException extends IOException {
    private static final long serialVersionUID = 1;

    TableException(Path where, String what) {
        super(line("tables " + where + ": " + what));
    }

    TableException(Path where, String what, Throwable cause) {
        super(line("tables " + where + ": " + what + ": " + reason(cause)), cause);
    }

    /** The first line of what somebody else says, who may explain on further lines. */
    static String reason(Throwable cause) {
        String message = cause.getMessage();
        if (message == null || message.isBlank()) {
            return cause.getClass().getSimpleName();
        }
        return line(message.strip().lines().findFirst().orElse(""));
    }

    private static String line(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
