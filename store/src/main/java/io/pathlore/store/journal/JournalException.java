package io.pathlore.store.journal;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A journal that cannot be used. The message is one line: what, where, what to do. */
public sealed class JournalException extends IOException permits JournalInUseException {
    private static final long serialVersionUID = 1;

    JournalException(String message) {
        this(message, null);
    }

    JournalException(String message, @Nullable Throwable cause) {
        // A directory may have any name, and an operating system may say anything.
        super(message.replaceAll("\\p{Cntrl}", "?"), cause);
    }

    /** Says what could not be done, where, and why, as far as the system tells. */
    static JournalException because(String what, String where, IOException cause) {
        String why = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        return new JournalException("journal " + where + ": " + what + ": " + why, cause);
    }
}
