package io.pathlore.cli.service;

/** An edge did not give what it was asked for. The message is one line, for whoever wants to know why. */
final class EdgeException extends Exception {
    private static final long serialVersionUID = 1;

    private static final int NOT_FOUND = 404;
    private static final int BUSY = 503;

    private final int status;
    private final boolean tooMuch;

    EdgeException(String why) {
        this(why, 0, false);
    }

    /** {@code status}: that of HTTP where it said no; else 0. */
    EdgeException(String why, int status) {
        this(why, status, false);
    }

    private EdgeException(String why, int status, boolean tooMuch) {
        super(why, null, false, false);
        this.status = status;
        this.tooMuch = tooMuch;
    }

    static EdgeException tooMuch(int most) {
        return new EdgeException("answers with more than " + most + " octets", 0, true);
    }

    String why() {
        return String.valueOf(getMessage());
    }

    boolean isNotThere() {
        return status == NOT_FOUND;
    }

    boolean isBusy() {
        return status == BUSY;
    }

    /** It would do with less. */
    boolean isTooMuch() {
        return tooMuch;
    }
}
