package io.pathlore.testkit.reference;

/** A fault that costs a report, or more [docs/reference/faults.md]. Thrown inside the decoder, never out of it. */
final class Rejected extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** How much the fault takes with it. */
    enum Reach {
        DATAGRAM,
        REST,
        REPORT
    }

    private final String fault;
    private final Reach reach;

    private Rejected(String fault, Reach reach) {
        super(fault, null, false, false);
        this.fault = fault;
        this.reach = reach;
    }

    static Rejected datagram(String fault) {
        return new Rejected(fault, Reach.DATAGRAM);
    }

    static Rejected rest(String fault) {
        return new Rejected(fault, Reach.REST);
    }

    static Rejected report(String fault) {
        return new Rejected(fault, Reach.REPORT);
    }

    String fault() {
        return fault;
    }

    Reach reach() {
        return reach;
    }
}
