package io.pathlore.cli.client;

/** The server did not give what it was asked for. The message is one line. */
public final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private static final int BAD_REQUEST = 400;

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
    private final String detail;
    private final String place;

    ApiException(Kind kind, String message) {
        this(kind, 0, message, "", "");
    }

    /**
     * @param detail what a collector said was wrong
     * @param place see {@link #place}
     */
    ApiException(Kind kind, int status, String message, String detail, String place) {
        super(message);
        this.kind = kind;
        this.status = status;
        this.detail = detail;
        this.place = place;
    }

    /** That of HTTP where a collector {@link Kind#REFUSED}, else 0. */
    public int status() {
        return status;
    }

    /** What was asked was wrong, as the collector says: {@code limit: a number from 1 to 10000}. Else empty. */
    public String wrongParameter() {
        return status == BAD_REQUEST ? detail : "";
    }

    public Kind kind() {
        return kind;
    }

    /** Lines that show where in what was asked it is wrong; empty where that is not the trouble. */
    public String place() {
        return place;
    }
}
