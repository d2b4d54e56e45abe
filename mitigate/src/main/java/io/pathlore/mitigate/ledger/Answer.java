package io.pathlore.mitigate.ledger;

/** What an operator is told. */
public sealed interface Answer {
    record Done(Mitigation mitigation) implements Answer {}

    /** Somebody was faster: look at it again. */
    record Stale(Mitigation mitigation) implements Answer {}

    /** It will not be done, and why, in one line. */
    record Refused(String reason) implements Answer {}

    /** It was asked for; nobody can say yet what comes of it. */
    record Asked(String remark) implements Answer {}

    record Unknown(String id) implements Answer {}
}
