package io.pathlore.serve;

/** The server cannot start as configured. The message is one line: what, where, what to do. */
public final class ServeException extends Exception {
    private static final long serialVersionUID = 1;

    public ServeException(String message) {
        super(message);
    }
}
