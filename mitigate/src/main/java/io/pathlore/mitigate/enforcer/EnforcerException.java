package io.pathlore.mitigate.enforcer;

import org.jspecify.annotations.Nullable;

/** It was not done, or nobody knows whether it was. The message is one line, fit to be shown. */
public final class EnforcerException extends Exception {
    private static final long serialVersionUID = 1;
    private static final int LONGEST = 300;

    public EnforcerException(String message) {
        this(message, null);
    }

    public EnforcerException(String message, @Nullable Throwable cause) {
        super(tame(message), cause);
    }

    // The other side may say anything.
    private static String tame(String message) {
        String line = message.replaceAll("\\p{Cntrl}", "?");
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST);
    }

    static EnforcerException because(Exception cause) {
        return new EnforcerException(
                cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage(), cause);
    }
}
