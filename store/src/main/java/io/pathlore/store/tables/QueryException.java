package io.pathlore.store.tables;

/** A question that is not answered. The message is one line for whoever asked. */
public final class QueryException extends Exception {
    private static final long serialVersionUID = 1;

    /** Whose turn it is to do something about it. */
    public enum Reason {
        /** It is not SQL, or names what is not there. */
        WRONG,
        /** It would do more than ask. */
        REFUSED,
        /** It takes too long, or too much memory. */
        TOO_MUCH,
        /** Not now: others ask, or the tables cannot be read. */
        BUSY
    }

    private final Reason reason;

    QueryException(Reason reason, String line) {
        super(line.replaceAll("\\p{Cntrl}", "?"));
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
