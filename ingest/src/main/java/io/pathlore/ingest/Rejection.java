package io.pathlore.ingest;

/** Why a datagram was read and not accepted, in the order of the tests: the first that applies is the one counted. */
public enum Rejection {
    EMPTY("empty"),
    OVERSIZE("oversize"),
    ACL("acl"),
    RATE("rate");

    private final String label;

    Rejection(String label) {
        this.label = label;
    }

    /** Its name in JSON and metrics. */
    public String label() {
        return label;
    }
}
