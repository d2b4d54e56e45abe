package io.pathlore.cli.service;

import org.jspecify.annotations.Nullable;

/** The service cannot run, or no longer. The message is one line: what, where, what to do. */
public final class ServiceException extends Exception {
    private static final long serialVersionUID = 1;

    public ServiceException(String message) {
        this(message, null);
    }

    public ServiceException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
