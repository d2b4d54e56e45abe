package io.pathlore.engine.state;

/** State that cannot be written, or that this program cannot read. */
public final class StateException extends RuntimeException {
    private static final long serialVersionUID = 1;

    StateException(String message) {
        super(message);
    }

    StateException(String message, Throwable cause) {
        super(message, cause);
    }
}
