package io.pathlore.mitigate.bgp;

/** What the other side said is not BGP, or not what was agreed on; with what it is told before the session ends. */
final class BgpException extends Exception {
    private static final long serialVersionUID = 1;

    private final int code;
    private final int subcode;

    BgpException(int code, int subcode, String message) {
        super(message);
        this.code = code;
        this.subcode = subcode;
    }

    int code() {
        return code;
    }

    int subcode() {
        return subcode;
    }
}
