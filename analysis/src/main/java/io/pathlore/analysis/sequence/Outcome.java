package io.pathlore.analysis.sequence;

/** What the number of one datagram says about it. Every datagram has exactly one; only {@link #DUPLICATE} is not to be analysed. */
public enum Outcome {
    /** The first of its stream. */
    FIRST,
    /** The number after the highest so far. */
    IN_ORDER,
    /** Higher than the next number: those between are missing, and lost if they do not come. */
    GAP,
    /** Lower than the highest, inside the window, not seen before: what was missing is there. */
    REORDERED,
    /** A number and bytes already seen inside the window, in a stream whose counter moves. */
    DUPLICATE,
    /** A number already seen, with other bytes, or with bytes nobody remembers. */
    REPEATED,
    /** Too far behind: whether it was counted as lost, or came before, is no longer known. */
    LATE,
    /** Further ahead than the stream's own rate could have come: the first after a restart, or somebody else's. */
    STRAY,
    /** The second of two that are in order with each other and not with the stream: it has begun anew. */
    RESTART,
    /** The first after a silence in which the counter may have gone half around: what is missing is unknown, not a number. */
    RESEEDED,
    /** The counter does not move, or has not yet been seen to: the number says nothing. */
    CONSTANT;

    static final int COUNT = values().length;
}
