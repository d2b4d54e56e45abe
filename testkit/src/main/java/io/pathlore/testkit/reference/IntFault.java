package io.pathlore.testkit.reference;

/** INT that does not verify [docs/reference/faults.md, those that lose "int"]. Thrown and caught inside the decoder. */
final class IntFault extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The bytes pass all named tests but reserved fields are not what INT would have there [spec-notes 5.3]. */
    static final String SHAPE = "shape";

    /** Something a mark must not lead to and that has no name of its own: a destination header behind a DSCP mark. */
    static final String UNVERIFIED = "unverified";

    private final String fault;
    private final boolean cut;

    IntFault(String fault) {
        this(fault, false);
    }

    /** {@code cut}: the bytes are missing because the fragment ends, not because the packet does. */
    IntFault(String fault, boolean cut) {
        super(fault, null, false, false);
        this.fault = fault;
        this.cut = cut;
    }

    String fault() {
        return fault;
    }

    boolean cut() {
        return cut;
    }
}
