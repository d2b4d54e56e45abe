package io.pathlore.cli.client;

/** The server did not give what it was asked for. The message is one line. */
public final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** What was in the way. */
    public enum Kind {
        /** Nobody answers. */
        UNREACHABLE,
        /** It wants a token, or another one. */
        NOT_AUTHORISED,
        /** Whoever answers does not answer as a collector does. */
        NOT_A_COLLECTOR,
        /** A collector that cannot answer now, or not this. */
        REFUSED
    }

    private final Kind kind;

    ApiException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
