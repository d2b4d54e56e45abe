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
    private final int status;
    private final String place;

    ApiException(Kind kind, String message) {
        this(kind, 0, message, "");
    }

    ApiException(Kind kind, int status, String message, String place) {
        super(message);
        this.kind = kind;
        this.status = status;
        this.place = place;
    }

    /** That of HTTP where a collector {@link Kind#REFUSED}, else 0. */
    public int status() {
        return status;
    }

    public Kind kind() {
        return kind;
    }

    /** Lines that show where in what was asked it is wrong; empty where that is not the trouble. */
    public String place() {
        return place;
    }
}
